import fc from 'fast-check'
import { expect, test } from 'vitest'
import { askIndexer, type ListBehavior, type ListIndexer, plainList } from '../../support/listIndexer.ts'
import { blockRow, type Row, transactionRow } from '../../support/listRows.ts'
import { runs } from '../../support/property.ts'
import type { Data } from '../../support/world.ts'

// The lists of nearby blocks are read together. Whatever the indexer, the answer must be the one that
// reading each block on its own gives.

const blocksPath = '/indexer/block/v1/blocks'
const txsPath = '/indexer/tx/v1/txs'

/** What happened to one block of a chain. */
interface BlockSpec {
  readonly size: number
  /** Numbers that are skipped before the block. */
  readonly gap: number
  readonly oddity: 'none' | (typeof oddities)[number]
}

const mostly = <T>(usual: T, ...others: T[]) =>
  fc.oneof({ weight: 30, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) })

const oddities = ['pruned', 'lost transaction', 'counts too few', 'counts too many', 'late'] as const

const blockSpec: fc.Arbitrary<BlockSpec> = fc.record({
  size: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 0, max: 4 }) },
    { weight: 1, arbitrary: fc.integer({ min: 5, max: 30 }) },
  ),
  gap: mostly(0, 1, 7),
  oddity: mostly<BlockSpec['oddity']>('none', ...oddities),
})

/** A block of an indexer that has been repaired by hand. */
const oddSpec: fc.Arbitrary<BlockSpec> = fc.record({
  size: fc.integer({ min: 1, max: 3 }),
  gap: fc.constant(0),
  oddity: fc.constantFrom<BlockSpec['oddity'][]>('none', ...oddities),
})

const behavior: fc.Arbitrary<ListBehavior> = fc.record({
  cap: mostly(1000, 1, 2, 10, 25),
  overCap: fc.constantFrom('cuts', 'refuses'),
  fault: mostly<ListBehavior['fault']>('none', 'missing', 'fails', 'ignores keys', 'other keys'),
})

function rowsOf(specs: readonly BlockSpec[], firstSequence: number) {
  const blocks: Row[] = []
  const transactions: Row[] = []
  let sequence = firstSequence
  let late: number[] = []
  for (const [i, { size, gap, oddity }] of specs.entries()) {
    const height = i + 1
    const own = Array<number>(Math.max(0, oddity === 'lost transaction' ? size - 1 : size)).fill(height)
    const delayed = late
    // The last transaction of a late block comes after the next block.
    late = oddity === 'late' ? own.splice(-1) : []
    sequence += gap
    for (const of of [...own, ...delayed]) transactions.push(transactionRow(sequence++, of))
    const miscount = { 'counts too few': -1, 'counts too many': 1 }[String(oddity)] ?? 0
    if (oddity !== 'pruned') blocks.push(blockRow(height, Math.max(0, size + miscount)))
  }
  return new Map([
    [blocksPath, blocks],
    [txsPath, transactions],
  ])
}

const indexers: fc.Arbitrary<ListIndexer> = fc
  .record({
    specs: fc.oneof(
      fc.array(blockSpec, { minLength: 3, maxLength: 14 }),
      fc.array(oddSpec, { minLength: 4, maxLength: 9 }),
    ),
    firstSequence: fc.constantFrom(1, 2, 5000),
    ofChain: behavior,
    // A block on its own is read without a fault, or there is nothing to compare with.
    ofBlock: behavior.map((list) => ({ ...list, fault: 'none' as const })),
  })
  .map(({ specs, firstSequence, ...lists }) => ({ rows: rowsOf(specs, firstSequence), ...lists }))

const paging = fc.record({
  order: fc.constantFrom('ASC', 'DESC'),
  end: fc.constantFrom('first', 'last'),
  count: fc.integer({ min: 0, max: 8 }),
  blocks: fc.integer({ min: 3, max: 14 }),
})

const selection = `totalCount isTotalCountEstimate nodes { hash height } edges { cursor node { hash } }
  pageInfo { hasNextPage hasPreviousPage startCursor endCursor }`

const onItsOwn = (height: string, list: string) =>
  `{ chain { block(height: ${height}) { height transactionCount ${list} } } }`

