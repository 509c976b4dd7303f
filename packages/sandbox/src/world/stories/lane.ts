import type { Account } from '../../address.ts'
import type { SandboxChain } from '../../chains.ts'
import { lostHeights } from '../blockSizes.ts'
import type { CoinMove } from '../coins.ts'
import type { MessageDraft } from '../events.ts'
import type { Fixtures } from '../fixtures.ts'
import { firstHeightFrom, nominalTimeOf } from '../schedule.ts'
import type { Space } from '../series.ts'
import type { Moments } from './moments.ts'

/** A message of a story, and what the bank module moves for it. */
export interface StoryMessage extends MessageDraft {
  readonly moves: readonly CoinMove[]
}

/** A transaction that is not of the traffic of its chain. */
export interface StoryTransaction {
  readonly signer: Account
  readonly messages: readonly StoryMessage[]
}

/**
 * Transactions of one kind that a chain has beside its traffic, in the order of their heights and numbered from 1. For
 * example the arrivals of all packets from one other chain.
 */
export interface Lane {
  /** Differs from those of the other lanes of the chain. */
  readonly name: string
  /** After how many numbers its accounts and amounts repeat. */
  readonly space: Space
  /** The number of its transactions at or below a height. */
  countAt(height: number): number
  heightOf(number: number): number
  transactionOf(number: number): StoryTransaction
}

/** The lane of a chain with a transaction in the first block at or after each of the moments. */
export function createLane(
  chain: SandboxChain,
  { countAt, timeOf, space }: Moments,
  { name, transactionOf }: Pick<Lane, 'name' | 'transactionOf'>,
): Lane {
  return {
    name,
    space,
    countAt: (height) =>
      // No transaction is in a block that its indexer has no record of: it is in the next one.
      countAt(nominalTimeOf(chain, isLost(chain, height) ? height - 1 : height)),
    heightOf: (number) => heightFrom(chain, timeOf(number)),
    transactionOf,
  }
}

/** The height of a transaction that is ready at a time. */
export function heightFrom(chain: SandboxChain, timeMs: number): number {
  const height = firstHeightFrom(chain, timeMs)
  return isLost(chain, height) ? height + 1 : height
}

/** What the hash of each transaction of a lane is made of, besides its number. */
export const laneScope = ({ seed, chain }: Fixtures, name: string) => [seed, chain.chainId, 'story', name] as const

const isLost = ({ quirks }: SandboxChain, height: number): boolean =>
  quirks?.missingHeights === 'few' && lostHeights.heights.some((lost) => height % lostHeights.span === lost)
