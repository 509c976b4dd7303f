import { useLive, useQuery } from '@portolan/client/react'
import { useMemo } from 'preact/hooks'
import { links } from '../../app/links.ts'
import { phone, useNarrow } from '../../app/useNarrow.ts'
import {
  type BlockFragment,
  type ChainFactsFragment,
  HeadsDocument,
  type HeadsSubscription,
  HomeDocument,
  HomeFactsDocument,
  type HomeQuery,
} from '../../generated/graphql.ts'
import { BlockPlot } from '../../parts/BlockPlot.tsx'
import { CoinPrice, Counted } from '../../parts/ChainFacts.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { LiveMark } from '../../parts/LiveMark.tsx'
import { collectionNames, NamesContext } from '../../parts/NamesContext.ts'
import { NoValue } from '../../parts/NoValue.tsx'
import { Loaded, Panel } from '../../parts/Panel.tsx'
import { PausedList } from '../../parts/PausedList.tsx'
import { ChainName, Height, Proposer } from '../../parts/recordLinks.tsx'
import { Table } from '../../parts/Table.tsx'
import { Time } from '../../parts/Time.tsx'
import { type TransactionParts, TransactionTable } from '../../parts/TransactionTable.tsx'
import { text } from '../../text.ts'
import { count, duration } from '../../values/format.ts'

type Head = NonNullable<HeadsSubscription['chainHeads']>
type HomeChain = HomeQuery['chains'][number]

/** Heads kept beside what the page has read. */
const maxHeads = 200

const liveQuery = { chainIds: null }

/** All chains with their heights, and what happens on them now. */
export function Home() {
  const home = useQuery(HomeDocument, {})
  const facts = useQuery(HomeFactsDocument, {}).data?.chains
  const names = useMemo(() => collectionNames(facts ?? []), [facts])
  const { data: heads, error } = useLive(HeadsDocument, liveQuery, {
    initial: [] as readonly Head[],
    reduce: (all, { chainHeads }) => [chainHeads, ...all].slice(0, maxHeads),
    onGap: home.refetch,
  })
  const live = { document: HeadsDocument, variables: liveQuery }
  const headOf = (chainId: string) => heads.find(({ chain }) => chain.chainId === chainId)
  const missing = (home.data?.chains ?? []).filter(({ chainId, blocks }) => {
    const head = headOf(chainId)
    return head ? head.isLate : !blocks
  })
  const note = !error && <LiveMark without={missing} />
  return (
    <>
      <h1 class="unseen">{text.title}</h1>
      <p class="lead">{text.lead}</p>
      <Panel title={text.chains} of={home} live={live}>
        <Loaded of={home}>
          {({ chains }) => (
            <div class="cards">
              {chains.map((chain, index) => (
                <ChainCard
                  key={chain.chainId}
                  chain={chain}
                  facts={facts?.find(({ chainId }) => chainId === chain.chainId)}
                  heads={heads.filter((head) => head.chain.chainId === chain.chainId)}
                  error={home.errorAt('chains', index, 'blocks')}
                />
              ))}
            </div>
          )}
        </Loaded>
      </Panel>
      <div class="columns">
        <Panel title={text.blocks} note={note} of={home} live={live}>
          <Loaded of={home}>{({ chains }) => <NewestBlocks chains={chains} heads={heads} />}</Loaded>
        </Panel>
        <Panel title={text.transactions} note={note} of={home} live={live}>
          <Loaded of={home}>
            {({ chains }) => (
              <NamesContext.Provider value={names}>
                <NewestTransactions chains={chains} heads={heads} />
              </NamesContext.Provider>
            )}
          </Loaded>
        </Panel>
      </div>
    </>
  )
}

/** The blocks of a chain that are known, newest first. */
function blocksOf(chain: HomeChain, heads: readonly Head[]): readonly BlockFragment[] {
  const live = heads.flatMap(({ block }) => block ?? [])
  const known = new Set(live.map(({ height }) => height))
  const read = chain.blocks?.nodes.flatMap((block) => block ?? []) ?? []
  return [...live, ...read.filter(({ height }) => !known.has(height))]
}

