import { createHash } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { encodeCursor } from '../../../src/engine/pagination/cursor.ts'
import { documentOf, documentOfPages, type List, listsOf, pageOf } from '../../support/connectionLists.ts'
import { testSigner } from '../../support/testSigner.ts'
import { type Data, startWorld, type World } from '../../support/world.ts'

const world = await startWorld()
afterAll(() => world[Symbol.asyncDispose]())

const lists = await listsOf(world, 'galley-1')

/** The list that this path leads to. */
function listAt(path: string): List {
  const list = lists.find((candidate) => candidate.path.join('.') === path)
  if (!list) throw new Error(`no list ${path}`)
  return list
}

async function expectRefused(on: World, list: List, variables: Record<string, unknown>) {
  const document = documentOf(list, 'totalCount edges { cursor }')
  const { errors, sent } = await on.trace(document, { order: 'DESC', ...variables })
  expect(errors?.map(({ extensions }) => extensions?.code)).toEqual(['BAD_USER_INPUT'])
  // Fields above the list can have sent their requests.
  expect(sent.filter((line) => line.includes(list.rest))).toEqual([])
}

/** Expects each of these pages to be refused. All are fields of one document. */
async function expectPagesRefused(list: List, pages: readonly Record<string, string | number>[]) {
  const { errors, sent } = await world.trace(documentOfPages(list, pages, 'edges { cursor }'))
  const refused = errors?.map(({ path, extensions }) => [path?.at(-1), extensions?.code])
  expect(refused?.toSorted()).toEqual(pages.map((_page, i) => [`page${i}`, 'BAD_USER_INPUT']).toSorted())
  expect(sent.filter((line) => line.includes(list.rest))).toEqual([])
}

const cursorOf = async (list: List, order: 'ASC' | 'DESC' = 'DESC') => {
  const { pageInfo } = await pageOf(world, list, { order, first: 1 })
  return pageInfo.endCursor ?? ''
}

test.each([
  { first: -1 },
  { last: -1 },
  { first: 101 },
  { last: 101 },
  { first: 2 ** 31 },
  { first: 1.5 },
  { first: '5' },
  { first: 2, last: 2 },
  { first: 2, before: 'x' },
  { last: 2, after: 'x' },
  { after: 'x', before: 'x' },
  { first: 2, order: 'SIDEWAYS' },
  { first: 2, order: null },
])('the paging arguments %j are refused on every list without a request for it', async (variables) => {
  for (const list of lists) await expectRefused(world, list, variables)
})

test('the largest possible page size is refused as too complex', async () => {
  for (const list of lists) {
    const document = documentOf(list, 'edges { cursor }')
    const { errors, sent } = await world.trace(document, { order: 'DESC', first: 2 ** 31 - 1 })
    expect(errors?.map(({ extensions }) => extensions?.code)).toEqual(['QUERY_TOO_COMPLEX'])
    expect(sent).toEqual([])
  }
})

test('a page of size 0 has no records and no cursors', async () => {
  for (const list of lists) {
    for (const paging of [{ first: 0 }, { last: 0 }]) {
      const page = await pageOf(world, list, { order: 'DESC', ...paging })
      expect(page).toMatchObject({ ids: [], pageInfo: { startCursor: null, endCursor: null } })
      expect(page.pageInfo[paging.first === 0 ? 'hasNextPage' : 'hasPreviousPage']).toBe(true)
    }
  }
})

test.each(
  ['', ' ', 'garbage', '/../', '{"offset":1e9}', 'eyJoZWlnaHQiOjN9', 'MTA=', 'x'.repeat(10_000), '\u0000', '潮'].map(
    (cursor) => [cursor.slice(0, 20), cursor] as const,
  ),
)('the cursor %j is refused on every list without a request for it', async (_shown, cursor) => {
  for (const list of lists) {
    await expectPagesRefused(list, [
      { first: 2, after: cursor },
      { last: 2, before: cursor },
    ])
  }
})

test('a cursor with a changed, added or missing character is refused', async () => {
  for (const list of [listAt('blocks(PAGE)'), listAt('nftCollections(PAGE)')]) {
    const cursor = await cursorOf(list)
    const changed = Array.from(cursor, (character, i) => {
      const other = character === 'A' ? 'B' : 'A'
      return `${cursor.slice(0, i)}${other}${cursor.slice(i + 1)}`
    })
    const others = [...changed, `${cursor}A`, `${cursor}=`, ` ${cursor}`, cursor.slice(0, -1)]
    await expectPagesRefused(
      list,
      others.map((after) => ({ first: 2, after })),
    )
  }
})

test('a cursor of one list is refused on every other list', async () => {
  const cursors = new Map<List, string>()
  for (const list of lists) cursors.set(list, await cursorOf(list))
  expect(new Set(cursors.values()).size).toBe(lists.length)
  for (const list of lists) {
    const others = lists.filter((other) => other !== list)
    await expectPagesRefused(
      list,
      others.map((other) => ({ first: 2, after: cursors.get(other) ?? '' })),
    )
  }
})

