import { amountOf, type Data } from '../tool.ts'

/** The fragments: `movement` is what an answer has of a bridge transfer. */
export const bridgeTransferFragments = `fragment movement on BridgeTransfer { ...step isProven bridge summary reason
  departure { ...end } arrival { ...end } refund { chain { prettyName } chainId hash }
  claim { claimableAt isClaimable } guidance { sentence nextStep } onward { ...step onward { ...step } } }
fragment end on BridgeTransferLeg { chain { prettyName } chainId address hash
  amount denom formattedAmount asset { symbol } }
fragment step on BridgeTransfer { state arrival { chainId chain { prettyName } hash } }`

/** One end of a bridge transfer. The chain that it left has the `sender`, the other one the `receiver`. */
const endOf = (end: Data, party: 'sender' | 'receiver') => ({
  amount: amountOf(end),
  chain: end.chain?.prettyName,
  chainId: end.chainId,
  [party]: end.address,
  hash: end.hash,
})

/** A row of an answer for a bridge transfer with the fragment `movement`: what became of it comes first. */
export const bridgeTransferOf = (movement: Data) => ({
  summary: movement.summary,
  state: movement.state,
  isProven: movement.isProven,
  guidance: movement.guidance.sentence,
  nextStep: movement.guidance.nextStep,
  reason: movement.reason,
  bridge: movement.bridge,
  departure: endOf(movement.departure, 'sender'),
  arrival: endOf(movement.arrival, 'receiver'),
  refund: movement.refund && {
    chain: movement.refund.chain?.prettyName,
    chainId: movement.refund.chainId,
    hash: movement.refund.hash,
  },
  // Where the coins went on to: the last of several movements.
  onward: movement.onward && {
    state: lastOf(movement).state,
    chain: lastOf(movement).arrival.chain?.prettyName,
    chainId: lastOf(movement).arrival.chainId,
    hash: lastOf(movement).arrival.hash,
  },
  ...(movement.claim && {
    claimableAt: movement.claim.claimableAt,
    isClaimable: movement.claim.isClaimable,
  }),
})

/** The movement with which the coins went on last. */
const lastOf = (movement: Data): Data => (movement.onward ? lastOf(movement.onward) : movement)
