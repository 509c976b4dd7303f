import { duration, utcTime } from '../app/format.ts'
import { links } from '../app/links.ts'
import type { BridgeEndFragment, BridgeTransferPartsFragment, BridgeTransfersQuery } from '../generated/graphql.ts'
import { text } from '../text.ts'
import { Amount, ChainName, Short, Time, TxHash, Words } from './text.tsx'

type Found = NonNullable<NonNullable<BridgeTransfersQuery['transaction']>['movements']>[number]

const marks: Readonly<Record<string, string>> = {
  ARRIVED: 'good',
  REFUSED: 'bad',
  REFUNDED: 'bad',
  TIMED_OUT: 'bad',
}

/** What became of a movement of coins between two chains, in a word. */
export const BridgeState = ({ of: { state, isWithdrawal } }: { of: BridgeTransferPartsFragment }) => (
  <span class={marks[state]}>
    {state === 'UNKNOWN' && isWithdrawal ? text.notClaimed : (text.bridgeStates[state] ?? state)}
  </span>
)

/** What was moved, and the chain that names it: as it arrived if nobody lists the coin that left. */
export function movedBy({ departure, arrival }: BridgeTransferPartsFragment) {
  const of = departure.formattedAmount == null && arrival.formattedAmount != null ? arrival : departure
  return { of, chainId: of.endChain?.chainId }
}

/** A movement of coins between two chains: what became of it, its ends in order, and what its owner can do. */
export function BridgeTransferStory({ of }: { of: Found }) {
  const { departure, arrival, refund, guidance, claim, durationSeconds } = of
  const sentChain = departure.endChain?.chainId
  const isOver = of.state === 'ARRIVED'
  return (
    <article class="message">
      <p class="story">
        <strong>
          <Amount {...movedBy(of)} isPlain />
        </strong>{' '}
        <Way of={of} /> <BridgeState of={of} />{' '}
        {isOver && durationSeconds != null && <span class="note">{text.took(duration(durationSeconds))}</span>}
      </p>
      {!isOver && (
        <p>
          {guidance.sentence} {guidance.nextStep}
        </p>
      )}
      {!isOver && !refund && claim?.claimableAt && claim.isClaimable != null && (
        <p>{claim.isClaimable ? text.claimableNow : text.claimableFrom(utcTime(claim.claimableAt))}</p>
      )}
      {of.reason && (
        <p class="bad">
          <Words>{of.reason}</Words>
        </p>
      )}
      <ul class="ends">
        <End name={text.sentEnd} of={departure} />
        <End name={text.arrivedEnds[of.state] ?? text.arrivedEnd} of={arrival} />
        {refund && <End name={text.returnedEnd} of={refund} />}
        {departure.hash && sentChain && (
          <li>
            <a href={links.transfer(sentChain, departure.hash)}>{text.followTransfer}</a>
          </li>
        )}
      </ul>
    </article>
  )
}

/** The two chains of a movement. */
export const Way = ({ of: { departure, arrival, bridge } }: { of: BridgeTransferPartsFragment }) => (
  <>
    <EndChain of={departure} /> → <EndChain of={arrival} />{' '}
    <span class="tag">{text.bridgeNames[bridge] ?? bridge}</span>
  </>
)

const EndChain = ({ of: { endChain } }: { of: BridgeEndFragment }) =>
  endChain ? <ChainName chain={endChain} /> : <span class="none">{text.otherChain}</span>

/** One end: its account, its transaction and its time. */
function End({ name, of: { address, endChain, hash, timestamp } }: { name: string; of: BridgeEndFragment }) {
  return (
    <li>
      {name}{' '}
      {address && (
        <a href={links.account(address)}>
          <Short value={address} />
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
