import { byNumber, count } from '../app/format.ts'
import { links } from '../app/links.ts'
import type { PageProps } from '../app/pageProps.ts'
import { usePages } from '../app/usePages.ts'
import { useQuery } from '../app/useQuery.ts'
import { CollectionDocument } from '../generated/graphql.ts'
import { More } from '../parts/More.tsx'
import { NftTile } from '../parts/NftTile.tsx'
import { Facts, Loaded, Panel } from '../parts/Panel.tsx'
import { Short } from '../parts/Short.tsx'
import { Address, ChainName, Copy, Height, Time } from '../parts/text.tsx'
import { Words } from '../parts/Words.tsx'
import { text } from '../text.ts'
import { Unlisted } from './Lost.tsx'

/** A collection of NFTs and what is in it. */
export function Collection({ place }: PageProps) {
  const [chainId = '', address = ''] = place.parts
  const variables = { chainId, address }
  const query = useQuery(CollectionDocument, variables)
  const collection = query.data?.nftCollection
  const { rows, hasMore, load } = usePages(CollectionDocument, variables, {
    first: query.data,
    // The order of a page alone: no row comes above those that are shown.
    rowsOf: ({ nftCollection }) =>
      (nftCollection?.nfts?.nodes ?? [])
        .filter((nft) => nft !== null)
        .toSorted((a, b) => byNumber(a.tokenId, b.tokenId)),
    infoOf: ({ nftCollection }) => nftCollection?.nfts?.pageInfo,
  })
  return (
    <>
      <h1>
        <Words>{collection?.name || text.collection}</Words>
      </h1>
      <Panel title={text.overview} of={query.operation}>
        <Loaded of={query}>
          {() =>
            collection ? (
              <Facts
                rows={[
                  [
                    text.address,
                    <span class="linked" key="address">
                      <Short value={collection.address} />
                      <Copy value={collection.address} />
                    </span>,
                  ],
                  [text.chain, <ChainName chain={collection.chain} key="chain" />],
                  [
                    text.contract,
                    <a href={links.contract(chainId, collection.address)} key="contract">
                      {text.asContract}
                    </a>,
                  ],
                  [text.nfts, collection.nftCount != null && count(collection.nftCount)],
                  [text.creator, <Address value={collection.creator?.address} hasCopy key="creator" />],
                  [text.originalName, collection.originName && <Words>{collection.originName}</Words>],
                  [text.height, <Height chainId={chainId} value={collection.height} key="height" />],
                  [text.time, <Time value={collection.timestamp} as="both" key="time" />],
                ]}
              />
            ) : (
              <Unlisted what={text.collection} value={address} chainId={chainId} contract={address} />
            )
          }
        </Loaded>
      </Panel>
      {rows.length > 0 && (
        <Panel title={text.nfts} of={query.operation}>
          <ul class="tiles pictures">
            {rows.map(({ tokenId, uri, owner, timestamp }) => (
              <NftTile
                key={tokenId}
                chainId={chainId}
                collection={{ address, name: collection?.name ?? null }}
                tokenId={tokenId}
                uri={uri}
              >
                <small>
                  <Address value={owner?.address} />
                </small>
                <small>
                  <Time value={timestamp} />
                </small>
              </NftTile>
            ))}
          </ul>
          <More hasMore={hasMore} load={load} />
        </Panel>
      )}
    </>
  )
}
