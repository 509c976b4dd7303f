import { z } from 'zod'
import type { Context } from '../../../engine/graphql/builder.ts'
import { badInput } from '../../../engine/upstream/error.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import { get, path } from '../../../engine/upstream/request.ts'
import { findRecord } from '../../../engine/upstream/upstreamError.ts'
import {
  count,
  integer,
  optionalCount,
  pageOf,
  stringOrEmpty,
  stringOrNull,
  timestamp,
  unwrapped,
} from '../../../engine/wire/decode.ts'
import { nameOrNull } from '../../../engine/wire/shownText.ts'

const token = z.object({
  collection_addr: z.string(),
  collection_name: nameOrNull,
  object_addr: stringOrNull,
  owner: stringOrNull,
  nft: z.object({ token_id: z.union([z.string(), integer]).transform(String), uri: stringOrEmpty }),
  height: count,
  timestamp: timestamp,
})

/** An NFT on the wire. */
export type TokenRecord = z.output<typeof token>

export const tokensPage = pageOf('tokens', token)

export const collectionTokensPath = (address: string) => path`/indexer/nft/v1/tokens/by_collection/${address}`

/** Path of the NFTs of an owner. */
export const accountTokensPath = (address: string) => path`/indexer/nft/v1/tokens/by_account/${address}`

/** Loads an NFT. Null if not indexed. Throws `BAD_USER_INPUT` for an invalid token id. */
export async function fetchToken(
  { scope }: Context,
  chain: ServedChain,
  collectionAddress: string,
  tokenId: string,
): Promise<TokenRecord | null> {
  const query = {
    token_id: checkTokenId(tokenId),
    'pagination.limit': 1,
    'pagination.count_total': false,
  }
  const request = get(collectionTokensPath(collectionAddress), tokensPage, { query })
  const page = await scope.fetch(chain.indexer, request)
  // An indexer that ignores the filter would return another NFT.
  return findRecord(chain.chainId, page, ({ nft }) => nft.token_id === tokenId)
}

/** The longest token id that is looked up. It is sent in the query, in at most three bytes a byte. */
const maxTokenIdBytes = 4_000

/**
 * The token id, if it is valid. Throws `BAD_USER_INPUT` otherwise: it may have any characters, but indexers
 * cannot hold NUL, and half a surrogate pair has no UTF-8.
 */
export function checkTokenId(tokenId: string): string {
  const length = Buffer.byteLength(tokenId)
  const isValid = length > 0 && length <= maxTokenIdBytes && !/[\0\p{Cs}]/u.test(tokenId)
  if (isValid) return tokenId
  throw badInput(`Invalid token id. Use 1 to ${maxTokenIdBytes} bytes of UTF-8, without NUL.`)
}

const collection = z.object({
  object_addr: z.string(),
  collection: z.object({
    creator: stringOrEmpty,
    name: nameOrNull,
    origin_name: nameOrNull,
    nfts: z.object({ length: optionalCount }).nullish(),
  }),
  height: count,
  timestamp: timestamp,
})

/** A collection of NFTs on the wire. */
export type CollectionRecord = z.output<typeof collection>

export const collectionsPage = pageOf('collections', collection)

export const collectionsPath = '/indexer/nft/v1/collections'

/** Path of the collections with an NFT of an account. */
export const accountCollectionsPath = (address: string) => path`/indexer/nft/v1/collections/by_account/${address}`

/**
 * Path of the collections whose name or origin name contains the name. Throws `BAD_USER_INPUT` if the
 * name has no letter or number, since the indexer would then return every collection.
 */
export function collectionSearchPath(name: string) {
  const term = searchTerm(name)
  if (!term) throw badInput('The name must contain a letter or a number.')
  return path`/indexer/nft/v1/collections/by_name/${term}`
}

/** The letters, marks and numbers of a name: indexers compare no others, and ignore case. */
const searchTerm = (name: string): string => name.replace(/[^\p{L}\p{M}\p{N}]/gu, '')

/** Loads a collection. Null if not indexed. */
export const fetchCollection = (
  { scope }: Context,
  chain: ServedChain,
  address: string,
): Promise<CollectionRecord | null> =>
  scope.fetch(chain.indexer, get(path`/indexer/nft/v1/collections/${address}`, oneCollection))

const oneCollection = unwrapped('object_addr', collection)
