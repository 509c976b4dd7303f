import type { Vm } from '../chains.ts'
import { itemAt, pick } from '../random.ts'
import { withBurns } from './burns.ts'
import { type Fixtures, randomUser } from './fixtures.ts'
import type { Shape, TransactionKind } from './shape.ts'

/** The kinds of transactions of a chain, each as often as it comes. */
export const kinds: Readonly<Record<Vm, readonly TransactionKind[]>> = {
  move: [
    ...(['send', 'execute', 'receive', 'delegate', 'transferNft', 'deposit', 'send', 'ibcTransfer'] as const),
    ...(['execute', 'claim', 'receive', 'send', 'delegate', 'execute', 'transferNft'] as const),
  ],
  evm: [
    ...(['execute', 'receive', 'send', 'execute', 'transferNft', 'deploy', 'execute'] as const),
    ...(['ibcTransfer', 'execute', 'withdraw', 'receive', 'execute', 'transferNft', 'send'] as const),
  ],
  wasm: [
    ...(['execute', 'receive', 'send', 'execute', 'transferNft', 'ibcTransfer', 'execute'] as const),
    ...(['send', 'withdraw', 'receive', 'execute', 'transferNft', 'send'] as const),
  ],
}

/** An NFT by its place in the collections, and the index of its first owner in `users`. */
interface Nft {
  readonly collection: number
  readonly token: number
  readonly firstOwner: number
}

/** All NFTs of a chain. */
export const nftsOf = ({ collections }: Fixtures): readonly Nft[] =>
  collections.flatMap(({ tokens }, collection) =>
    tokens.map(({ firstOwner }, token) => ({ collection, token, firstOwner })),
  )

/**
 * The traffic of a young chain, by the number of the transaction from 0. All kinds come in one order and all users equally
 * often, so that few transactions have all that a test looks for. It repeats after `span` transactions.
 */
export function createCalmTraffic(fixtures: Fixtures, span: number): (number: number) => Shape {
  const { chain, seed, collections } = fixtures
  const { chainId } = chain
  const nfts = nftsOf(fixtures)
  return (given) => {
    const number = given % span
    const kind = itemAt(kinds[chain.vm], number)
    const nft = itemAt(nfts, pick(nfts.length, seed, chainId, 'nft', number))
    const sender = kind === 'transferNft' ? nft.firstOwner : randomUser(seed, chainId, 'sender', number)
    const peer = randomUser(seed, chainId, 'peer', number)
    const shape: Shape = {
      kind,
      source: collections.length + 1 + number,
      sender,
      peer: otherThan(sender, peer),
      failed: number % 11 === 4 && kind !== 'receive',
      variant: pick(3, seed, chainId, 'variant', number),
      calls: 1 + pick(4, seed, chainId, 'calls', number),
      collection: nft.collection,
      token: nft.token,
    }
    return withBurns(chain.vm, collections, number, shape)
  }
}

/** The index of a user who is not this one: an even index goes up by one, an odd one down. */
export const otherThan = (user: number, peer: number): number => (peer === user ? peer + 1 - 2 * (peer % 2) : peer)
