import { describe, expect, test } from 'vitest'
import type { Data } from '../../support/world.ts'
import { startTwinWorld, type TwinWorld } from './gateway.ts'
import type { IndexerChoices } from './indexer.ts'
import { account, delegateType, sendType, transactionHash, typeOf } from './records.ts'

// The contract: `msgs` keeps the transactions with a message of one of these types, on each list of transactions.

const lists = {
  chain: 'transactions(%) { totalCount nodes { hash } pageInfo { endCursor hasNextPage } }',
  account: `account(address: "${account.hex}") { transactions(%) { totalCount nodes { hash } pageInfo { endCursor hasNextPage } } }`,
}

async function walk(world: TwinWorld, list: string, types: readonly string[], size: number) {
  const hashes: string[] = []
  const totals = new Set<unknown>()
  for (let cursor = '', pages = 0; pages < 40; pages += 1) {
    const args = `first: ${size}, filter: { messageTypes: ${JSON.stringify(types)} }${cursor}`
    const { chain } = await world.data(`{ chain(chainId: "twin-1") { ${list.replace('%', args)} } }`)
    const { nodes, pageInfo, totalCount } = (chain.account ?? chain).transactions
    totals.add(totalCount)
    hashes.push(...nodes.map(({ hash }: Data) => hash))
    if (!pageInfo.hasNextPage) return { hashes, totals: [...totals] }
    cursor = `, after: "${pageInfo.endCursor}"`
  }
  throw new Error('The walk does not end.')
}

const numbers = Array.from({ length: 24 }, (_, i) => 24 - i)
const ofType = (...types: string[]) => numbers.filter((number) => types.includes(typeOf(number))).map(transactionHash)

const filtered = (world: TwinWorld) => world.indexer.takeRequests().filter((target) => target.includes('msgs=')).length

test('capabilities say what the answers of the indexer have shown', async () => {
  const capabilities = async (choices: Partial<IndexerChoices>) => {
    await using world = await startTwinWorld(choices)
    return (await world.data('{ chain(chainId: "twin-1") { capabilities } }')).chain.capabilities
  }
  expect(await capabilities({ msgs: 'works', keys: 'JSON of a height' })).toContain('MESSAGE_TYPE_FILTER')
  expect(await capabilities({ keys: 'JSON of a height' })).toContain('NUMBERED_PAGES')
  for (const msgs of ['fails with 500', 'is ignored'] as const) {
    const shown = await capabilities({ msgs, keys: 'random texts' })
    expect(shown).not.toContain('MESSAGE_TYPE_FILTER')
    expect(shown).not.toContain('NUMBERED_PAGES')
  }
})

describe.each<[IndexerChoices['msgs'], number | null]>([
  ['works', 8],
  ['fails with 500', null],
  ['is ignored', null],
])('an indexer on which msgs %s', (msgs, total) => {
  test.each(Object.entries(lists))('%s: only the transactions of these types, all of them', async (_name, list) => {
    for (const keys of ['random texts', 'JSON of a height'] as const) {
      await using world = await startTwinWorld({ msgs, keys, hasTotals: true })
      for (const size of [3, 20]) {
        expect((await walk(world, list, [delegateType], size)).hashes).toEqual(ofType(delegateType))
      }
      const { hashes, totals } = await walk(world, list, [delegateType], 30)
      expect(hashes).toEqual(ofType(delegateType))
      expect(totals).toEqual([total])
      expect((await walk(world, list, [sendType, delegateType], 30)).hashes).toEqual(ofType(sendType, delegateType))
      expect((await walk(world, list, ['cosmos.gov.v1.MsgVote'], 30)).hashes).toEqual([])
      filtered(world)
      // What was learnt is remembered.
      await walk(world, list, [delegateType], 5)
      if (total === null) expect(filtered(world)).toBe(0)
      else expect(filtered(world)).toBeGreaterThan(0)
    }
  })

  test('block: only the transactions of these types', async () => {
    await using world = await startTwinWorld({ msgs })
    const ask = (type: string) =>
      world.data(`{ chain(chainId: "twin-1") { block(height: 9) {
        transactions(first: 5, filter: { messageTypes: ["${type}"] }) { nodes { hash } pageInfo { hasNextPage } }
        all: transactions(first: 5) { nodes { hash } }
      } } }`)
    const own = { nodes: [{ hash: transactionHash(9) }] }
    for (let round = 0; round < 2; round += 1) {
      expect((await ask(delegateType)).chain.block).toEqual({
        transactions: { ...own, pageInfo: { hasNextPage: false } },
        all: own,
      })
      expect((await ask(sendType)).chain.block).toMatchObject({ transactions: { nodes: [] }, all: own })
    }
  })
})
