import type { Context } from '../../../engine/graphql/builder.ts'
import { evmHash } from '../../../engine/graphql/scalars.ts'
import { scanLimit } from '../../../engine/pagination/page.ts'
import { createLoader, memoByUpstream } from '../../../engine/upstream/loader.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import { newestReceipts, pageOfReceipts } from './newestReceipts.ts'
import { blockReceiptsPath, type ReceiptRecord, receiptRequest, receiptsPath } from './wire.ts'

export interface ReceiptKey {
  /** Lower case with `0x`. */
  readonly hash: string
  /** Height of its block, if known. It lets several receipts share a list request. */
  readonly height?: bigint | undefined
}

/** The newest receipts of the chain are fetched first if the heights differ at least so often. */
const minBlocks = 4

/** Loads a receipt. Null if not indexed. Receipts requested in one tick share list requests. */
export function loadReceipt(
  context: Context,
  chain: ServedChain,
  receiptKey: ReceiptKey,
): Promise<ReceiptRecord | null> {
  const load = memoByUpstream(context.scope, 'receipts', chain.indexer, () =>
    createLoader<ReceiptKey, ReceiptRecord>({
      keyOf: ({ hash }) => hash,
      many: (keys) => loadReceipts(context, chain, keys),
      one: ({ hash }) => context.scope.fetch(chain.indexer, receiptRequest(hash)),
    }),
  )
  return load(receiptKey)
}

/** The receipts that are among the newest of the chain, or in a block with another one. */
async function loadReceipts(
  context: Context,
  chain: ServedChain,
  keys: readonly ReceiptKey[],
): Promise<ReadonlyMap<string, ReceiptRecord>> {
  const heights = heightsOf(keys)
  const newest = await newestReceipts(context, chain, receiptsPath, { heights, minBlocks })
  const known = byHash(newest?.receipts ?? [])
  const missing = heightsOf(keys.filter(({ hash }) => !known.has(hash)))
  const shared = new Set(missing.filter((height, i) => missing.indexOf(height) < i))
  const pages = await Promise.all(
    [...shared].map((height) => pageOfReceipts(context, chain, blockReceiptsPath(height), scanLimit)),
  )
  return new Map([...known, ...byHash(pages.flatMap((page) => page?.receipts ?? []))])
}

const heightsOf = (keys: readonly ReceiptKey[]) => keys.flatMap(({ height }) => height ?? [])

const byHash = (receipts: readonly ReceiptRecord[]) =>
  new Map(receipts.map((receipt) => [evmHash(receipt.transactionHash), receipt]))
