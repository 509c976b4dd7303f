import type { ExecutionResult, GraphQLError } from 'graphql'
import { RequestScope } from '../../engine/upstream/requestScope.ts'
import { isPromise } from '../../kit/awaitable.ts'
import { limitWork } from '../../kit/clock/deadline.ts'
import { type Signal, SignalSource } from '../../kit/clock/signal.ts'
import { createTimeouts, type StartTimeout } from '../../kit/clock/timeouts.ts'
import { limitError } from '../clients/limitError.ts'
import { createAnswerSize } from './answerSize.ts'
import type { ExecutorArgs } from './compiled/executor.ts'
import type { OperationServices } from './operationServices.ts'
import { formatResult, withErrors } from './result.ts'
import type { Sender } from './sender.ts'

/** The arguments of an executor that an operation brings. An execution adds the others. */
export type RunArgs = Omit<ExecutorArgs, 'context' | 'size' | 'work'>

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

/**
 * Upstream requests that an operation may send, for each point that it may cost. A request costs five points, so most operations
 * are refused for their cost before. This bounds what no price knows, such as how many records a filter has to read.
 */
const requestsOfPoint = 1 / 20

type ExecutionServices = Pick<OperationServices, 'shared' | 'executor' | 'admission' | 'unread' | 'formatError'>

/** Executes operations that have passed all checks, each with a scope and a deadline of its own. */
export class Execution {
  readonly #services: ExecutionServices
  readonly #timeoutMs: number
  readonly #startTimeout: StartTimeout

  constructor(services: ExecutionServices) {
    const { clock, limits } = services.shared
    this.#services = services
    this.#timeoutMs = limits.timeoutMs
    this.#startTimeout = createTimeouts(clock, this.#timeoutMs)
  }

  /** Opens the scope of one operation, within the limits of one. It ends with the signal. */
  openScope(signal: Signal, { client, requestId, trace }: Sender): RequestScope {
    const { shared } = this.#services
    const { maxCost, maxAnswerBytes } = shared.limits
    return new RequestScope(signal, shared, {
      client: client.key,
      requestId,
      trace,
      work: client.beginWork(),
      budget: { maxRequests: Math.ceil(maxCost * requestsOfPoint), maxBytes: maxAnswerBytes },
    })
  }

  /**
   * Executes a query, a mutation or one event. An operation of many points may have to wait for others. It has the rest
   * of its time since it arrived, unless there is another number of `milliseconds`.
   */
  execute(
    args: RunArgs,
    sender: Sender,
    points = 0,
    milliseconds = this.#timeLeft(sender),
  ): ScopedResult | Promise<ScopedResult> {
    // Only the scope has the deadline: fields that are resolved by then are still in the result.
    const ending = new SignalSource(this.#services.shared.clock.now() + milliseconds)
    if (sender.signal.aborted) ending.abort(sender.signal.reason)
    let hasStarted = false
    const scoped = this.#services.admission.run(sender.client.key, points, ending, () => {
      hasStarted = true
      return this.#executeInScope(args, sender, ending)
    })
    if (!isPromise(scoped)) return scoped
    const close = limitWork(ending, this.#timeoutOf(milliseconds), { signal: sender.signal })
    scoped.then(close, close)
    return scoped.catch((error: unknown) => {
      throw hasStarted || sender.signal.aborted ? error : tooBusy()
    })
  }

  /** Executes within a scope of its own, which ends with the signal `ending`. */
  #executeInScope(args: RunArgs, sender: Sender, ending: Signal): ScopedResult | Promise<ScopedResult> {
    const { shared, executor, unread, formatError } = this.#services
    const scope = this.openScope(ending, sender)
    const size = createAnswerSize(sender.client.key, shared.limits, unread)
    const errorsBeside: GraphQLError[] = []
    const finish = (result: ExecutionResult): ScopedResult => {
      size.close()
      const { bytes, rows } = size
      const whole = errorsBeside.length > 0 ? withErrors(result, errorsBeside) : result
      return { result: formatResult(whole, sender, formatError), bytes, rows, scope }
    }
    // V8 adds a property after a spread far more slowly than before it.
    const result = executor.execute({
      context: { scope, errorsBeside, ...shared },
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

  /** The milliseconds of an operation. The time that it waited since it arrived is a part of them. */
  #timeLeft({ arrivedAt }: Sender): number {
    const waited = arrivedAt === undefined ? 0 : this.#services.shared.clock.now() - arrivedAt
    return waited < notableMs ? this.#timeoutMs : this.#timeoutMs - waited
  }

  #timeoutOf(milliseconds: number): StartTimeout {
    if (milliseconds === this.#timeoutMs) return this.#startTimeout
    return (run) => this.#services.shared.clock.after(milliseconds, run)
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
