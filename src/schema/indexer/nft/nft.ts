import { z } from 'zod'
import { builder, type Context, callCost } from '../../../graphql/builder.ts'
import { connectionType } from '../../../graphql/connection.ts'
import { type PageArgs, pageArgs, pageCost } from '../../../graphql/pageArgs.ts'
import { resolveConnection } from '../../../graphql/resolveConnection.ts'
import {
  integer,
  pageOf,
  stringOrEmpty,
  stringOrNull,
  timestamp,
} from '../../../upstream/decode.ts'
import { badInput } from '../../../upstream/error.ts'
import type { ServedChain } from '../../../upstream/network.ts'
import { get, type Path, path } from '../../../upstream/request.ts'
import { Account, accountOf, checkAddress } from '../account.ts'
import { Chain } from '../chain.ts'
import { type ChainNodeShape, chainNode } from '../chainNode.ts'
import { TransactionConnection } from '../transaction/connections.ts'
import { transactionShape } from '../transaction/transaction.ts'
import { transactionsPage } from '../transaction/wire.ts'
import { collectionAt, NftCollection } from './nftCollection.ts'

// Upstream

const token = z.object({
  collection_addr: z.string(),
  object_addr: stringOrNull,
  owner: stringOrNull,
  nft: z.object({ token_id: z.union([z.string(), integer]).transform(String), uri: stringOrEmpty }),
  height: integer,
  timestamp: timestamp,
})
type TokenRecord = z.output<typeof token>

const tokensPage = pageOf('tokens', token)

const inCollection = (address: string) => path`/indexer/nft/v1/tokens/by_collection/${address}`

// Graph

/** An NFT with its record. */
interface NftShape extends ChainNodeShape<'Nft'> {
  readonly record: TokenRecord
}

const nftShape = (chain: ServedChain, record: TokenRecord): NftShape => ({
  __typename: 'Nft',
  chain,
  record,
})

async function loadNft(context: Context, chain: ServedChain, address: string, tokenId: string) {
  checkTokenId(tokenId)
  const query = { token_id: tokenId, 'pagination.limit': 1, 'pagination.count_total': false }
  const page = await context.scope.fetch(
    chain.indexer,
    get(inCollection(address), tokensPage, { query }),
  )
  const found = page?.items.find((one) => one.nft.token_id === tokenId)
  return found ? nftShape(chain, found) : null
}

function checkTokenId(tokenId: string): string {
  if (tokenId.length > 0 && tokenId.length <= 1024 && !/[\p{Cc}\p{Cs}]/u.test(tokenId)) {
    return tokenId
  }
  throw badInput('A token id is a text of 1 to 1024 characters, none of them a control character.')
}

const Nft = chainNode<NftShape>('Nft', {
  description: 'A non-fungible token.',
  keyOf: ({ record }) => `${record.collection_addr}/${record.nft.token_id}`,
  load: (chain, key, context) => {
    const slash = key.indexOf('/')
    const address = checkAddress(chain, key.slice(0, Math.max(0, slash)))
    return loadNft(context, chain, address, key.slice(slash + 1))
  },
  fields: (t) => ({
    collection: t.field({
      type: NftCollection,
      nullable: true,
      description: 'The collection it belongs to. One request a collection, beyond its address.',
      complexity: callCost,
      resolve: ({ chain, record }) => collectionAt(chain, record.collection_addr),
    }),
    tokenId: t.string({
      description: 'Its id in the collection: decimal on the EVM, any text elsewhere.',
      resolve: ({ record }) => record.nft.token_id,
    }),
    owner: t.field({
      type: Account,
      nullable: true,
      description: 'Who owns it; null when the indexer does not know.',
      resolve: ({ chain, record }) => accountOf(chain, record.owner),
    }),
    uri: t.string({
      description: 'Where its metadata is; may be empty, and is not fetched by this graph.',
      resolve: ({ record }) => record.nft.uri,
    }),
    objectAddress: t.string({
      nullable: true,
      description: 'Address of its own object, on Move chains only.',
      resolve: ({ record }) => record.object_addr,
    }),
    height: t.field({
      type: 'BigInt',
      description: 'Height of its last change: mint, transfer or new metadata.',
      resolve: ({ record }) => record.height,
    }),
    timestamp: t.field({
      type: 'DateTime',
      description: 'When the block of `height` was proposed.',
      resolve: ({ record }) => record.timestamp,
    }),
    transactions: t.field({
      type: TransactionConnection,
      nullable: true,
      description:
        'Chain-native transactions that touched it. Indexers cannot be asked for an id with spaces or one of ? # % \\.',
      args: pageArgs(),
      complexity: pageCost,
      resolve: ({ chain, record }, args, context) =>
        resolveConnection(
          context,
          chain.indexer,
          {
            path: path`/indexer/nft/v1/txs/${record.collection_addr}/${record.nft.token_id}`,
            page: transactionsPage,
            strategy: { kind: 'keyset', field: 'sequence' },
            total: 'count',
          },
          args,
          (one) => transactionShape(chain, one),
        ),
    }),
  }),
})

