import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { askIndexer, plainList } from '../../support/listIndexer.ts'
import { blockRow, callRow, type Row, receiptRow, transactionRow } from '../../support/listRows.ts'
import { type Data, isOddWorld, now, startWorld, youngChains } from '../../support/world.ts'

const world = await startWorld({ chains: youngChains(80) })
afterAll(() => world[Symbol.asyncDispose]())

const chainId = 'galley-1'

/** Each list that can be filtered by time, as a field of a chain or of an account, with what names its records. */
const blockList: List = ['blocks', 'chain', 'hash timestamp']
const accountList: List = ['transactions', 'account', 'hash timestamp']
const lists: readonly List[] = [
  blockList,
  ['transactions', 'chain', 'hash timestamp'],
  ['evmTransactions', 'chain', 'hash timestamp'],
  ['evmInternalTransactions', 'chain', 'id timestamp'],
  accountList,
  ['evmTransactions', 'account', 'hash timestamp'],
  ['evmInternalTransactions', 'account', 'id timestamp'],
]

type List = readonly [field: string, parent: string, selection: string]

const { chain: sample } = await world.data(
  `{ chain(chainId: "${chainId}") { evmInternalTransactions(first: 50) { nodes { from { address } } } } }`,
)
/** The account that most internal transactions are of. */
const address = (() => {
  const counts = new Map<string, number>()
  for (const { from } of sample.evmInternalTransactions.nodes) {
    if (from) counts.set(from.address, (counts.get(from.address) ?? 0) + 1)
  }
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? ''
})()

/** A page of a list, with arguments as they stand in the document. */
async function page([field, parent, selection]: List, args: string): Promise<Data> {
  const list = `${field}(${args}) {
    nodes { ${selection} } edges { cursor } totalCount isTotalCountEstimate
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }`
  const { chain } = await world.data(
    parent === 'chain'
      ? `{ chain(chainId: "${chainId}") { ${list} } }`
      : `{ chain(chainId: "${chainId}") { account(address: "${address}") { ${list} } } }`,
  )
  return (chain.account ?? chain)[field]
}

/** Every record of a list, page by page from either end. */
async function all(list: List, args: string, from: 'start' | 'end' = 'start'): Promise<Data[]> {
  const nodes: Data[] = []
  let cursor = ''
  for (;;) {
    const size = nodes.length % 2 === 0 ? 7 : 40
    const paging = from === 'start' ? `first: ${size}` : `last: ${size}`
    const found = await page(list, `${paging}${cursor} ${args}`)
    const { hasNextPage, hasPreviousPage, startCursor, endCursor } = found.pageInfo
    if (from === 'start') nodes.push(...found.nodes)
    else nodes.unshift(...found.nodes)
    if (!(from === 'start' ? hasNextPage : hasPreviousPage)) return nodes
    cursor = from === 'start' ? `, after: "${endCursor}"` : `, before: "${startCursor}"`
  }
}

const idOf = ({ hash, id }: Data) => hash ?? id

test.skipIf(isOddWorld()).each(lists)(
  '%s of a %s filtered by time equal a filter in memory, in all directions',
  async (...list) => {
    const records = await all(list, '')
    expect(records.length).toBeGreaterThan(20)
    const times = records.map(({ timestamp }) => timestamp)
    const anyTime = fc.oneof(
      fc.constantFrom(...times),
      fc.constantFrom(...times).map((time) => new Date(Date.parse(time) - 1_000).toISOString()),
      fc.constantFrom('1999-01-01T00:00:00Z', '2999-12-31T23:59:59Z'),
    )
    await fc.assert(
      fc.asyncProperty(anyTime, anyTime, fc.boolean(), fc.boolean(), async (a, b, isAscending, isBack) => {
        const [since, until] = Date.parse(a) <= Date.parse(b) ? [a, b] : [b, a]
        const isIn = ({ timestamp }: Data) => exact(timestamp) >= exact(since) && exact(timestamp) < exact(until)
        const order = isAscending ? 'ASC' : 'DESC'
        const args = `, order: ${order}, filter: { since: "${since}", until: "${until}" }`
        const found = await all(list, args, isBack ? 'end' : 'start')
        const wanted = records.filter(isIn).map(idOf)
        expect(found.map(idOf)).toEqual(isAscending ? wanted.toReversed() : wanted)
      }),
      { numRuns: 12 },
    )
  },
)

