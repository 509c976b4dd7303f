import { useLatest } from '@portolan/client/react'
import { Fragment } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { count, exact, scaled } from '../app/format.ts'
import { links } from '../app/links.ts'
import { chargedOf, unsigned } from '../app/movements.ts'
import type { PageProps } from '../app/pageProps.ts'
import { useAsking } from '../app/useAsking.ts'
import { type Query, useQuery } from '../app/useQuery.ts'
import {
  AwaitTransactionDocument,
  type CosmosPartsFragment,
  type EvmPartsFragment,
  TransactionDocument,
  type TransactionQuery,
} from '../generated/graphql.ts'
import { Amount, type AmountParts } from '../parts/amount.tsx'
import { Code } from '../parts/Code.tsx'
import { Failed } from '../parts/Failed.tsx'
import { type KnownNames, Names } from '../parts/known.ts'
import { later } from '../parts/later.tsx'
import { Facts, Loaded, Panel } from '../parts/Panel.tsx'
import { Sentence } from '../parts/Sentence.tsx'
import { Short } from '../parts/Short.tsx'
import { Spelled } from '../parts/Spelled.tsx'
import { Address, ChainName, Copy, Height, Result, Time } from '../parts/text.tsx'
import { Words } from '../parts/Words.tsx'
import { text } from '../text.ts'
import { BridgePanel } from './BridgePanel.tsx'
import { EvmPanels } from './EvmPanels.tsx'
import { AskedIn, NotYet } from './Lost.tsx'
import { Messages } from './Messages.tsx'
import { Movements } from './Movements.tsx'

// Most transactions are found.
const Elsewhere = later(() => import('./Elsewhere.tsx').then((part) => part.Elsewhere), { isQuiet: true })

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
            <Awaited chainId={chainId} hash={hash} onFound={query.reload} />
          ) : (
            <Asked hash={hash} query={query} />
          )
        }
      </Loaded>
      {found && <Parts found={found} query={query} />}
    </>
  )
}

/** Asks all chains for a transaction that none of them knows yet. */
function Asked({ hash, query }: { hash: string; query: Query<TransactionQuery> }) {
  const { next, askAgain } = useAsking(true, query.operation.readAt, query.reload)
  return (
    <>
      <NotYet hash={hash} when={next === undefined ? undefined : <AskedIn at={next} />} onAsk={askAgain} />
      <Elsewhere hash={hash} />
    </>
  )
}

/** Reads a transaction that is not indexed yet as soon as it is. The gateway asks the indexer of its chain meanwhile. */
function Awaited(props: { chainId: string; hash: string; onFound: () => void }) {
  const [turn, setTurn] = useState(0)
  return <AwaitedOnce key={turn} {...props} onAsk={() => setTurn(turn + 1)} />
}

function AwaitedOnce({ chainId, hash, onFound, onAsk }: Parameters<typeof Awaited>[0] & { onAsk: () => void }) {
  const { data, error } = useLatest(AwaitTransactionDocument, { chainId, hash })
  const isFound = Boolean(data?.transaction.node)
  useEffect(() => {
    if (isFound) onFound()
  }, [isFound])
  return <NotYet hash={hash} when={error ? undefined : text.awaited} onAsk={onAsk} />
}

type Found = NonNullable<TransactionQuery['transaction']>

/** The lists of a Cosmos transaction that can be too long to be told. */
const longLists = ['messages', 'events', 'balanceChanges', 'coinTransfers'] as const

function Parts({ found, query }: { found: Found; query: Query<TransactionQuery> }) {
  const cosmos: CosmosPartsFragment | null | undefined = found.__typename === 'Transaction' ? found : found.transaction
  const evm: EvmPartsFragment | null | undefined = found.__typename === 'EvmTransaction' ? found : found.evmTransaction
  const cosmosPath = found.__typename === 'Transaction' ? ['transaction'] : ['transaction', 'transaction']
  const { chain, height } = found
  const chainId = chain.chainId
  const hashes = [cosmos?.hash, evm?.hash].filter((hash) => hash !== undefined)
  return (
    <Names.Provider value={cosmos ? namesIn(cosmos) : new Map()}>
      <Panel title={text.overview} of={query.operation}>
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
                <Result ok={cosmos?.isSuccessful ?? evm?.evmIsSuccessful} />{' '}
                {cosmos && cosmos.code > 0 && `${cosmos.codespace ?? ''} ${cosmos.code}`}
              </>,
            ],
            ...hashes.map(
              (hash) =>
                [
                  hash.startsWith('0x') ? text.evmHash : text.hash,
                  <span class="linked" key={hash}>
                    <Short value={hash} />
                    <Copy value={hash} />
                  </span>,
                ] as const,
            ),
            [text.chain, <ChainName chain={chain} />],
            [text.height, <Height chainId={chainId} value={height} />],
            [text.time, <Time value={cosmos?.timestamp ?? evm?.evmTimestamp} as="both" />],
            [
              text.from,
              cosmos ? (
                cosmos.signers?.map(({ account }) => account && <Spelled key={account.address} of={account} />)
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
            [text.memo, cosmos?.memo && <Words>{cosmos.memo}</Words>],
            [text.log, cosmos && !cosmos.isSuccessful && cosmos.rawLog && <Words>{cosmos.rawLog}</Words>],
          ]}
        />
      </Panel>
      {cosmos?.isSuccessful && <BridgePanel chainId={chainId} hash={cosmos.hash} />}
      {longLists.map((field) => (
        <Failed key={field} error={query.errorAt(...cosmosPath, field)} />
      ))}
      <Movements cosmos={cosmos} evm={evm} of={query.operation} />
      {cosmos && <Messages of={cosmos} query={query} />}
      {evm && <EvmPanels of={evm} query={query} />}
      <Panel title={text.raw} of={query.operation}>
        <details>
          <summary>{text.raw}</summary>
          <Code>{JSON.stringify(found, null, 2)}</Code>
        </details>
      </Panel>
    </Names.Provider>
  )
}

/** What was charged, beside what the transaction offered at most. Only what is known of these is shown. */
function Fee({ of: { fee, balanceChanges, chain } }: { of: CosmosPartsFragment }) {
  const charged = chargedOf(balanceChanges ?? [])
  const amounts = (coins: readonly AmountParts[]) =>
    coins.map((coin, index) => (
      <Fragment key={index}>
        {index > 0 && ', '}
        <Amount of={unsigned(coin)} chainId={chain.chainId} isExact />
      </Fragment>
    ))
  return (
    <div class="values">
      {charged.length > 0 && (
        <span>
          {amounts(charged)} <small>{text.feeCharged}</small>
        </span>
      )}
      {fee?.amount && fee.amount.length > 0 && (
        <span>
          {amounts(fee.amount)} <small>{text.feeLimit}</small>
        </span>
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
