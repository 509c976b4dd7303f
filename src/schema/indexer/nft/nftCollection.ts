import { bytesOf } from '#words/addresses/bytes'
import { builder, type Context } from '../../../engine/graphql/builder.ts'
import { keyOnChain } from '../../../engine/graphql/naturalKey.ts'
import { GatewayError } from '../../../engine/upstream/error.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import { readValue } from '../../../engine/upstream/upstreamError.ts'
import { checkAddress, sendable } from '../../account/address.ts'
import { ChainAccount, chainAccountOf } from '../../account/chainAccount.ts'
import { type ChainNodeShape, chainNode } from '../chainNode.ts'
import { type CollectionRecord, fetchCollection } from './wire.ts'

/** A collection by its address. The record is loaded when a field needs it. */
export interface NftCollectionShape extends ChainNodeShape<'NftCollection'> {
  /** Lower-case hex with 0x, whatever spelling a record or an event has. */
  readonly address: string
  /** The name, if it is known without the record. It never changes. */
  readonly name?: string
  readonly record?: CollectionRecord
  /** Whether the record comes from a search, whose count and origin name can be out of date. */
  readonly isStale?: boolean
  /** Whether only an event names it. Any contract can emit one, and the indexer has no collections of ERC-1155. */
  readonly isOfEvent?: boolean
}

/** The one spelling of the address of a collection: events of Wasm contracts name it in bech32. */
export function collectionAddress(address: string): string {
  const bytes = bytesOf(address)
  return bytes === null ? address.toLowerCase() : `0x${bytes}`
}

/** The graph's value for the collection at an address that another record refers to. Its name, if that has it. */
export const collectionAt = (chain: ServedChain, address: string, name: string | null): NftCollectionShape => ({
  __typename: 'NftCollection',
  chain,
  address: collectionAddress(address),
  ...(name !== null && { name }),
})

/** The graph's value for the collection at an address that an event names. The indexer may not have it: then its name is empty. */
export const collectionOfEvent = (chain: ServedChain, address: string): NftCollectionShape => ({
  ...collectionAt(chain, address, null),
  isOfEvent: true,
})

/** The graph's value for a collection record. */
export const collectionShape = (chain: ServedChain, record: CollectionRecord): NftCollectionShape => ({
  __typename: 'NftCollection',
  chain,
  address: collectionAddress(record.object_addr),
  record,
})

/** The collection at an address. Null if not indexed. */
export async function loadCollection(
  context: Context,
  chain: ServedChain,
  address: string,
): Promise<NftCollectionShape | null> {
  const record = await fetchCollection(context, chain, address)
  return record && collectionShape(chain, record)
}

const findRecord = ({ chain, address }: NftCollectionShape, context: Context): Promise<CollectionRecord | null> =>
  fetchCollection(context, chain, sendable(chain, address))

async function loadRecord(shape: NftCollectionShape, context: Context): Promise<CollectionRecord> {
  const record = await findRecord(shape, context)
  if (record) return record
  const { chainId } = shape.chain
  if (shape.isOfEvent) {
    const text = `The indexer of ${chainId} has no such collection: only an event names it.`
    throw new GatewayError('UPSTREAM_REJECTED', text, { service: chainId })
  }
  const text = `The indexer of ${chainId} has no such collection, but another of its records refers to it.`
  throw new GatewayError('UPSTREAM_INVALID_RESPONSE', text, { service: chainId })
}

/** Resolvers that read the record of a collection. They are synchronous unless the record must be loaded. */
const reader =
  (isFreshNeeded: boolean) =>
  <T>(pick: (record: CollectionRecord, chain: ServedChain) => T) =>
  (shape: NftCollectionShape, _args: object, context: Context): T | Promise<T> =>
    shape.record && !(shape.isStale && isFreshNeeded)
      ? pick(shape.record, shape.chain)
      : loadRecord(shape, context).then((record) => pick(record, shape.chain))

const read = reader(false)
const readFresh = reader(true)

const readName = read(({ collection }) => collection.name ?? '')

/** The name. Empty for a collection of an event that the indexer does not have. */
function nameOf(shape: NftCollectionShape, args: object, context: Context): string | Promise<string> {
  if (shape.name !== undefined) return shape.name
  if (!shape.isOfEvent) return readName(shape, args, context)
  return findRecord(shape, context).then((record) => record?.collection.name ?? '')
}

export const NftCollection = chainNode<NftCollectionShape>('NftCollection', {
  description: 'A collection of NFTs: a contract or an object of the chain.',
  keyOf: ({ address }) => address,
  naturalKey: keyOnChain('address'),
  load: (chain, key, context) => loadCollection(context, chain, checkAddress(chain, key)),
  fields: (t) => {
    const record = t.through(read)
    const freshRecord = t.through(readFresh)
    return {
      address: t.value('Address', 'Address: lower-case hex with 0x on every chain.', ({ address }) => address),
      name: t.value(
        'String',
        'Name given by the creator, of at most 128 characters. Empty if there is none to show.',
        nameOf,
      ),
      originName: freshRecord.nullable(
        'String',
        'Name on the chain it was bridged from, cut like `name`. Null if it was created on this chain.',
        ({ collection }) => collection.origin_name,
      ),
      creator: record.ifKnown(ChainAccount, 'The creator.', ({ collection }, chain) =>
        chainAccountOf(chain, collection.creator),
      ),
      nftCount: freshRecord.ifKnown('UInt53', 'Number of NFTs that are not burned.', ({ collection }, { chainId }) =>
        readValue(chainId, collection.nfts?.length),
      ),
      height: record.value('UInt53', 'Height of its creation, or first use on the EVM.', ({ height }) => height),
      timestamp: record.nullable('DateTime', 'Time of the block at `height`.', ({ timestamp }) => timestamp),
    }
  },
})

export const collectionArgs = builder.args((t) => ({
  address: t.field({
    type: 'Address',
    required: true,
    description: 'Hex with 0x. On Wasm chains bech32 works too.',
  }),
}))
