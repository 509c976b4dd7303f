import { type QueryState, useLatest, useQuery } from '@portolan/client/react'
import { Fragment } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { links } from '../../app/links.ts'
import type { PageProps } from '../../app/pageProps.ts'
import { useRepeatedLookup } from '../../app/useRepeatedLookup.ts'
import {
  AwaitTransactionDocument,
  type CosmosPartsFragment,
  type EvmPartsFragment,
  TransactionDocument,
  type TransactionQuery,
} from '../../generated/graphql.ts'
import { Amount, type AmountParts } from '../../parts/Amount.tsx'
import { BothAddresses } from '../../parts/BothAddresses.tsx'
import { BridgeTransferPanel } from '../../parts/BridgeTransferPanel.tsx'
import { ChainText } from '../../parts/ChainText.tsx'
import { Code } from '../../parts/Code.tsx'
import { CopyButton } from '../../parts/CopyButton.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { lazyPage } from '../../parts/lazyPage.tsx'
import { MiddleEllipsis } from '../../parts/MiddleEllipsis.tsx'
import { type KnownNames, NamesContext } from '../../parts/NamesContext.ts'
import { Facts, Loaded, Panel } from '../../parts/Panel.tsx'
import { PendingTransaction, RetryCountdown } from '../../parts/PendingTransaction.tsx'
import { ResultMark } from '../../parts/ResultMark.tsx'
import { Address, ChainName, Height } from '../../parts/recordLinks.tsx'
import { Sentence } from '../../parts/Sentence.tsx'
import { Time } from '../../parts/Time.tsx'
import { text } from '../../text.ts'
import { count, exact, scaled } from '../../values/format.ts'
import { AssetTransfers } from './AssetTransfers.tsx'
import { EvmPanels } from './EvmPanels.tsx'
import { chargedOf, unsigned } from './listAssetTransfers.ts'
import { Messages } from './Messages.tsx'

// Most transactions are found.
const OtherMatches = lazyPage(() => import('./OtherMatches.tsx').then((part) => part.OtherMatches), { isQuiet: true })

/** A transaction by its hash alone, or by its chain and hash. */
export function Transaction({ place }: PageProps) {
  const hash = place.parts.at(-1) ?? ''
  const chainId = place.parts.length > 1 ? place.parts[0] : undefined
  const query = useQuery(TransactionDocument, { hash, chainId: chainId ?? null })
  const found = query.data?.transaction
  return (
    <>
      <h1>{text.transaction}</h1>
      <Loaded of={query}>
        {() =>
          found ? null : chainId ? (
            <AwaitedTransaction chainId={chainId} hash={hash} onFound={query.refetch} />
          ) : (
            <UnknownTransaction hash={hash} query={query} />
          )
        }
      </Loaded>
      {found && <Parts found={found} query={query} />}
    </>
  )
}

/** Asks all chains for a transaction that none of them knows yet. */
function UnknownTransaction({ hash, query }: { hash: string; query: QueryState<TransactionQuery> }) {
  const { next, askAgain } = useRepeatedLookup(true, query.loadedAt, query.refetch)
  return (
    <>
      <PendingTransaction
        hash={hash}
        when={next === undefined ? undefined : <RetryCountdown at={next} />}
        onAsk={askAgain}
      />
      <OtherMatches hash={hash} />
    </>
  )
}

/** Reads a transaction that is not indexed yet as soon as it is. The gateway asks the indexer of its chain meanwhile. */
function AwaitedTransaction(props: { chainId: string; hash: string; onFound: () => void }) {
  const [turn, setTurn] = useState(0)
  return <AwaitedTransactionOnce key={turn} {...props} onAsk={() => setTurn(turn + 1)} />
}

function AwaitedTransactionOnce({
  chainId,
  hash,
  onFound,
  onAsk,
}: Parameters<typeof AwaitedTransaction>[0] & { onAsk: () => void }) {
  const { data, error } = useLatest(AwaitTransactionDocument, { chainId, hash })
  const isFound = Boolean(data?.transaction.node)
  useEffect(() => {
    if (isFound) onFound()
  }, [isFound])
  return <PendingTransaction hash={hash} when={error ? undefined : text.awaited} onAsk={onAsk} />
}

type Found = NonNullable<TransactionQuery['transaction']>

/** The lists of a Cosmos transaction that can be too long to be told. */
const longLists = ['messages', 'events', 'balanceChanges', 'coinTransfers'] as const

