import { memoize } from '../memoize.ts'
import { itemAt } from '../random.ts'
import { isBurnOrMint } from './burns.ts'
import type { Fixtures } from './fixtures.ts'
import { placeOf, timestampOf } from './schedule.ts'
import { createSeries, type Series } from './series.ts'
import type { Workload } from './workload.ts'

/** A collection as the indexer returns it. */
export interface CollectionRecord {
  readonly object_addr: string
  readonly collection: {
    readonly creator: string
    readonly name: string
    readonly origin_name: string
    readonly nfts: { readonly handle: string; readonly length: number }
  }
  readonly height: number
  readonly timestamp: string
}

/** A token as the indexer returns it. `height` and `timestamp` are those of its last change. */
export interface TokenRecord {
  readonly collection_addr: string
  readonly collection_name: string
  readonly collection_origin_name: string
  readonly object_addr: string
  readonly owner: string
  readonly nft: { readonly token_id: string; readonly uri: string }
  readonly height: number
  readonly timestamp: string
}

/** The NFTs of a chain after the native transaction with the sequence `newest`. */
export interface Nfts {
  /** Oldest first. */
  collections(newest: number): readonly CollectionRecord[]
  /** All existing tokens, in no particular order. */
  tokens(newest: number): readonly TokenRecord[]
  /** The native transactions that mint or move a token. Undefined if the token does not exist. */
  transactionsOf(collectionAddress: string, tokenId: string): Series | undefined
}

/** Blocks after which other tokens of a collection are burnt. */
const burnInterval = 8

/** Whether a token does not exist at a height. One in four does not, and each comes back. */
const isBurnt = (index: number, height: number): boolean => (index + Math.floor(height / burnInterval)) % 4 === 3

/** The NFTs that the workload creates and moves. */
export function createNfts(fixtures: Fixtures, { space, shapeAt }: Workload): Nfts {
  const { chain, users, collections } = fixtures
  // All tokens in one pass: one each would be most of the time that a sandbox takes to start.
  const changes = collections.map(({ tokens }, index) => tokens.map(() => [index + 1]))
  for (let sequence = collections.length + 1; sequence <= space.head + space.span; sequence++) {
    const shape = shapeAt(sequence)
    const isChange = shape.kind === 'transferNft' || isBurnOrMint(shape)
    if (isChange && !shape.failed) changes[shape.collection]?.[shape.token]?.push(sequence)
  }
  const tokenTransactions = changes.map((tokens) => tokens.map((sequences) => createSeries(space, sequences)))
  const existing = (newest: number) => collections.slice(0, newest)

  const tokens = memoize(1, (newest): readonly TokenRecord[] =>
    existing(newest).flatMap((collection, collectionIndex) =>
      collection.tokens.flatMap((token, index) => {
        if (chain.quirks?.burns && isBurnt(index, placeOf(newest).height)) return []
        const transactions = itemAt(itemAt(tokenTransactions, collectionIndex), index)
        const last = transactions.at(transactions.rank(newest))
        const shape = shapeAt(last)
        if (shape.kind === 'burnNft') return []
        const { height } = placeOf(last)
        const isMoved = shape.kind === 'transferNft' || shape.kind === 'mintNft'
        const owner = isMoved ? shape.peer : token.firstOwner
        return {
          collection_addr: collection.address.hex,
          collection_name: collection.name,
          collection_origin_name: collection.originName,
          object_addr: token.objectAddress,
          owner: itemAt(users, owner).bech32,
          nft: { token_id: token.tokenId, uri: token.uri },
          height,
          timestamp: timestampOf(chain, height, true),
        }
      }),
    ),
  )
  const alive = memoize(1, (newest) => {
    const counts = new Map<string, number>()
    for (const { collection_addr } of tokens(newest)) {
      counts.set(collection_addr, (counts.get(collection_addr) ?? 0) + 1)
    }
    return counts
  })

  return {
    collections: (newest) =>
      existing(newest).map((collection, index) => {
        const { height } = placeOf(index + 1)
        return {
          object_addr: collection.address.hex,
          collection: {
            creator: itemAt(users, collection.creator).bech32,
            name: collection.name,
            origin_name: collection.originName,
            nfts: { handle: '', length: alive(newest).get(collection.address.hex) ?? 0 },
          },
          height,
          timestamp: timestampOf(chain, height, true),
        }
      }),
    tokens,
    transactionsOf(collectionAddress, tokenId) {
      const collectionIndex = collections.findIndex(({ address }) => address.hex === collectionAddress)
      const tokenIndex = collections[collectionIndex]?.tokens.findIndex((token) => token.tokenId === tokenId) ?? -1
      return tokenTransactions[collectionIndex]?.[tokenIndex]
    },
  }
}
