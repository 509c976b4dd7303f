import { draws, itemAt } from '../random.ts'
import { burntCollection, firstBurnt, withBurns } from './burns.ts'
import { kinds, nftsOf, otherThan } from './calmTraffic.ts'
import type { Fixtures } from './fixtures.ts'
import { settledGroup } from './settlement.ts'
import { numberedKinds, type Shape } from './shape.ts'

// The traffic of a chain that is used: few users send most, many send little, kinds and failures come by chance, and some
// NFTs go from owner to owner. It repeats, so what it moves of an NFT ends where it began.

/** An index below a bound. Low ones come more often with each power. */
function skewed(below: number, draw: number, power: 2 | 3): number {
  const share = draw / 2 ** 32
  return Math.floor(below * share * share * (power === 3 ? share : 1))
}

/** NFTs that go from owner to owner. */
const tradedCount = 40
/** The router takes the newest relay for the arrival of a transfer, so that there is always one of late. */
const mostWithoutRelay = 8

/** The transactions whose first one has this number, by their numbers. `calm` are those before. */
export function createLivelyTraffic(
  fixtures: Fixtures,
  calm: (number: number) => Shape,
  { first, span }: { readonly first: number; readonly span: number },
): (number: number) => Shape {
  const { chain, seed, users, collections } = fixtures
  // Neighbours by index are no neighbours by how much they do.
  const user = (draw: number, power: 2 | 3) => (skewed(users.length, draw, power) * 17 + 5) % users.length
  const nfts = nftsOf(fixtures).filter(
    ({ collection, token }) => chain.vm !== 'wasm' || collection !== burntCollection || token < firstBurnt,
  )
  const traded = Array.from({ length: tradedCount }, (_, rank) => {
    const [draw = 0] = draws(seed, chain.chainId, 'traded', rank)
    return itemAt(nfts, draw)
  })
  const own = kinds[chain.vm]

  let previous: Shape | undefined
  let sinceRelay = 0
  const shapes = Array.from({ length: span }, (_, index): Shape => {
    const number = first + index
    const drawn = draws(seed, chain.chainId, 'traffic', number)
    const [ofKind = 0, ofSender = 0, ofPeer = 0, ofFailure = 0, ofVariant = 0, ofCalls = 0, ofNft = 0] = drawn
    const chosen = sinceRelay < mostWithoutRelay ? itemAt(own, ofKind) : 'receive'
    // The numbers of packets are those of transactions, and that of a story is the one between two of them.
    const isCrowded = numberedKinds.has(chosen) && (!previous || numberedKinds.has(previous.kind))
    // In the place of some there are settlements, which hand no NFT on.
    const kind = isCrowded || settledGroup(number % span) !== undefined ? 'send' : chosen
    const { collection, token } = itemAt(traded, skewed(tradedCount, ofNft, 2))
    const sender = user(ofSender, 3)
    const shape: Shape = {
      kind,
      source: collections.length + 1 + number,
      sender,
      peer: otherThan(sender, user(ofPeer, 2)),
      failed: kind !== 'receive' && ofFailure % 100 < (kind === 'execute' ? 12 : 5),
      variant: ofVariant % 3,
      calls: 1 + (ofCalls % 4),
      collection,
      token,
    }
    previous = withBurns(chain.vm, collections, number % span, shape)
    sinceRelay = previous.kind === 'receive' ? 0 : sinceRelay + 1
    return previous
  })
  handOn(shapes, ownersAfter(fixtures, calm, first))
  return (number) => itemAt(shapes, number - first)
}

const keyOf = ({ collection, token }: Pick<Shape, 'collection' | 'token'>): string => `${collection} ${token}`

/** The owners of the NFTs after the first transactions, by collection and token. */
function ownersAfter(
  fixtures: Fixtures,
  calm: (number: number) => Shape,
  count: number,
): (nft: Pick<Shape, 'collection' | 'token'>) => number {
  const { chain, collections } = fixtures
  const owners = new Map<string, number>()
  for (let number = 0; number < count; number++) {
    if (itemAt(kinds[chain.vm], number) !== 'transferNft') continue
    const shape = calm(number)
    if (shape.kind === 'transferNft' && !shape.failed) owners.set(keyOf(shape), shape.peer)
  }
  return (nft) => owners.get(keyOf(nft)) ?? itemAt(itemAt(collections, nft.collection).tokens, nft.token).firstOwner
}

/** Makes the owner of an NFT its sender. The last transfer returns it to who had it before the first one. */
function handOn(shapes: Shape[], ownerBefore: (nft: Pick<Shape, 'collection' | 'token'>) => number): void {
  const transfers = new Map<string, number[]>()
  for (const [index, shape] of shapes.entries()) {
    if (shape.kind !== 'transferNft') continue
    const indexes = transfers.get(keyOf(shape)) ?? []
    transfers.set(keyOf(shape), [...indexes, index])
  }
  for (const indexes of transfers.values()) {
    const succeed = indexes.filter((index) => !itemAt(shapes, index).failed)
    const [last, beforeLast] = [succeed.at(-1), succeed.at(-2)]
    let owner = ownerBefore(itemAt(shapes, indexes[0] ?? 0))
    const home = owner
    for (const index of indexes) {
      const shape = itemAt(shapes, index)
      // One that would stay away succeeds in no period.
      const failed = shape.failed || beforeLast === undefined
      const wanted = otherThan(owner, shape.peer)
      const away = wanted === home && index === beforeLast ? strangerTo(owner, home) : wanted
      const peer = index === last && !failed ? home : away
      shapes[index] = { ...shape, sender: owner, peer, failed }
      if (!failed) owner = peer
    }
  }
}

/** The index of a user who is neither of these. */
const strangerTo = (...users: readonly number[]): number => [0, 1, 2].find((index) => !users.includes(index)) ?? 0
