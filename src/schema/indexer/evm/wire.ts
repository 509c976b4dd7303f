import { z } from 'zod'
import type { Context } from '../../../engine/graphql/builder.ts'
import { evmHash } from '../../../engine/graphql/scalars.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import { get, listedIn, path } from '../../../engine/upstream/request.ts'
import { findRecord } from '../../../engine/upstream/upstreamError.ts'
import {
  count,
  countQuantity,
  hashText,
  list,
  pageOf,
  quantity,
  smallInteger,
  stringOrEmpty,
  stringOrNull,
  unwrapped,
} from '../../../engine/wire/decode.ts'
import type { ListByBlock } from '../batch/wholeLists.ts'

// For an EVM transaction, indexers return its receipt, which has no value, input or nonce.

/** A quantity. Null if it is missing, which indexers also write as `""`. */
const optionalQuantity = quantity.nullish().transform((value) => value ?? null)

/** The same for an index. */
const optionalIndex = countQuantity.nullish().transform((value) => value ?? null)

/** Bytes in hex. `0x` if there are none. */
const hexBytes = stringOrEmpty.transform((hex) => hex || '0x')

const log = z.object({
  address: z.string(),
  topics: list(z.string()),
  data: hexBytes,
  logIndex: optionalIndex,
  removed: z.boolean().nullish(),
})

/** A log of a receipt on the wire. */
export type LogRecord = z.output<typeof log>

const receipt = z.object({
  transactionHash: hashText,
  transactionIndex: optionalIndex,
  blockHash: stringOrNull,
  // Every client writes it.
  blockNumber: countQuantity.pipe(z.bigint()),
  from: stringOrNull,
  to: stringOrNull,
  contractAddress: stringOrNull,
  gasUsed: optionalQuantity,
  cumulativeGasUsed: optionalQuantity,
  effectiveGasPrice: optionalQuantity,
  status: optionalQuantity,
  type: optionalQuantity,
  logsBloom: stringOrNull,
  logs: list(log),
})

/** The receipt of an EVM transaction on the wire. */
export type ReceiptRecord = z.output<typeof receipt>

export const receiptsPage = pageOf('txs', receipt)

export const receiptsPath = '/indexer/tx/v1/evm-txs'

export const blockReceiptsPath = (height: bigint) => path`/indexer/tx/v1/evm-txs/by_height/${height}`

/** The receipts of a chain, as lists of its blocks. A block has at most one for each transaction. */
export const receiptsByBlock: ListByBlock<ReceiptRecord> = {
  chainPath: receiptsPath,
  blockPath: blockReceiptsPath,
  page: receiptsPage,
  heightOf: ({ blockNumber }) => blockNumber,
  hasExactCounts: false,
}

/** Path of the receipts of an account: sender, recipient, or address in a log. */
export const accountReceiptsPath = (address: string) => path`/indexer/tx/v1/evm-txs/by_account/${address}`

const index = smallInteger.refine((value) => Math.abs(value) < 2 ** 31)

const internalTransaction = z.object({
  height: count,
  hash: hashText,
  parent_index: index.nullish().transform((parent) => parent ?? -1),
  index: index.refine((value) => value >= 0),
  type: stringOrEmpty,
  from: stringOrNull,
  to: stringOrNull,
  input: hexBytes,
  output: hexBytes,
  value: optionalQuantity,
  gas: optionalQuantity,
  gasUsed: optionalQuantity,
})

/** A call of a trace on the wire. The top-level call has a negative `parent_index`. */
export type InternalTransactionRecord = z.output<typeof internalTransaction>

export const internalTransactionsPage = pageOf('internal_txs', internalTransaction)

export const internalTransactionsPath = '/indexer/tx/v1/evm-internal-txs'

export const blockInternalTransactionsPath = (height: bigint) =>
  path`/indexer/tx/v1/evm-internal-txs/by_height/${height}`

/** The internal transactions of a chain, as lists of its blocks. */
export const internalTransactionsByBlock: ListByBlock<InternalTransactionRecord> = {
  chainPath: internalTransactionsPath,
  blockPath: blockInternalTransactionsPath,
  page: internalTransactionsPage,
  heightOf: ({ height }) => height,
  hasExactCounts: false,
}

/** Path of the internal transactions that an account made or received. */
export const accountInternalTransactionsPath = (address: string) =>
  path`/indexer/tx/v1/evm-internal-txs/by_account/${address}`

/** Path of the internal transactions of an EVM transaction. */
export const tracePath = (hash: string) => path`/indexer/tx/v1/evm-internal-txs/${hash}`

/** Loads a call of a trace. Null if not indexed. In call order, its index is its offset. */
export async function fetchInternalTransaction(
  { scope }: Context,
  chain: ServedChain,
  hash: string,
  index: number,
): Promise<InternalTransactionRecord | null> {
  const query = {
    'pagination.offset': index,
    'pagination.limit': 1,
    'pagination.reverse': false,
    'pagination.count_total': false,
  }
  const request = get(tracePath(hash), internalTransactionsPage, { query })
  const page = await scope.fetch(chain.indexer, request)
  return findRecord(chain.chainId, page, (call) => call.index === index)
}

/** The request for the receipt with a hash: lower case with `0x`. */
export const receiptRequest = (hash: string) =>
  get(path`/indexer/tx/v1/evm-txs/${hash}`, oneReceipt, {
    isFinal: true,
    isRequested: ({ transactionHash }) => evmHash(transactionHash) === hash,
    listed: listedIn(receiptsPage, hash, ({ transactionHash }) => evmHash(transactionHash)),
  })

const oneReceipt = unwrapped('transactionHash', receipt)
