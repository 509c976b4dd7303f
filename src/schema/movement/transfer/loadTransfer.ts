import type { Context } from '../../../engine/graphql/builder.ts'
import { finalStateOf } from '../../../engine/graphql/finalState.ts'
import type { NodeShape } from '../../../engine/graphql/node.ts'
import { routerOf } from '../../router/routerClient.ts'
import { isProvable, withFirstTransaction } from './provable.ts'
import { statusCall, type TransferStatus, transferRules } from './readStatus.ts'
import { statusOnChain } from './statusOnChain.ts'
import { type TransferRef, transferKey } from './transferRef.ts'

/** A transaction and its status in the router. */
export interface TransferShape extends NodeShape<'Transfer'> {
  readonly chainId: string
  /** As the chain's own tools write it. */
  readonly txHash: string
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
  const { chainId, txHash } = ref
  const status = await context.scope.fetch(routerOf(context), statusCall(chainId, txHash))
  return newestTransfer(context, ref, status)
}

/** The same, or what the indexer of its chain has of the first transaction. Null if neither knows it. */
export async function loadTransfer(context: Context, ref: TransferRef): Promise<TransferShape | null> {
  const tracked = await loadTracked(context, ref)
  if (tracked) return tracked
  const status = await statusOnChain(context, ref)
  return status && transferShape(ref, status)
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
  const seen = known && isProvable(context, known) ? null : known
  const final = finalStateOf(context, transferRules, transferKey(ref), seen)
  const isOlder = final && (known === null || transferRules.isStale(final, known))
  const latest = isOlder ? final : known
  return latest && transferShape(ref, latest)
}
