import { GraphQLError } from 'graphql'
import type { Services } from '../services.ts'
import type { Client, CostBudget } from './client.ts'
import type { CountedAnswer } from './execution.ts'
import type { UnreadAnswers } from './unreadAnswers.ts'

/** The points that operations cost their clients, which are charged by their keys. */
export class Metering {
  readonly #budget: CostBudget
  readonly #unread: UnreadAnswers

  constructor({ budget, unread }: Pick<Services, 'budget' | 'unread'>) {
    this.#budget = budget
    this.#unread = unread
  }

  /** Throws if the client has spent more than it may. */
  rejectOverBudget({ key }: Client): void {
    throwIfSet(this.#budget.charge(key, 0))
  }

  /** Charges an operation before it runs. Throws if the client may not spend that, or has to read answers first. */
  operation({ key }: Client, points: number): void {
    throwIfSet(this.#unread.refuse(key))
    throwIfSet(this.#budget.charge(key, points))
  }

  /** Charges an operation whose result is sent again. False if `operation` would throw. */
  mayServe({ key }: Client, points: number): boolean {
    return !this.#unread.refuse(key) && !this.#budget.charge(key, points)
  }

  /** Charges an event of a subscription that costs so many points. */
  event({ key }: Client, points: number): void {
    this.#budget.spend(key, Math.ceil(points / eventShare))
  }

  /** Charges the bytes of a large answer and the rows of its lists. Its fields are paid for. */
  answer({ key }: Client, { bytes, rows }: CountedAnswer): void {
    const points = Math.floor(bytes / bytesOfPoint) + Math.floor(rows / rowsOfPoint)
    if (points > 0) this.#budget.spend(key, points)
  }

  /** Charges the end of a subscription whose source failed. */
  fault({ key }: Client): void {
    this.#budget.spend(key, refusalCost)
  }

  /** Charges the work on an operation that does not run, unless its client has no points left. */
  refusal({ key }: Client, error: unknown): void {
    const isRateLimited = error instanceof GraphQLError && error.extensions.code === 'RATE_LIMITED'
    if (!isRateLimited) this.#budget.spend(key, refusalCost)
  }

  /** The points that the client may spend now. Infinity without a limit. */
  left({ key }: Client): number {
    return this.#budget.left(key)
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