test('a cursor of another order or chain is refused', async () => {
  const blocks = listAt('blocks(PAGE)')
  await expectRefused(world, blocks, { first: 2, after: await cursorOf(blocks, 'ASC') })
  const elsewhere = { ...blocks, chainId: 'harbor-1' }
  await expectRefused(world, blocks, { first: 2, after: await cursorOf(elsewhere) })
})

test('a cursor of another filter is refused', async () => {
  const [send, execute] = ['cosmos.bank.v1beta1.MsgSend', 'minievm.evm.v1.MsgCall'].map((type) => ({
    ...listAt('transactions(PAGE)'),
    path: [`transactions(filter: { messageTypes: ["${type}"] } PAGE)`],
  }))
  if (!send || !execute) throw new Error('unreachable')
  const cursor = await cursorOf(send)
  await expectRefused(world, execute, { first: 2, after: cursor })
  await expectRefused(world, listAt('transactions(PAGE)'), { first: 2, after: cursor })
})

test('a cursor with an impossible position is refused', async () => {
  const name = 'galley-1 /indexer/tx/v1/txs  DESC'
  const list = listAt('transactions(PAGE)')
  const genuine = encodeCursor(world.shared.signer, name, { kind: 'keyset', key: 90n, offset: 0 })
  const page = await pageOf(world, list, { order: 'DESC', first: 1, after: genuine })
  expect(page.ids).toHaveLength(1)
  for (const place of [
    { kind: 'keyset', key: 90n, offset: 100_000_000 },
    { kind: 'keyset', key: 90n, offset: -100_000_000 },
    { kind: 'keyset', key: 10n ** 30n, offset: 0 },
    { kind: 'offset', from: 'start', index: 1e21 },
  ] as const) {
    await expectRefused(world, list, {
      first: 1,
      after: encodeCursor(world.shared.signer, name, place),
    })
  }
})

/** A cursor that a client can make up, of a text and a plain hash of the list and the text. */
function forge(name: string, text: string, hashLength: number): string {
  const digest = createHash('sha256').update(`${name}\n${text}`).digest()
  return Buffer.concat([digest.subarray(0, hashLength), Buffer.from(text)]).toString('base64url')
}

test('a cursor that the gateway has not signed is refused without a request for it', async () => {
  const name = 'galley-1 /indexer/tx/v1/txs  DESC'
  const forged = ['s1000000000', 'k90,1000', 'f1000000,/../', 'b0,eyJzZXF1ZW5jZSI6N30='].flatMap((text) => [
    forge(name, text, 9),
    forge(name, text, 16),
    Buffer.from(`${forge(name, '', 9)}${text}`).toString('base64url'),
    encodeCursor(testSigner, name, { kind: 'offset', from: 'start', index: 3 }),
  ])
  await expectPagesRefused(
    listAt('transactions(PAGE)'),
    forged.map((after) => ({ first: 1, after })),
  )
})

test('the count is requested only when it is selected', async () => {
  for (const list of lists) {
    if (list.path.length > 1) continue
    const variables = { order: 'DESC', first: 1 }
    const plain = await world.trace(documentOf(list, 'edges { cursor }'), variables)
    const counted = await world.trace(documentOf(list, 'totalCount edges { cursor }'), variables)
    expect(plain.sent.length).toBe(1)
    expect(plain.sent[0]).toContain('pagination.count_total=false')
    const isOnPage = counted.sent[0]?.includes('pagination.count_total=true')
    // A page of one record that asks for more reads the list whole, and counts what it read.
    const isWhole = !plain.sent[0]?.includes('pagination.limit=1&')
    expect(counted.sent.length, list.path[0]).toBeGreaterThan(isOnPage || isWhole ? 0 : 1)
  }
})

test('a page without a size has the default size', async () => {
  const { chain } = await world.data('{ chain { blocks { nodes { height } } } }')
  expect(chain.blocks.nodes).toHaveLength(20)
})

test('a page without a size costs as much as a page of the default size', async () => {
  await using limited = await startWorld({ limits: { maxPageSize: 7, maxCost: 100 } })
  const costOf = async (args: string) => {
    const [error] = await limited.errors(
      `{ chain { blocks${args} { nodes { transactions(first: 20) { nodes { hash } } } } } }`,
    )
    return /costs (\d+) points/.exec(error?.message ?? '')?.[1]
  }
  expect(await costOf('')).toBeDefined()
  expect(await costOf('')).toBe(await costOf('(first: 7)'))
  expect(await costOf('')).not.toBe(await costOf('(first: 20)'))
})

test('nodes and edges have the same records', async () => {
  const { chain } = await world.data('{ chain { transactions(first: 5) { nodes { hash } edges { node { hash } } } } }')
  expect(chain.transactions.edges.map((edge: Data) => edge.node)).toEqual(chain.transactions.nodes)
})
