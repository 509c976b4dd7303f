import type { Context } from '../../../graphql/builder.ts'
import { evmHash } from '../../../graphql/scalars.ts'
import { countingPages, upstreamList } from '../../../pagination/listPage.ts'
import { isShortPage } from '../../../pagination/pageCaps.ts'
import {
  fetchPage,
  isCountedPage,
  scanLimit,
  type UpstreamList,
} from '../../../pagination/source.ts'
import type { ServedChain } from '../../../upstream/network.ts'
import { createLoader, memoByUpstream } from '../../../upstream/requestScope.ts'
import { type Listed, readable } from '../../../wire/decode.ts'
import { type ListedBlock, readNearbyBlocks } from '../block/runs.ts'
import { keptWholeList, type ListByBlock } from '../block/wholeLists.ts'
import { loadBlock } from '../block/wire.ts'
import { signModeOf, type TransactionRecord, transactionsByBlock } from '../transaction/wire.ts'
import { madeHash } from './madeHash.ts'
import { type ReceiptRecord, receiptsByBlock } from './wire.ts'

// No field of a Cosmos transaction names the EVM transaction that it carries, nor the other way round. The
// link is the position: MiniEVM makes the EVM transactions of a block, in order, from those Cosmos
// transactions that were signed as EVM transactions, also if they failed, and from all others that succeeded
// and made a contract emit a log (`extractEthTxInfo` in the indexer of MiniEVM). The hash of an EVM transaction of
// the second kind can be computed, and proves the link wherever it stands.

/** The EVM transactions of a block and the Cosmos transactions that carry them. */
export interface BlockLinks {
  /** By the hash of the EVM transaction: lower case with `0x`. */
  readonly carriers: ReadonlyMap<string, TransactionRecord>
  /** By the hash of the Cosmos transaction, as its record has it. */
  readonly receipts: ReadonlyMap<string, ReceiptRecord>
}

const noLinks: BlockLinks = { carriers: new Map(), receipts: new Map() }

/** Whether a Cosmos transaction was signed as an EVM transaction. */
export const isSignedAsEthereum = ({ tx }: TransactionRecord): boolean => {
  const signers = tx?.auth_info?.signer_infos ?? []
  return signers.length === 1 && signModeOf(signers[0]) === 'SIGN_MODE_ETHEREUM'
}

/** Whether a Cosmos transaction carries an EVM transaction. */
export const carriesReceipt = (record: TransactionRecord): boolean =>
  isSignedAsEthereum(record) || (record.code === 0 && hasEvmLog(record))

const hasEvmLog = ({ events }: TransactionRecord): boolean =>
  events.some(
    ({ type, attributes }) => type === 'evm' && attributes.some(({ key }) => key === 'log'),
  )

interface Pair {
  readonly transaction: TransactionRecord
  readonly receipt: ReceiptRecord
}

/**
 * Links all transactions of a block, both lists in execution order. The gas and the status of each pair
 * confirm the positions. If one pair does not fit, or another one is proven, its neighbors may be wrong too:
 * only what is proven is then linked.
 */
export function linkBlock(
  transactions: readonly TransactionRecord[],
  receipts: readonly ReceiptRecord[],
): BlockLinks {
  const carriers = transactions.filter(carriesReceipt)
  const ordered = receipts.toSorted((a, b) => Number(indexOf(a) - indexOf(b)))
  const pairs = carriers.flatMap((transaction, i): Pair[] => {
    const receipt = ordered[i]
    return receipt && fits(transaction, receipt) ? [{ transaction, receipt }] : []
  })
  const isWhole = pairs.length === carriers.length && pairs.length === receipts.length
  const proven = provenPairs(carriers, receipts)
  const linked = new Map(pairs.map(({ transaction, receipt }) => [transaction, receipt]))
  const isProven = proven.every(({ transaction, receipt }) => linked.get(transaction) === receipt)
  return linksOf(isWhole && isProven ? pairs : proven)
}

/** The pairs of transactions that were not signed as EVM transactions, by the hashes of those made of them. */
function provenPairs(
  carriers: readonly TransactionRecord[],
  receipts: readonly ReceiptRecord[],
): Pair[] {
  const byHash = new Map(receipts.map((receipt) => [evmHash(receipt.transactionHash), receipt]))
  return carriers.flatMap((transaction) => {
    const hash = isSignedAsEthereum(transaction) ? undefined : madeHash(transaction)
    const receipt = hash === undefined ? undefined : byHash.get(hash)
    return receipt ? [{ transaction, receipt }] : []
  })
}

function linksOf(pairs: readonly Pair[]): BlockLinks {
  return {
    carriers: new Map(
      pairs.map(({ transaction, receipt }) => [evmHash(receipt.transactionHash), transaction]),
    ),
    receipts: new Map(pairs.map(({ transaction, receipt }) => [transaction.txhash, receipt])),
  }
}

/** The position of an EVM transaction in its block. Records without one keep their order. */
const indexOf = ({ transactionIndex }: ReceiptRecord): bigint => transactionIndex ?? 0n

const fits = ({ gas_used, code }: TransactionRecord, { gasUsed, status }: ReceiptRecord): boolean =>
  gas_used === gasUsed && status === (code === 0 ? 1n : 0n)

/**
 * The links of the block at a height. Both lists of a block are read once in an operation, and those of
 * nearby blocks together.
 */
