import type { Context } from '../../../engine/graphql/builder.ts'
import type { EvmTransactionShape } from '../../indexer/evm/evmTransaction.ts'
import type { FoundStep } from '../../indexer/transaction/bridgeSteps.ts'
import type { TransactionShape } from '../../indexer/transaction/transaction.ts'
import { bridgeOfRoute } from '../../router/bridges/bridges.ts'
import { findCounterparty } from '../recorded/counterparty.ts'
import { emptyHop } from '../reported/readHop.ts'
import { failedStatus, type StartedTransfer, type TransferStatus, untrackedStatus } from '../reported/readStatus.ts'
import type { TransferRef } from '../reported/transferRef.ts'
import { loadFromChain } from './loadFromChain.ts'
import { loadSent } from './sentStep.ts'

/** Whether a transaction failed on its chain. Unknown counts as no. */
const hasFailed = (transaction: TransactionShape | EvmTransactionShape): boolean =>
  transaction.__typename === 'Transaction' ? transaction.record.code !== 0 : transaction.record.status === 0n

/** Whether the first transaction of a transfer failed on its chain, so that it sent nothing. Unknown counts as no. */
export async function hasFailedOnChain(context: Context, { chainId, txHash }: TransferRef): Promise<boolean> {
  const found = await loadFromChain(context, chainId, txHash)
  return found !== null && hasFailed(found)
}

/**
 * The status that follows from the indexed first transaction alone, with a leg for each coin that it sent to another chain. Null if
 * it is not indexed.
 */
export async function statusOnChain(context: Context, first: TransferRef): Promise<TransferStatus | null> {
  const transaction = await loadFromChain(context, first.chainId, first.txHash)
  if (!transaction) return null
  if (hasFailed(transaction)) return failedStatus
  const steps = await loadSent(context, first.chainId, first.txHash)
  return { ...untrackedStatus, legs: await Promise.all(steps.map((step) => untrackedLeg(context, step))) }
}

/** What a transaction sent over one bridge, without the router. */
async function untrackedLeg(context: Context, step: FoundStep): Promise<StartedTransfer> {
  const { chainId: toChainId } = await findCounterparty(context, step)
  const hop = {
    ...emptyHop,
    ...{ kind: bridgeOfRoute(step.route)?.hop.key ?? '', fromChainId: step.chainId, toChainId },
    ...{ denomIn: step.exchangedDenom ?? step.sourceDenom, amountIn: step.amount },
    sentBy: { chainId: step.chainId, hash: step.hash, route: step.route },
  }
  return { ...untrackedStatus, hops: [hop], blocking: null }
}
