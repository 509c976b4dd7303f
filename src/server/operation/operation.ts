import type { DocumentNode, ExecutionResult, GraphQLError, OperationTypeNode } from 'graphql'
import type { DocumentRequest } from './documents/documentTexts.ts'

/** An operation as a client sends it, whatever the transport. */
export interface OperationRequest extends DocumentRequest {
  readonly operationName?: string | null | undefined
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined
}

/** The result of a query or mutation, or those of a subscription's events. Errors are formatted. */
export type OperationResult = ExecutionResult | AsyncIterableIterator<ExecutionResult>

/** The result of a query without errors. Its transport may send it again while it is fresh. */
export interface CacheableResult {
  readonly name: string | undefined
  readonly points: number
  /** The result stays the same until this time of the clock. Infinity if it always does. */
  readonly freshUntil: number
  /** The epoch of the settings that it was made with. After a change of settings it is not sent again. */
  readonly epoch: number
}

/** A valid operation. */
export interface Operation {
  readonly type: OperationTypeNode
  readonly document: DocumentNode
  /**
   * Never rejects. The iterator rejects with a formatted error when the source of events fails. If `isText` is set,
   * the data of a result may be a `JsonText`.
   */
  run(isText?: boolean): OperationResult | Promise<OperationResult>
  /** Its result once it has run, if that may be sent again. */
  readonly cacheable: CacheableResult | undefined
}

/** The errors that refuse an operation. */
export interface Refused {
  readonly errors: readonly GraphQLError[]
}
