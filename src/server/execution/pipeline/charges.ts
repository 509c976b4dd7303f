import { GraphQLError } from 'graphql'
import type { Client, CostBudget } from '../client.ts'
import type { CountedAnswer } from './execution.ts'
import type { WaitingAnswers } from './waitingAnswers.ts'

/** The points that operations cost their clients. */
export interface Charges {
  /** Throws if the client has spent more than it may. */
  refuseDebtor(client: Client): void
  /** Charges an operation before it runs. Throws if the client may not spend that, or has to read answers first. */
  operation(client: Client, points: number): void
  /** Charges an operation whose result is sent again. False if `operation` would throw. */
  mayServe(client: Client, points: number): boolean
  /** Charges an event of a subscription that costs so many points. */
  event(client: Client, points: number): void
  /** Charges the bytes of a large answer and the rows of its lists. Its fields are paid for. */
  answer(client: Client, answer: CountedAnswer): void
  /** Charges the end of a subscription whose source failed. */
  fault(client: Client): void
  /** Charges the work on an operation that does not run, unless its client has no points left. */
  refusal(client: Client, error: unknown): void
  /** The points that the client may spend now. Infinity without a limit. */
  left(client: Client): number
}

/** Where points are charged. Without a budget, clients may spend without limit. */
export interface ChargesOptions {
  readonly budget?: CostBudget
  readonly waiting: WaitingAnswers
}

/** Charges clients by their keys. */
export function createCharges({ budget, waiting }: ChargesOptions): Charges {
  return {
    refuseDebtor: ({ key }) => throwIfSet(budget?.charge(key, 0)),
    operation({ key }, points) {
      throwIfSet(waiting.refuse(key))
      throwIfSet(budget?.charge(key, points))
    },
    mayServe: ({ key }, points) => !waiting.refuse(key) && !budget?.charge(key, points),
    event: ({ key }, points) => budget?.spend(key, Math.ceil(points / eventShare)),
    answer({ key }, { bytes, rows }) {
      const points = Math.floor(bytes / bytesOfPoint) + Math.floor(rows / rowsOfPoint)
      if (points > 0) budget?.spend(key, points)
    },
    fault: ({ key }) => budget?.spend(key, refusalCost),
    refusal({ key }, error) {
      const isRateLimited =
        error instanceof GraphQLError && error.extensions.code === 'RATE_LIMITED'
      if (!isRateLimited) budget?.spend(key, refusalCost)
    },
    left: ({ key }) => budget?.left(key) ?? Number.POSITIVE_INFINITY,
  }
}

/** The cost of an operation that is refused, in points. Its document was parsed and validated. */
const refusalCost = 20

/** An answer costs one more point for each of so many bytes. */
const bytesOfPoint = 16 * 1024

/** An answer costs one more point for each of so many rows in the lists inside its records. */
const rowsOfPoint = 4

/** An event costs the operation's cost divided by this: most of its fields are loaded with the event. */
const eventShare = 10

/** Throws the error of a function that returns one. */
export function throwIfSet(error: GraphQLError | undefined): void {
  if (error) throw error
}