test('transactions of blocks read together equal those of each block, with cursors', async () => {
  let joined = 0
  await fc.assert(
    fc.asyncProperty(indexers, paging, async (indexer, { order, end, count, blocks }) => {
      const list = `transactions(${end}: ${count}, order: ${order}) { ${selection} }`
      const together = askIndexer(indexer)
      const { chain } = await together.data(
        `{ chain { blocks(first: ${blocks}) { nodes { height transactionCount ${list} } } } }`,
      )
      if (together.sent.length < chain.blocks.nodes.length) joined += 1
      const { cap } = indexer.ofBlock
      for (const block of chain.blocks.nodes) {
        const alone = await askIndexer(indexer).data(onItsOwn(block.height, list))
        // Pages that a cap cuts give other positions of the same records.
        if (cap > 30) expect(block).toEqual(alone.chain.block)
        else expect(withoutCursors(block)).toEqual(withoutCursors(alone.chain.block))
      }
    }),
    { numRuns: runs(150) },
  )
  expect(joined).toBeGreaterThan(5)
})

const withoutCursors = ({ transactions, ...block }: Data) => {
  const { nodes, totalCount, pageInfo } = transactions
  const { hasNextPage, hasPreviousPage } = pageInfo
  return { ...block, nodes, totalCount, hasNextPage, hasPreviousPage }
}

test('every cursor of blocks read together resumes in its block', async () => {
  await fc.assert(
    fc.asyncProperty(indexers, paging, async (indexer, { order, end, count, blocks }) => {
      const list = `transactions(${end}: ${count}, order: ${order}) { edges { cursor node { hash } } }`
      const { chain } = await askIndexer(indexer).data(
        `{ chain { blocks(first: ${blocks}) { nodes { height ${list} } } } }`,
      )
      for (const { height, transactions } of chain.blocks.nodes) {
        const all = (indexer.rows.get(txsPath) ?? [])
          .filter((row) => row.height === Number(height))
          .map(({ json }) => 'txhash' in json && json.txhash)
        if (order === 'DESC') all.reverse()
        for (const { cursor, node } of transactions.edges) {
          const at = all.indexOf(node.hash)
          const around = `
            after: transactions(first: 40, after: "${cursor}", order: ${order}) { nodes { hash } }
            before: transactions(last: 40, before: "${cursor}", order: ${order}) { nodes { hash } }`
          const { block } = (await askIndexer(indexer).data(onItsOwn(height, around))).chain
          const hashes = ({ nodes }: Data) => nodes.map((tx: Data) => tx.hash)
          expect(hashes(block.after)).toEqual(all.slice(at + 1))
          expect(hashes(block.before)).toEqual(all.slice(0, at))
        }
      }
    }),
    { numRuns: runs(40) },
  )
})

test('a page of blocks with their transactions takes three requests', async () => {
  const specs = Array.from({ length: 40 }, (_, i) => ({
    size: i % 4,
    gap: 0,
    oddity: 'none' as const,
  }))
  const indexer = { rows: rowsOf(specs, 1), ofChain: plainList, ofBlock: plainList }
  const { data, sent } = askIndexer(indexer)
  const { chain } = await data(
    '{ chain { blocks(first: 20) { nodes { height transactions(first: 50) { nodes { height } } } } } }',
  )
  const { nodes } = chain.blocks
  expect(nodes).toHaveLength(20)
  for (const { height, transactions } of nodes) {
    expect(transactions.nodes).toEqual(Array((Number(height) - 1) % 4).fill({ height }))
  }
  expect(sent.map((target) => target.split('?')[0])).toEqual([blocksPath, `${txsPath}/by_height/40`, txsPath])
})

test('a block with more transactions than a page is read separately', async () => {
  const specs = Array.from({ length: 10 }, (_, i) => ({
    size: i === 5 ? 90 : 2,
    gap: 0,
    oddity: 'none' as const,
  }))
  const indexer = { rows: rowsOf(specs, 1), ofChain: plainList, ofBlock: plainList }
  const { data, sent } = askIndexer(indexer)
  await data('{ chain { blocks(first: 9) { nodes { transactions(first: 5) { nodes { hash } } } } } }')
  const limits = sent.map((target) => new URLSearchParams(target.split('?')[1]).get('pagination.limit'))
  expect(sent).toHaveLength(6)
  expect(limits.toSorted()).toEqual(['1', '1', '10', '6', '9', '9'])
})

test('after a batch without a complete block, blocks are read separately for a minute', async () => {
  const specs = Array.from({ length: 6 }, () => ({ size: 1, gap: 3, oddity: 'none' as const }))
  const indexer = { rows: rowsOf(specs, 1), ofChain: plainList, ofBlock: plainList }
  let time = 0
  const { data, sent } = askIndexer(indexer, () => time)
  const requestsOfPage = async () => {
    sent.length = 0
    await data('{ chain { blocks(first: 5) { nodes { transactions { nodes { hash } } } } } }')
    return sent.length
  }
  expect(await requestsOfPage()).toBe(1 + 2 + 5)
  expect(await requestsOfPage()).toBe(1 + 5)
  time += 60_001
  expect(await requestsOfPage()).toBe(1 + 2 + 5)
})
