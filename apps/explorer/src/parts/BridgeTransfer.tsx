import { links } from '../app/links.ts'
import { useAge } from '../app/useNow.tsx'
import type {
  BridgeEndFragment,
  BridgeStepFragment,
  BridgeStoryFragment,
  BridgeTransferPartsFragment,
} from '../generated/graphql.ts'
import { text } from '../text.ts'
import { dollars, duration, utcTime } from '../values/format.ts'
import { isOver } from '../values/transferOutcome.ts'
import { Amount } from './Amount.tsx'
import { ChainText } from './ChainText.tsx'
import { MiddleEllipsis } from './MiddleEllipsis.tsx'
import { ChainName, TxHash } from './recordLinks.tsx'
import { Time } from './Time.tsx'

const marks: Readonly<Record<string, string>> = {
  ARRIVED: 'good',
  REFUSED: 'bad',
  REFUNDED: 'bad',
  TIMED_OUT: 'bad',
}

const hasGoneOn = ({ state }: Pick<BridgeTransferPartsFragment, 'state'>): boolean =>
  state === 'PASSED_ON' || state === 'SENT_AGAIN'

/** The last bridge transfer of a row of them. */
const lastOf = (of: Step): Step => (of.onward ? lastOf(of.onward) : of)

/** A bridge transfer with those that passed its coins on. */
interface Step extends BridgeStepFragment {
  readonly onward?: Step | null
}

/** Whether it waits for a claim, as far as is known. A router calls that on its way: a withdrawal never arrives by itself. */
const waitsForClaim = ({ state, isWithdrawal }: Pick<BridgeTransferPartsFragment, 'state' | 'isWithdrawal'>): boolean =>
  isWithdrawal && (state === 'UNKNOWN' || state === 'ON_THE_WAY')

/** Seconds in which nobody wonders that a withdrawal has no claim: the other chain has to accept it first. */
const youngSeconds = 3_600

/** The state of a bridge transfer in a word, and that of the one that passed its coins on. */
export function BridgeState({
  of,
}: {
  of: Pick<BridgeTransferPartsFragment, 'state' | 'isWithdrawal' | 'departure'> &
    Pick<Partial<BridgeStoryFragment>, 'onward'>
}) {
  const { state, onward, departure } = of
  const isYoung = useAge(departure.timestamp ?? '') < youngSeconds
  const unclaimed = isYoung ? text.waitsForClaim : text.notClaimed
  const last = hasGoneOn(of) ? (onward?.onward ?? onward)?.state : undefined
  const words = last ? [state, last] : [state]
  return (
    <span class={marks[last ?? state]}>
      {waitsForClaim(of) ? unclaimed : words.map((word) => text.bridgeStates[word] ?? word).join(' · ')}
    </span>
  )
}

/**
 * The amount of a bridge transfer, and the chain that names its coin: as it arrived, or as it left if it did not arrive, or if
 * nobody lists the coin and all of it arrived.
 */
export function bridgedAmount({ state, departure, arrival }: BridgeTransferPartsFragment) {
  const [first, second] = state === 'ARRIVED' ? [arrival, departure] : [departure, arrival]
  const isSame = first.amount === second.amount
  const of = isSame && first.formattedAmount == null && second.formattedAmount != null ? second : first
  return { of, chainId: of.endChain?.chainId }
}

/** What a bridge transfer is worth at the present price of the coin at one of its ends. An unknown worth is said. */
export function BridgeWorth({
  of: { departure, arrival },
  isBelow = false,
}: {
  of: BridgeTransferPartsFragment
  /** Whether it has a line of its own in a table. */
  isBelow?: boolean
}) {
  const value = dollars(arrival.usdValue ?? departure.usdValue)
  return (
    <small class={isBelow ? 'second' : undefined} title={value && text.atPresentPrice}>
      {value ?? text.worthUnknown}
    </small>
  )
}

/** The transfer that a page is about: its first transaction, and the sentence on it that the page has told above. */
export interface FollowedTransfer {
  readonly hash: string
  readonly sentence: string
}