function ChainCard({
  chain,
  facts,
  heads,
  error,
}: {
  chain: HomeChain
  facts: ChainFactsFragment | undefined
  heads: readonly Head[]
  error: Parameters<typeof FaultNote>[0]['error']
}) {
  const blocks = blocksOf(chain, heads)
  // What happens comes first there: the charts are on the pages of the chains.
  const isPhone = useNarrow(phone)
  const head = Math.max(heads[0]?.height ?? 0, blocks[0]?.height ?? 0)
  const seconds = blocks.flatMap(({ blockTimeSeconds }) => blockTimeSeconds ?? [])
  return (
    <article class="card">
      <header>
        <h3>
          <ChainName chain={chain} />
        </h3>
        {chain.vm && <span class="tag">{chain.vm}</span>}
      </header>
      <p class="big">{head > 0 ? <Height chainId={chain.chainId} value={head} /> : <NoValue />}</p>
      <p class="note">
        <span class={heads[0]?.isLate ? 'bad' : undefined}>
          <Time value={blocks[0]?.timestamp} />
        </span>
        {seconds.length > 0 && ` · ${text.perBlock(duration(mean(seconds)))}`}
      </p>
      <p class="note known">
        <span>
          <Counted of={facts} /> {text.txs.toLowerCase()}
        </span>
        <span>
          <CoinPrice of={facts} />
        </span>
      </p>
      {!isPhone && <BlockPlot blocks={blocks} chain={chain.prettyName} />}
      <p class="note pages">
        <a href={links.validators(chain.chainId)}>{text.validators}</a>
        <a href={links.contracts(chain.chainId)}>{text.contracts}</a>
      </p>
      <FaultNote error={error} />
    </article>
  )
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** Blocks beside twelve transactions, most of which take two lines. A phone shows fewer. */
const firstBlocks = 18

function NewestBlocks({ chains, heads }: { chains: HomeQuery['chains']; heads: readonly Head[] }) {
  const rows = chains
    .flatMap((chain) =>
      blocksOf(
        chain,
        heads.filter((head) => head.chain.chainId === chain.chainId),
      ).map((block) => ({ chain, block })),
    )
    .toSorted((a, b) => (b.block.timestamp ?? '').localeCompare(a.block.timestamp ?? ''))
  return (
    <PausedList rows={rows} keyOf={({ chain, block }) => `${chain.chainId}${block.height}`}>
      {(shown) => (
        <Table
          caption={text.blocks}
          isCut
          heads={[text.chain, { number: text.height }, { number: text.txs }, text.proposer, text.age]}
        >
          {shown.slice(0, firstBlocks).map(({ chain, block }) => (
            <tr key={`${chain.chainId}${block.height}`}>
              <td>
                <ChainName chain={chain} />
              </td>
              <td class="number">
                <Height chainId={chain.chainId} value={block.height} />
              </td>
              <td class="number">{count(block.transactionCount)}</td>
              <td>
                <Proposer of={block.proposer} />
              </td>
              <td>
                <Time value={block.timestamp} />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </PausedList>
  )
}

/** Two chains can have transactions of the same hash. */
const keyOf = ({ chain, hash }: TransactionParts) => chain.chainId + hash

function NewestTransactions({ chains, heads }: { chains: HomeQuery['chains']; heads: readonly Head[] }) {
  const all = new Map<string, TransactionParts>()
  for (const { block } of heads) {
    for (const tx of block?.transactions?.nodes ?? []) if (tx) all.set(keyOf(tx), tx)
  }
  for (const { transactions } of chains) {
    for (const tx of transactions?.nodes ?? []) if (tx) all.set(keyOf(tx), tx)
  }
  const rows = [...all.values()].toSorted((a, b) => (b.timestamp ?? '').localeCompare(a.timestamp ?? ''))
  return (
    <PausedList rows={rows} keyOf={keyOf}>
      {(shown) => <TransactionTable rows={shown.slice(0, 12)} columns="brief" />}
    </PausedList>
  )
}
