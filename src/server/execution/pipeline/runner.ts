import type { ExecutionResult, GraphQLError, GraphQLSchema } from 'graphql'
import type { SharedContext } from '../../../graphql/builder.ts'
import type { Clock } from '../../../kit/clock/clock.ts'
import type { Telemetry } from '../../../telemetry/telemetry.ts'
import type { TracedClient } from '../client.ts'
import type { Executor } from '../compiled/executor.ts'
import type { FormatError } from '../formatError.ts'
import { createExecution, type RunArgs, type ScopedResult } from './execution.ts'
import { createHeavyOperations, type HeavyOperations } from './heavyOperations.ts'
import { createResultFormat } from './resultFormat.ts'
import { createScopes } from './scopes.ts'
import { createSubscriptions, type SubscriptionEvents } from './subscriptions.ts'
import type { WaitingAnswers } from './waitingAnswers.ts'

/** Runs operations that have passed all checks. */
export interface Runner {
  /**
   * Runs a query, a mutation or one event, each with a scope and a deadline of its own. An operation of many points
   * may have to wait for others.
   */
  execute(
    args: RunArgs,
    client: TracedClient,
    points?: number,
  ): ScopedResult | Promise<ScopedResult>
  /**
   * Opens the source of a subscription and runs each of its events, when the turn of its client comes.
   * `onEvent` is called before each, `onAnswer` with the size of its answer, and `onFault` if the source fails.
   * Resolves to the errors if the source cannot be opened.
   */
  subscribe(
    args: RunArgs,
    client: TracedClient,
    on: SubscriptionEvents,
  ): Promise<ExecutionResult | AsyncIterableIterator<ExecutionResult>>
  /** Formats errors. A client that has left reads none, so none are logged. */
  formatErrors(errors: readonly unknown[], client: TracedClient): readonly GraphQLError[]
}

/** The parts of a gateway that a runner uses. */
export interface RunnerOptions {
  readonly shared: SharedContext
  readonly schema: GraphQLSchema
  readonly executor: Executor
  readonly clock: Clock
  /** The heavy operations of this process. By default only those of this runner wait for each other. */
  readonly heavy?: HeavyOperations | undefined
  /** The answers that clients have not read yet. */
  readonly waiting: WaitingAnswers
  readonly telemetry: Pick<Telemetry, 'onSubscription'>
  readonly formatError: FormatError
}

/** Creates the runner of a pipeline, which gives each operation its context. */
export function createRunner(options: RunnerOptions): Runner {
  const { shared, schema, executor, clock, waiting, telemetry, formatError } = options
  const { heavy = createHeavyOperations(clock) } = options
  const openScope = createScopes(shared)
  const format = createResultFormat(formatError)
  const execution = createExecution({
    ...{ shared, executor, clock, heavy, waiting, openScope, format },
  })
  const subscriptions = createSubscriptions({
    ...{ shared, schema, executor, execution, telemetry, openScope, format },
  })
  return {
    execute: execution.execute,
    subscribe: subscriptions.subscribe,
    formatErrors: format.errors,
  }
}
