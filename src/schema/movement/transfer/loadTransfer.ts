import type { Context } from '../../../engine/graphql/builder.ts'
import { finalStateOf } from '../../../engine/graphql/finalState.ts'
import { type NodeShape, splitKey } from '../../../engine/graphql/node.ts'
import { checkChainId } from '../../chain/chainId.ts'
import { routerOf } from '../../router/routerClient.ts'
import { isProvable } from './provable.ts'
import { statusCall, type TransferStatus, transferRules } from './readStatus.ts'
import { statusOnChain } from './statusOnChain.ts'
import { checkTxHash, hashKey } from './txHash.ts'

/** A transaction and its status in the router. */
export interface TransferShape extends NodeShape<'Transfer'> {
  readonly chainId: string
  /** As the client wrote it. */
  readonly txHash: string
  /** As the router says it, or as the records of the chains prove it: see `provenStatus`. */
  readonly status: TransferStatus
}

/** The first transaction of a transfer, from checked input. */
export interface TransferRef {
  readonly chainId: string
  readonly txHash: string
}

/** Checks the arguments that identify a transfer. Throws `BAD_USER_INPUT`. */
export const parseTransferRef = (input: { chainId: string; hash: string }): TransferRef => ({
  chainId: checkChainId(input.chainId),
  txHash: checkTxHash(input.hash),
})

/** The key of a transfer. It is the same for every notation of a hash. */
export const transferKey = ({ chainId, txHash }: TransferRef): string => `${chainId}/${hashKey(txHash)}`

/** The transfer with this key. Throws `BAD_USER_INPUT`. */
export function refOfKey(key: string): TransferRef {
  const [chainId, hash] = splitKey(key)
  return parseTransferRef({ chainId, hash })
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
  // Watchers get what may be contradicted by the records of the chains once these are read.
  const seen = status && isProvable(context, status) ? null : status
  const final = finalStateOf(context, transferRules, transferKey(ref), seen)
  const isOlder = final && (status === null || transferRules.isStale(final, status))
  const latest = isOlder ? final : status
  return latest && transferShape(ref, latest)
}