function Parts({ found, query }: { found: Found; query: QueryState<TransactionQuery> }) {
  const cosmos: CosmosPartsFragment | null | undefined = found.__typename === 'Transaction' ? found : found.transaction
  const evm: EvmPartsFragment | null | undefined = found.__typename === 'EvmTransaction' ? found : found.evmTransaction
  const cosmosPath = found.__typename === 'Transaction' ? ['transaction'] : ['transaction', 'transaction']
  const { chain, height } = found
  const chainId = chain.chainId
  const hashes = [cosmos?.hash, evm?.hash].filter((hash) => hash !== undefined)
  return (
    <NamesContext.Provider value={cosmos ? namesIn(cosmos) : new Map()}>
      <Panel title={text.overview} of={query}>
        <Facts
          rows={[
            [
              text.actions,
              (cosmos ? cosmos.actions : evm?.evmActions)?.map((action, index) => (
                <div key={index}>
                  <Sentence of={action} chainId={chainId} />
                </div>
              )),
            ],
            [
              text.result,
              <>
                <ResultMark ok={cosmos?.isSuccessful ?? evm?.evmIsSuccessful} />
                {cosmos && cosmos.code > 0 && (
                  <ChainText>{`: ${text.failure(cosmos.codespace, cosmos.code)}`}</ChainText>
                )}
              </>,
            ],
            ...hashes.map(
              (hash) =>
                [
                  hash.startsWith('0x') ? text.evmHash : text.hash,
                  <span class="linked" key={hash}>
                    <MiddleEllipsis value={hash} />
                    <CopyButton value={hash} />
                  </span>,
                ] as const,
            ),
            [text.chain, <ChainName chain={chain} />],
            [text.height, <Height chainId={chainId} value={height} />],
            [text.time, <Time value={cosmos?.timestamp ?? evm?.evmTimestamp} as="both" />],
            [
              text.from,
              cosmos ? (
                cosmos.signers?.map(({ account }) => account && <BothAddresses key={account.address} of={account} />)
              ) : (
                <Address value={evm?.from?.address} hasCopy />
              ),
            ],
            [
              text.fee,
              cosmos?.fee ? (
                <Fee of={cosmos} />
              ) : (
                evm?.evmFee &&
                `${exact(scaled(evm.evmFee, evm.chain.evmFeeAsset?.decimals ?? 18))} ${evm.chain.evmFeeAsset?.symbol ?? ''}`
              ),
            ],
            [text.gas, cosmos?.gasUsed && `${count(cosmos.gasUsed)} / ${count(cosmos.gasWanted)}`],
            [text.memo, cosmos?.memo && <ChainText>{cosmos.memo}</ChainText>],
            [text.log, cosmos && !cosmos.isSuccessful && cosmos.rawLog && <ChainText>{cosmos.rawLog}</ChainText>],
          ]}
        />
      </Panel>
      {cosmos?.isSuccessful && <BridgeTransferPanel chainId={chainId} hash={cosmos.hash} />}
      {longLists.map((field) => (
        <FaultNote key={field} error={query.errorAt(...cosmosPath, field)} />
      ))}
      <AssetTransfers cosmos={cosmos} evm={evm} of={query} />
      {cosmos && <Messages of={cosmos} query={query} />}
      {evm && <EvmPanels of={evm} query={query} />}
      <Panel title={text.raw} of={query}>
        <details>
          <summary>{text.raw}</summary>
          <Code>{JSON.stringify(found, null, 2)}</Code>
        </details>
      </Panel>
    </NamesContext.Provider>
  )
}

/** What was charged, beside what the transaction offered at most. Only what is known of these is shown. */
function Fee({ of: { fee, balanceChanges, chain } }: { of: CosmosPartsFragment }) {
  const charged = chargedOf(balanceChanges ?? [])
  const limit = fee?.amount ?? []
  const amounts = (coins: readonly AmountParts[]) =>
    coins.map((coin, index) => (
      <Fragment key={index}>
        {index > 0 && ', '}
        <Amount of={unsigned(coin)} chainId={chain.chainId} isExact isPlain />
      </Fragment>
    ))
  return (
    <div>
      {charged.length > 0 && (
        <>
          {text.feeCharged} {amounts(charged)}
        </>
      )}
      {charged.length > 0 && limit.length > 0 && ', '}
      {limit.length > 0 && (
        <>
          {text.feeLimit} {amounts(limit)}
        </>
      )}
    </div>
  )
}

/** The collections that the balance changes name: sentences and transfers have them by their addresses alone. */
const namesIn = ({ balanceChanges, chain }: CosmosPartsFragment): KnownNames =>
  new Map(
    (balanceChanges ?? []).flatMap(({ collection }) =>
      collection?.name
        ? [
            [
              collection.address.toLowerCase(),
              { name: collection.name, href: links.collection(chain.chainId, collection.address) },
            ] as const,
          ]
        : [],
    ),
  )
