import type { IncomingHttpHeaders } from 'node:http'
import type { GraphQLError, OperationTypeNode } from 'graphql'
import type { OperationTrace } from '../../engine/telemetry/tracing/tracing.ts'
import type { Signal } from '../../kit/clock/signal.ts'

/** The client of one operation, and what its transport allows. */
export interface Client {
  /**
   * Tells clients apart. Requests to upstreams take turns by it, and it has one budget of cost points.
   */
  readonly key: string
  /** Aborts when the client leaves or cancels the operation. */
  readonly signal: Signal
  /** Time of the clock when the operation arrived. Its deadline counts from then. */
  readonly arrivedAt?: number
  /** Repeated in errors, in the log, and to upstreams. */
  readonly requestId?: string | undefined
  /** The headers of its request, which can name a trace. */
  readonly headers?: IncomingHttpHeaders
  /** The id of the last event that the client received before it connected again. */
  readonly lastEventId?: string | undefined
  /** Whether results have the cost of the operation in `extensions.cost`. */
  readonly wantsCost?: boolean
  /** The error for an operation type that the transport does not allow. Called before validation. */
  readonly refuse?: (type: OperationTypeNode) => GraphQLError | undefined
  /**
   * Reserves what an open stream takes up, such as a place in a quota, or gives the error that there is
   * none left. Called before a subscription opens its source. The transport frees what it reserved.
   */
  readonly reserve?: () => GraphQLError | undefined
}

/** A client, with the trace of its operation if there is one. */
export interface TracedClient extends Client {
  readonly trace?: OperationTrace
}

/** How many cost points a client may spend. */
export interface RateLimit {
  readonly pointsPerSecond: number
  /** The most points that a client can have saved up. */
  readonly burst: number
}

/** The cost points that each client may spend. */
export interface CostBudget {
  /**
   * Charges the client the cost of an operation. Charges nothing and returns an error if too few points are left.
   * Called once per operation, when its cost is known to be within the limit.
   */
  charge(client: string, points: number): GraphQLError | undefined
  /** Charges the client points for past work, also beyond its budget. */
  spend(client: string, points: number): void
  /** The points that the client may spend now. */
  left(client: string): number
}

/** A budget that other processes can lower when a client spends points there. */
export interface SharableBudget extends CostBudget {
  /** The limit of a client. Undefined for a client without one. */
  limitOf(client: string): RateLimit | undefined
  /** Leaves the client at most so many points. A negative number is a debt. */
  lower(client: string, points: number): void
}
