import { builder, callCost } from '../../../engine/graphql/builder.ts'
import { cursorArgs, defaultPageSize } from '../../../engine/graphql/pageArgs.ts'
import { readNode } from '../../../engine/graphql/resolveConnection.ts'
import { scanPage } from '../../../engine/pagination/page.ts'
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
  description: 'Which NFTs of an account to list. All conditions hold.',
  fields: (t) => ({
    chainIds: t.field({ type: ['ChainId'], description: 'Only on these chains. All by default.' }),
    collection: t.field({
      type: 'Address',
      description: 'Only NFTs of the collection at this address.',
    }),
    search: t.string({
      description: "Part of the collection's name or origin name. Only letters and digits count, in any case.",
    }),
  }),
})

builder.objectField(Account, 'nfts', (t) =>
  t.field({
    type: NftsConnection,
    nullable: true,
    description: `NFTs of the account, by chain and token id. Pages with \`search\` can be short. ${canShift('equal NFTs of a chain')}`,
    args: {
      filter: t.arg({ type: NftFilter, description: 'Which NFTs to list.' }),
      ...cursorArgs(),
    },
    complexity: ({ first, last, filter }, { limits, network }) => ({
      field:
        (callCost + (filter?.search == null ? 0 : callCost + scanPage / 10)) *
        (filter?.chainIds?.length ?? network.chains.size),
      multiplier: Math.max(1, first ?? last ?? defaultPageSize(limits)),
    }),
    resolve: (account, args, context, info) => readNfts(account, args, context, info),
  }),
)
