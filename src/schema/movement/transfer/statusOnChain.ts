import type { Context } from '../../../engine/graphql/builder.ts'
import type { EvmTransactionShape } from '../../indexer/evm/evmTransaction.ts'
import type { TransactionShape } from '../../indexer/transaction/transaction.ts'
import { loadFromChain } from './hopTransaction.ts'
import { failedStatus, type TransferStatus, untrackedStatus } from './readStatus.ts'

/** Whether a transaction failed on its chain, so that it sent nothing. Unknown counts as no. */
export const hasFailed = (transaction: TransactionShape | EvmTransactionShape): boolean =>
  transaction.__typename === 'Transaction' ? transaction.record.code !== 0 : transaction.record.status === 0n

/** The status that follows from the indexed first transaction alone. Null if it is not indexed. */
export async function statusOnChain(
  context: Context,
  first: { readonly chainId: string; readonly txHash: string },
): Promise<TransferStatus | null> {
  const transaction = await loadFromChain(context, first.chainId, first.txHash)
  if (!transaction) return null
  return hasFailed(transaction) ? failedStatus : untrackedStatus
}
