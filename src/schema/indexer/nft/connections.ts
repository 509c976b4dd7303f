import { builder, callCost } from '../../../engine/graphql/builder.ts'
import { checkAddress, indexedAddress, sendable } from '../../account/address.ts'
import { ChainAccount } from '../../account/chainAccount.ts'
import { Chain } from '../../chain/chain.ts'
import { listedRecords, listField } from '../listField.ts'
import { canShift, isExact, keyInCollection, listWindow, type NftOrder, nftOrderArgs } from './listOrder.ts'
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

const listedCollections = listedRecords(NftCollection, 'NFT collections', {
  source: { page: collectionsPage, strategy: { kind: 'offset' }, window: listWindow },
})

const listedNfts = listedRecords(Nft, 'NFTs', {
  source: { page: tokensPage, strategy: { kind: 'offset' }, window: listWindow },
})

/** How the list of one collection is read: by the keys of its NFTs. */
const ofOneCollection = { strategy: { kind: 'record', keyOf: keyInCollection }, window: undefined } as const

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

interface NftArgs {
  readonly filter?: { readonly tokenId?: string | null | undefined } | null | undefined
  readonly orderBy: NftOrder
}

/** What the arguments of a list of NFTs ask of an indexer. */
const nftQuery = ({ filter, orderBy }: NftArgs, collection?: string) => ({
  order_by: orderBy,
  collection_addr: collection,
  token_id: filter?.tokenId == null ? undefined : checkTokenId(filter.tokenId),
})

builder.objectFields(Chain, (t) => ({
  nft: t.field({
    type: Nft,
    nullable: true,
    description: 'The NFT with this token id. Null if not indexed, or burned. Costs one upstream request.',
    args: nftArgs,
    complexity: callCost,
    resolve: ({ served }, args, context) =>
      served && loadNft(context, served, checkAddress(served, args.collection), args.tokenId),
  }),
  nftCollection: t.field({
    type: NftCollection,
    nullable: true,
    description: 'The collection at this address. Null if not indexed. Costs one upstream request.',
    args: collectionArgs,
    complexity: callCost,
    resolve: ({ served }, args, context) =>
      served && loadCollection(context, served, checkAddress(served, args.address)),
  }),
  nftCollections: listField(t, listedCollections, {
    description: `Collections by height of creation. After \`search\`, \`nftCount\` and \`originName\` cost one upstream request each. ${canShift('collections')}`,
    args: { filter: t.arg({ type: NftCollectionFilter, description: 'Which collections to list.' }) },
    list: ({ args }) => {
      const search = args.filter?.search
      return search == null ? { path: collectionsPath, total: 'estimate' } : { path: collectionSearchPath(search) }
    },
    nodeOf: (collection, { chain, args }) => ({
      ...collectionShape(chain, collection),
      isStale: args.filter?.search != null,
    }),
  }),
}))

builder.objectField(NftCollection, 'nfts', (t) =>
  listField(t, listedNfts, {
    description: `NFTs of the collection. ${isExact}`,
    args: { filter: t.arg({ type: NftFilter, description: 'Which NFTs to list.' }), ...nftOrderArgs },
    list: ({ chain, args, owner }) => ({
      path: collectionTokensPath(sendable(chain, owner.address)),
      query: nftQuery(args),
      ...ofOneCollection,
    }),
    nodeOf: (token, { chain }) => nftShape(chain, token),
  }),
)

builder.objectFields(ChainAccount, (t) => ({
  nfts: listField(t, listedNfts, {
    description: `NFTs of the account. ${canShift('NFTs')}`,
    args: { filter: t.arg({ type: ChainAccountNftFilter, description: 'Which NFTs to list.' }), ...nftOrderArgs },
    list: async ({ chain, context, args, owner }) => {
      const path = accountTokensPath(await indexedAddress(context, chain, owner.address))
      const collection = args.filter?.collection
      if (collection == null) return { path, query: nftQuery(args) }
      return { path, query: nftQuery(args, checkAddress(chain, collection)), ...ofOneCollection }
    },
    nodeOf: (token, { chain }) => nftShape(chain, token),
  }),
  nftCollections: listField(t, listedCollections, {
    description: `Collections with an NFT of the account. ${canShift('collections')}`,
    list: async ({ chain, context, owner }) => ({
      path: accountCollectionsPath(await indexedAddress(context, chain, owner.address)),
    }),
    nodeOf: (collection, { chain }) => collectionShape(chain, collection),
  }),
}))
