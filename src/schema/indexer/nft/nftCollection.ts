import { z } from 'zod'
import { builder, type Context, callCost } from '../../../graphql/builder.ts'
import { connectionType } from '../../../graphql/connection.ts'
import { pageArgs, pageCost } from '../../../graphql/pageArgs.ts'
import { resolveConnection } from '../../../graphql/resolveConnection.ts'
import {
  integer,
  optionalInteger,
  pageOf,
  stringOrEmpty,
  timestamp,
  unwrapped,
} from '../../../upstream/decode.ts'
import { badInput, GatewayError } from '../../../upstream/error.ts'
import type { ServedChain } from '../../../upstream/network.ts'
import { get, path } from '../../../upstream/request.ts'
import { Account, accountOf, checkAddress } from '../account.ts'
import { Chain } from '../chain.ts'
import { type ChainNodeShape, chainNode } from '../chainNode.ts'

// Upstream

const collection = z.object({
  object_addr: z.string(),
  collection: z.object({
    creator: stringOrEmpty,
    name: stringOrEmpty,
    origin_name: stringOrEmpty,
    nfts: z.object({ length: optionalInteger }).nullish(),
  }),
  height: integer,
  timestamp: timestamp,
})
type CollectionRecord = z.output<typeof collection>

const collectionsPath = '/indexer/nft/v1/collections'
const collectionsPage = pageOf('collections', collection)

const collectionCall = (address: string) =>
  get(path`/indexer/nft/v1/collections/${address}`, unwrapped('object_addr', collection))

/** What indexers compare names by: letters, marks and digits in lower case. */
const searchable = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{M}\p{Nd}]/gu, '')

// Graph

/** A collection by its address; its record is loaded when a field needs it. */
export interface NftCollectionShape extends ChainNodeShape<'NftCollection'> {
  /** Lower case. */
  readonly address: string
  readonly record?: CollectionRecord
  /** True when the record is of a search, whose count and origin name may be old. */
  readonly isStale?: boolean
}

/** The graph's value for a collection that something else on the chain has named. */
export const collectionAt = (chain: ServedChain, address: string): NftCollectionShape => ({
  __typename: 'NftCollection',
  chain,
  address: address.toLowerCase(),
})

const collectionShape = (chain: ServedChain, found: CollectionRecord): NftCollectionShape => ({
  ...collectionAt(chain, found.object_addr),
  record: found,
})

async function loadCollection(context: Context, chain: ServedChain, address: string) {
  const found = await context.scope.fetch(chain.indexer, collectionCall(address))
  return found && collectionShape(chain, found)
}

async function contents(
  shape: NftCollectionShape,
  context: Context,
  isFreshNeeded: boolean,
): Promise<CollectionRecord> {
  if (shape.record && !(shape.isStale && isFreshNeeded)) return shape.record
  const found = await loadCollection(context, shape.chain, shape.address)
  if (found?.record) return found.record
  throw new GatewayError(
    'UPSTREAM_INVALID_RESPONSE',
    `The indexer of ${shape.chain.chainId} does not have a collection which one of its records names.`,
    { service: shape.chain.chainId },
  )
}

/** A resolver that reads the collection's record, loading it first where needed. */
const read =
  <T>(pick: (found: CollectionRecord, chain: ServedChain) => T, isFreshNeeded = false) =>
  async (shape: NftCollectionShape, _args: object, context: Context): Promise<T> =>
    pick(await contents(shape, context, isFreshNeeded), shape.chain)

export const NftCollection = chainNode<NftCollectionShape>('NftCollection', {
  description: 'A contract or object that holds NFTs.',
  keyOf: ({ address }) => address,
  load: (chain, key, context) => loadCollection(context, chain, checkAddress(chain, key)),
  fields: (t) => ({
    address: t.string({
      description: 'Its address: lower-case hex with 0x, whatever the VM.',
      resolve: ({ address }) => address,
    }),
    name: t.string({
      description: 'Its name, as its creator wrote it.',
      resolve: read((one) => one.collection.name),
    }),
    originName: t.string({
      nullable: true,
      description: 'Its name on the chain it was bridged from; null when it is at home here.',
      resolve: read((one) => one.collection.origin_name || null, true),
    }),
    creator: t.field({
      type: Account,
      nullable: true,
      description: 'Who created it; null when the indexer does not know.',
      resolve: read((one, chain) => accountOf(chain, one.collection.creator)),
    }),
    nftCount: t.field({
      type: 'BigInt',
      nullable: true,
      description: 'NFTs alive in it, as the indexer last counted.',
      resolve: read((one) => one.collection.nfts?.length ?? null, true),
    }),
    height: t.field({
      type: 'BigInt',
      description: 'Height it was created at; on the EVM that of the first transaction with it.',
      resolve: read((one) => one.height),
    }),
    timestamp: t.field({
      type: 'DateTime',
      description: 'When the block of `height` was proposed.',
      resolve: read((one) => one.timestamp),
    }),
  }),
})

export const NftCollectionConnection = connectionType(NftCollection, 'NFT collections')

builder.objectFields(Chain, (t) => ({
  nftCollection: t.field({
    type: NftCollection,
    nullable: true,
    description: 'The collection of an address; null when it is not indexed.',
    args: {
      address: t.arg({
        type: 'Address',
        required: true,
        description: 'Hex with 0x; on Wasm chains bech32 as well.',
      }),
    },
    complexity: callCost,
    resolve: ({ served }, { address }, context) =>
      loadCollection(context, served, checkAddress(served, address)),
  }),
  nftCollections: t.field({
    type: NftCollectionConnection,
    nullable: true,
    description:
      'Collections by the height they were created at. With a name the list is a search, and what a search may hold old is loaded afresh when selected.',
    args: {
      ...pageArgs(),
      name: t.arg.string({
        description: 'Part of the name or origin name. Only letters and digits count, in any case.',
      }),
    },
    complexity: pageCost,
    resolve: ({ served }, { name, ...args }, context) => {
      const isSearch = name !== null && name !== undefined
      const term = isSearch ? searchable(name) : ''
      // A name that reduces to nothing would match everything.
      if (isSearch && !term) throw badInput('A name to search for needs a letter or a digit.')
      return resolveConnection(
        context,
        served.indexer,
        {
          path: isSearch ? path`/indexer/nft/v1/collections/by_name/${term}` : collectionsPath,
          page: collectionsPage,
          strategy: { kind: 'offset' },
          total: isSearch ? 'count' : 'estimate',
        },
        args,
        (one) => ({ ...collectionShape(served, one), isStale: isSearch }),
      )
    },
  }),
}))

builder.objectField(Account, 'nftCollections', (t) =>
  t.field({
    type: NftCollectionConnection,
    nullable: true,
    description: 'Collections of which it owns an NFT.',
    args: pageArgs(),
    complexity: pageCost,
    resolve: ({ chain, address }, args, context) =>
      resolveConnection(
        context,
        chain.indexer,
        {
          path: path`/indexer/nft/v1/collections/by_account/${address}`,
          page: collectionsPage,
          strategy: { kind: 'offset' },
          total: 'count',
        },
        args,
        (one) => collectionShape(chain, one),
      ),
  }),
)
