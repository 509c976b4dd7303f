import { useLive } from '@portolan/client/react'
import { useMemo } from 'preact/hooks'
import { count, duration } from '../app/format.ts'
import { links } from '../app/links.ts'
import { phone, useNarrow } from '../app/useNarrow.ts'
import { useQuery } from '../app/useQuery.ts'
import {
  type BlockFragment,
  type ChainFactsFragment,
  HeadsDocument,
  type HeadsSubscription,
  HomeDocument,
  HomeFactsDocument,
  type HomeQuery,
} from '../generated/graphql.ts'
import { CoinPrice, Counted } from '../parts/ChainFacts.tsx'
import { Failed } from '../parts/Failed.tsx'
import { Held } from '../parts/Held.tsx'
import { collectionNames, Names } from '../parts/known.ts'
import { Live } from '../parts/Live.tsx'
import { Loaded, Panel } from '../parts/Panel.tsx'
import { Plot } from '../parts/Plot.tsx'
import { Table } from '../parts/Table.tsx'
import { type TransactionParts, Transactions } from '../parts/tables.tsx'
import { ChainName, Height, None, Proposer, Time } from '../parts/text.tsx'
import { text } from '../text.ts'

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
    onGap: home.reload,
  })
  const live = { document: HeadsDocument, variables: liveQuery }
  const headOf = (chainId: string) => heads.find(({ chain }) => chain.chainId === chainId)
  const missing = (home.data?.chains ?? []).filter(({ chainId, blocks }) => {
    const head = headOf(chainId)
    return head ? head.isLate : !blocks
  })
  const note = !error && <Live without={missing} />
  return (
    <>
      <h1 class="unseen">{text.title}</h1>
      <p class="lead">{text.lead}</p>
      <Panel title={text.chains} of={home.operation} live={live}>
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
        <Panel title={text.blocks} note={note} of={home.operation} live={live}>
          <Loaded of={home}>{({ chains }) => <NewestBlocks chains={chains} heads={heads} />}</Loaded>
        </Panel>
        <Panel title={text.transactions} note={note} of={home.operation} live={live}>
          <Loaded of={home}>
            {({ chains }) => (
              <Names.Provider value={names}>
                <NewestTransactions chains={chains} heads={heads} />
              </Names.Provider>
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
  error: Parameters<typeof Failed>[0]['error']
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
      <p class="big">{head > 0 ? <Height chainId={chain.chainId} value={head} /> : <None />}</p>
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
      {!isPhone && <Plot blocks={blocks} chain={chain.prettyName} />}
      <p class="note pages">
        <a href={links.validators(chain.chainId)}>{text.validators}</a>
        <a href={links.contracts(chain.chainId)}>{text.contracts}</a>
      </p>
      <Failed error={error} />
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
    <Held rows={rows} keyOf={({ chain, block }) => `${chain.chainId}${block.height}`}>
      {(held) => (
        <Table
          caption={text.blocks}
          isCut
          heads={[text.chain, { number: text.height }, { number: text.txs }, text.proposer, text.age]}
        >
          {held.slice(0, firstBlocks).map(({ chain, block }) => (
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
    </Held>
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
    <Held rows={rows} keyOf={keyOf}>
      {(held) => <Transactions rows={held.slice(0, 12)} columns="brief" />}
    </Held>
  )
}
