import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Quirks } from '../../../packages/sandbox/src/sandbox.ts'
import { documentOf, type List, listIn, listsOf, pageOf, sizeFor, upstreamOf } from '../../support/connectionLists.ts'
import { runs } from '../../support/property.ts'
import { startWorld, type World, youngChains } from '../../support/world.ts'

const withQuirks = (quirks: Quirks) => startWorld({ chains: youngChains(60).map((chain) => ({ ...chain, quirks })) })

type Order = 'ASC' | 'DESC'

async function walk(on: World, list: List, size: number, order: Order, isForward: boolean) {
  const ids: string[] = []
  for (let cursor: string | null = null; ; ) {
    const paging = isForward ? { first: size, after: cursor } : { last: size, before: cursor }
    const page = await pageOf(on, list, { order, ...paging })
    if (isForward) ids.push(...page.ids)
    else ids.unshift(...page.ids)
    const { hasNextPage, hasPreviousPage, startCursor, endCursor } = page.pageInfo
    if (!(isForward ? hasNextPage : hasPreviousPage)) return ids
    if (!list.accepts) expect(page.ids).toHaveLength(size)
    cursor = isForward ? endCursor : startCursor
  }
}

test.each<[string, Quirks]>([
  ['that cuts pages at 1 record', { maxLimit: 1 }],
  ['that cuts pages at 7 records', { maxLimit: 7 }],
  ['that cuts pages at 100 records', { maxLimit: 100 }],
  ['whose keys are opaque', { opaqueKeys: true }],
  ['whose keys are opaque and pages cut at 7 records', { opaqueKeys: true, maxLimit: 7 }],
])('a walk over an indexer %s has every record once', async (_claim, quirks) => {
  await using world = await withQuirks(quirks)
  const lists = await listsOf(world, 'galley-1')
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...lists),
      fc.integer({ min: 1, max: 100 }),
      fc.constantFrom<Order[]>('ASC', 'DESC'),
      fc.boolean(),
      async (list, size, order, isForward) => {
        const records = await upstreamOf(world, list, order)
        const ids = await walk(world, list, sizeFor(records.length, size), order, isForward)
        expect([list.name, ids]).toEqual([list.name, records])
      },
    ),
    { numRuns: runs(8), seed: 2026 },
  )
})

test('every cursor of a list with opaque keys leads to the records after it', async () => {
  await using world = await withQuirks({ opaqueKeys: true, maxLimit: 7 })
  for (const list of await listsOf(world, 'harbor-1')) {
    if (list.accepts) continue
    const page = await pageOf(world, list, { order: 'DESC', first: 30 })
    const records = await upstreamOf(world, list, 'DESC')
    for (const [at, cursor] of page.cursors.entries()) {
      if (at % 8 !== 0 && at !== page.cursors.length - 1) continue
      const after = await pageOf(world, list, { order: 'DESC', first: 4, after: cursor })
      expect([list.name, after.ids]).toEqual([list.name, records.slice(at + 1, at + 5)])
    }
  }
})

/** The lists whose `totalCount` is known though the count times out: those with numbered records, and short ones. */
const counted: Readonly<Record<string, 'exact' | 'estimate' | 'one too few'>> = {
  'blocks(PAGE)': 'estimate',
  'transactions(PAGE)': 'estimate',
  'evmTransactions(PAGE)': 'estimate',
  'evmInternalTransactions(PAGE)': 'estimate',
  'nftCollections(PAGE)': 'one too few',
  'nftCollections(filter: { search: "a" } PAGE)': 'exact',
  'account(address: …) nftCollections(PAGE)': 'exact',
  'block(height: 27) transactions(PAGE)': 'exact',
  'richList(denom: … PAGE)': 'exact',
}

test('totalCount is null if the count times out and no record has a number', async () => {
  await using world = await withQuirks({ totals: 'timeout' })
  const seen = new Set()
  for (const list of await listsOf(world, 'galley-1')) {
    const document = documentOf(list, 'totalCount isTotalCountEstimate')
    const connection = listIn(list, await world.data(document, { order: 'DESC', first: 1 }))
    const upstream = await upstreamOf(world, list, 'DESC')
    const how = counted[list.name.replace('galley-1 ', '')]
    seen.add(how)
    const total = how && upstream.length - (how === 'one too few' ? 1 : 0)
    expect([list.name, connection]).toEqual([
      list.name,
      {
        totalCount: total ?? null,
        isTotalCountEstimate: how === 'estimate' || how === 'one too few',
      },
    ])
  }
  expect(seen.size).toBe(4)
  const { chain } = await world.data(`{ chain(chainId: "galley-1") {
    account(address: "0x1") {
      transactions(first: 0) { totalCount } nfts(first: 0) { totalCount }
      evmTransactions(first: 0) { totalCount } evmInternalTransactions(first: 0) { totalCount }
      nftCollections(first: 0) { totalCount }
    }
    blocks(first: 0) { totalCount }
    transactions(first: 0) { totalCount }
  } }`)
  expect(chain).toEqual({
    account: {
      transactions: { totalCount: null },
      nfts: { totalCount: null },
      evmTransactions: { totalCount: null },
      evmInternalTransactions: { totalCount: null },
      nftCollections: { totalCount: 0 },
    },
    blocks: { totalCount: 60 },
    transactions: { totalCount: 90 },
  })
})

test.each([
  ['null', { blocks: null, pagination: { next_key: null, total: '0' } }],
  ['left out', { pagination: null }],
])('a list that the upstream returns as %s is empty', async (_claim, json) => {
  await using world = await startWorld()
  world.sandbox.faults.set('harbor-1', '/indexer/block/v1/blocks?', { kind: 'answer', json })
  const { chain } = await world.data(
    '{ chain { blocks { totalCount nodes { height } pageInfo { hasNextPage endCursor } } } }',
  )
  expect(chain.blocks).toEqual({
    totalCount: 0,
    nodes: [],
    pageInfo: { hasNextPage: false, endCursor: null },
  })
})

test('an upstream that repeats page keys is an error, not an endless loop', async () => {
  await using world = await startWorld()
  const body = await world.rest('harbor-1', '/indexer/block/v1/blocks?pagination.limit=5')
  world.sandbox.faults.set('harbor-1', '/indexer/block/v1/blocks?', { kind: 'answer', json: body })
  const { data, errors, sent } = await world.trace('{ chain { blocks(first: 20) { nodes { height } } } }')
  expect(data.chain.blocks).toBeNull()
  expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_INVALID_RESPONSE' } }])
  expect(sent).toHaveLength(2)
})
