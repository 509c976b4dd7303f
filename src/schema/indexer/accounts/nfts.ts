import { builder, callCost, keepable } from '../../../graphql/builder.ts'
import { PageInfo } from '../../../graphql/connection.ts'
import { cursorArgs } from '../../../graphql/pageArgs.ts'
import { readNode } from '../../../graphql/resolveConnection.ts'
import { scanPage } from '../../../pagination/source.ts'
import { MultichainAccount } from '../../account/multichainAccount.ts'
import { Chain } from '../../chain/chain.ts'
import { chainShape } from '../../chain/knownChain.ts'
import { Nft, nftShape } from '../nft/nft.ts'
import { minHeightsArg } from './multichainList.ts'
import { type NftsPage, readNfts } from './nftPage.ts'
import { UnavailableChain } from './unavailable.ts'

type NftEdge = NftsPage['edges'][number]

const nodeOf = ({ chain, merged: { item } }: NftEdge) =>
  readNode(chain.chainId, item.token, (record) => nftShape(chain, record))

const NftEdgeType = builder.objectRef<NftEdge>('MultichainNftEdge').implement({
  description: 'An edge of a page of NFTs on several chains.',
  fields: (t) => ({
    cursor: t.string({
      ...keepable,
      description:
        'Opaque cursor of this edge, with the place on each chain. Pass as `after` to get the next page, or as `before` to get the previous one.',
      resolve: ({ cursor }) => cursor(),
    }),
    chain: t.field({
      type: Chain,
      description: 'The chain of the NFT.',
      resolve: ({ chain }) => chainShape(chain),
    }),
    node: t.field({
      type: Nft,
      nullable: true,
      description: 'The NFT. Null, with an error, if it cannot be read.',
      resolve: nodeOf,
    }),
  }),
})

const NftsConnection = builder.objectRef<NftsPage>('MultichainNftConnection').implement({
  description: 'A page of the NFTs of an account on several chains.',
  fields: (t) => ({
    edges: t.field({
      type: [NftEdgeType],
      description: 'The NFTs with their cursors and chains, in list order.',
      resolve: ({ edges }) => [...edges],
    }),
    nodes: t.field({
      type: [Nft],
      nullable: { list: false, items: true },
      description:
        'The NFTs without cursors, in list order. One that cannot be read is null, with an error.',
      resolve: ({ edges }) => edges.map(nodeOf),
    }),
    pageInfo: t.expose('pageInfo', { type: PageInfo, description: 'Information about this page.' }),
    unavailableChains: t.field({
      type: [UnavailableChain],
      description:
        'Chains whose NFTs could not be read. The cursors keep their places: a later page has what is missing here.',
      resolve: ({ unavailable }) => [...unavailable],
    }),
  }),
})

const NftFilter = builder.inputType('MultichainNftFilter', {
  description: 'Which NFTs of an account to list. All that is given must hold.',
  fields: (t) => ({
    chains: t.field({
      type: ['ChainId'],
      description: 'Chain IDs of `chains`. By default, all of them.',
    }),
    collection: t.field({ type: 'Address', description: 'Only NFTs of the collection here.' }),
    search: t.string({
      description:
        'Part of the name or origin name of the collection. Case and all characters other than letters and digits are ignored.',
    }),
  }),
})

builder.objectField(MultichainAccount, 'nfts', (t) =>
  t.field({
    ...keepable,
    type: NftsConnection,
    nullable: true,
    description:
      'NFTs that the account owns, chain by chain in the order of `chains`, and by token id on each. The first page reads all chains, and a later one those that it has records of. With `search` the gateway filters, so a page can have fewer NFTs than requested and still have a next page.',
    args: {
      filter: t.arg({ type: NftFilter, description: 'Which NFTs to list.' }),
      ...minHeightsArg(),
      ...cursorArgs(),
    },
    complexity: ({ first, last, filter, minHeights }, { limits, network }) => ({
      field:
        callCost * (minHeights?.length ?? 0) +
        (callCost + (filter?.search == null ? 0 : callCost + scanPage / 10)) *
          (filter?.chains?.length ?? network.chains.size),
      multiplier: Math.max(1, first ?? last ?? limits.defaultPageSize),
    }),
    resolve: (account, args, context) => readNfts(account, args, context),
  }),
)
