import type { GraphQLResolveInfo } from 'graphql'
import { builder, type Context, callCost } from '../../../engine/graphql/builder.ts'
import { type PageArgs, pageArgs, pageCost } from '../../../engine/graphql/pageArgs.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import type { Path } from '../../../engine/upstream/request.ts'
import { checkAddress, indexedAddress, sendable } from '../../account/address.ts'
import { ChainAccount } from '../../account/chainAccount.ts'
import { Chain } from '../../chain/chain.ts'
import { readFrom } from '../height.ts'
import { connectIndexed, indexedConnectionType } from '../indexedList.ts'
import { canShift, isExact, keyInCollection, listWindow, type NftOrder, nftPageArgs } from './listOrder.ts'
import { loadNft, Nft, nftArgs, nftShape } from './nft.ts'
import { collectionArgs, collectionShape, loadCollection, NftCollection } from './nftCollection.ts'
import {
  accountCollectionsPath,
  accountTokensPath,
  checkTokenId,
  collectionSearchPath,
  collectionsPage,
  collectionsPath,
  collectionTokensPath,
  tokensPage,
} from './wire.ts'

const NftCollectionConnection = indexedConnectionType(NftCollection, 'NFT collections')

const NftConnection = indexedConnectionType(Nft, 'NFTs')

const tokenIdFilter = { description: 'Only NFTs with exactly this token id.' }

const NftFilter = builder.inputType('NftFilter', {
  description: 'Which NFTs of a collection to list. All conditions hold.',
  fields: (t) => ({ tokenId: t.string(tokenIdFilter) }),
})

const ChainAccountNftFilter = builder.inputType('ChainAccountNftFilter', {
  description: 'Which NFTs of an account to list. All conditions hold.',
  fields: (t) => ({
    collection: t.field({ type: 'Address', description: 'Only NFTs of this collection.' }),
    tokenId: t.string(tokenIdFilter),
  }),
})

const NftCollectionFilter = builder.inputType('NftCollectionFilter', {
  description: 'Which collections to list. All conditions hold.',
  fields: (t) => ({
    search: t.string({
      description: 'Part of the name or origin name. Only letters and digits count, in any case.',
    }),
  }),
})

interface NftArgs extends PageArgs {
  readonly filter?: { tokenId?: string | null | undefined } | null | undefined
  readonly orderBy: NftOrder
}

const connectNfts = (
  context: Context,
  chain: ServedChain,
  list: { path: Path; collection?: string | undefined; isOneCollection: boolean },
  args: NftArgs,
  info: GraphQLResolveInfo,
) => {
  const tokenId = args.filter?.tokenId
  return connectIndexed(
    context,
    chain,
    {
      path: list.path,
      query: {
        order_by: args.orderBy,
        collection_addr: list.collection,
        token_id: tokenId == null ? undefined : checkTokenId(tokenId),
      },
      page: tokensPage,
      ...(list.isOneCollection
        ? { strategy: { kind: 'record', keyOf: keyInCollection } }
        : { strategy: { kind: 'offset' }, window: listWindow }),
      total: 'count',
    },
    args,
    (token) => nftShape(chain, token),
    info,
  )
}

builder.objectFields(Chain, (t) => ({
  nft: t.field({
    type: Nft,
    nullable: true,
    description: 'The NFT with this token id. Null if not indexed, or burned. Costs one upstream request.',
    args: nftArgs,
    complexity: callCost,
    resolve: ({ served }, args, context) =>
      readFrom(served, (chain) => loadNft(context, chain, checkAddress(chain, args.collection), args.tokenId)),
  }),
  nftCollection: t.field({
    type: NftCollection,
    nullable: true,
    description: 'The collection at this address. Null if not indexed. Costs one upstream request.',
    args: collectionArgs,
    complexity: callCost,
    resolve: ({ served }, args, context) =>
      readFrom(served, (chain) => loadCollection(context, chain, checkAddress(chain, args.address))),
  }),
  nftCollections: t.field({
    type: NftCollectionConnection,
    nullable: true,
    description: `Collections by height of creation. After \`search\`, \`nftCount\` and \`originName\` cost one upstream request each. ${canShift('collections')}`,
    args: {
      filter: t.arg({ type: NftCollectionFilter, description: 'Which collections to list.' }),
      ...pageArgs(),
    },
    complexity: pageCost,
    resolve: ({ served }, args, context, info) => {
      const search = args.filter?.search
      const isSearch = search != null
      return readFrom(served, (chain) =>
        connectIndexed(
          context,
          chain,
          {
            path: isSearch ? collectionSearchPath(search) : collectionsPath,
            page: collectionsPage,
            strategy: { kind: 'offset' },
            window: listWindow,
            total: isSearch ? 'count' : 'estimate',
          },
          args,
          (collection) => ({ ...collectionShape(chain, collection), isStale: isSearch }),
          info,
        ),
      )
    },
  }),
}))

builder.objectField(NftCollection, 'nfts', (t) =>
  t.field({
    type: NftConnection,
    nullable: true,
    description: `NFTs of the collection. ${isExact}`,
    args: {
      filter: t.arg({ type: NftFilter, description: 'Which NFTs to list.' }),
      ...nftPageArgs,
    },
    complexity: pageCost,
    resolve: ({ chain: served, address }, args, context, info) =>
      readFrom(served, (chain) =>
        connectNfts(
          context,
          chain,
          { path: collectionTokensPath(sendable(chain, address)), isOneCollection: true },
          args,
          info,
        ),
      ),
  }),
)

builder.objectFields(ChainAccount, (t) => ({
  nfts: t.field({
    type: NftConnection,
    nullable: true,
    description: `NFTs of the account. ${canShift('NFTs')}`,
    args: {
      filter: t.arg({ type: ChainAccountNftFilter, description: 'Which NFTs to list.' }),
      ...nftPageArgs,
    },
    complexity: pageCost,
    resolve: ({ chain: { served }, address }, args, context, info) =>
      readFrom(served, async (chain) => {
        const collection = args.filter?.collection
        const list = {
          path: accountTokensPath(await indexedAddress(context, chain, address)),
          collection: collection == null ? undefined : checkAddress(chain, collection),
          isOneCollection: collection != null,
        }
        return connectNfts(context, chain, list, args, info)
      }),
  }),
  nftCollections: t.field({
    type: NftCollectionConnection,
    nullable: true,
    description: `Collections with an NFT of the account. ${canShift('collections')}`,
    args: pageArgs(),
    complexity: pageCost,
    resolve: ({ chain: { served }, address }, args, context, info) =>
      readFrom(served, async (chain) =>
        connectIndexed(
          context,
          chain,
          {
            path: accountCollectionsPath(await indexedAddress(context, chain, address)),
            page: collectionsPage,
            strategy: { kind: 'offset' },
            window: listWindow,
            total: 'count',
          },
          args,
          (collection) => collectionShape(chain, collection),
          info,
        ),
      ),
  }),
}))
