import { useLatest, useQuery } from '@portolan/client/react'
import { links } from '../../app/links.ts'
import type { PageProps } from '../../app/pageProps.ts'
import { useRepeatedLookup } from '../../app/useRepeatedLookup.ts'
import { useWatchedTransfers, type WatchedTransfer } from '../../app/watchedTransfers.ts'
import { BridgeTransfersDocument, TransferDocument, type TransferSubscription } from '../../generated/graphql.ts'
import { Amount, AssetLink } from '../../parts/Amount.tsx'
import { BridgeTransferStories } from '../../parts/BridgeTransferPanel.tsx'
import { ChainText } from '../../parts/ChainText.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { LoadingNote } from '../../parts/LoadingNote.tsx'
import { MiddleEllipsis } from '../../parts/MiddleEllipsis.tsx'
import { OutsideLink } from '../../parts/OutsideLink.tsx'
import { Facts, Panel } from '../../parts/Panel.tsx'
import { TxHash } from '../../parts/recordLinks.tsx'
import { text } from '../../text.ts'
import { dollars, duration, exact, localTime, scaled } from '../../values/format.ts'
import { isOver, isUnseen, outcomeClass, progressOf } from '../../values/transferOutcome.ts'
import { HopLine } from './TransferHops.tsx'

type Found = TransferSubscription['transfer']
type Hop = Found['hops'][number]

/** A transfer over chains, hop by hop, as it goes on. What the records of the chains prove comes before the word of the router. */
export function Transfer({ place }: PageProps) {
  const [chainId = '', hash = ''] = place.parts
  const variables = { chainId, hash }
  const { data, error, status } = useLatest(TransferDocument, variables)
  const transfer = data?.transfer
  const operation = { document: TransferDocument, variables }
  const first = transfer?.transaction?.hash
  const records = useQuery(BridgeTransfersDocument, { chainId, hash: first ?? '' }, { skip: first === undefined })
  // The router does not say when a chain has a new record.
  const bridgeTransfers = records.data?.transaction?.bridgeTransfers ?? []
  const isOpen = bridgeTransfers.some((one) => !isOver(one) || !one.isProven)
  useRepeatedLookup(isOpen, records.loadedAt, records.refetch)
  return (
    <>
      <div class="pager">
        <h1>{text.transfer}</h1>
        <WatchButton of={variables} />
      </div>
      <Panel
        title={text.overview}
        of={operation}
        note={status === 'ended' ? undefined : <span class="pulse">{text.live}</span>}
      >
        <FaultNote error={error} />
        {!transfer && !error && <LoadingNote />}
        {transfer && (
          <Facts
            rows={[
              [
                text.result,
                <span class={outcomeClass(transfer.outcome)} key="outcome">
                  {progressOf(transfer)}
                </span>,
              ],
              [text.router, transfer.guidance.contradiction && text.contradiction(transfer.guidance.contradiction)],
              [
                text.situation,
                <span class={transfer.guidance.isLate ? 'bad' : undefined} key="situation">
                  {situationOf(transfer)}
                </span>,
              ],
              [text.advice, !error && !isSought(transfer) && <NextStep of={transfer} key="next" />],
              [
                text.usually,
                transfer.isTerminal || transfer.guidance.usualSeconds == null
                  ? undefined
                  : text.atMost(duration(transfer.guidance.usualSeconds)),
              ],
              [text.amount, transfer.amountIn && <Sent of={transfer} key="sent" />],
              [
                text.value,
                transfer.sent?.usdValue != null ? text.valueOfNow(dollars(transfer.sent.usdValue) ?? '') : undefined,
              ],
              [
                text.received,
                transfer.received && (
                  <Amount of={transfer.received} chainId={transfer.received.chainId ?? undefined} key="received" />
                ),
              ],
              [text.sentBy, transfer.sender && <AccountLink of={transfer.sender} key="sender" />],
              [text.sentTo, transfer.recipient && <AccountLink of={transfer.recipient} key="recipient" />],
              [text.hash, <TxHash chainId={chainId} value={transfer.hash} hasCopy key="hash" />],
              [
                text.from,
                <a href={links.chain(chainId)} key="from">
                  <ChainText>{transfer.chain.prettyName}</ChainText>
                </a>,
              ],
              [text.to, destinationOf(transfer.hops)],
              [text.why, transfer.error?.message && <ChainText>{transfer.error.message}</ChainText>],
              [
                text.assetsAt,
                transfer.assetRelease && (
                  <>
                    <a href={links.chain(transfer.assetRelease.chainId ?? chainId)}>
                      <ChainText>
                        {transfer.assetRelease.chain?.prettyName ?? transfer.assetRelease.chainId ?? ''}
                      </ChainText>
                    </a>
                    {transfer.assetRelease.amount && (
                      <>
                        {' · '}
                        <Amount of={transfer.assetRelease} chainId={transfer.assetRelease.chainId ?? undefined} />
                      </>
                    )}
                  </>
                ),
              ],
            ]}
          />
        )}
      </Panel>
      {transfer && first && (
        <BridgeTransferStories of={records} followed={{ hash: first, sentence: transfer.guidance.sentence }} />
      )}
      {transfer && transfer.hops.length > 0 && (
        <Panel title={text.hops} note={transfer.hops.length} of={operation}>
          <ol class="hops" aria-live="polite">
            {transfer.hops.map((hop) => (
              <HopLine key={hop.index} hop={hop} isOver={transfer.isTerminal} />
            ))}
          </ol>
        </Panel>
      )}
    </>
  )
}

