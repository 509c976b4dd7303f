import type { Context } from '../../../engine/graphql/builder.ts'
import { createLoader, memoByUpstream } from '../../../engine/upstream/loader.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import { listHeights, toRanges } from '../batch/nearby.ts'
import { type ListedBlock, readNearbyBlocks } from '../batch/nearbyBlocks.ts'
import { allReadable, maxRecords, readBlockList } from '../batch/singleBlock.ts'
import { keptWholeList } from '../batch/wholeLists.ts'
import { loadBlock } from '../block/wire.ts'
import { type TransactionRecord, transactionsByBlock } from '../transaction/wire.ts'
import { type BlockLinks, linkBlock, wrapsEvmTransaction } from './linkBlock.ts'
import { receiptsByBlock } from './wire.ts'

const noLinks: BlockLinks = { wrappingTransactions: new Map(), receipts: new Map() }

/** The most transactions of a block that is linked. */
export const maxLinked = maxRecords

/**
 * The links of the block at a height. Both lists of a block are read once in an operation, and lists of
 * nearby blocks together.
 */
export async function loadLinks(context: Context, chain: ServedChain, height: bigint): Promise<BlockLinks> {
  const load = memoByUpstream(context.scope, 'links', chain.indexer, () =>
    createLoader<bigint, BlockLinks>({
      keyOf: String,
      many: (heights) => linkNearbyBlocks(context, chain, heights),
      one: (single) => linkSingleBlock(context, chain, single),
    }),
  )
  return (await load(height)) ?? noLinks
}

async function linkSingleBlock(context: Context, chain: ServedChain, height: bigint): Promise<BlockLinks> {
  const transactions = readBlockList(context, chain, transactionsByBlock, height, async (length) => {
    const block = await loadBlock(context, chain, height)
    return block?.tx_count === BigInt(length)
  })
  const receipts = readBlockList(
    context,
    chain,
    receiptsByBlock,
    height,
    async (length) => (await transactions).filter(wrapsEvmTransaction).length === length,
  )
  const lists = await Promise.all([transactions, receipts])
  return context.scope.work.run(linkBlock(...lists))
}

/** The fewest blocks worth reading together: their sizes and both lists cost five requests. */
const minBlocks = 4

/** The links of those blocks whose lists can be read together with those of others. */
async function linkNearbyBlocks(
  context: Context,
  chain: ServedChain,
  heights: readonly bigint[],
): Promise<ReadonlyMap<string, BlockLinks>> {
  if (heights.length < minBlocks) return new Map()
  // The blocks between count too, as their transactions are in the same list.
  const near = toRanges(heights).flatMap(listHeights)
  const records = await Promise.all(near.map((height) => loadBlock(context, chain, height)))
  const blocks = records.flatMap((block): ListedBlock[] => {
    if (!block) return []
    const requestsSaved = heights.includes(block.height) ? 1 : 0
    return [{ height: block.height, size: Number(block.tx_count), isTooLong: false, requestsSaved }]
  })
  const transactions = await loadTransactions(context, chain, blocks)
  const wrapping = blocks.flatMap((block): ListedBlock[] => {
    const items = transactions.get(block.height) ?? []
    const size = items.filter(wrapsEvmTransaction).length
    return size > 0 ? [{ ...block, size }] : []
  })
  const receipts = await readNearbyBlocks(context, chain, receiptsByBlock, wrapping)
  const links = new Map<string, BlockLinks>()
  for (const [height, { items }] of receipts) {
    const steps = linkBlock(transactions.get(height) ?? [], items.toReversed())
    links.set(String(height), await context.scope.work.run(steps))
  }
  return links
}

/** The transactions of blocks by height, in execution order. They are requested unless pages have shown them all. */
async function loadTransactions(
  context: Context,
  chain: ServedChain,
  blocks: readonly ListedBlock[],
): Promise<ReadonlyMap<bigint, readonly TransactionRecord[]>> {
  const kept = blocks.flatMap(({ height, size }) => {
    const items = size === 0 ? [] : keptWholeList(context, chain, transactionsByBlock, height)
    return items ? [[height, allReadable(items)] as const] : []
  })
  if (kept.length === blocks.length) return new Map(kept)
  const read = await readNearbyBlocks(context, chain, transactionsByBlock, blocks)
  return new Map([...read].map(([height, { items }]) => [height, items.toReversed()] as const))
}
