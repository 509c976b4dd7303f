import { itemAt } from '../random.ts'
import type { Plan } from './plan.ts'
import { placeOf, timestampOf } from './schedule.ts'
import { type Series, select } from './series.ts'
import type { Setting } from './setting.ts'

/** A collection as the indexer answers it. */
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

/** A token as the indexer answers it; height and timestamp are those of its last change. */
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

/** The NFTs of a chain as they stood after a sequence. */
export interface Nfts {
  /** In the order of their creation. */
  collections(newest: number): readonly CollectionRecord[]
  /** All tokens there are, in no order that clients may count on. */
  tokens(newest: number): readonly TokenRecord[]
  /** The native transactions that touched a token; undefined when there is no such token. */
  transactionsOf(collectionAddress: string, tokenId: string): Series | undefined
}

/** The NFTs that the plan creates and moves. */
export function createNfts(setting: Setting, { space, shapeAt }: Plan): Nfts {
  const { chain, people, collections } = setting
  const movedIn = (collection: number, token: number) =>
    select(space, (sequence) => {
      const shape = shapeAt(sequence)
      if (shape.collection !== collection) return false
      if (shape.kind === 'createCollection') return true
      return shape.kind === 'transferNft' && shape.token === token && !shape.failed
    })
  const touches = collections.map(({ tokens }, collection) =>
    tokens.map((_, token) => movedIn(collection, token)),
  )
  const existing = (newest: number) => collections.slice(0, newest)

  return {
    collections: (newest) =>
      existing(newest).map((plan, index) => {
        const { height } = placeOf(index + 1)
        return {
          object_addr: plan.address.hex,
          collection: {
            creator: itemAt(people, plan.creator).bech32,
            name: plan.name,
            origin_name: plan.originName,
            nfts: { handle: '', length: plan.tokens.length },
          },
          height,
          timestamp: timestampOf(chain, height, true),
        }
      }),
    tokens: (newest) =>
      existing(newest).flatMap((plan, collection) =>
        plan.tokens.map((token, index) => {
          const moves = itemAt(itemAt(touches, collection), index)
          const last = moves.at(moves.rank(newest))
          const shape = shapeAt(last)
          const { height } = placeOf(last)
          const owner = shape.kind === 'transferNft' ? shape.peer : token.firstOwner
          return {
            collection_addr: plan.address.hex,
            collection_name: plan.name,
            collection_origin_name: plan.originName,
            object_addr: token.objectAddress,
            owner: itemAt(people, owner).bech32,
            nft: { token_id: token.tokenId, uri: token.uri },
            height,
            timestamp: timestampOf(chain, height, true),
          }
        }),
      ),
    transactionsOf(collectionAddress, tokenId) {
      const collection = collections.findIndex(({ address }) => address.hex === collectionAddress)
      const token =
        collections[collection]?.tokens.findIndex((one) => one.tokenId === tokenId) ?? -1
      return touches[collection]?.[token]
    },
  }
}
