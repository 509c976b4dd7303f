import type { StoryTransaction } from './lane.ts'
import type { Moments } from './moments.ts'
import type { Side } from './network.ts'

/** A movement of coins that happens again and again: its transactions on two or more chains. */
export interface Course {
  /** Differs from those of all other courses. */
  readonly name: string
  /** When it begins. */
  readonly moments: Moments
  readonly legs: readonly Leg[]
}

/** A transaction of each movement of a course. */
export interface Leg {
  readonly on: Side
  /** Differs from those of the other legs of the course. */
  readonly name: string
  /** Milliseconds after the movement began. Eight seconds between two legs keep their order on all chains. */
  readonly after: number
  transactionOf(number: number): StoryTransaction
}