test.skipIf(isOddWorld()).each(lists)(
  'cursors of %s of a %s filtered by time lead to the records before and after',
  async (...list) => {
    const records = await all(list, '')
    const [until, since] = [records[4].timestamp, records.at(-Math.ceil(records.length / 2))?.timestamp]
    for (const filter of [`since: "${since}"`, `until: "${until}"`, `since: "${since}", until: "${until}"`]) {
      for (const [order, whole] of [
        ['DESC', 'first: 100'],
        ['ASC', 'last: 100'],
        ['DESC', 'last: 7'],
      ]) {
        const args = `, order: ${order}, filter: { ${filter} }`
        const span = (await all(list, args)).map(idOf)
        const { edges, nodes } = await page(list, `${whole}${args}`)
        expect(edges.length).toBeGreaterThan(4)
        for (const i of [0, 1, 4, edges.length - 2, edges.length - 1]) {
          const at = span.indexOf(idOf(nodes[i]))
          const after = await page(list, `first: 3, after: "${edges[i].cursor}"${args}`)
          const before = await page(list, `last: 3, before: "${edges[i].cursor}"${args}`)
          expect(after.nodes.map(idOf)).toEqual(span.slice(at + 1, at + 4))
          expect(before.nodes.map(idOf)).toEqual(span.slice(Math.max(0, at - 3), at))
          expect(before.pageInfo.hasPreviousPage).toBe(at > 3)
          expect(after.pageInfo.hasNextPage).toBe(at + 4 < span.length)
        }
      }
    }
  },
)

/** A time as text that sorts as times do. */
const exact = (time: string) => time.slice(0, 19) + time.slice(20, -1).padEnd(9, '0')

const listed = (field: string, args: string) =>
  `{ chain(chainId: "${chainId}") { ${field}(${args}) { nodes { id } } } }`

const plainTest = test.skipIf(isOddWorld())

plainTest('activity on all chains is filtered by time on all pages', async () => {
  const read = async (args: string) => {
    const nodes: Data[] = []
    for (let after = ''; ; ) {
      const { account } = await world.data(`{ account(address: "${address}") { activity(first: 9 ${after} ${args}) {
        nodes { ... on Transaction { hash timestamp } } pageInfo { hasNextPage endCursor }
        unavailableChains { code } liveCursor } } }`)
      expect(account.activity.unavailableChains).toEqual([])
      nodes.push(...account.activity.nodes)
      const { hasNextPage, endCursor } = account.activity.pageInfo
      if (!hasNextPage) return { nodes, liveCursor: account.activity.liveCursor }
      after = `, after: "${endCursor}"`
    }
  }
  const { nodes } = await read('')
  const [until, since] = [nodes[5].timestamp, nodes.at(-5).timestamp]
  const cut = await read(`, filter: { since: "${since}", until: "${until}" }`)
  expect(cut.nodes.length).toBeGreaterThan(5)
  expect(cut.nodes).toEqual(
    nodes.filter(({ timestamp }) => exact(timestamp) >= exact(since) && exact(timestamp) < exact(until)),
  )
  expect(cut.liveCursor).toBeNull()
})

