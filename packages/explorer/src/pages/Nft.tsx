import { links } from '../app/links.ts'
import type { PageProps } from '../app/pageProps.ts'
import { useQuery } from '../app/useQuery.ts'
import { NftDocument } from '../generated/graphql.ts'
import { Failed } from '../parts/Failed.tsx'
import { Facts, Loaded, Panel } from '../parts/Panel.tsx'
import { Transactions } from '../parts/tables.tsx'
import { Address, ChainName, Copy, Height, Outside, Short, Time, Words } from '../parts/text.tsx'
import { text } from '../text.ts'
import { Missing } from './Lost.tsx'

/** An NFT, its owner, and what happened to it. */
export function Nft({ place }: PageProps) {
  const [chainId = '', collection = '', tokenId = ''] = place.parts
  const query = useQuery(NftDocument, { chainId, collection, tokenId })
  const nft = query.data?.nft
  return (
    <>
      <h1>
        <Words>{nft?.collection?.name || text.nft}</Words> <Short value={`#${tokenId}`} />
      </h1>
      <Panel title={text.overview} of={query.operation}>
        <Loaded of={query}>
          {() =>
            nft ? (
              <Facts
                rows={[
                  [text.owner, <Address value={nft.owner?.address} hasCopy key="owner" />],
                  [
                    text.collection,
                    nft.collection && (
                      <a href={links.collection(chainId, collection)} key="name">
                        <Words>{nft.collection.name || collection}</Words>
                      </a>
                    ),
                  ],
                  [text.chain, <ChainName chain={nft.chain} key="chain" />],
                  [
                    text.token,
                    <span class="linked" key="token">
                      <Short value={nft.tokenId} />
                      <Copy value={nft.tokenId} />
                    </span>,
                  ],
                  [
                    text.metadata,
                    nft.uri && (
                      <Outside href={nft.uri} key="uri">
                        {nft.uri}
                      </Outside>
                    ),
                  ],
                  [text.object, nft.objectAddress && <Address value={nft.objectAddress} hasCopy key="object" />],
                  [text.height, <Height chainId={chainId} value={nft.height} key="height" />],
                  [text.time, <Time value={nft.timestamp} isFull key="time" />],
                ]}
              />
            ) : (
              <Missing what={text.nft} value={tokenId} />
            )
          }
        </Loaded>
      </Panel>
      {nft && (
        <Panel title={text.transactions} of={query.operation}>
          <Failed error={query.errorAt('nft', 'transactions')} onRetry={query.reload} />
          {nft.transactions && <Transactions rows={nft.transactions.nodes} />}
        </Panel>
      )}
    </>
  )
}