/** A bridge transfer: its state, its ends in order, and what its owner can do. */
export function BridgeTransferStory({
  of,
  followed,
}: {
  of: BridgeStoryFragment
  followed?: FollowedTransfer | undefined
}) {
  const { departure, arrival, refund, guidance, claim, durationSeconds } = of
  const sentChain = departure.endChain?.chainId
  const hasArrived = of.state === 'ARRIVED'
  const isFollowed = departure.hash != null && departure.hash === followed?.hash
  const contradiction = of.transfer?.guidance.contradiction
  const last = lastOf(of)
  const needsNothing = guidance.funds === 'DELIVERED' && !of.reason
  return (
    <article class="message">
      <p class="story">
        <strong>
          <Amount {...bridgedAmount(of)} isPlain />
        </strong>{' '}
        <BridgeWorth of={of} /> <BridgeRoute of={of} /> <BridgeState of={of} />{' '}
        {!of.isProven && marks[of.state] && <span class="note">{text.byRouter}</span>}{' '}
        {hasArrived && durationSeconds != null && <span class="note">{text.took(duration(durationSeconds))}</span>}
      </p>
      {!isFollowed && contradiction && <p>{text.contradiction(contradiction)}</p>}
      {followed?.sentence !== guidance.sentence && !(hasArrived && needsNothing) && (
        <p>
          {guidance.sentence} {!needsNothing && guidance.nextStep}
        </p>
      )}
      {!hasArrived && !refund && claim?.claimableAt && <p>{claimWords(claim.claimableAt, claim.isClaimable)}</p>}
      {of.reason && (
        <p class="bad">
          <ChainText>{of.reason}</ChainText>
        </p>
      )}
      <ul class="ends">
        <End name={text.sentEnd} of={departure} />
        <End name={text.arrivedEnds[of.state] ?? text.arrivedEnd} of={arrival} />
        {hasGoneOn(of) && last !== of && (
          <End name={text.arrivedEnds[last.state] ?? text.arrivedEnd} of={last.arrival} />
        )}
        {refund && <End name={text.returnedEnd} of={refund} />}
        {!isOver(of) && !isFollowed && departure.hash && sentChain && (
          <li>
            <a href={links.transfer(sentChain, departure.hash)}>{text.followTransfer}</a>
          </li>
        )}
      </ul>
    </article>
  )
}

/** When a withdrawal can be claimed, or could, if its claim may be in records that were not read. */
function claimWords(at: string, isClaimable: boolean | null): string {
  const time = utcTime(at)
  if (isClaimable === null) return text.couldBeClaimed(time)
  return isClaimable ? text.claimableSince(time) : text.claimableFrom(time)
}

/** The two chains of a bridge transfer. */
export const BridgeRoute = ({ of: { departure, arrival, bridge } }: { of: BridgeTransferPartsFragment }) => (
  <>
    <EndChain of={departure} /> → <EndChain of={arrival} />{' '}
    <span class="tag">{text.bridgeNames[bridge] ?? bridge}</span>
  </>
)

const EndChain = ({ of: { endChain } }: { of: BridgeEndFragment }) =>
  endChain ? <ChainName chain={endChain} /> : <span class="none">{text.otherChain}</span>

/** One end: its account, its transaction and its time. */
function End({
  name,
  of: { address, endChain, hash, timestamp },
}: {
  name: string
  of: Pick<BridgeEndFragment, 'address' | 'endChain' | 'hash' | 'timestamp'>
}) {
  return (
    <li>
      {name}{' '}
      {address && (
        <a href={links.account(address)}>
          <MiddleEllipsis value={address} />
        </a>
      )}
      {address && ' · '}
      {hash && endChain ? <TxHash chainId={endChain.chainId} value={hash} /> : text.notFoundEnd}
      {timestamp && (
        <>
          {' · '}
          <Time value={timestamp} />
        </>
      )}
    </li>
  )
}
