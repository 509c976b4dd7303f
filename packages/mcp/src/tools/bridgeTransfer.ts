import { amountOf, type Data } from '../tool.ts'

/** The fragments `movement`, what an answer has of a bridge transfer, and `proof`, what is compared with the router's word. */
export const bridgeTransferFragments = `fragment movement on BridgeTransfer { ...proof bridge summary reason
  departure { ...end } arrival { ...end } refund { chain { prettyName } chainId hash }
  claim { claimableAt } guidance { sentence nextStep } }
fragment end on BridgeTransferLeg { chain { prettyName } chainId address hash
  amount denom formattedAmount asset { symbol } }
fragment proof on BridgeTransfer { ...step sequence reason isWithdrawal claim { isClaimable } guidance { funds }
  departure { chainId chain { prettyName } hash } onward { ...step onward { ...step } } }
fragment step on BridgeTransfer { state arrival { chainId chain { prettyName } hash } }`

const nameOf = ({ chain, chainId }: Data): string => chain?.prettyName ?? chainId ?? 'another chain'

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

/** What the records of the chains prove of coins. */
export type Proof = 'ARRIVED' | 'BACK' | 'REFUSED' | 'UNCLAIMED'

/** What the router can say of coins. */
export type RouterWord = 'succeeded' | 'failed' | 'pending'

/** The words of the router that a proof contradicts. One that was refused can be pending, or have failed. */
const contradicted: Readonly<Record<Proof, readonly RouterWord[]>> = {
  ARRIVED: ['failed', 'pending'],
  BACK: ['succeeded', 'pending'],
  REFUSED: ['succeeded'],
  UNCLAIMED: ['succeeded'],
}

/** Whether indexed chains have records of it: what only the router knows proves nothing against the router. */
export const isRecorded = (movement: Data): boolean => movement?.sequence != null

/** The movement with which the coins went on last. */
const lastOf = (movement: Data): Data => (movement.onward ? lastOf(movement.onward) : movement)

/** What became of the coins in the end. Null if the records leave it open. */
export function proofOfCoins(movement: Data): Proof | null {
  const { funds } = movement.guidance
  if (funds === 'DELIVERED') return 'ARRIVED'
  if (funds === 'RETURNED') return 'BACK'
  // What came back to a chain in the middle is on its way back to the first one.
  if (/^(REFUSED|REFUNDED|TIMED_OUT)$/.test(lastOf(movement).state)) return 'REFUSED'
  return isUnclaimed(movement) ? 'UNCLAIMED' : null
}

/** Whether a withdrawal could be claimed and was not. A router calls that on its way: it never arrives by itself. */
const isUnclaimed = ({ state, isWithdrawal, claim }: Data): boolean =>
  isWithdrawal && (state === 'UNKNOWN' || state === 'ON_THE_WAY') && claim?.isClaimable === true

/** What became of one hop, whatever came after it. Null if the records leave it open. */
function proofOfHop(movement: Data): Proof | null {
  const { state } = movement
  if (state === 'ARRIVED' || state === 'PASSED_ON') return 'ARRIVED'
  if (state === 'REFUNDED' || state === 'TIMED_OUT') return 'BACK'
  if (state === 'REFUSED') return 'REFUSED'
  return isUnclaimed(movement) ? 'UNCLAIMED' : null
}

/** Whether the router has hops behind the last chain that the records of this movement know. */
export function goesFurther(movement: Data, hops: Data): boolean {
  const { chainId } = lastOf(movement).arrival
  const at = hops.findLastIndex(({ toChainId }: Data) => toChainId === chainId)
  return at !== -1 && at < hops.length - 1
}

const sentences: Readonly<Record<Proof, (from: string, to: string) => string>> = {
  ARRIVED: (_from, to) => `it arrived on ${to}`,
  BACK: (from) => `it was not delivered, and is back on ${from}`,
  REFUSED: (_from, to) => `it was not delivered to ${to}`,
  UNCLAIMED: (_from, to) => `nobody has claimed it on ${to}`,
}

/** A sentence with both words if the records prove something else than the router says. Undefined if they agree. */
function contradiction(proof: Proof | null, word: RouterWord | undefined, movement: Data, last: Data) {
  if (!proof || !word || !contradicted[proof].includes(word)) return undefined
  // The step after an arrival can fail: the router calls that a failure too.
  if (word === 'failed' && proof === 'ARRIVED' && movement.reason) return undefined
  const what = sentences[proof](nameOf(movement.departure), nameOf(last.arrival))
  return `The records of the chains prove that ${what}. The router says that it ${word === 'pending' ? 'is pending' : word}.`
}

/** How the records of a whole transfer and the router contradict each other, in a sentence. */
export const contradictionOf = (movement: Data, word: RouterWord | undefined): string | undefined =>
  contradiction(proofOfCoins(movement), word, movement, lastOf(movement))

/** The same for one hop. */
export const contradictionOfHop = (movement: Data, word: RouterWord | undefined): string | undefined =>
  contradiction(proofOfHop(movement), word, movement, movement)