plainTest('activity can be paged back from every page, with and without a time filter', async () => {
  const read = async (args: string): Promise<Data> => {
    const { account } = await world.data(`{ account(address: "${address}") { activity(${args}) {
        edges { cursor node { ... on Transaction { hash timestamp } } }
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor } unavailableChains { code } } } }`)
    expect(account.activity.unavailableChains).toEqual([])
    return account.activity
  }
  const { edges } = await read('first: 100')
  const filters = [4, 12, 20].map((count) => `filter: { since: "${edges.at(-count).node.timestamp}" }`)
  for (const filter of ['', ...filters]) {
    for (const order of ['DESC', 'ASC']) {
      for (const size of [1, 5, 20]) {
        const pages: Data[] = []
        for (let after = ''; ; ) {
          const found = await read(`first: ${size} order: ${order} ${after} ${filter}`)
          pages.push(found)
          if (!found.pageInfo.hasNextPage) break
          after = `after: "${found.pageInfo.endCursor}"`
        }
        const forward = pages.flatMap((found) => found.edges.map(({ node }: Data) => node.hash))
        expect(forward.length).toBeGreaterThan(5)
        for (const [i, { pageInfo, edges: found }] of pages.entries()) {
          const cursors = [pageInfo.startCursor, found.at(-1).cursor]
          for (const [place, cursor] of cursors.entries()) {
            const at = i * size + (place === 0 ? 0 : found.length - 1)
            const back = await read(`last: ${size} order: ${order} before: "${cursor}" ${filter}`)
            expect(back.edges.map(({ node }: Data) => node.hash)).toEqual(forward.slice(Math.max(0, at - size), at))
          }
        }
      }
    }
  }
})

plainTest('finding a block by time takes at most eight requests, and is cached', async () => {
  await using fresh = await startWorld({ chains: youngChains(5_000) })
  const { chain } = await fresh.data(`{ chain(chainId: "${chainId}") { block(height: 1234) { timestamp } } }`)
  const since = chain.block.timestamp
  const document = `{ chain(chainId: "${chainId}") {
    blocks(last: 1, filter: { since: "${since}" }) { nodes { height } } } }`
  const first = await fresh.trace(document)
  expect(first.data).toEqual({ chain: { blocks: { nodes: [{ height: 1234 }] } } })
  // One more is for the page itself.
  expect(first.sent.length - 1).toBeLessThanOrEqual(8)
  const other = await fresh.trace(document.replace('last: 1', 'last: 2'))
  expect(other.data.chain.blocks.nodes).toEqual([{ height: 1234 }, { height: 1235 }].toReversed())
  expect(other.sent).toHaveLength(1)
})

/** A number that looks random, from 0 to 1. */
const noise = (index: number) => (Math.imul(index + 1, 2_654_435_761) >>> 0) / 2 ** 32

const timeAt = (height: number) => new Date(now + height * 5_000 + Math.floor(4_000 * noise(height))).toISOString()

/** The lists of a chain whose sequences have holes of random width. Two blocks in three have a transaction. */
function sparseLists(): ReadonlyMap<string, readonly Row[]> {
  const [blocks, transactions, receipts, calls]: Row[][] = [[], [], [], []]
  let [sequence, receiptSequence, callSequence] = [0, 0, 0]
  for (let height = 1; height <= 3_000; height += 1) {
    const timestamp = timeAt(height)
    const count = height % 3
    const block = blockRow(height, count)
    blocks?.push({ ...block, json: { ...block.json, timestamp } })
    for (let i = 0; i < count; i += 1) {
      sequence += 1 + Math.floor(1e9 * noise(sequence))
      const row = transactionRow(sequence, height)
      transactions?.push({ ...row, json: { ...row.json, timestamp } })
    }
    if (height % 9 > 0) continue
    receiptSequence += 1 + Math.floor(900 * noise(receiptSequence))
    const receipt = receiptRow(receiptSequence, height)
    receipts?.push(receipt)
    callSequence += 1 + Math.floor(900 * noise(callSequence + 7))
    calls?.push(callRow(callSequence, receipt, 0))
  }
  return new Map([
    ['/indexer/block/v1/blocks', blocks ?? []],
    ['/indexer/tx/v1/txs', transactions ?? []],
    ['/indexer/tx/v1/evm-txs', receipts ?? []],
    ['/indexer/tx/v1/evm-internal-txs', calls ?? []],
  ])
}

