import type { Context } from '../../../engine/graphql/builder.ts'
import { finalStateOf } from '../../../engine/graphql/finalState.ts'
import type { NodeShape } from '../../../engine/graphql/node.ts'
import { isUpstreamFault } from '../../../engine/upstream/error.ts'
import { routerOf } from '../../router/routerClient.ts'
import { unlessFaulty } from '../recorded/transferSteps.ts'
import { isProvable, withFirstTransaction } from '../reported/provable.ts'
import { statusCall, type TransferStatus, transferRules } from '../reported/readStatus.ts'
import { type TransferRef, transferKey } from '../reported/transferRef.ts'
import { statusOnChain } from './statusOnChain.ts'

/** A transaction and its status in the router. */
export interface TransferShape extends NodeShape<'Transfer'>, TransferRef {
  /** As the router says it, or as the records of the chains prove it: see `provenStatus`. */
  readonly status: TransferStatus
}

/** The value of a transfer in the graph. */
export const transferShape = ({ chainId, txHash }: TransferRef, status: TransferStatus): TransferShape => ({
  __typename: 'Transfer',
  chainId,
  txHash,
  status,
})

/** The transfer in its current state. Null if the router does not track it. */
export async function loadTracked(context: Context, ref: TransferRef): Promise<TransferShape | null> {
  const status = await context.scope.fetch(routerOf(context), statusCall(ref))
  return newestTransfer(context, ref, status)
}

/**
 * The same, or what the indexer of its chain has of the first transaction. Null if neither knows it. A router that fails is taken
 * for one that does not know it: rejects with its error only if the indexer has nothing.
 */
export async function loadTransfer(context: Context, ref: TransferRef): Promise<TransferShape | null> {
  const tracked = await settled(loadTracked(context, ref))
  if ('value' in tracked && tracked.value) return tracked.value
  const status = await ('value' in tracked ? statusOnChain(context, ref) : unlessFaulty(statusOnChain(context, ref)))
  if (status) return transferShape(ref, status)
  if ('fault' in tracked) throw tracked.fault
  return null
}

/** What a load resolves to, or the fault of its upstream. */
async function settled<T>(load: Promise<T>): Promise<{ readonly value: T } | { readonly fault: unknown }> {
  try {
    return { value: await load }
  } catch (fault) {
    if (!isUpstreamFault(fault)) throw fault
    return { fault }
  }
}

/**
 * The transfer in the state that the router has just reported, which also reaches its watchers. Or in an
 * earlier final state: a final transfer stays final, even if the router forgets it or a lagging replica
 * responds.
 */
export function newestTransfer(
  context: Context,
  ref: TransferRef,
  status: TransferStatus | null,
): TransferShape | null {
  const known = status && withFirstTransaction(ref, status)
  // Watchers get what may be contradicted by the records of the chains once these are read.
  const seen = known && isProvable(context, ref, known) ? null : known
  const final = finalStateOf(context, transferRules, transferKey(ref), seen)
  const isOlder = final && (known === null || transferRules.isStale(final, known))
  const latest = isOlder ? final : known
  return latest && transferShape(ref, latest)
}
