import { builder, callCost, keepable } from '../../../graphql/builder.ts'
import { cursorArgs } from '../../../graphql/pageArgs.ts'
import { readNode } from '../../../graphql/resolveConnection.ts'
import { scanPage } from '../../../pagination/source.ts'
import { Account } from '../../account/account.ts'
import { canShift } from '../nft/listOrder.ts'
import { Nft, nftShape } from '../nft/nft.ts'
import { multichainConnection } from './multichainConnection.ts'
import { type NftsPage, readNfts } from './nftPage.ts'

const { connection: NftsConnection } = multichainConnection({
  name: 'AccountNft',
  node: Nft,
  records: 'the NFTs of an account',
  one: 'NFT',
  nodeOf: ({ chain, merged: { item } }: NftsPage['edges'][number]) =>
    readNode(chain.chainId, item.token, (record) => nftShape(chain, record)),
})

const NftFilter = builder.inputType('AccountNftFilter', {
  description: 'Which NFTs of an account to list. All that is given must hold.',
  fields: (t) => ({
    chainIds: t.field({
      type: ['ChainId'],
      description: 'Only on these chains, of `Query.chains`. On all by default.',
    }),
    collection: t.field({
      type: 'Address',
      description: 'Only NFTs of the collection at this address.',
    }),
    search: t.string({
      description:
        'Part of the name or origin name of the collection. Case and all characters other than letters and digits are ignored.',
    }),
  }),
})

builder.objectField(Account, 'nfts', (t) =>
  t.field({
    ...keepable,
    type: NftsConnection,
    nullable: true,
    description: `NFTs that the account owns, chain by chain in the order of \`chains\`, and by token id on each. The first page reads all chains, and a later one those that it has records of. With \`search\` the gateway filters, so a page can have fewer NFTs than requested and still have a next page. Those of one collection, with \`filter\`, are found by the last NFT before them. ${canShift('NFTs of a chain', 'Where a page has NFTs that are equal in the order, up')}`,
    args: {
      filter: t.arg({ type: NftFilter, description: 'Which NFTs to list.' }),
      ...cursorArgs(),
    },
    complexity: ({ first, last, filter }, { limits, network }) => ({
      field:
        (callCost + (filter?.search == null ? 0 : callCost + scanPage / 10)) *
        (filter?.chainIds?.length ?? network.chains.size),
      multiplier: Math.max(1, first ?? last ?? limits.defaultPageSize),
    }),
    resolve: (account, args, context, info) => readNfts(account, args, context, info),
  }),
)
