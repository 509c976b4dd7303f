import type { StoryTransaction } from './lane.ts'
import type { Moments } from './moments.ts'
import type { StoryChain } from './network.ts'

/** A movement of coins that happens again and again: its transactions on two or more chains. */
export interface Course {
  /** Differs from those of all other courses. */
  readonly name: string
  /** When it begins. */
  readonly moments: Moments
  readonly legs: readonly CourseLeg[]
  /** The transactions of the traffic that begin it. Undefined if its first leg does. */
  readonly begunBy?: TrafficStart
}

/** The transactions of the traffic of a chain that begin the movements of a course. */
interface TrafficStart {
  readonly on: StoryChain
  /** The number of the movement that a transaction of the traffic begins. Undefined if it begins none. */
  numberOf(sequence: number): number | undefined
}

/** A transaction of each movement of a course. */
export interface CourseLeg {
  readonly on: StoryChain
  /** Differs from those of the other legs of the course. */
  readonly name: string
  /** Milliseconds after the movement began. Eight seconds between two legs keep their order on all chains. */
  readonly after: number
  transactionOf(number: number): StoryTransaction
}

/** The name of the lane that has the transactions of a leg. */
export const laneNameOf = (course: Course, leg: CourseLeg): string => `${course.name}, ${leg.name}`
