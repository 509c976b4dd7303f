import type { BridgeProofFragment, BridgeStepFragment } from '../generated/graphql.ts'

/** What the records of the chains prove of coins. */
export type Proof = 'arrived' | 'back' | 'refused' | 'unclaimed'

/** What the router can say of coins. */
export type RouterWord = 'succeeded' | 'failed' | 'pending'

/** The words of the router that a proof contradicts. What was refused can be pending, or have failed. */
const contradicted: Readonly<Record<Proof, readonly RouterWord[]>> = {
  arrived: ['failed', 'pending'],
  back: ['succeeded', 'pending'],
  refused: ['succeeded'],
  unclaimed: ['succeeded'],
}

/** What the router's states say of the coins. Others say nothing: the router has not looked yet, or has stopped tracking. */
const routerWords: Readonly<Record<string, RouterWord>> = {
  STATE_PENDING: 'pending',
  STATE_RECEIVED: 'pending',
  STATE_PENDING_ERROR: 'pending',
  STATE_COMPLETED_SUCCESS: 'succeeded',
  STATE_COMPLETED_ERROR: 'failed',
  STATE_FAILED: 'failed',
}

const hopWords: Readonly<Record<string, RouterWord>> = { PENDING: 'pending', COMPLETED: 'succeeded', FAILED: 'failed' }

/** A movement with those that passed the coins on. */
interface Step extends BridgeStepFragment {
  readonly onward?: Step | null
}

/** The movement with which the coins went on last. */
export const lastOf = (of: Step): Step => (of.onward ? lastOf(of.onward) : of)

/** Whether indexed chains have records of it: what only the router knows proves nothing against the router. */
const isRecorded = ({ sequence }: BridgeProofFragment): boolean => sequence != null

/** Whether it waits for a claim, as far as is known. A router calls that on its way: a withdrawal never arrives by itself. */
export const waitsForClaim = ({ state, isWithdrawal }: Pick<BridgeProofFragment, 'state' | 'isWithdrawal'>): boolean =>
  isWithdrawal && (state === 'UNKNOWN' || state === 'ON_THE_WAY')

const isUnclaimed = (of: BridgeProofFragment): boolean => waitsForClaim(of) && of.claim?.isClaimable === true

/** What became of the coins in the end. Undefined if the records leave it open. */
function proofOfCoins(of: BridgeProofFragment): Proof | undefined {
  if (of.guidance.funds === 'DELIVERED') return 'arrived'
  if (of.guidance.funds === 'RETURNED') return 'back'
  // What came back to a chain in the middle is on its way back to the first one.
  if (/^(REFUSED|REFUNDED|TIMED_OUT)$/.test(lastOf(of).state)) return 'refused'
  return isUnclaimed(of) ? 'unclaimed' : undefined
}

/** What became of one hop, whatever came after it. Undefined if the records leave it open. */
function proofOfHop(of: BridgeProofFragment): Proof | undefined {
  switch (of.state) {
    case 'ARRIVED':
    case 'PASSED_ON':
      return 'arrived'
    case 'REFUNDED':
    case 'TIMED_OUT':
      return 'back'
    case 'REFUSED':
      return 'refused'
    default:
      return isUnclaimed(of) ? 'unclaimed' : undefined
  }
}

/** A hop of the router, as far as it is compared. */
interface Hop {
  readonly toChainId?: string | null
}

/** Whether the router has hops behind the last chain that the records know. */
function goesFurther(of: Step, hops: readonly Hop[]): boolean {
  const to = lastOf(of).arrival.endChain?.chainId
  const at = hops.findLastIndex(({ toChainId }) => toChainId === to)
  return at !== -1 && at < hops.length - 1
}

/** What the router says of a transfer. */
interface Reported {
  readonly rawState: string
  readonly hops: readonly Hop[]
}

/** Two answers that cannot both be true. */
export interface Contradiction {
  readonly proof: Proof
  readonly word: RouterWord
  /** The chains that the sentence names. */
  readonly from: string | undefined
  readonly to: string | undefined
}

function contradictionOf(
  of: BridgeProofFragment,
  proof: Proof | undefined,
  word: RouterWord | undefined,
  last: Step,
): Contradiction | undefined {
  if (!proof || !word || !contradicted[proof].includes(word)) return undefined
  // The step after an arrival can fail: the router calls that a failure too.
  if (proof === 'arrived' && word === 'failed' && of.reason) return undefined
  return { proof, word, from: of.departure.endChain?.prettyName, to: last.arrival.endChain?.prettyName }
}

/** What the records prove of a whole transfer, and how that contradicts the router. */
export interface Told<Movement> {
  readonly movement: Movement
  /** Whether the coins have reached an end: with the receiver, or back with the sender. */
  readonly isEnded: boolean
  readonly contradiction: Contradiction | undefined
}

/**
 * What the records tell of a movement. Undefined if they do not know what became of it, or if the router knows of further hops
 * behind it. A withdrawal that was not claimed is told: it moves no more.
 */
export function tell<Movement extends BridgeProofFragment>(
  movement: Movement,
  router: Reported | null | undefined,
): Told<Movement> | undefined {
  if (!isRecorded(movement)) return undefined
  const proof = proofOfCoins(movement)
  if (!proof && !waitsForClaim(movement)) return undefined
  if (proof === 'arrived' && goesFurther(movement, router?.hops ?? [])) return undefined
  return {
    movement,
    isEnded: proof === 'arrived' || proof === 'back',
    contradiction: contradictionOf(movement, proof, routerWords[router?.rawState ?? ''], lastOf(movement)),
  }
}

/** A transfer of the router. Its hops have what the records prove of them. */
interface TransferParts {
  readonly hash: string
  readonly rawState: string
  readonly hops: readonly (Hop & { readonly bridgeTransfer?: BridgeProofFragment | null })[]
}

/**
 * What the records tell of a transfer: by the one movement that its first transaction began, or else by the last hop that they
 * know. Undefined if they leave it open, or have several movements.
 */
export function tellTransfer(
  transfer: TransferParts,
  movements: readonly BridgeProofFragment[] = [],
): Told<BridgeProofFragment> | undefined {
  // The transaction of a relayer can end one movement and begin another.
  const begun = movements.filter(({ departure }) => digitsOf(departure.hash) === digitsOf(transfer.hash))
  const [only, ...others] = begun.length > 0 ? begun : movements
  if (others.length > 0) return undefined
  const ofHops = transfer.hops.flatMap(({ bridgeTransfer }) => bridgeTransfer ?? [])
  for (const movement of [...(only ? [only] : []), ...ofHops.toReversed()]) {
    const told = tell(movement, transfer)
    if (told) return told
  }
  return undefined
}

const digitsOf = (hash: string | null | undefined): string | undefined => hash?.replace(/^0x/i, '').toUpperCase()

/** How the records of a hop contradict what the router says of it. */
export function contradictionOfHop({
  state,
  bridgeTransfer: of,
}: {
  readonly state: string
  readonly bridgeTransfer?: BridgeProofFragment | null
}): Contradiction | undefined {
  return of && isRecorded(of) ? contradictionOf(of, proofOfHop(of), hopWords[state], of) : undefined
}
