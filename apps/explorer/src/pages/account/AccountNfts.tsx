import { usePages, useQuery } from '@portolan/client/react'
import { AccountNftsDocument, type AccountNftsQuery } from '../../generated/graphql.ts'
import { EmptyNote, FaultNote, MissingChains } from '../../parts/FaultNote.tsx'
import { LoadMore } from '../../parts/LoadMore.tsx'
import { NftTile } from '../../parts/NftTile.tsx'
import { Loaded, Panel } from '../../parts/Panel.tsx'
import { ChainName } from '../../parts/recordLinks.tsx'
import { text } from '../../text.ts'
import { byNumber } from '../../values/format.ts'

type AccountNft = NonNullable<NonNullable<NonNullable<AccountNftsQuery['account']>['nfts']>['nodes'][number]>

/** The collection of an NFT, with its name first: tiles are in the order of names. */
const keyOf = ({ chain, collection }: AccountNft) => `${collection?.name} ${chain.chainId} ${collection?.address}`

/** The NFTs of an account on all chains. */
export function AccountNfts({ address }: { address: string }) {
  const query = useQuery(AccountNftsDocument, { address })
  const {
    rows,
    pages,
    hasMore,
    loadMore,
    error: laterError,
  } = usePages(query, {
    rowsOf: ({ account }) => account?.nfts?.nodes ?? [],
    pageInfoOf: ({ account }) => account?.nfts?.pageInfo,
  })
  const unavailable = pages.at(-1)?.account?.nfts?.unavailableChains
  const sorted = rows.toSorted((a, b) => byNumber(keyOf(a), keyOf(b)) || byNumber(a.tokenId, b.tokenId))
  return (
    <Panel title={text.nfts} of={query}>
      <FaultNote error={query.errorAt('account', 'nfts')} onRetry={query.refetch} />
      <FaultNote error={laterError} />
      <MissingChains chains={unavailable} />
      <Loaded of={query}>
        {() => (
          <>
            {sorted.length === 0 && <EmptyNote but={unavailable} />}
            <ul class="tiles pictures">
              {sorted.map(({ chain, collection, tokenId, uri }) => (
                <NftTile
                  key={`${chain.chainId}${collection?.address}${tokenId}`}
                  chainId={chain.chainId}
                  collection={collection ?? { address: '' }}
                  tokenId={tokenId}
                  uri={uri}
                >
                  <small>
                    <ChainName chain={chain} />
                  </small>
                </NftTile>
              ))}
            </ul>
          </>
        )}
      </Loaded>
      <LoadMore hasMore={hasMore} loadMore={loadMore} isAuto={false} />
    </Panel>
  )
}
