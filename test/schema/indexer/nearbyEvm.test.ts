import fc from 'fast-check'
import { expect, test } from 'vitest'
import { askIndexer, type ListBehavior, type ListIndexer, plainList } from '../../support/listIndexer.ts'
import { blockRow, callRow, type Row, receiptRow, transactionRow } from '../../support/listRows.ts'
import { runs } from '../../support/property.ts'
import type { Data } from '../../support/world.ts'

// EVM transactions and traces of nearby blocks are read together, as the transactions of blocks are. A
// block does not say how many it has.

const paths = {
  blocks: '/indexer/block/v1/blocks',
  transactions: '/indexer/tx/v1/txs',
  receipts: '/indexer/tx/v1/evm-txs',
  calls: '/indexer/tx/v1/evm-internal-txs',
} as const

/** One EVM transaction of a block. */
interface ReceiptSpec {
  readonly calls: number
  /** A number that is skipped before it, a call that was lost, or a call that comes after the next one. */
  readonly oddity: 'none' | 'gap' | 'lost call' | 'late'
}

/** A block with its EVM transactions, and how many others it has. */
interface BlockSpec {
  readonly receipts: readonly ReceiptSpec[]
  readonly others: number
}

const blockSpec: fc.Arbitrary<BlockSpec> = fc.record({
  receipts: fc.array(
    fc.record({
      calls: fc.oneof(fc.integer({ min: 0, max: 4 }), fc.constant(11)),
      oddity: fc.oneof(
        { weight: 25, arbitrary: fc.constant('none' as const) },
        {
          weight: 1,
          arbitrary: fc.constantFrom<ReceiptSpec['oddity'][]>('gap', 'lost call', 'late'),
        },
      ),
    }),
    { maxLength: 3 },
  ),
  others: fc.integer({ min: 0, max: 2 }),
})

function rowsOf(specs: readonly BlockSpec[]) {
  const rows: Record<keyof typeof paths, Row[]> = {
    blocks: [],
    transactions: [],
    receipts: [],
    calls: [],
  }
  let [transaction, receipt, call] = [1, 1, 1]
  for (const [i, { receipts, others }] of specs.entries()) {
    const height = i + 1
    const size = receipts.length + others
    rows.blocks.push(blockRow(height, size))
    for (let n = 0; n < size; n += 1) rows.transactions.push(transactionRow(transaction++, height))
    // The calls of a block are written at once, though not always those of one transaction after another.
    let late: (() => Row)[] = []
    for (const { calls, oddity } of receipts) {
      if (oddity === 'gap') receipt += 2
      const row = receiptRow(receipt++, height)
      rows.receipts.push(row)
      const make = Array.from({ length: calls }, (_, n) => () => callRow(call++, row, n))
      if (oddity === 'lost call') make.splice(1, 1)
      const delayed = late
      late = oddity === 'late' ? make.splice(-1) : []
      for (const next of [...make, ...delayed]) rows.calls.push(next())
    }
    for (const next of late) rows.calls.push(next())
  }
  return new Map(Object.entries(paths).map(([name, path]) => [path, rows[name as keyof typeof paths]]))
}

const behavior: fc.Arbitrary<ListBehavior> = fc.oneof(
  { weight: 4, arbitrary: fc.constant(plainList) },
  {
    weight: 1,
    arbitrary: fc.record({
      cap: fc.constantFrom(1, 7, 40, 1000),
      overCap: fc.constantFrom<ListBehavior['overCap'][]>('cuts', 'refuses'),
      fault: fc.constantFrom<ListBehavior['fault'][]>('none', 'missing', 'fails', 'ignores keys'),
    }),
  },
)

const indexers: fc.Arbitrary<ListIndexer> = fc.record({
  rows: fc.array(blockSpec, { minLength: 3, maxLength: 12 }).map(rowsOf),
  ofChain: behavior,
  ofBlock: fc.constant(plainList),
})

const paging = fc.record({
  order: fc.constantFrom('ASC', 'DESC'),
  end: fc.constantFrom('first', 'last'),
  count: fc.integer({ min: 1, max: 8 }),
})

const pageOf = (node: string) =>
  `totalCount nodes { ${node} } edges { cursor } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }`

