import type { Context } from '../../../engine/graphql/builder.ts'
import { ifReadable } from '../../../engine/wire/optional.ts'
import type { BridgeTransferStateName } from '../recorded/bridgeTransferState.ts'
import { transactionOf } from '../reported/provable.ts'
import { bridgeByHopKey, type HopBody, type HopTransactionBody } from '../reported/readHop.ts'
import { transferRef } from '../reported/transferRef.ts'
import type { BridgeTransferShape, LegShape, TransactionReference } from './bridgeTransferShape.ts'
import { loadTracked } from './loadTransfer.ts'

/** The bridge transfer that is a hop, by what the router says of it alone. */
export function reportedTransfer(context: Context, hop: HopBody): BridgeTransferShape {
  const [from, to] = [ifReadable(hop.fromChainId), ifReadable(hop.toChainId)]
  const sent = transactionOf(hop, 'SEND', 'ORDER_SUBMIT')
  const back = refundOf(hop)
  const [chainId, hash] = [ifReadable(sent?.chain_id ?? null) ?? from, ifReadable(sent?.tx_hash ?? null)]
  const [denomIn, amountIn] = [ifReadable(hop.denomIn), ifReadable(hop.amountIn)]
  const source = legOf(from, sent, denomIn, amountIn)
  return {
    bridge: bridgeByHopKey.get(hop.kind)?.id ?? 'UNKNOWN',
    route: null,
    timeout: null,
    departure: async () => source,
    arrival: async () =>
      legOf(
        to,
        transactionOf(hop, 'RECEIVE', 'ORDER_FILL', 'EXECUTE'),
        ifReadable(hop.denomOut),
        ifReadable(hop.amountOut),
      ),
    caller: async () => null,
    refund: async () => (back ? { ...source, place: async () => placeOf(back) } : null),
    state: async () => stateOfHop(hop),
    proven: async () => null,
    isSearchComplete: async () => true,
    canReadMore: async () => false,
    isKept: async () => false,
    onward: async () => null,
    isConfirmed: async () => null,
    isReturnedFurther: async () => false,
    reason: async () => ifReadable(ifReadable(hop.error)?.message ?? null),
    claim: async () => null,
    transfer: async () => (chainId !== null && hash !== null ? loadTracked(context, transferRef(chainId, hash)) : null),
  }
}

/** The transaction that gave the coins of a failed hop back to the sender. */
const refundOf = (hop: HopBody): HopTransactionBody | undefined =>
  hop.state === 'FAILED' ? transactionOf(hop, 'TIMEOUT', 'ACKNOWLEDGE', 'ORDER_REFUND') : undefined

const placeOf = (transaction: HopTransactionBody): TransactionReference => ({
  hash: ifReadable(transaction.tx_hash),
  timestamp: ifReadable(transaction.on_chain_at),
  isReported: true,
})

const legOf = (
  chainId: string | null,
  transaction: HopTransactionBody | undefined,
  denom: string | null,
  amount: bigint | null,
): LegShape => ({
  ...{ chainId, denom, amount },
  address: null,
  place: async () => (transaction ? placeOf(transaction) : null),
})

/**
 * What became of a hop. It is unknown if a bridge says only that it handed the coins over, or that it failed: they need not have
 * been taken, or be back.
 */
export function stateOfHop(hop: HopBody): BridgeTransferStateName {
  const word = ifReadable(hop.rawState) ?? ''
  const states = bridgeByHopKey.get(hop.kind)?.hop.states ?? {}
  const funds = Object.hasOwn(states, word) ? states[word]?.guidance.funds : undefined
  switch (hop.state) {
    case 'COMPLETED':
      return funds === 'DELIVERED' ? 'ARRIVED' : 'UNKNOWN'
    case 'PENDING':
      return funds === 'RETURNING' ? 'REFUSED' : 'ON_THE_WAY'
    case 'FAILED':
      if (transactionOf(hop, 'TIMEOUT')) return 'TIMED_OUT'
      return funds === 'RETURNED' || refundOf(hop) ? 'REFUNDED' : 'UNKNOWN'
    default:
      return 'UNKNOWN'
  }
}