/** The chain where the last hop ends. */
function destinationOf(hops: readonly Hop[]) {
  const last = hops.at(-1)
  if (!last?.toChainId) return undefined
  return (
    <a href={links.chain(last.toChainId)}>
      <ChainText>{last.toChain?.prettyName ?? last.toChainId}</ChainText>
    </a>
  )
}

function WatchButton({ of }: { of: WatchedTransfer }) {
  const watched = useWatchedTransfers()
  const isWatched = watched.has(of)
  return (
    <button
      type="button"
      disabled={!isWatched && watched.isFull}
      onClick={() => (isWatched ? watched.remove(of) : watched.add(of))}
    >
      {isWatched ? text.watched.unwatch : text.watched.watch}
    </button>
  )
}

/** Whether the router is asked for it, and no record says what became of it. */
const isSought = ({ search, guidance }: Found): boolean =>
  search != null && (guidance.code === 'NOT_SEEN' || guidance.code === 'UNTRACKED')

/** The situation of a transfer in a sentence. A search says until when the router is asked. */
function situationOf(transfer: Found): string {
  const { chain, guidance, search, transaction } = transfer
  if (search && isSought(transfer)) {
    const words = transaction ? text.transferAdvice.known : text.transferAdvice.search
    return words(chain.prettyName, localTime(search.until))
  }
  return isUnseen(transfer) ? text.transferAdvice.unseen(chain.prettyName) : guidance.sentence
}

/** What its owner can do, with the pages where that is done. */
function NextStep({ of: { guidance } }: { of: Found }) {
  const { nextStep, url, supportUrl, isLate, code } = guidance
  const needsHelp = isLate || code === 'ACT' || code === 'UNKNOWN'
  return (
    <>
      {nextStep} {url && <OutsideLink href={url}>{text.transferAdvice.page}</OutsideLink>}{' '}
      {needsHelp && supportUrl && <OutsideLink href={supportUrl}>{text.transferAdvice.help}</OutsideLink>}
    </>
  )
}

const AccountLink = ({ of: address }: { of: string }) => (
  <a href={links.account(address)}>
    <MiddleEllipsis value={address} />
  </a>
)

/** The amount that a transfer sent, with its symbol or denom. */
const Sent = ({ of: { amountIn, assetIn, denomIn } }: { of: Found }) => (
  <>
    {exact(assetIn?.decimals != null ? scaled(amountIn ?? '', assetIn.decimals) : (amountIn ?? ''))}{' '}
    <AssetLink of={assetIn} otherwise={denomIn} />
  </>
)