test.each([
  ['transactions', 12, '/indexer/tx/v1/txs'],
  ['evmTransactions', 20, '/indexer/tx/v1/evm-txs'],
  ['evmInternalTransactions', 20, '/indexer/tx/v1/evm-internal-txs'],
] as const)('finding %s by time with gaps in sequences takes at most %i requests', async (field, most, path) => {
  const rows = sparseLists()
  for (let share = 1; share < 12; share += 1) {
    const { data, sent } = askIndexer({ rows, ofChain: plainList, ofBlock: plainList })
    const since = new Date(now + (share * 3_000 * 5_000) / 12).toISOString()
    const until = new Date(now + ((share + 0.5) * 3_000 * 5_000) / 12).toISOString()
    const ask = (filter: string) =>
      data(`{ chain(chainId: "list-1") {
          ${field}(first: 20, order: ASC, filter: { ${filter} }) { nodes { height } } } }`)
    const { chain } = await ask(`since: "${since}"`)
    expect(sent.length).toBeLessThanOrEqual(most + 2)
    const heights = (rows.get(path) ?? []).map(({ height }) => height)
    const inSpan = heights.filter((height) => timeAt(height) >= since).slice(0, 20)
    expect(chain[field].nodes.map(({ height }: Data) => height)).toEqual(inSpan)
    sent.length = 0
    await ask(`since: "${since}", until: "${until}"`)
    expect(sent.length).toBeLessThanOrEqual(most + 2)
  }
})

plainTest('totalCount of a filtered chain list is estimated from the first and last number', async () => {
  const blocks = await all(blockList, '')
  const [until, since] = [blocks[3].timestamp, blocks.at(-4).timestamp]
  const found = await page(blockList, `first: 1, filter: { since: "${since}", until: "${until}" }`)
  expect(found.totalCount).toBe(blocks.length - 7)
  expect(found.isTotalCountEstimate).toBe(true)
  const later = await page(blockList, `first: 1, filter: { since: "${since}" }`)
  expect(later.totalCount).toBe(blocks.length - 3)
  const earlier = await page(blockList, `first: 1, filter: { until: "${until}" }`)
  expect(earlier.totalCount).toBe(blocks.length - 4)
  const ofAccount = await page(accountList, `first: 1, filter: { since: "${since}" }`)
  expect(ofAccount.totalCount).toBeNull()
})

/** Lists whose first numbers are high, as of an indexer that started late. `step` is from one number to the next. */
function lateLists(step: number): ReadonlyMap<string, readonly Row[]> {
  const heights = Array.from({ length: 40 }, (_, index) => 5_000_001 + index)
  const blocks = heights.map((height) => {
    const block = blockRow(height, 1)
    return { ...block, json: { ...block.json, timestamp: timeAt(height) } }
  })
  const numberOf = (height: number) => 7_000_000 + (height - 5_000_000) * step
  const transactions = heights.map((height) => {
    const row = transactionRow(numberOf(height), height)
    return { ...row, json: { ...row.json, timestamp: timeAt(height) } }
  })
  const receipts = heights.map((height) => receiptRow(numberOf(height), height))
  const calls = receipts.map((receipt) => callRow(receipt.number, receipt, 0))
  return new Map([
    ['/indexer/block/v1/blocks', blocks],
    ['/indexer/tx/v1/txs', transactions],
    ['/indexer/tx/v1/evm-txs', receipts],
    ['/indexer/tx/v1/evm-internal-txs', calls],
  ])
}

