import { links } from '../../app/links.ts'
import type { TransferSubscription } from '../../generated/graphql.ts'
import { AssetLink } from '../../parts/Amount.tsx'
import { ChainText } from '../../parts/ChainText.tsx'
import { MiddleEllipsis } from '../../parts/MiddleEllipsis.tsx'
import { OutsideLink } from '../../parts/OutsideLink.tsx'
import { HopChain } from '../../parts/recordLinks.tsx'
import { Time } from '../../parts/Time.tsx'
import { text } from '../../text.ts'
import { duration, exact } from '../../values/format.ts'
import { words } from '../../values/transferOutcome.ts'

type Hop = TransferSubscription['transfer']['hops'][number]

/** The state of a hop in words. A hop has not begun if the router knows neither a state nor a transaction of it. */
function stateOf({ state, rawState, transactions }: Hop, isOver: boolean): string {
  const isKnown = state !== 'UNKNOWN' || !/(^|_)UNKNOWN$/.test(rawState ?? 'UNKNOWN')
  if (isKnown || transactions.length > 0) return words(state)
  return isOver ? text.notReached : text.notStarted
}

/** How long a hop took. 0 before its end, or if that is not known. */
const tookSeconds = ({ beganAt, endedAt }: Hop): number =>
  beganAt && endedAt ? Math.round((Date.parse(endedAt) - Date.parse(beganAt)) / 1_000) : 0

/** A hop: its state, and what the router says where the records of the chains prove otherwise. */
export function HopLine({ hop, isOver }: { hop: Hop; isOver: boolean }) {
  const [amount, formatted] =
    hop.amountOut == null ? [hop.amountIn, hop.formattedAmountIn] : [hop.amountOut, hop.formattedAmountOut]
  const asset = hop.assetOut ?? hop.assetIn
  return (
    <li class={hop.state.toLowerCase()}>
      <strong>
        <HopChain chain={hop.fromChain} chainId={hop.fromChainId} /> →{' '}
        <HopChain chain={hop.toChain} chainId={hop.toChainId} />
      </strong>
      <span class="tag">{text.bridgeNames[hop.bridge] ?? hop.bridge}</span>
      <span class={{ COMPLETED: 'good', FAILED: 'bad' }[hop.state as string]}>{stateOf(hop, isOver)}</span>
      {amount && (
        <span class="amount">
          {exact(formatted ?? amount)} <AssetLink of={asset} otherwise={hop.denomOut} />
        </span>
      )}
      {tookSeconds(hop) > 0 && <span class="note">{text.took(duration(tookSeconds(hop)))}</span>}
      {hop.state !== hop.reportedState && <p>{text.contradiction(text.hopByRouter(words(hop.reportedState)))}</p>}
      {hop.error?.message && (
        <p class="bad">
          <ChainText>{hop.error.message}</ChainText>
        </p>
      )}
      <ul>
        {hop.transactions.map((tx, index) => (
          <li key={index}>
            {words(tx.kind)}:{' '}
            {tx.hash && tx.chainId && tx.transaction ? (
              <a href={links.transaction(tx.chainId, tx.hash)}>
                <MiddleEllipsis value={tx.hash} />
              </a>
            ) : tx.hash ? (
              <OutsideLink href={tx.explorerUrl}>
                <MiddleEllipsis value={tx.hash} />
              </OutsideLink>
            ) : (
              text.none
            )}{' '}
            {tx.timestamp && <Time value={tx.timestamp} />}
          </li>
        ))}
      </ul>
    </li>
  )
}
