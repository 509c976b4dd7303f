import type { Vm } from '../chains.ts'
import { itemAt } from '../random.ts'
import type { CollectionFixture } from './collections.ts'
import type { Shape } from './shape.ts'

// Some NFTs of Wasm chains are burnt, and minted again by the end of each period of the traffic. Nothing else
// happens to them, so that nobody sends a token that does not exist.

/** The collection of the tokens that are burnt. */
export const burntCollection = 0
/** The first of the tokens that are burnt. */
export const firstBurnt = 137

/** What happens to the tokens, by the number of the transaction in the traffic. */
const burns: Readonly<Record<number, { readonly kind: 'burnNft' | 'mintNft'; token: number }>> = {
  20: { kind: 'burnNft', token: 139 },
  28: { kind: 'burnNft', token: 138 },
  41: { kind: 'burnNft', token: 137 },
  54: { kind: 'mintNft', token: 139 },
  808: { kind: 'mintNft', token: 138 },
  1315: { kind: 'mintNft', token: 137 },
}

/** Whether a transaction can make a token appear or vanish. */
export const isBurnOrMint = ({ kind }: Shape): boolean => kind === 'burnNft' || kind === 'mintNft'

/** The traffic of a chain with its burns: a transaction by its number, or the one that takes its place. */
export function withBurns(vm: Vm, collections: readonly CollectionFixture[], number: number, shape: Shape): Shape {
  if (vm !== 'wasm') return shape
  const { tokens, creator } = itemAt(collections, burntCollection)
  const burn = burns[number]
  if (!burn) {
    const { kind, collection, token } = shape
    const isTaken = kind === 'transferNft' && collection === burntCollection && token >= firstBurnt
    return isTaken ? { ...shape, token: 0, sender: itemAt(tokens, 0).firstOwner } : shape
  }
  const owner = itemAt(tokens, burn.token).firstOwner
  const [sender, peer] = burn.kind === 'burnNft' ? [owner, creator] : [creator, owner]
  return { ...shape, ...burn, sender, peer, failed: false, collection: burntCollection }
}
