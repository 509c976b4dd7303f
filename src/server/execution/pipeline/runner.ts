import type { ExecutionResult, GraphQLError, GraphQLSchema } from 'graphql'
import type { SharedContext } from '../../../graphql/builder.ts'
import type { Clock } from '../../../kit/clock/clock.ts'
import { limitWork } from '../../../kit/clock/deadline.ts'
import { createSignal, type Signal } from '../../../kit/clock/signal.ts'
import { createTimeouts, type StartTimeout } from '../../../kit/clock/timeouts.ts'
import type { Telemetry } from '../../../telemetry/telemetry.ts'
import { createRequestScope, type RequestScope } from '../../../upstream/requestScope.ts'
import type { TracedClient } from '../client.ts'
import type { Executor, ExecutorArgs } from '../compiled/executor.ts'
import { type FormatError, limitError } from '../formatError.ts'
import { isPromise } from '../isPromise.ts'
import { createAnswerSize } from './answerSize.ts'
import { withEventId } from './eventId.ts'
import { createHeavyOperations, type HeavyOperations } from './heavyOperations.ts'
import { resultText } from './jsonResult.ts'
import { isAsyncIterable, mapEvents } from './mapEvents.ts'
import { atRootField, rootFieldOf } from './streamError.ts'
import type { WaitingAnswers } from './waitingAnswers.ts'

/** What an executor needs of an operation, apart from the context that the runner makes. */
export type RunArgs = Omit<ExecutorArgs, 'context' | 'size'>

/** A result with formatted errors, the bytes that were counted for it, and the scope that it was made in. */
export interface ScopedResult {
  readonly result: ExecutionResult
  readonly bytes: number
  readonly scope: RequestScope
}

/** What a subscription reports. */
interface SubscriptionEvents {
  readonly onEvent: () => void
  readonly onAnswer: (bytes: number) => void
  readonly onFault: () => void
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
   * `onEvent` is called before each, `onAnswer` with the bytes of its answer, and `onFault` if the source fails.
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

/** What a runner runs operations with. */
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
  const { turns } = shared
  const { timeoutMs, maxRequestsPerOperation, maxBytesPerOperation, maxAnswerBytes } = shared.limits
  const startTimeout = createTimeouts(clock, timeoutMs)
  const budget = { maxRequests: maxRequestsPerOperation, maxBytes: maxBytesPerOperation }

  /** Starts the timeout of an operation, of which a part is over if it waited since it had arrived. */
  const startDeadline = ({ arrivedAt }: TracedClient): StartTimeout => {
    const waited = arrivedAt === undefined ? 0 : clock.now() - arrivedAt
    return waited < notableMs ? startTimeout : (run) => clock.after(timeoutMs - waited, run)
  }

  /** What the field of a subscription says of its events. */
  const eventRules = (args: RunArgs) => {
    const name = rootFieldOf(args)?.name.value ?? ''
    return schema.getSubscriptionType()?.getFields()[name]?.extensions ?? {}
  }

  /** The timeout of the events of a subscription: that of its field, if it has one. */
  const eventTimeout = (ms: number | undefined): StartTimeout => {
    return ms === undefined ? startTimeout : (run) => clock.after(Math.min(ms, timeoutMs), run)
  }

  const openScope = (signal: Signal, { key, requestId, trace }: TracedClient): RequestScope =>
    createRequestScope(signal, shared, { client: key, requestId, trace, budget })

  const formatErrors = (errors: readonly unknown[], { signal, requestId }: TracedClient) =>
    signal.aborted ? [] : errors.map((error) => formatError(error, requestId))

  const format = (result: ExecutionResult, client: TracedClient): ExecutionResult => {
    if (client.signal.aborted) return { errors: [] }
    return result.errors ? { ...result, errors: formatErrors(result.errors, client) } : result
  }

  /** Runs within a scope of its own, which ends with the signal `ending`. */
  const executeInScope = (args: RunArgs, client: TracedClient, ending: Signal) => {
    const scope = openScope(ending, client)
    const size = createAnswerSize({ client: client.key, maxAnswerBytes, waiting })
    const finish = (result: ExecutionResult): ScopedResult => {
      size.close()
      return { result: format(result, client), bytes: size.bytes, scope }
    }
    // V8 adds a property after a spread far more slowly than before it.
    const result = executor.execute({ context: { scope, ...shared }, size, ...args })
    if (!isPromise(result)) return finish(result)
    return result.then(
      (value) => {
        scope.close()
        return finish(value)
      },
      (error) => {
        scope.close()
        size.close()
        throw error
      },
    )
  }

  const execute = (
    args: RunArgs,
    client: TracedClient,
    points = 0,
    timeout = startDeadline(client),
  ) => {
    // Only the scope has the deadline: fields that are resolved by then are still in the result.
    const ending = createSignal()
    if (client.signal.aborted) ending.abort(client.signal.reason)
    let hasStarted = false
    const scoped = heavy.run(client.key, points, ending, () => {
      hasStarted = true
      return executeInScope(args, client, ending)
    })
    if (!isPromise(scoped)) return scoped
    const close = limitWork(ending, timeout, { signal: client.signal })
    scoped.then(close, close)
    return scoped.catch((error: unknown) => {
      throw hasStarted || client.signal.aborted ? error : tooBusy()
    })
  }

  return {
    execute,
    formatErrors,

    async subscribe(args, client, { onEvent, onAnswer, onFault }) {
      const { lastEventId } = client
      const context = { ...shared, scope: openScope(client.signal, client), lastEventId }
      const { eventTimeoutMs, isState = false } = eventRules(args)
      const timeout = eventTimeout(eventTimeoutMs)
      let lastText: string | undefined
      const source = await executor.subscribe({ ...args, context })
      if (!isAsyncIterable(source)) return format(source, client)
      return mapEvents(source, {
        signal: client.signal,
        async run(event) {
          onEvent()
          const runArgs = { ...args, rootValue: event }
          // One event can have thousands of readers.
          const { result, bytes } = await turns.run(client.key, () =>
            execute(runArgs, client, 0, timeout),
          )
          if (isState) {
            // After an event with an error, the state before it is news.
            const text = result.errors ? undefined : resultText(result)
            if (text !== undefined && text === lastText) return undefined
            lastText = text
          }
          onAnswer(bytes)
          return withEventId(result, event)
        },
        onEnd: telemetry.onSubscription(),
        formatError(error) {
          onFault()
          return formatError(atRootField(error, args), client.requestId)
        },
      })
    },
  }
}

declare module 'graphql' {
  interface GraphQLFieldExtensions<_TSource, _TContext, _TArgs> {
    /** Milliseconds that the fields of one event of a subscription may take. What is late then is null. */
    eventTimeoutMs?: number
    /** Whether each event has the whole state, so that one in which nothing selected has changed says nothing. */
    isState?: boolean
  }
}

/** Operations that waited for less have one timer together. */
const notableMs = 100

/** Seconds after which a client should repeat an operation that was not started. */
const busySeconds = 5

/** The error for an operation that waited so long that it can no longer end in time. It was not started. */
export const tooBusy = () =>
  limitError('busy', 'The gateway is too busy to run this operation in time. Try again later.', {
    code: 'RATE_LIMITED',
    retryAfter: busySeconds,
    http: { status: 503, headers: { 'retry-after': String(busySeconds) } },
  })
