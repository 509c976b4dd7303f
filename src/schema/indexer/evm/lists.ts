import type { GraphQLResolveInfo } from 'graphql'
import type { Context } from '../../../engine/graphql/builder.ts'
import type { PageArgs } from '../../../engine/graphql/pageArgs.ts'
import type { LoadBatch } from '../../../engine/graphql/resolveConnection.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import { runsEvm } from '../../chain/evmSupport.ts'
import type { BlockRecord } from '../block/wire.ts'
import { connectIndexed, indexedConnectionType } from '../indexedList.ts'
import { listOf, type RecordList, type TimedRecords, timedCalls, timedReceipts } from '../time/timeRange.ts'
import { EvmInternalTransaction, internalTransactionShape } from './evmInternalTransaction.ts'
import { EvmTransaction, evmTransactionShape } from './evmTransaction.ts'
import type { InternalTransactionRecord, ReceiptRecord } from './wire.ts'

/** The type of all lists of EVM transactions. */
export const EvmTransactionConnection = indexedConnectionType(EvmTransaction, 'EVM transactions')

/** The type of all lists of internal transactions. */
export const EvmInternalTransactionConnection = indexedConnectionType(
  EvmInternalTransaction,
  'internal EVM transactions',
)

interface EvmList<T> extends RecordList<T> {
  readonly loadBatch?: LoadBatch<T> | undefined
}

/** A page of a list. Null without an EVM. */
async function connectEvm<T, Shape>(
  context: Context,
  chain: ServedChain,
  { records, nodeOf }: { records: TimedRecords<T>; nodeOf: (record: T) => Shape },
  { loadBatch, ...list }: EvmList<T>,
  args: PageArgs,
  info: GraphQLResolveInfo,
) {
  if (!(await runsEvm(context, chain))) return null
  const single = () => listOf(context, chain, records, list)
  const source = loadBatch ? { loadBatch, single } : single()
  return connectIndexed(context, chain, source, args, nodeOf, info)
}

/** A page of EVM transactions. Null without an EVM. `block` is the block of them all, if its record is known. */
export const connectReceipts = (
  context: Context,
  chain: ServedChain,
  list: EvmList<ReceiptRecord>,
  args: PageArgs,
  info: GraphQLResolveInfo,
  block?: BlockRecord,
) => {
  const nodeOf = (receipt: ReceiptRecord) => evmTransactionShape(chain, receipt, { block })
  return connectEvm(context, chain, { records: timedReceipts, nodeOf }, list, args, info)
}

/** A page of internal transactions, as `connectReceipts` does. Null too if the indexer has no traces. */
export const connectInternal = (
  context: Context,
  chain: ServedChain,
  list: EvmList<InternalTransactionRecord>,
  args: PageArgs,
  info: GraphQLResolveInfo,
  block?: BlockRecord,
) => {
  const nodeOf = (call: InternalTransactionRecord) => internalTransactionShape(chain, call, block)
  return connectEvm(context, chain, { records: timedCalls, nodeOf }, list, args, info)
}
