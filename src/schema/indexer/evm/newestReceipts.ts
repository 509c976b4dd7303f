import type { Context } from '../../../engine/graphql/builder.ts'
import { List } from '../../../engine/pagination/list.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import { get, type Path } from '../../../engine/upstream/request.ts'
import { readable, UnreadableRecord } from '../../../engine/wire/decode.ts'
import { type ReceiptRecord, receiptsPage } from './wire.ts'

interface Receipts {
  readonly receipts: readonly ReceiptRecord[]
  /** No receipt of this height or a newer one is missing. Undefined if any may be. */
  readonly from: bigint | undefined
}

/** Receipts that are read. Few pages of an explorer go back further. */
const readCount = 100

const bySequence = { kind: 'keyset', field: 'sequence' } as const

/** By source and list: the height that the newest receipts reached when last read. It only rises. */
const oldestHeights = { name: 'oldest heights of newest receipts', maxEntries: 10_000 }

/**
 * The newest receipts of a list, in one page. Null if fewer than `minBlocks` of the heights can be among them, or if they cannot
 * be read.
 */
export async function newestReceipts(
  context: Context,
  chain: ServedChain,
  path: Path | string,
  { heights, minBlocks }: { readonly heights: readonly bigint[]; readonly minBlocks: number },
): Promise<Receipts | null> {
  const oldest = context.scope.cache.hints.open<bigint>(oldestHeights)
  const name = `${chain.chainId} ${get(path, receiptsPage).target}`
  const known = oldest.get(name) ?? 0n
  const recent = new Set(heights.filter((height) => height >= known))
  if (recent.size < minBlocks) return null
  const newest = await pageOfReceipts(context, chain, path, readCount)
  const last = newest?.receipts.at(-1)
  if (last) oldest.set(name, last.blockNumber)
  return newest
}

/** The newest receipts of a list, in one page. Null if the request fails, as each receipt can be fetched by hash. */
export async function pageOfReceipts(
  context: Context,
  { indexer }: ServedChain,
  path: Path | string,
  limit: number,
): Promise<Receipts | null> {
  const source = { path, page: receiptsPage, strategy: bySequence, total: 'none' } as const
  const list = new List(context.scope, indexer, source, 'DESC')
  const page = await list.fetch({ limit, isReverse: true }).catch(() => null)
  if (!page) return null
  const { items } = page
  // A record that cannot be read may be the receipt of any transaction.
  const unreadable = items.findIndex((item) => item instanceof UnreadableRecord)
  const isEnd = !page.nextKey || list.isShort(page, limit)
  if (unreadable < 0 && isEnd) return { receipts: readable(items), from: 0n }
  const last = readable(unreadable < 0 ? items : items.slice(0, unreadable)).at(-1)
  return { receipts: readable(items), from: last && last.blockNumber + 1n }
}
