import { usePages, useQuery } from '@portolan/client/react'
import { links } from '../../app/links.ts'
import type { PageProps } from '../../app/pageProps.ts'
import { CollectionDocument } from '../../generated/graphql.ts'
import { ChainText } from '../../parts/ChainText.tsx'
import { CopyButton } from '../../parts/CopyButton.tsx'
import { LoadMore } from '../../parts/LoadMore.tsx'
import { MiddleEllipsis } from '../../parts/MiddleEllipsis.tsx'
import { UnlistedNft } from '../../parts/MissingRecord.tsx'
import { NftTile } from '../../parts/NftTile.tsx'
import { Facts, Loaded, Panel } from '../../parts/Panel.tsx'
import { Address, ChainName, Height } from '../../parts/recordLinks.tsx'
import { Time } from '../../parts/Time.tsx'
import { text } from '../../text.ts'
import { byNumber, count } from '../../values/format.ts'

/** A collection of NFTs and what is in it. */
export function Collection({ place }: PageProps) {
  const [chainId = '', address = ''] = place.parts
  const variables = { chainId, address }
  const query = useQuery(CollectionDocument, variables)
  const collection = query.data?.nftCollection
  const { rows, hasMore, loadMore } = usePages(query, {
    // The order of a page alone: no row comes above those that are shown.
    rowsOf: ({ nftCollection }) =>
      (nftCollection?.nfts?.nodes ?? [])
        .filter((nft) => nft !== null)
        .toSorted((a, b) => byNumber(a.tokenId, b.tokenId)),
    pageInfoOf: ({ nftCollection }) => nftCollection?.nfts?.pageInfo,
  })
  return (
    <>
      <h1>
        <ChainText>{collection?.name || text.collection}</ChainText>
      </h1>
      <Panel title={text.overview} of={query}>
        <Loaded of={query}>
          {() =>
            collection ? (
              <Facts
                rows={[
                  [
                    text.address,
                    <span class="linked" key="address">
                      <MiddleEllipsis value={collection.address} />
                      <CopyButton value={collection.address} />
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
                  [text.originalName, collection.originName && <ChainText>{collection.originName}</ChainText>],
                  [text.height, <Height chainId={chainId} value={collection.height} key="height" />],
                  [text.time, <Time value={collection.timestamp} as="both" key="time" />],
                ]}
              />
            ) : (
              <UnlistedNft what={text.collection} value={address} chainId={chainId} contract={address} />
            )
          }
        </Loaded>
      </Panel>
      {rows.length > 0 && (
        <Panel title={text.nfts} of={query}>
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
          <LoadMore hasMore={hasMore} loadMore={loadMore} />
        </Panel>
      )}
    </>
  )
}
