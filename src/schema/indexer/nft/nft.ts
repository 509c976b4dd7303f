import { builder, type Context, callCost } from '../../../engine/graphql/builder.ts'
import { splitKey } from '../../../engine/graphql/node.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import { checkAddress, sendable } from '../../account/address.ts'
import { ChainAccount, chainAccountOf } from '../../account/chainAccount.ts'
import { type ChainNodeShape, chainNode } from '../chainNode.ts'
import { listField } from '../listField.ts'
import { listedTransactions } from '../transaction/lists.ts'
import { transactionShape } from '../transaction/transaction.ts'
import { nftTransactionsPath } from '../transaction/wire.ts'
import { collectionAddress, collectionAt, NftCollection } from './nftCollection.ts'
import { fetchToken, type TokenRecord } from './wire.ts'

interface NftShape extends ChainNodeShape<'Nft'> {
  readonly record: TokenRecord
}

/** The graph's value for an NFT record. */
export const nftShape = (chain: ServedChain, record: TokenRecord): NftShape => ({
  __typename: 'Nft',
  chain,
  record,
})

/** The NFT of a collection. Null if not indexed. Throws `BAD_USER_INPUT` for an invalid token id. */
export async function loadNft(
  context: Context,
  chain: ServedChain,
  collectionAddress: string,
  tokenId: string,
): Promise<NftShape | null> {
  const record = await fetchToken(context, chain, collectionAddress, tokenId)
  return record && nftShape(chain, record)
}

export const Nft = chainNode<NftShape>('Nft', {
  description: 'A non-fungible token.',
  keyOf: ({ record }) => `${collectionAddress(record.collection_addr)}/${record.nft.token_id}`,
  load: (chain, key, context) => {
    const [address, tokenId] = splitKey(key)
    return loadNft(context, chain, checkAddress(chain, address), tokenId)
  },
  fields: (t) => ({
    collection: t.field({
      type: NftCollection,
      nullable: true,
      description:
        'The collection of the NFT. Beyond `id`, `chain`, `address` and `name` it costs one upstream request a collection.',
      complexity: callCost,
      resolve: ({ chain, record }) => collectionAt(chain, record.collection_addr, record.collection_name),
    }),
    tokenId: t.value(
      'String',
      'Token id within the collection: decimal on EVM chains, any text on others.',
      ({ record }) => record.nft.token_id,
    ),
    owner: t.ifKnown(ChainAccount, 'The owner.', ({ chain, record }) => chainAccountOf(chain, record.owner)),
    uri: t.nullable(
      'String',
      'URI of the metadata, of any scheme. Null if none. See `metadata` for its content.',
      ({ record }) => record.nft.uri || null,
    ),
    objectAddress: t.nullable(
      'Address',
      'Address of the object of the NFT. Null except on Move chains.',
      ({ record }) => record.object_addr,
    ),
    height: t.value(
      'UInt53',
      'Height of the last change: mint, transfer or new metadata.',
      ({ record }) => record.height,
    ),
    timestamp: t.nullable('DateTime', 'Time of the block at `height`.', ({ record }) => record.timestamp),
    transactions: listField(t, listedTransactions, {
      description:
        'Cosmos transactions of the NFT. Null, with the code `UPSTREAM_REJECTED`, for a token id with spaces, control characters or / ? # % \\, one of dots, or one over 1024 characters.',
      list: ({ chain, owner: { record } }) => ({
        path: nftTransactionsPath(sendable(chain, record.collection_addr), record.nft.token_id),
      }),
      nodeOf: (tx, { chain }) => transactionShape(chain, tx),
    }),
  }),
})

export const nftArgs = builder.args((t) => ({
  collection: t.field({
    type: 'Address',
    required: true,
    description: 'Address of the collection.',
  }),
  tokenId: t.string({ required: true, description: 'Token id within the collection.' }),
}))
