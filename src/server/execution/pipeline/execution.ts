import type { ExecutionResult } from 'graphql'
import type { SharedContext } from '../../../graphql/builder.ts'
import type { Clock } from '../../../kit/clock/clock.ts'
import { limitWork } from '../../../kit/clock/deadline.ts'
import { createSignal, type Signal } from '../../../kit/clock/signal.ts'
import { createTimeouts, type StartTimeout } from '../../../kit/clock/timeouts.ts'
import type { RequestScope } from '../../../upstream/requestScope.ts'
import type { TracedClient } from '../client.ts'
import type { Executor, ExecutorArgs } from '../compiled/executor.ts'
import { limitError } from '../formatError.ts'
import { isPromise } from '../isPromise.ts'
import { createAnswerSize } from './answerSize.ts'
import type { HeavyOperations } from './heavyOperations.ts'
import type { ResultFormat } from './resultFormat.ts'
import type { OpenScope } from './scopes.ts'
import type { WaitingAnswers } from './waitingAnswers.ts'

/** The arguments of an executor that an operation brings. An execution adds the others. */
export type RunArgs = Omit<ExecutorArgs, 'context' | 'size' | 'work'>

/** The size of an answer. */
export interface CountedAnswer {
  readonly bytes: number
  /** Rows of lists inside records. */
  readonly rows: number
}

/** A result with formatted errors, and the scope that it was made in. */
export interface ScopedResult extends CountedAnswer {
  readonly result: ExecutionResult
  readonly scope: RequestScope
}

/** Executes operations, each with a scope and a deadline of its own. */
export interface Execution {
  /** The operation has the rest of its time since it arrived, unless there is another number of `milliseconds`. */
  execute(
    args: RunArgs,
    client: TracedClient,
    points?: number,
    milliseconds?: number,
  ): ScopedResult | Promise<ScopedResult>
  /** The milliseconds for each event of a subscription: so many, if its field says so. */
  eventTimeout(ms: number | undefined): number
}

/** The parts of a runner that an execution uses. */
export interface ExecutionOptions {
  readonly shared: SharedContext
  readonly executor: Executor
  readonly clock: Clock
  readonly heavy: HeavyOperations
  readonly waiting: WaitingAnswers
  readonly openScope: OpenScope
  readonly format: ResultFormat
}

/** Creates the execution of a runner. */
export function createExecution(options: ExecutionOptions): Execution {
  const { shared, executor, clock, heavy, waiting, openScope, format } = options
  const { timeoutMs } = shared.limits
  const startTimeout = createTimeouts(clock, timeoutMs)

  /** The milliseconds of an operation. The time that it waited since it arrived is a part of them. */
  const timeLeft = ({ arrivedAt }: TracedClient): number => {
    const waited = arrivedAt === undefined ? 0 : clock.now() - arrivedAt
    return waited < notableMs ? timeoutMs : timeoutMs - waited
  }

  const timeoutOf = (milliseconds: number): StartTimeout =>
    milliseconds === timeoutMs ? startTimeout : (run) => clock.after(milliseconds, run)

  /** Executes within a scope of its own, which ends with the signal `ending`. */
  const executeInScope = (args: RunArgs, client: TracedClient, ending: Signal) => {
    const scope = openScope(ending, client)
    const size = createAnswerSize({ client: client.key, limits: shared.limits, waiting })
    const finish = (result: ExecutionResult): ScopedResult => {
      size.close()
      const { bytes, rows } = size
      return { result: format.result(result, client), bytes, rows, scope }
    }
    // V8 adds a property after a spread far more slowly than before it.
    const result = executor.execute({
      context: { scope, ...shared },
      size,
      work: scope.work,
      ...args,
    })
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

  return {
    eventTimeout: (ms = timeoutMs) => Math.min(ms, timeoutMs),

    execute(args, client, points = 0, milliseconds = timeLeft(client)) {
      // Only the scope has the deadline: fields that are resolved by then are still in the result.
      const ending = createSignal(clock.now() + milliseconds)
      if (client.signal.aborted) ending.abort(client.signal.reason)
      let hasStarted = false
      const scoped = heavy.run(client.key, points, ending, () => {
        hasStarted = true
        return executeInScope(args, client, ending)
      })
      if (!isPromise(scoped)) return scoped
      const close = limitWork(ending, timeoutOf(milliseconds), { signal: client.signal })
      scoped.then(close, close)
      return scoped.catch((error: unknown) => {
        throw hasStarted || client.signal.aborted ? error : tooBusy()
      })
    },
  }
}

/** Operations that waited for less have one timer together. */
const notableMs = 100

/** Seconds until a client should repeat an operation that was not started. */
const busySeconds = 5

/** The error for an operation that waited for its whole time. It was not started. */
export const tooBusy = () =>
  limitError('busy', 'The gateway is too busy to run this operation in time. Try again later.', {
    code: 'RATE_LIMITED',
    retryAfter: busySeconds,
    http: { status: 503, headers: { 'retry-after': String(busySeconds) } },
  })
