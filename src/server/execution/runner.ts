import type { ExecutionResult, GraphQLError } from 'graphql'
import type { Clock } from '../../clock/clock.ts'
import { limitWork } from '../../clock/deadline.ts'
import { createSignal, type Signal } from '../../clock/signal.ts'
import { createTimeouts } from '../../clock/timeouts.ts'
import { createTurns, type Turns } from '../../clock/turns.ts'
import type { SharedContext } from '../../graphql/builder.ts'
import { createRequestScope, type RequestScope } from '../../upstream/requestScope.ts'
import type { Telemetry } from '../observability/telemetry.ts'
import type { TracedClient } from './client.ts'
import { withEventId } from './eventId.ts'
import type { Executor, ExecutorArgs } from './executor.ts'
import type { FormatError } from './formatError.ts'
import { createHeavyOperations, type HeavyOperations } from './heavyOperations.ts'
import { isAsyncIterable, mapEvents } from './mapEvents.ts'
import { isPromise } from './run.ts'

/** What an executor needs of an operation, apart from the context that the runner makes. */
export type RunArgs = Omit<ExecutorArgs, 'context'>

/** A result with formatted errors, and the scope that it was made in. */
export interface ScopedResult {
  readonly result: ExecutionResult
  readonly scope: RequestScope
}

/** Runs operations that have passed all checks. */
export interface Runner {
  /**
   * Runs a query, a mutation or one event, each with a scope and a deadline of its own. What costs many points
   * may have to wait for others.
   */
  execute(
    args: RunArgs,
    client: TracedClient,
    points?: number,
  ): ScopedResult | Promise<ScopedResult>
  /**
   * Opens the source of a subscription and runs each of its events, when the turn of its client comes.
   * `onEvent` is called before each, and `onFault` if the source fails. Resolves to the errors if the
   * source cannot be opened.
   */
  subscribe(
    args: RunArgs,
    client: TracedClient,
    on: { readonly onEvent: () => void; readonly onFault: () => void },
  ): Promise<ExecutionResult | AsyncIterableIterator<ExecutionResult>>
  /** Formats errors. A client that has left reads none, so none are logged. */
  formatErrors(errors: readonly unknown[], client: TracedClient): readonly GraphQLError[]
}

/** What a runner runs operations with. */
export interface RunnerOptions {
  readonly shared: SharedContext
  readonly executor: Executor
  readonly clock: Clock
  /** One event can have thousands of readers. By default they take turns only with each other. */
  readonly turns?: Turns | undefined
  /** The heavy operations of this process. By default only those of this runner wait for each other. */
  readonly heavy?: HeavyOperations | undefined
  readonly telemetry: Pick<Telemetry, 'onSubscription'>
  readonly formatError: FormatError
}

/** Creates the runner of a pipeline, which gives each operation its context. */
export function createRunner(options: RunnerOptions): Runner {
  const { shared, executor, clock, telemetry, formatError } = options
  const { turns = createTurns(clock), heavy = createHeavyOperations(clock) } = options
  const { timeoutMs, maxRequestsPerOperation, maxBytesPerOperation } = shared.limits
  const startTimeout = createTimeouts(clock, timeoutMs)
  const budget = { maxRequests: maxRequestsPerOperation, maxBytes: maxBytesPerOperation }

  const openScope = (signal: Signal, { key, requestId, trace }: TracedClient): RequestScope =>
    createRequestScope(signal, { client: key, requestId, trace, budget })

  const formatErrors = (errors: readonly unknown[], { signal, requestId }: TracedClient) =>
    signal.aborted ? [] : errors.map((error) => formatError(error, requestId))

  const format = (result: ExecutionResult, client: TracedClient): ExecutionResult => {
    if (client.signal.aborted) return { errors: [] }
    return result.errors ? { ...result, errors: formatErrors(result.errors, client) } : result
  }

  /** Runs within a scope of its own, which ends with the signal `ending`. */
  const executeInScope = (args: RunArgs, client: TracedClient, ending: Signal) => {
    const scope = openScope(ending, client)
    // V8 adds a property after a spread far more slowly than before it.
    const result = executor.execute({ context: { scope, ...shared }, ...args })
    if (!isPromise(result)) return { result: format(result, client), scope }
    return result.then(
      (value): ScopedResult => {
        scope.close()
        return { result: format(value, client), scope }
      },
      (error) => {
        scope.close()
        throw error
      },
    )
  }

  const execute = (args: RunArgs, client: TracedClient, points = 0) => {
    // Only the scope has the deadline: fields that are resolved by then are still in the result.
    const ending = createSignal()
    if (client.signal.aborted) ending.abort(client.signal.reason)
    const scoped = heavy.run(client.key, points, () => executeInScope(args, client, ending))
    if (!isPromise(scoped)) return scoped
    const close = limitWork(ending, startTimeout, { signal: client.signal })
    scoped.then(close, close)
    return scoped
  }

  return {
    execute,
    formatErrors,

    async subscribe(args, client, { onEvent, onFault }) {
      const { lastEventId } = client
      const context = { ...shared, scope: openScope(client.signal, client), lastEventId }
      const source = await executor.subscribe({ ...args, context })
      if (!isAsyncIterable(source)) return format(source, client)
      return mapEvents(source, {
        signal: client.signal,
        async run(event) {
          onEvent()
          const runArgs = { ...args, rootValue: event }
          const { result } = await turns.run(client.key, () => execute(runArgs, client))
          return withEventId(result, event)
        },
        onEnd: telemetry.onSubscription(),
        formatError(error) {
          onFault()
          return formatError(error, client.requestId)
        },
      })
    },
  }
}
