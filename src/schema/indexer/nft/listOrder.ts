import { builder } from '../../../engine/graphql/builder.ts'
import { largestLimit } from '../../../engine/pagination/pageCaps.ts'
import type { ListWindow } from '../../../engine/pagination/source.ts'
import { type Listed, UnreadableRecord } from '../../../engine/wire/decode.ts'
import type { TokenRecord } from './wire.ts'

/** The field that orders NFTs, as indexers name it. */
export type NftOrder = 'token_id' | 'height'

const NftOrderField = builder.enumType('NftOrderField', {
  description: 'Order of NFTs.',
  values: {
    TOKEN_ID: { value: 'token_id', description: 'Token id as text, so that 9 comes after 12.' },
    HEIGHT: { value: 'height', description: 'Height of the last change.' },
  },
})

/** The argument that orders a list of NFTs. */
export const nftOrderArgs = builder.args((t) => ({
  orderBy: t.field({
    type: NftOrderField,
    required: true,
    defaultValue: 'token_id',
    description: 'The field to order by. `order` sets the direction.',
  }),
}))

/** Lists of collections and NFTs grow at the end. Indexers send at most a thousand records at once. */
export const listWindow: ListWindow = { limit: largestLimit, anchor: 'first' }

/**
 * Whether two NFTs of different collections are equal in both orders, so that indexers return them in any
 * order. An unreadable NFT counts as equal.
 */
export const areTied = (a: Listed<TokenRecord>, b: Listed<TokenRecord>): boolean =>
  a instanceof UnreadableRecord ||
  b instanceof UnreadableRecord ||
  (a.nft.token_id === b.nft.token_id && a.height === b.height)

/** The sentence on pages in the description of a list that indexers read by counting. */
export const canShift = (records: string) =>
  `Records that come or go can make a later page repeat or miss one. Up to ${listWindow.limit.toLocaleString('en')} ${records} keep their order.`

/** The same of a list that is read by the keys of its NFTs. */
export const isExact = 'No page repeats or misses one.'

/** Within a collection, the key of an NFT in the page keys of indexers. */
export const keyInCollection = (item: Listed<TokenRecord>): string | undefined =>
  item instanceof UnreadableRecord
    ? undefined
    : `{"height":${item.height},"token_id":${JSON.stringify(item.nft.token_id)}}`
