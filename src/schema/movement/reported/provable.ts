import type { Context } from '../../../engine/graphql/builder.ts'
import { ifReadable } from '../../../engine/wire/optional.ts'
import { bridgeByHopKey, type HopBody, type HopTransactionBody } from './readHop.ts'
import type { TransferStatus } from './readStatus.ts'
import type { TransferRef } from './transferRef.ts'
import { isHexHash } from './txHash.ts'

/** The transaction of a hop that does one of these, by the table of its bridge. */
export const transactionOf = ({ kind, transactions }: HopBody, ...does: string[]): HopTransactionBody | undefined =>
  transactions.find(({ slot }) => does.includes(bridgeByHopKey.get(kind)?.hop.transactions[slot]?.kind ?? ''))

/** The transaction that sent a hop over its bridge, on an indexed chain. Undefined if the router does not name it. */
export function indexedSend({ network }: Context, hop: HopBody) {
  const sent = transactionOf(hop, 'SEND')
  const { chainId = null, hash: ownHash = null } = hop.sentBy ?? {}
  const chain = network.chains.get(ifReadable(sent?.chain_id ?? chainId) ?? ifReadable(hop.fromChainId) ?? '')
  const hash = ifReadable(sent?.tx_hash ?? ownHash)
  return chain && hash !== null && isHexHash(hash) ? { chain, hash } : undefined
}

/** Whether records of the chains can prove what became of a hop. */
export const isHopProvable = (context: Context, hop: HopBody): boolean =>
  bridgeByHopKey.get(hop.kind)?.recorded !== undefined && indexedSend(context, hop) !== undefined

/** The status with the first transaction as that which sent the first hop of each leg, where the router names none. */
export function withFirstTransaction({ chainId, txHash }: TransferRef, status: TransferStatus): TransferStatus {
  const sentBy = { chainId, hash: txHash }
  const legs = status.legs.map((leg) => {
    const [first, ...others] = leg.hops
    const isSent = !first || transactionOf(first, 'SEND') || ifReadable(first.fromChainId) !== chainId
    return isSent ? leg : { ...leg, hops: [{ ...first, sentBy }, ...others] }
  })
  return legs.every((leg, index) => leg === status.legs[index]) ? status : { ...status, legs }
}

/** Whether the first transaction can contradict a status: it is indexed, and the router says that it sent something. */
export const canHaveFailed = (
  { network }: Context,
  { chainId }: TransferRef,
  { rawState, legs }: TransferStatus,
): boolean => rawState !== '' && network.chains.has(chainId) && legs.some(({ hops }) => hops.length > 0)

/** Whether records of the chains can contradict a status, and have not been read for it. */
export const isProvable = (context: Context, first: TransferRef, status: TransferStatus): boolean =>
  status.reportedState === undefined &&
  (canHaveFailed(context, first, status) ||
    status.legs.some(({ hops }) => hops.some((hop) => isHopProvable(context, hop))))
