import { byNumber } from '../app/format.ts'
import { usePages } from '../app/usePages.ts'
import { useQuery } from '../app/useQuery.ts'
import { AccountNftsDocument, type AccountNftsQuery } from '../generated/graphql.ts'
import { Failed, Nothing, Unavailable } from '../parts/Failed.tsx'
import { More } from '../parts/More.tsx'
import { NftTile } from '../parts/NftTile.tsx'
import { Loaded, Panel } from '../parts/Panel.tsx'
import { ChainName } from '../parts/text.tsx'
import { text } from '../text.ts'

type AccountNft = NonNullable<NonNullable<NonNullable<AccountNftsQuery['account']>['nfts']>['nodes'][number]>

/** The collection of an NFT, with its name first: tiles are in the order of names. */
const keyOf = ({ chain, collection }: AccountNft) => `${collection?.name} ${chain.chainId} ${collection?.address}`

/** The NFTs of an account on all chains. */
export function AccountNfts({ address }: { address: string }) {
  const query = useQuery(AccountNftsDocument, { address })
  const { rows, pages, hasMore, load, fault } = usePages(
    AccountNftsDocument,
    { address },
    {
      first: query.data,
      rowsOf: ({ account }) => account?.nfts?.nodes ?? [],
      infoOf: ({ account }) => account?.nfts?.pageInfo,
    },
  )
  const unavailable = pages.at(-1)?.account?.nfts?.unavailableChains
  const sorted = rows.toSorted((a, b) => byNumber(keyOf(a), keyOf(b)) || byNumber(a.tokenId, b.tokenId))
  return (
    <Panel title={text.nfts} of={query.operation}>
      <Failed error={query.errorAt('account', 'nfts')} onRetry={query.reload} />
      <Failed error={fault} />
      <Unavailable chains={unavailable} />
      <Loaded of={query}>
        {() => (
          <>
            {sorted.length === 0 && <Nothing but={unavailable} />}
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
      <More hasMore={hasMore} load={load} isAuto={false} />
    </Panel>
  )
}
