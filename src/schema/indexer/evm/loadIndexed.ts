import type { Context } from '../../../engine/graphql/builder.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import { runsEvm } from '../../chain/evmSupport.ts'
import { loadTransaction, type TransactionShape } from '../transaction/transaction.ts'
import { type EvmTransactionShape, loadEvmTransaction } from './evmTransaction.ts'

/** The transaction of either kind with this hash, in any spelling. Null if not indexed. */
export async function loadIndexed(
  context: Context,
  chain: ServedChain,
  hash: string,
): Promise<TransactionShape | EvmTransactionShape | null> {
  const tx = await loadTransaction(context, chain, hash)
  if (tx || !(await runsEvm(context, chain))) return tx
  return loadEvmTransaction(context, chain, hash)
}
