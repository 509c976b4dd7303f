import type { DocumentNode, ExecutionResult, GraphQLResolveInfo } from 'graphql'
import type { Context } from '../../../engine/graphql/builder.ts'
import type { Work } from '../../../kit/clock/work.ts'
import type { AnswerSize } from '../answerSize.ts'

/** A valid operation, ready to run. */
export interface ExecutorArgs {
  readonly document: DocumentNode
  readonly operationName: string | null | undefined
  readonly variables: Readonly<Record<string, unknown>>
  /** The same variables as the schema coerces them, if they have been coerced before. */
  readonly coerced?: GraphQLResolveInfo['variableValues'] | undefined
  readonly context: Context
  /** Whether the data of the result may be a `JsonText`. */
  readonly isText?: boolean | undefined
  /** Counts what is written. Left out, nothing is counted. */
  readonly size?: AnswerSize | undefined
  /** The pace of the operation. Left out, it never pauses. */
  readonly work?: Work | undefined
  /** The event, when the operation is a subscription. */
  readonly rootValue?: unknown
}

/** Runs operations. Every query, mutation and subscription event goes through the same one. */
export interface Executor {
  /** The result of a query, a mutation, or one event of a subscription. Errors are not formatted. */
  execute(args: ExecutorArgs): ExecutionResult | Promise<ExecutionResult>
  /** The source of a subscription's events, or the errors of the resolver that should open it. */
  subscribe(args: ExecutorArgs): Promise<AsyncIterable<unknown> | ExecutionResult>
}
