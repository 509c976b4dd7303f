import { GraphQLError } from 'graphql'
import type { RequestBudget } from '../../engine/upstream/requester.ts'
import type { Client } from '../clients/client.ts'
import { rowsOfPoint } from './answerSize.ts'
import type { ScopedResult } from './execution.ts'
import type { OperationServices } from './operationServices.ts'
import type { UnreadAnswers } from './unreadAnswers.ts'

/** What is counted while an answer is made. */
type MeteredAnswer = Pick<ScopedResult, 'bytes' | 'rows'> & {
  readonly scope: { readonly budget: Pick<RequestBudget, 'bytes'> }
}

/** The points that operations cost the clients that send them. */
export class Metering {
  readonly #unread: UnreadAnswers

  constructor({ unread }: Pick<OperationServices, 'unread'>) {
    this.#unread = unread
  }

  /** Throws if the client has spent more than it may. */
  rejectOverBudget(client: Client): void {
    throwIfSet(client.take(0))
  }

  /** Charges an operation before it runs. Throws if the client may not spend that, or has to read answers first. */
  operation(client: Client, points: number): void {
    throwIfSet(this.#unread.refuse(client.key))
    throwIfSet(client.take(points))
  }

  /** Charges an operation whose result is sent again. False if `operation` would throw. */
  mayServe(client: Client, points: number): boolean {
    return !this.#unread.refuse(client.key) && !client.take(points)
  }

  /** Charges an event of a subscription that costs this many points. */
  event(client: Client, points: number): void {
    client.spend(Math.ceil(points / eventShare))
  }

  /** Charges the bytes of a large answer, the rows of its lists, and what it read from upstreams. Its fields are paid for. */
  answer(client: Client, { bytes, rows, scope }: MeteredAnswer): void {
    const read = Math.max(0, scope.budget.bytes - freeBytesRead)
    const points =
      Math.floor(bytes / bytesOfPoint) + Math.floor(rows / rowsOfPoint) + Math.floor(read / bytesReadOfPoint)
    if (points > 0) client.spend(points)
  }

  /** Charges the end of a subscription whose source failed. */
  fault(client: Client): void {
    client.spend(refusalCost)
  }

  /** Charges the work on an operation that does not run, unless its client has no points left. */
  refusal(client: Client, error: unknown): void {
    const isRateLimited = error instanceof GraphQLError && error.extensions.code === 'RATE_LIMITED'
    if (!isRateLimited) client.spend(refusalCost)
  }

  /** The points that the client may spend now. Infinity without a limit. */
  left(client: Client): number {
    return client.left
  }
}

/** The cost of an operation that is refused, in points. Its document was parsed and validated. */
const refusalCost = 20

/** An answer costs one more point for each of this many bytes. */
const bytesOfPoint = 16 * 1024

/** Bytes that an operation, or an event, reads from upstreams for the price of its requests. Ordinary pages are smaller. */
const freeBytesRead = 1024 * 1024

/** Beyond them it costs one more point for each of this many bytes, which take about 15 µs to read. */
const bytesReadOfPoint = 1024

/** An event costs the operation's cost divided by this: most of its fields are loaded with the event. */
const eventShare = 10

/** Throws the error of a function that returns one. */
export function throwIfSet(error: GraphQLError | undefined): void {
  if (error) throw error
}
