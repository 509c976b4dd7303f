import { z } from 'zod'
import type { Context } from '../../../graphql/builder.ts'
import { evmHash } from '../../../graphql/scalars.ts'
import { fetchPage, scanLimit } from '../../../pagination/source.ts'
import { upstreamList } from '../../../pagination/upstreamList.ts'
import {
  list,
  pageOf,
  quantity,
  stringOrEmpty,
  stringOrNull,
  unwrapped,
} from '../../../upstream/decode.ts'
import type { ServedChain } from '../../../upstream/network.ts'
import { get, type Path, path } from '../../../upstream/request.ts'
import { createLoader } from '../../../upstream/requestScope.ts'
import { log } from './evmLog.ts'

// What indexers call an EVM transaction is its receipt, without value, input or nonce.

/** A quantity that receipts of every client carry. */
const always = quantity.transform((value) => value ?? 0n)

const receipt = z.object({
  transactionHash: z.string(),
  transactionIndex: quantity,
  blockHash: stringOrEmpty,
  blockNumber: always,
  from: stringOrNull,
  to: stringOrNull,
  contractAddress: stringOrNull,
  gasUsed: quantity,
  cumulativeGasUsed: quantity,
  effectiveGasPrice: quantity,
  status: quantity,
  type: quantity,
  logsBloom: stringOrEmpty,
  logs: list(log),
})

/** An EVM transaction on the wire. */
export type ReceiptRecord = z.output<typeof receipt>

/** A page of receipts. */
export const receiptsPage = pageOf('txs', receipt)

const receiptCall = (hash: string) =>
  get(
    path`/indexer/tx/v1/evm-txs/${hash}`,
    unwrapped('transactionHash', receipt, (found) => evmHash(found.transactionHash) === hash),
    { isImmutable: true },
  )

/** Path of the receipts of a chain. */
export const receiptsPath = '/indexer/tx/v1/evm-txs'

/** Path of the receipts of a block. */
export const receiptsAt = (height: bigint) => path`/indexer/tx/v1/evm-txs/by_height/${height}`

/** A receipt that is asked for. */
export interface WantedReceipt {
  /** Lower case with `0x`. */
  readonly hash: string
  /** Its height, where known: those of one height, or of the newest, cost one list call. */
  readonly height?: bigint | undefined
}

/** From this many different heights on, the newest receipts of the chain are fetched first. */
const recentBatchThreshold = 4

/** Receipts looked at first; few pages of an explorer reach back further. */
const newestCount = 100

/** By chain id: the oldest height among the newest receipts when last fetched. It only rises. */
const oldestRecentHeight = { name: 'oldestRecentHeight', maxEntries: 10_000 }

/** Loads a receipt by its hash; null when it is not indexed. */
export function loadReceipt(
  context: Context,
  chain: ServedChain,
  wanted: WantedReceipt,
): Promise<ReceiptRecord | null> {
  const load = context.scope.memo(`receipts of ${chain.chainId}`, () =>
    createLoader<WantedReceipt, ReceiptRecord>({
      keyOf: ({ hash }) => hash,
      many: async (batch) => {
        const found = byHash(await newest(context, chain, batch))
        const missing = heightsOf(batch.filter(({ hash }) => !found.has(hash)))
        const shared = [...new Set(missing.filter((one, i) => missing.indexOf(one) < i))]
        const pages = await Promise.all(
          shared.map((height) => ask(context, chain, receiptsAt(height), scanLimit)),
        )
        return new Map([...found, ...byHash(pages.flat())])
      },
      one: ({ hash }) => context.scope.fetch(chain.indexer, receiptCall(hash)),
    }),
  )
  return load(wanted)
}

async function newest(context: Context, chain: ServedChain, batch: readonly WantedReceipt[]) {
  const oldestHeights = context.cache.open<bigint>(oldestRecentHeight)
  const oldest = oldestHeights.get(chain.chainId) ?? 0n
  const heights = new Set(heightsOf(batch).filter((height) => height >= oldest))
  if (heights.size < recentBatchThreshold) return []
  const receipts = await ask(context, chain, receiptsPath, newestCount)
  const last = receipts.at(-1)
  if (last) oldestHeights.set(chain.chainId, last.blockNumber)
  return receipts
}

const heightsOf = (batch: readonly WantedReceipt[]) => batch.flatMap(({ height }) => height ?? [])

const byHash = (receipts: readonly ReceiptRecord[]) =>
  new Map(receipts.map((one) => [evmHash(one.transactionHash), one]))

/** The newest receipts of a list; none when it fails, as each can be asked for singly. */
async function ask(context: Context, { indexer }: ServedChain, from: Path | string, limit: number) {
  const source = upstreamList(context, indexer, { path: from, page: receiptsPage }, 'DESC')
  const page = await fetchPage(source, { limit, isReverse: true }).catch(() => null)
  return page?.items ?? []
}