test.each(
  ['blocks', 'transactions', 'evmTransactions', 'evmInternalTransactions'].flatMap((field) => [
    [field, 1] as const,
    [field, 1_000] as const,
  ]),
)('totalCount of %s by time counts from the oldest record, with numbers %i apart', async (field, step) => {
  const { data } = askIndexer({ rows: lateLists(step), ofChain: plainList, ofBlock: plainList })
  const countOf = async (filter: string) => {
    const { chain } = await data(
      `{ chain(chainId: "list-1") { ${field}${filter && `(filter: { ${filter} })`} { totalCount } } }`,
    )
    return chain[field].totalCount
  }
  expect(await countOf('')).toBe(40)
  const [early, late] = ['since: "2025-01-01T00:00:00Z"', 'until: "2999-01-01T00:00:00Z"']
  for (const filter of [early, late, `${early} ${late}`]) expect(await countOf(filter)).toBe(40)
  const at = (index: number) => `"${timeAt(5_000_001 + index)}"`
  expect(await countOf(`since: ${at(1)}`)).toBe(39)
  expect(await countOf(`until: ${at(10)}`)).toBe(10)
  expect(await countOf(`since: ${at(10)} until: ${at(30)}`)).toBe(20)
  expect(await countOf('until: "2025-01-01T00:00:00Z"')).toBe(0)
  expect(await countOf('since: "2999-01-01T00:00:00Z"')).toBe(0)
})

test.each([
  ['filter: { since: "2026-01-02T00:00:00Z", until: "2026-01-01T00:00:00Z" }', 'INVALID_ARGUMENT'],
  ['filter: { since: "2026" }', undefined],
  ['filter: { until: "2026-02-30T00:00:00Z" }', undefined],
])('blocks(%s) is refused', async (args, reason) => {
  const [error] = await world.errors(listed('blocks', args))
  expect(error?.extensions).toMatchObject(reason ? { code: 'BAD_USER_INPUT', reason } : {})
})

plainTest('a cursor of another time filter is refused', async () => {
  const { edges } = await page(blockList, 'first: 5, filter: { since: "2026-01-01T00:00:00Z" }')
  const after = `first: 1, after: "${edges[2].cursor}"`
  for (const filter of ['', ', filter: { since: "2026-01-02T00:00:00Z" }']) {
    const [error] = await world.errors(listed('blocks', after + filter))
    expect(error?.extensions?.reason).toBe('CURSOR_OF_ANOTHER_LIST')
  }
})

plainTest('a time filter on an indexer without sequences is an error, other fields have data', async () => {
  const chains = youngChains(20).map((chain) =>
    chain.chainId === chainId ? { ...chain, quirks: { opaqueKeys: true } } : chain,
  )
  await using other = await startWorld({ chains })
  const { data, errors } = await other.ask(`{ chain(chainId: "${chainId}") { vm
    transactions(filter: { since: "2026-01-01T00:00:00Z" }) { nodes { hash } } } }`)
  expect(data).toEqual({ chain: { vm: 'EVM', transactions: null } })
  expect(errors?.map(({ extensions }) => extensions)).toMatchObject([{ code: 'UPSTREAM_REJECTED', service: chainId }])
})

plainTest('unreadable records do not end the search by time', async () => {
  await using broken = await startWorld({ chains: youngChains(30) })
  const path = '/indexer/tx/v1/txs'
  const rows = await broken.rows(chainId, path)
  const readable = new Set(rows.filter((_, i) => i % 3 !== 1).map(({ txhash }) => txhash))
  const change = (json: Data) => ({
    ...json,
    txs: json.txs.map((tx: Data) => (readable.has(tx.txhash) ? tx : { ...tx, height: 'none' })),
  })
  broken.sandbox.faults.set(chainId, path, { kind: 'change', change })
  for (const { timestamp } of rows.filter(({ txhash }) => readable.has(txhash)).slice(0, 12)) {
    const { data } = await broken.ask(`{ chain(chainId: "${chainId}") {
      transactions(first: 100, filter: { since: "${timestamp}" }) { nodes { hash } } } }`)
    const found = data.chain.transactions.nodes.flatMap((node: Data) => node?.hash ?? [])
    expect(found).toEqual(
      rows
        .filter((row) => readable.has(row.txhash) && exact(row.timestamp) >= exact(timestamp))
        .map(({ txhash }) => txhash),
    )
  }
})