test('EVM transactions of blocks read together equal those of each block, with cursors', async () => {
  let joined = 0
  await fc.assert(
    fc.asyncProperty(indexers, paging, async (indexer, { order, end, count }) => {
      const list = `height evmTransactions(${end}: ${count}, order: ${order}) { ${pageOf('hash height')} }`
      const together = askIndexer(indexer)
      const { chain } = await together.data(`{ chain { blocks(first: 9) { nodes { ${list} } } } }`)
      if (together.sent.length < chain.blocks.nodes.length) joined += 1
      for (const block of chain.blocks.nodes) {
        const alone = askIndexer({ ...indexer, ofChain: plainList })
        const { chain } = await alone.data(`{ chain { block(height: ${block.height}) { ${list} } } }`)
        expect(block).toEqual(chain.block)
      }
    }),
    { numRuns: runs(80) },
  )
  expect(joined).toBeGreaterThan(5)
})

test('traces of transactions read together equal those of each one, with cursors', async () => {
  let joined = 0
  await fc.assert(
    fc.asyncProperty(indexers, paging, async (indexer, { order, end, count }) => {
      const list = `hash internalTransactions(${end}: ${count}, order: ${order}) {
        ${pageOf('transactionHash index')}
      }`
      const together = askIndexer({ ...indexer, ofChain: plainList })
      const { chain } = await together.data(`{ chain { evmTransactions(first: 12) { nodes { ${list} } } } }`)
      const { nodes } = chain.evmTransactions
      if (together.sent.length < nodes.length) joined += 1
      for (const transaction of nodes) {
        const { chain } = await askIndexer(indexer).data(
          `{ chain { evmTransaction(hash: "${transaction.hash}") { ${list} } } }`,
        )
        expect(transaction).toEqual(chain.evmTransaction)
      }
    }),
    { numRuns: runs(80) },
  )
  expect(joined).toBeGreaterThan(5)
})

const plain = (specs: readonly BlockSpec[]): ListIndexer => ({
  rows: rowsOf(specs),
  ofChain: plainList,
  ofBlock: plainList,
})

const ordinary: ReceiptSpec = { calls: 3, oddity: 'none' }

const pathsOf = (sent: readonly string[]) => sent.map((target) => target.split('?')[0])

test('a page of blocks with their EVM transactions takes three requests', async () => {
  const specs = Array.from({ length: 30 }, () => ({ receipts: [ordinary, ordinary], others: 0 }))
  const { data, sent } = askIndexer(plain(specs))
  const { chain } = await data(
    '{ chain { blocks(first: 20) { nodes { evmTransactions { totalCount nodes { hash } } } } } }',
  )
  for (const { evmTransactions } of chain.blocks.nodes) {
    expect(evmTransactions.totalCount).toBe(2)
    expect(evmTransactions.nodes).toHaveLength(2)
  }
  expect(pathsOf(sent)).toEqual([paths.blocks, `${paths.receipts}/by_height/30`, paths.receipts])
})

test('a page of EVM transactions with their traces takes three requests', async () => {
  const specs = Array.from({ length: 30 }, () => ({ receipts: [ordinary, ordinary], others: 0 }))
  const { data, sent } = askIndexer(plain(specs))
  const { chain } = await data(
    '{ chain { evmTransactions(first: 20) { nodes { internalTransactions { totalCount nodes { index } } } } } }',
  )
  for (const { internalTransactions } of chain.evmTransactions.nodes) {
    expect(internalTransactions.totalCount).toBe(3)
    expect(internalTransactions.nodes.map(({ index }: Data) => index)).toEqual([0, 1, 2])
  }
  expect(pathsOf(sent)).toEqual([paths.receipts, `${paths.calls}/by_height/30`, paths.calls])
})

test('missing traces of the newest block are null', async () => {
  const untraced = { receipts: [{ calls: 0, oddity: 'none' as const }], others: 0 }
  const traced = { receipts: [ordinary], others: 0 }
  const specs = [...Array.from({ length: 9 }, () => traced), untraced]
  const { data, sent } = askIndexer(plain(specs))
  const { chain } = await data(
    '{ chain { evmTransactions(first: 6) { nodes { height internalTransactions { nodes { index } } } } } }',
  )
  const [newest, ...others] = chain.evmTransactions.nodes
  expect(newest.internalTransactions).toBeNull()
  for (const { internalTransactions } of others) expect(internalTransactions.nodes).toHaveLength(3)
  expect(pathsOf(sent)).toEqual([
    paths.receipts,
    `${paths.calls}/by_height/10`,
    `${paths.calls}/by_height/9`,
    paths.calls,
    expect.stringMatching(/evm-internal-txs\/0x/),
  ])
})
