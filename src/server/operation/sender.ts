import type { IncomingHttpHeaders } from 'node:http'
import type { GraphQLError, OperationTypeNode } from 'graphql'
import type { OperationTrace } from '../../engine/telemetry/tracing/tracing.ts'
import type { Signal } from '../../kit/clock/signal.ts'
import type { Client } from '../clients/client.ts'

/** A request with this header and the value 1 gets its cost in the answer. */
export const costHeader = 'graphql-cost-debug'

/** Who sends one operation: its client, and what its transport knows and allows. */
export interface Sender {
  readonly client: Client
  /** Aborts when the client leaves or cancels the operation. */
  readonly signal: Signal
  /** Time of the clock when the operation arrived. Its deadline counts from then. */
  readonly arrivedAt?: number
  /** Repeated in errors, in the log, and to upstreams. */
  readonly requestId?: string | undefined
  /** The headers of its request, which can name a trace. */
  readonly headers?: IncomingHttpHeaders
  /** The trace of the operation, once it has begun. Undefined if it is not traced. */
  readonly trace?: OperationTrace | undefined
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
