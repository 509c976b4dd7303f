import { afterAll, expect, test } from 'vitest'
import { encodeCursor } from '../../src/pagination/cursor.ts'
import { documentOf, type List, listsOf, pageOf } from '../support/connectionLists.ts'
import { type Data, startWorld, type World } from '../support/world.ts'

const world = await startWorld()
afterAll(() => world[Symbol.asyncDispose]())

const lists = await listsOf(world, 'galley-1')

/** The list that this path leads to. */
function listAt(path: string): List {
  const found = lists.find((one) => one.path.join('.') === path)
  if (!found) throw new Error(`no list ${path}`)
  return found
}

async function expectRefused(on: World, list: List, variables: Record<string, unknown>) {
  const document = documentOf(list, 'totalCount edges { cursor }')
  const { errors, sent } = await on.trace(document, { order: 'DESC', ...variables })
  expect(errors?.map(({ extensions }) => extensions?.code)).toEqual(['BAD_USER_INPUT'])
  // What stands above the list may have been loaded by then.
  expect(sent.filter((one) => one.includes(list.rest))).toEqual([])
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
])('paging by %j is refused on every list before it is asked', async (variables) => {
  for (const list of lists) await expectRefused(world, list, variables)
})

test('a size beyond all measure is too complex before it is anything else', async () => {
  for (const list of lists) {
    const document = documentOf(list, 'edges { cursor }')
    const { errors, sent } = await world.trace(document, { order: 'DESC', first: 2 ** 31 - 1 })
    expect(errors?.map(({ extensions }) => extensions?.code)).toEqual(['QUERY_TOO_COMPLEX'])
    expect(sent).toEqual([])
  }
})

test('no record at all may be asked for: the page has no cursors', async () => {
  for (const list of lists) {
    for (const asked of [{ first: 0 }, { last: 0 }]) {
      const page = await pageOf(world, list, { order: 'DESC', ...asked })
      expect(page).toMatchObject({ ids: [], pageInfo: { startCursor: null, endCursor: null } })
      expect(page.pageInfo[asked.first === 0 ? 'hasNextPage' : 'hasPreviousPage']).toBe(true)
    }
  }
})

test.each(
  [
    '',
    ' ',
    'garbage',
    '/../',
    '{"offset":1e9}',
    'eyJoZWlnaHQiOjN9',
    'MTA=',
    'x'.repeat(10_000),
    '\u0000',
    '潮',
  ].map((cursor) => [cursor.slice(0, 20), cursor] as const),
)('cursor %j is refused on every list before it is asked', async (_shown, cursor) => {
  for (const list of lists) {
    await expectRefused(world, list, { first: 2, after: cursor })
    await expectRefused(world, list, { last: 2, before: cursor })
  }
})

test('a cursor is refused when any of its characters is changed, added or left out', async () => {
  for (const list of [listAt('blocks(PAGE)'), listAt('nftCollections(PAGE)')]) {
    const cursor = await cursorOf(list)
    for (let i = 0; i < cursor.length; i++) {
      const other = cursor[i] === 'A' ? 'B' : 'A'
      await expectRefused(world, list, {
        first: 2,
        after: `${cursor.slice(0, i)}${other}${cursor.slice(i + 1)}`,
      })
    }
    for (const near of [`${cursor}A`, `${cursor}=`, ` ${cursor}`, cursor.slice(0, -1)]) {
      await expectRefused(world, list, { first: 2, after: near })
    }
  }
})

test('a cursor of one list is refused on every other', async () => {
  for (const list of lists) {
    const cursor = await cursorOf(list)
    for (const other of lists.filter((one) => one !== list)) {
      await expectRefused(world, other, { first: 2, after: cursor })
    }
  }
})

test('a cursor of one order or chain is refused in another', async () => {
  const blocks = listAt('blocks(PAGE)')
  await expectRefused(world, blocks, { first: 2, after: await cursorOf(blocks, 'ASC') })
  const elsewhere = { ...blocks, chainId: 'harbor-1' }
  await expectRefused(world, blocks, { first: 2, after: await cursorOf(elsewhere) })
})

test('a cursor of one filter is refused with another', async () => {
  const [send, execute] = ['cosmos.bank.v1beta1.MsgSend', 'minievm.evm.v1.MsgCall'].map((type) => ({
    ...listAt('transactions(PAGE)'),
    path: [`transactions(messageTypes: ["${type}"] PAGE)`],
  }))
  if (!send || !execute) throw new Error('both are there')
  const cursor = await cursorOf(send)
  await expectRefused(world, execute, { first: 2, after: cursor })
  await expectRefused(world, listAt('transactions(PAGE)'), { first: 2, after: cursor })
})

// Cursors are sealed against mistakes, not against malice: one that is made up must do no harm.
test('a cursor that names a place no page could have is refused', async () => {
  const name = 'galley-1 /indexer/tx/v1/txs  DESC'
  const list = listAt('transactions(PAGE)')
  const genuine = encodeCursor(name, { kind: 'keyset', key: 90n, offset: 0 })
  const page = await pageOf(world, list, { order: 'DESC', first: 1, after: genuine })
  expect(page.ids).toHaveLength(1)
  for (const place of [
    { kind: 'keyset', key: 90n, offset: 100_000_000 },
    { kind: 'keyset', key: 90n, offset: -100_000_000 },
    { kind: 'keyset', key: 10n ** 30n, offset: 0 },
    { kind: 'offset', from: 'start', index: 1e21 },
  ] as const) {
    await expectRefused(world, list, { first: 1, after: encodeCursor(name, place) })
  }
})

test('the count is asked for only when it is selected', async () => {
  for (const list of lists) {
    if (list.path.length > 1) continue
    const variables = { order: 'DESC', first: 1 }
    const plain = await world.trace(documentOf(list, 'edges { cursor }'), variables)
    const counted = await world.trace(documentOf(list, 'totalCount edges { cursor }'), variables)
    expect(plain.sent.length).toBe(1)
    expect(plain.sent[0]).toContain('pagination.count_total=false')
    expect(counted.sent.length).toBeGreaterThan(1)
  }
})

test('a page without a size has the default one', async () => {
  const { chain, serviceLimits } = await world.data(`{
    serviceLimits { defaultPageSize }
    chain { blocks { nodes { height } } }
  }`)
  expect(chain.blocks.nodes.map((one: Data) => one.height)).toHaveLength(
    serviceLimits.defaultPageSize,
  )
})

test('a page without a size costs as much as one of the default size', async () => {
  await using limited = await startWorld({ limits: { defaultPageSize: 7, maxCost: 100 } })
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

test('nodes and edges hold the same records', async () => {
  const { chain } = await world.data(
    '{ chain { transactions(first: 5) { nodes { hash } edges { node { hash } } } } }',
  )
  expect(chain.transactions.edges.map((edge: Data) => edge.node)).toEqual(chain.transactions.nodes)
})