export async function loadLinks(
  context: Context,
  chain: ServedChain,
  height: bigint,
): Promise<BlockLinks> {
  const load = memoByUpstream(context.scope, 'links', chain.indexer, () =>
    createLoader<bigint, BlockLinks>({
      keyOf: String,
      many: (heights) => linkNearbyBlocks(context, chain, heights),
      one: (single) => linkSingleBlock(context, chain, single),
    }),
  )
  return (await load(height)) ?? noLinks
}

async function linkSingleBlock(
  context: Context,
  chain: ServedChain,
  height: bigint,
): Promise<BlockLinks> {
  const [readTransactions, readReceipts] = await Promise.all([
    readListOfBlock(context, chain, transactionsByBlock, height),
    readListOfBlock(context, chain, receiptsByBlock, height),
  ])
  const transactions = await readTransactions(async (length) => {
    const block = await loadBlock(context, chain, height)
    return block?.tx_count === BigInt(length)
  })
  const carriers = transactions.filter(carriesReceipt).length
  return linkBlock(transactions, await readReceipts((length) => length === carriers))
}

/** Reads a list of a block as `readFirst` does, unless a page has shown it whole. Its first page is counted. */
async function readListOfBlock<T>(
  context: Context,
  chain: ServedChain,
  list: ListByBlock<T>,
  height: bigint,
) {
  const kept = keptWholeList(context, chain, list, height)
  if (kept) return async () => allReadable(kept)
  const source = {
    path: list.blockPath(height),
    page: list.page,
    strategy: { kind: 'keyset', field: 'sequence' },
    total: 'count',
    isWrittenAtOnce: true,
  } as const
  const pages = upstreamList(context, chain.indexer, source, 'ASC')
  return readFirst({ ...pages, ...countingPages(context, chain.indexer, source, pages) })
}

/** The records of a block. None if one cannot be read: it may be a link of the chain of positions. */
function allReadable<T>(items: readonly Listed<T>[]): readonly T[] {
  const records = readable(items)
  return records.length < items.length ? [] : records
}

/** The most pages of one list of a block that are read to link it. */
const maxPages = 5

/** The most transactions of a block that is linked. */
export const maxLinked = maxPages * scanLimit

/**
 * Reads the first page of a list. The function that it returns reads on, until a short page or `isWhole`
 * shows that all records were read. It returns none of them if they are on more pages than are read.
 */
async function readFirst<T>(list: Pick<UpstreamList<Listed<T>>, 'fetchPage' | 'caps'>) {
  const next = (key?: string | null) =>
    fetchPage(list, { key: key ?? undefined, limit: scanLimit, isReverse: false })
  const first = await next()
  return async (isWhole: (length: number) => boolean | Promise<boolean>): Promise<readonly T[]> => {
    const items: T[] = []
    for (let page = first, pages = 1; page; page = await next(page.nextKey), pages += 1) {
      // A record that cannot be read may be a link of the chain of positions.
      if (readable(page.items).length < page.items.length) return []
      items.push(...readable(page.items))
      const isEnd =
        !page.nextKey ||
        isShortPage(list.caps.current(), page, scanLimit) ||
        (pages === 1 && isCountedPage(page))
      if (isEnd || (await isWhole(items.length))) return items
      if (pages === maxPages) return []
    }
    return []
  }
}

/** The fewest blocks worth reading together: their sizes and both lists cost five requests. */
const minBlocks = 4

/** The largest distance of two blocks of which both are loaded in one request. */
const maxDistance = 5n

/** The links of those blocks whose lists can be read together with those of others. */
async function linkNearbyBlocks(
  context: Context,
  chain: ServedChain,
  heights: readonly bigint[],
): Promise<ReadonlyMap<string, BlockLinks>> {
  if (heights.length < minBlocks) return new Map()
  // The blocks between count too, as their transactions are in the same list.
  const records = await Promise.all(
    withBlocksBetween(heights).map((near) => loadBlock(context, chain, near)),
  )
  const blocks = records.flatMap((block): ListedBlock[] => {
    if (!block) return []
    const saves = heights.includes(block.height) ? 1 : 0
    return [{ height: block.height, size: Number(block.tx_count), isLong: false, saves }]
  })
  const transactions = await transactionsOf(context, chain, blocks)
  const carrying = blocks.flatMap((block): ListedBlock[] => {
    const items = transactions.get(block.height) ?? []
    const size = items.filter(carriesReceipt).length
    return size > 0 ? [{ ...block, size }] : []
  })
  const receipts = await readNearbyBlocks(context, chain, receiptsByBlock, carrying)
  return new Map(
    [...receipts].map(([height, { items }]) => {
      const inBlock = transactions.get(BigInt(height)) ?? []
      return [height, linkBlock(inBlock, items.toReversed())]
    }),
  )
}

/** The transactions of blocks by height, in execution order. They are requested unless pages have shown them all. */
async function transactionsOf(
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
  return new Map(
    [...read].map(([height, { items }]) => [BigInt(height), items.toReversed()] as const),
  )
}

/** The heights that have another one nearby, with all heights between. */
function withBlocksBetween(heights: readonly bigint[]): bigint[] {
  const sorted = heights.toSorted((a, b) => (a < b ? -1 : 1))
  const near = new Set<bigint>()
  for (const [i, height] of sorted.entries()) {
    const next = sorted[i + 1]
    if (next === undefined || next - height > maxDistance) continue
    for (let at = height; at <= next; at += 1n) near.add(at)
  }
  return [...near]
}
