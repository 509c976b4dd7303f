import type { PortolanError } from '@portolan/client/errors'
import { useLiveConnection, useQuery, useRetry } from '@portolan/client/react'
import { useEffect, useState } from 'preact/hooks'
import { links } from '../../app/links.ts'
import type { PageProps } from '../../app/pageProps.ts'
import { useRenewal } from '../../app/useRenewal.ts'
import {
  AssetsDocument,
  type BlockFragment,
  BlocksDocument,
  ChainDocument,
  ChainFactsDocument,
  LiveBlocksDocument,
} from '../../generated/graphql.ts'
import { AssetTable } from '../../parts/AssetTable.tsx'
import { BlockPlot } from '../../parts/BlockPlot.tsx'
import { BlockTable } from '../../parts/BlockTable.tsx'
import { CoinPrice, Counted, GasPrice } from '../../parts/ChainFacts.tsx'
import { ChainText } from '../../parts/ChainText.tsx'
import { EmptyNote, FaultNote } from '../../parts/FaultNote.tsx'
import { LiveMark } from '../../parts/LiveMark.tsx'
import { LoadingNote } from '../../parts/LoadingNote.tsx'
import { MissingRecord } from '../../parts/MissingRecord.tsx'
import { collectionNames, NamesContext } from '../../parts/NamesContext.ts'
import { NoValue } from '../../parts/NoValue.tsx'
import { Facts, Loaded, Panel } from '../../parts/Panel.tsx'
import { PausedList } from '../../parts/PausedList.tsx'
import { Height } from '../../parts/recordLinks.tsx'
import { Time } from '../../parts/Time.tsx'
import { type TransactionParts, TransactionTable } from '../../parts/TransactionTable.tsx'
import { text } from '../../text.ts'
import { count, duration } from '../../values/format.ts'

/** A chain: what is known about it, its blocks as they come, its collections and assets. */
export function Chain({ place }: PageProps) {
  const [turn, setTurn] = useState(0)
  const [error, setError] = useState<PortolanError>()
  const begin = () => setTurn((last) => last + 1)
  // Blocks that cannot be followed are read anew, as all else on the page is.
  useRetry(error && { error }, begin)
  return <ChainAt key={turn} place={place} onBegin={begin} onState={setError} />
}

interface ChainAtProps extends PageProps {
  /** Reads the blocks anew. */
  readonly onBegin: () => void
  /** Called with the fault that ended the blocks, or without one once they are followed. */
  readonly onState: (error: PortolanError | undefined) => void
}

function ChainAt({ place, onBegin, onState }: ChainAtProps) {
  const [chainId = ''] = place.parts
  const query = useQuery(ChainDocument, { chainId })
  const chain = query.data?.chain
  const blocks = useLiveBlocks(chainId)
  const facts = useQuery(ChainFactsDocument, { chainId }).data?.chain
  const [newest] = blocks.rows
  const read = blocks.page?.chain?.blocks?.edges[0]?.node?.height
  useRenewal(newest && read !== undefined ? newest.height - read : 0, onBegin)
  const { page, error } = blocks
  useEffect(() => {
    if (page || error) onState(error)
  }, [page, error])
  return (
    <>
      <div class="pager">
        <h1>
          <ChainText>{chain?.prettyName ?? chainId}</ChainText>
        </h1>
        {chain?.isIndexed && (
          <>
            <a href={links.validators(chainId)}>{text.validators}</a>
            <a href={links.contracts(chainId)}>{text.contracts}</a>
            <a href={links.usage(chainId)}>{text.usage}</a>
          </>
        )}
        {chain?.isRoutable && <a href={links.assets(chainId)}>{text.assets}</a>}
      </div>
      <Panel title={text.overview} of={query}>
        <Loaded of={query}>
          {() =>
            chain ? (
              <Facts
                rows={[
                  [text.chainId, chain.chainId],
                  [text.vm, chain.vm],
                  [
                    text.height,
                    newest ? <Height chainId={chainId} value={newest.height} /> : chain.isIndexed && <NoValue />,
                  ],
                  [text.newestBlock, (newest || chain.isIndexed) && <Time value={newest?.timestamp} as="both" />],
                  [text.transactions, chain.isIndexed && <Counted of={facts} />],
                  [text.price, chain.isIndexed && <CoinPrice of={facts} />],
                  [text.blockTime, chain.averageBlockTimeSeconds && duration(chain.averageBlockTimeSeconds)],
                  [text.addressPrefix, chain.bech32Prefix && `${chain.bech32Prefix}1…`],
                  [text.indexer, chain.status?.version],
                  [
                    text.feesIn,
                    chain.feeAssets?.map(({ denom, asset, gasPrice }) => (
                      <div key={denom}>
                        <a href={links.asset(chainId, denom)}>
                          <ChainText>{asset?.symbol ?? denom}</ChainText>
                        </a>{' '}
                        {gasPrice && <GasPrice of={gasPrice} denom={denom} coin={asset} />}
                      </div>
                    )),
                  ],
                ]}
              />
            ) : (
              <MissingRecord what={text.chain} value={chainId} />
            )
          }
        </Loaded>
      </Panel>
      {chain?.isIndexed && (
        <>
          <LiveBlocks list={blocks} chainId={chainId} name={chain.prettyName} />
          <Panel
            title={text.transactions}
            note={blocks.page && !blocks.error && <LiveMark />}
            of={query}
            live={{ document: LiveBlocksDocument, variables: { chainId } }}
          >
            <FaultNote error={query.errorAt('chain', 'transactions')} onRetry={query.refetch} />
            {chain.transactions && (
              <NamesContext.Provider value={collectionNames([chain])}>
                <NewestTransactions live={blocks.rows} read={chain.transactions.nodes} />
              </NamesContext.Provider>
            )}
          </Panel>
          <Panel title={text.collections} of={query}>
            <FaultNote error={query.errorAt('chain', 'nftCollections')} onRetry={query.refetch} />
            {chain.nftCollections?.nodes.length === 0 && <EmptyNote />}
            <ul class="tiles">
              {chain.nftCollections?.nodes.map((collection) =>
                collection ? (
                  <li key={collection.address}>
                    <a href={links.collection(chainId, collection.address)}>
                      <strong>
                        <ChainText>{collection.name || collection.address}</ChainText>
                      </strong>
                    </a>
                    <small>{collection.nftCount != null && `${count(collection.nftCount)} ${text.nfts}`}</small>
                  </li>
                ) : null,
              )}
            </ul>
          </Panel>
        </>
      )}
      {chain && <ChainAssets chainId={chainId} />}
    </>
  )
}

