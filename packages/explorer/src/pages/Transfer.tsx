import { useLatest } from '@portolan/client/react'
import { dollars, duration, exact, localTime, scaled } from '../app/format.ts'
import { links } from '../app/links.ts'
import type { PageProps } from '../app/pageProps.ts'
import { lastOf } from '../app/proof.ts'
import { useTold } from '../app/useTold.ts'
import { useWatched, type Watched } from '../app/watched.ts'
import { TransferDocument, type TransferSubscription } from '../generated/graphql.ts'
import { BridgeState } from '../parts/BridgeTransfer.tsx'
import { Failed } from '../parts/Failed.tsx'
import { Waiting } from '../parts/later.tsx'
import { Facts, Panel } from '../parts/Panel.tsx'
import { Amount, AssetLink, HopChain, Outside, Short, TxHash, Words } from '../parts/text.tsx'
import { text } from '../text.ts'
import { BridgeStories } from './BridgePanel.tsx'
import { HopLine, words } from './TransferHops.tsx'

type Hop = TransferSubscription['transfer']['hops'][number]

/** A transfer over chains, hop by hop, as it goes on. What the records of the chains prove comes before the word of the router. */
export function Transfer({ place }: PageProps) {
  const [chainId = '', hash = ''] = place.parts
  const variables = { chainId, hash }
  const { data, error, status } = useLatest(TransferDocument, variables)
  const transfer = data?.transfer
  const operation = { document: TransferDocument, variables }
  const { told, records } = useTold(chainId, transfer)
  return (
    <>
      <div class="pager">
        <h1>{text.transfer}</h1>
        <WatchButton of={variables} />
      </div>
      <Panel
        title={text.overview}
        of={operation}
        note={status === 'ended' || told?.isEnded ? undefined : <span class="pulse">{text.live}</span>}
      >
        <Failed error={error} />
        {!transfer && !error && <Waiting />}
        {transfer && (
          <Facts
            rows={[
              [
                text.result,
                told ? (
                  <BridgeState of={told.movement} key="outcome" />
                ) : (
                  <span class={outcomeClass(transfer.outcome)} key="outcome">
                    {progressOf(transfer)}
                  </span>
                ),
              ],
              [
                text.router,
                told?.contradiction && <Words key="router">{text.contradiction(told.contradiction)}</Words>,
              ],
              [
                text.situation,
                <span class={!told && transfer.guidance.isLate ? 'bad' : undefined} key="situation">
                  {told ? told.movement.guidance.sentence : situationOf(transfer)}
                </span>,
              ],
              [
                text.advice,
                told
                  ? told.movement.guidance.nextStep
                  : !error && !transfer.search && <NextStep of={transfer} key="next" />,
              ],
              [
                text.usually,
                told || transfer.isTerminal || transfer.guidance.usualSeconds == null
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
                !told?.contradiction && transfer.received && (
                  <Amount of={transfer.received} chainId={transfer.received.chainId ?? undefined} key="received" />
                ),
              ],
              [text.sentBy, transfer.sender && <AccountLink of={transfer.sender} key="sender" />],
              [text.sentTo, transfer.recipient && <AccountLink of={transfer.recipient} key="recipient" />],
              [text.hash, <TxHash chainId={chainId} value={transfer.hash} hasCopy key="hash" />],
              [
                text.from,
                <a href={links.chain(chainId)} key="from">
                  <Words>{transfer.chain.prettyName}</Words>
                </a>,
              ],
              [
                text.to,
                told?.contradiction ? (
                  <HopChain chain={lastOf(told.movement).arrival.endChain} key="to" />
                ) : (
                  destinationOf(transfer.hops)
                ),
              ],
              [text.why, !told?.contradiction && transfer.error?.message && <Words>{transfer.error.message}</Words>],
              [
                text.assetsAt,
                !told?.contradiction && transfer.assetRelease && (
                  <>
                    <a href={links.chain(transfer.assetRelease.chainId ?? chainId)}>
                      <Words>{transfer.assetRelease.chain?.prettyName ?? transfer.assetRelease.chainId ?? ''}</Words>
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
      {transfer?.transaction && (
        <BridgeStories of={records} followed={{ hash: transfer.transaction.hash, movement: told?.movement }} />
      )}
      {transfer && transfer.hops.length > 0 && (
        <Panel title={told?.contradiction ? text.hopsByRouter : text.hops} note={transfer.hops.length} of={operation}>
          <ol class="hops" aria-live="polite">
            {transfer.hops.map((hop) => (
              <HopLine key={hop.index} hop={hop} isOver={transfer.isTerminal || told?.isEnded === true} />
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
      <Words>{last.toChain?.prettyName ?? last.toChainId}</Words>
    </a>
  )
}

function WatchButton({ of }: { of: Watched }) {
  const watched = useWatched()
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

/** The situation of a transfer in a sentence. A search says until when the router is asked. */
function situationOf({ chain, guidance, search, transaction, ...transfer }: TransferSubscription['transfer']): string {
  if (search?.until) {
    const words = transaction ? text.transferAdvice.known : text.transferAdvice.search
    return words(chain.prettyName, localTime(search.until))
  }
  return isUnseen({ transaction, ...transfer }) ? text.transferAdvice.unseen(chain.prettyName) : guidance.sentence
}

/** What its owner can do, with the pages where that is done. */
function NextStep({ of: { guidance } }: { of: TransferSubscription['transfer'] }) {
  const { nextStep, url, supportUrl, isLate, code } = guidance
  const needsHelp = isLate || code === 'ACT' || code === 'UNKNOWN'
  return (
    <>
      {nextStep} {url && <Outside href={url}>{text.transferAdvice.page}</Outside>}{' '}
      {needsHelp && supportUrl && <Outside href={supportUrl}>{text.transferAdvice.help}</Outside>}
    </>
  )
}

const AccountLink = ({ of: address }: { of: string }) => (
  <a href={links.account(address)}>
    <Short value={address} />
  </a>
)

/** The amount that a transfer sent, with its symbol or denom. */
const Sent = ({ of: { amountIn, assetIn, denomIn } }: { of: TransferSubscription['transfer'] }) => (
  <>
    {exact(assetIn?.decimals != null ? scaled(amountIn ?? '', assetIn.decimals) : (amountIn ?? ''))}{' '}
    <AssetLink of={assetIn} otherwise={denomIn} />
  </>
)

/** How an outcome is marked. */
export const outcomeClass = (outcome: string) => ({ SUCCEEDED: 'good', FAILED: 'bad', ABANDONED: 'bad' })[outcome]

/** Whether neither the router nor an indexer has seen the first transaction: an invented hash looks the same. */
const isUnseen = ({
  isTerminal,
  hops,
  transaction,
}: Pick<TransferSubscription['transfer'], 'isTerminal' | 'hops' | 'transaction'>) =>
  !isTerminal && !transaction && hops.every(({ transactions }) => transactions.length === 0)

/** How far a transfer is, in words. Its state is named only while it says more than the outcome. */
export const progressOf = ({
  outcome,
  state,
  isTerminal,
  hops,
  chain,
  transaction,
}: Pick<TransferSubscription['transfer'], 'outcome' | 'state' | 'isTerminal' | 'hops' | 'chain' | 'transaction'>) =>
  isUnseen({ isTerminal, hops, transaction })
    ? text.notFoundYet(chain.prettyName)
    : isTerminal || state === outcome
      ? words(outcome)
      : `${words(outcome)} · ${words(state)}`