const NftConnection = connectionType(Nft, 'NFTs')

const NftOrder = builder.enumType('NftOrder', {
  description: 'What NFTs are ordered by.',
  values: {
    TOKEN_ID: { value: 'token_id', description: 'Their ids as text, so that 9 comes after 12.' },
    HEIGHT: { value: 'height', description: 'The height of their last change.' },
  },
})

const nftArgs = builder.args((t) => ({
  ...pageArgs(),
  tokenId: t.string({ description: 'Only NFTs of exactly this id.' }),
  orderBy: t.field({
    type: NftOrder,
    required: true,
    defaultValue: 'token_id',
    description: 'What to order by; `order` tells which end comes first.',
  }),
}))

interface NftArgs extends PageArgs {
  readonly tokenId?: string | null | undefined
  readonly orderBy: 'token_id' | 'height'
}

const connectNfts = (
  context: Context,
  chain: ServedChain,
  list: { path: Path | string; collection?: string | undefined },
  args: NftArgs,
) =>
  resolveConnection(
    context,
    chain.indexer,
    {
      path: list.path,
      query: {
        order_by: args.orderBy,
        collection_addr: list.collection,
        token_id: args.tokenId == null ? undefined : checkTokenId(args.tokenId),
      },
      page: tokensPage,
      strategy: { kind: 'offset' },
      total: 'count',
    },
    args,
    (one) => nftShape(chain, one),
  )

builder.objectField(Chain, 'nft', (t) =>
  t.field({
    type: Nft,
    nullable: true,
    description: 'One NFT; null when it is not indexed, or was burned.',
    args: {
      collection: t.arg({
        type: 'Address',
        required: true,
        description: 'Address of its collection.',
      }),
      tokenId: t.arg.string({ required: true, description: 'Its id in the collection.' }),
    },
    complexity: callCost,
    resolve: ({ served }, { collection, tokenId }, context) =>
      loadNft(context, served, checkAddress(served, collection), tokenId),
  }),
)

builder.objectField(NftCollection, 'nfts', (t) =>
  t.field({
    type: NftConnection,
    nullable: true,
    description: 'The NFTs in it.',
    args: nftArgs,
    complexity: pageCost,
    resolve: ({ chain, address }, args, context) =>
      connectNfts(context, chain, { path: inCollection(address) }, args),
  }),
)

builder.objectField(Account, 'nfts', (t) =>
  t.field({
    type: NftConnection,
    nullable: true,
    description: 'The NFTs it owns.',
    args: {
      ...nftArgs,
      collection: t.arg({ type: 'Address', description: 'Only NFTs of this collection.' }),
    },
    complexity: pageCost,
    resolve: ({ chain, address }, { collection, ...args }, context) =>
      connectNfts(
        context,
        chain,
        {
          path: path`/indexer/nft/v1/tokens/by_account/${address}`,
          collection: collection ? checkAddress(chain, collection) : undefined,
        },
        args,
      ),
  }),
)