/** A block, with its transactions if it came while the page was open. */
interface LiveBlock extends BlockFragment {
  readonly transactions?: { readonly nodes: readonly (TransactionParts | null)[] } | null
}

/** Transactions of a chain on its page. */
const mostTransactions = 20

/** The newest transactions: those of the blocks that came, then those that were read. */
function NewestTransactions({
  live,
  read,
}: {
  live: readonly LiveBlock[]
  read: readonly (TransactionParts | null)[]
}) {
  const came = live.flatMap(({ transactions }) => transactions?.nodes ?? [])
  const rows = new Map([...came, ...read].flatMap((row) => (row ? [[row.hash, row] as const] : [])))
  return (
    <PausedList rows={[...rows.values()].slice(0, mostTransactions)} keyOf={({ hash }) => hash}>
      {(shown) => <TransactionTable rows={shown} />}
    </PausedList>
  )
}

const useLiveBlocks = (chainId: string) =>
  useLiveConnection({
    page: BlocksDocument,
    pageVariables: { chainId },
    live: LiveBlocksDocument,
    liveVariables: { chainId },
    cursorOf: ({ chain }) => chain?.blocks?.edges[0]?.cursor,
    rowsOf: ({ chain }): readonly LiveBlock[] => chain?.blocks?.edges.flatMap(({ node }) => node ?? []) ?? [],
    rowOf: ({ blocks }) => blocks.node,
    keyOf: ({ height }: LiveBlock) => height,
    endCursorOf: ({ chain }) => (chain?.blocks?.pageInfo.hasNextPage ? chain.blocks.pageInfo.endCursor : null),
  })

function LiveBlocks({
  list,
  chainId,
  name,
}: {
  list: ReturnType<typeof useLiveBlocks>
  chainId: string
  name: string
}) {
  const variables = { chainId }
  const [most, setMost] = useState(15)
  return (
    <Panel
      title={text.blocks}
      note={list.page && !list.error && <LiveMark />}
      of={{ document: BlocksDocument, variables }}
      live={{ document: LiveBlocksDocument, variables }}
    >
      <FaultNote error={list.error} />
      {!list.page && !list.error && <LoadingNote />}
      <BlockPlot blocks={list.rows} chain={name} most={list.rows.length > 60 ? 120 : 60} />
      {list.rows.length > 0 && (
        <PausedList rows={list.rows} keyOf={({ height }) => height}>
          {(rows) => <BlockTable rows={rows.slice(0, most)} chainId={chainId} />}
        </PausedList>
      )}
      {(list.rows.length > most || list.hasMore) && (
        <button
          type="button"
          class="load-more"
          onClick={() => {
            setMost(most + 30)
            if (list.rows.length <= most + 30) list.loadMore().catch(() => {})
          }}
        >
          {text.more}
        </button>
      )}
    </Panel>
  )
}

/** Assets of the chain before a link to all of them. */
const firstAssets = 8

/** The first assets of the chain. Each price takes a request, so that all of them are on a page of their own. */
function ChainAssets({ chainId }: { chainId: string }) {
  const variables = { chainId, first: firstAssets }
  const query = useQuery(AssetsDocument, variables)
  const rows = query.data?.assets?.nodes.flatMap((asset) => asset ?? []) ?? []
  const total = query.data?.assets?.totalCount
  return (
    <Panel title={text.assets} of={query} note={total != null && count(total)}>
      <Loaded of={query}>
        {() =>
          rows.length === 0 ? <p class="nothing">{text.nothing}</p> : <AssetTable pages={[{ rows, variables }]} />
        }
      </Loaded>
      {rows.length > 0 && (
        <p class="note">
          <a href={links.assets(chainId)}>{text.allAssets}</a>
        </p>
      )}
    </Panel>
  )
}
