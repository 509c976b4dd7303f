import type { GraphQLResolveInfo } from 'graphql'
import type { Context } from '../../../graphql/builder.ts'
import type { PageArgs } from '../../../graphql/pageArgs.ts'
import type { LoadWhole } from '../../../graphql/resolveConnection.ts'
import type { ListSource } from '../../../pagination/listPage.ts'
import type { ServedChain } from '../../../upstream/network.ts'
import type { Listed } from '../../../wire/decode.ts'
import { runsEvm } from '../../chain/evmSupport.ts'
import type { BlockRecord } from '../block/wire.ts'
import { connectIndexed, indexedConnectionType } from '../indexedList.ts'
import type { Span } from '../time/timeFilter.ts'
import { inSpan, type TimedRecords, timedCalls, timedReceipts } from '../time/timeRange.ts'
import { EvmInternalTransaction, internalTransactionShape } from './evmInternalTransaction.ts'
import { EvmTransaction, evmTransactionShape } from './evmTransaction.ts'
import {
  type InternalTransactionRecord,
  internalTransactionsPage,
  type ReceiptRecord,
  receiptsPage,
} from './wire.ts'

/** The type of all lists of EVM transactions. */
export const EvmTransactionConnection = indexedConnectionType(EvmTransaction, 'EVM transactions')

/** The type of all lists of internal transactions. */
export const EvmInternalTransactionConnection = indexedConnectionType(
  EvmInternalTransaction,
  'internal EVM transactions',
)

/** One of the lists of a chain: where it is, and what is known of it. */
interface EvmList<T>
  extends Pick<
    ListSource<Listed<T>>,
    'path' | 'query' | 'size' | 'isAppendOnly' | 'isWrittenAtOnce' | 'isTotalEstimate' | 'onWhole'
  > {
  readonly loadWhole?: LoadWhole<T> | undefined
  /** The record of the block of all its records, if they are of one block whose record is known. */
  readonly block?: BlockRecord | undefined
  /** The time that is listed. Undefined for all. */
  readonly span?: Span | undefined
}

/** What else is known of the lists of a kind. */
interface EvmPages<T> extends Pick<ListSource<Listed<T>>, 'page' | 'strategy' | 'total'> {
  readonly records: TimedRecords<T>
}

const receipts: EvmPages<ReceiptRecord> = {
  records: timedReceipts,
  page: receiptsPage,
  strategy: { kind: 'keyset', field: 'sequence' },
  total: 'count',
}

const internalTransactions: EvmPages<InternalTransactionRecord> = {
  records: timedCalls,
  page: internalTransactionsPage,
  strategy: { kind: 'keyset', field: 'sequence' },
  total: 'count',
}

function listOf<T>(
  context: Context,
  chain: ServedChain,
  { loadWhole, block: _block, span, ...list }: EvmList<T>,
  { records, ...pages }: EvmPages<T>,
) {
  const isWhole = list.path === records.all.source.path
  const alone = () => inSpan(context, chain, { records, span, isWhole }, { ...list, ...pages })
  return loadWhole ? { loadWhole, alone } : alone()
}

/** A page of EVM transactions. Null without an EVM. */
export async function connectReceipts(
  context: Context,
  chain: ServedChain,
  list: EvmList<ReceiptRecord>,
  args: PageArgs,
  info: GraphQLResolveInfo,
) {
  if (!(await runsEvm(context, chain))) return null
  const { block } = list
  const toNode = (receipt: ReceiptRecord) => evmTransactionShape(chain, receipt, { block })
  return connectIndexed(context, chain, listOf(context, chain, list, receipts), args, toNode, info)
}

/** A page of internal transactions. Null if the chain has no EVM, or its indexer no traces. */
export async function connectInternal(
  context: Context,
  chain: ServedChain,
  list: EvmList<InternalTransactionRecord>,
  args: PageArgs,
  info: GraphQLResolveInfo,
) {
  if (!(await runsEvm(context, chain))) return null
  const toNode = (call: InternalTransactionRecord) =>
    internalTransactionShape(chain, call, list.block)
  return connectIndexed(
    context,
    chain,
    listOf(context, chain, list, internalTransactions),
    args,
    toNode,
    info,
  )
}
