import {
  BrokenCircuitError,
  BulkheadRejectedError,
  bulkhead,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
  type IBackoffFactory,
  wrap,
} from 'cockatiel'
import { type Clock, pause } from '../clock/clock.ts'
import { GatewayError } from './error.ts'
import { isTransient, serviceLabel, UpstreamHttpError } from './upstreamError.ts'

/**
 * Runs the attempts of one request: each in a free slot and through the circuit breaker, and again
 * where a retry may help. Rejects with the error of the last attempt, or with the signal's reason.
 */
export type Policy = <T>(
  attempt: () => Promise<T>,
  options: { isRepeatable: boolean; signal: AbortSignal },
) => Promise<T>

/** What a policy is made of. */
export interface PolicyOptions {
  /** Names the upstream in errors. */
  readonly service: string
  readonly clock: Clock
  /** The most attempts under way at once. Eight times as many may wait. */
  readonly concurrency: number
  /** Milliseconds to wait before a retry, by its number from 1, unless the upstream names a time. */
  readonly backoff: (attempt: number) => number
}

/** The most retries of one request. */
const maxRetries = 2

/** Each request earns one credit and each retry costs this many: at most one request in five is a retry. */
const retryCost = 5

/** The most credits saved up: ten retries. */
const maxCredits = 10 * retryCost

/** The number of failures in a row that open the circuit. */
const failuresToOpen = 10

/** Milliseconds an open circuit rejects requests before one of them probes the upstream. */
const openMs = 5_000

/** Opens the policy of one upstream, which all its requests share. */
export function createPolicy({ service, clock, concurrency, backoff }: PolicyOptions): Policy {
  const breaker = circuitBreaker(
    handleWhen((error) => isTransient(error) || isTimeout(error)),
    { halfOpenAfter: after(clock, openMs), breaker: new ConsecutiveBreaker(failuresToOpen) },
  )
  const guard = wrap(bulkhead(concurrency, concurrency * 8), breaker)
  // A budget shared by all requests keeps retries from multiplying an outage.
  let credits = maxCredits

  const mayRetry = (error: unknown, retries: number) =>
    isTransient(error) && retries < maxRetries && credits >= retryCost

  return async (attempt, { isRepeatable, signal }) => {
    credits = Math.min(maxCredits, credits + 1)
    for (let retries = 0; ; retries += 1) {
      try {
        return await guard.execute(attempt, signal)
      } catch (error) {
        if (signal.aborted) throw signal.reason
        if (!isRepeatable || !mayRetry(error, retries)) throw policyError(service, error)
        credits -= retryCost
        const wait = retryAfterOf(error) ?? backoff(retries + 1)
        if (wait > 0) await pause(clock, wait, signal)
      }
    }
  }
}

/**
 * The time a circuit stays open, measured by `clock`. Cockatiel measures it by the machine's date, so
 * the duration it reads is endless until the time is up by `clock`, and over from then on.
 */
function after(clock: Clock, milliseconds: number): IBackoffFactory<unknown> {
  return {
    next() {
      const until = clock.now() + milliseconds
      return {
        get duration() {
          return clock.now() < until ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY
        },
        next: after(clock, milliseconds).next,
      }
    },
  }
}

const isTimeout = (error: unknown): boolean =>
  error instanceof GatewayError && error.code === 'UPSTREAM_TIMEOUT'

const retryAfterOf = (error: unknown): number | undefined =>
  error instanceof UpstreamHttpError ? error.retryAfter : undefined

/** Gives the library's own errors a code. */
function policyError(service: string, cause: unknown): unknown {
  if (cause instanceof BrokenCircuitError) {
    return unavailable(service, 'is temporarily unavailable (circuit open).', cause)
  }
  if (cause instanceof BulkheadRejectedError) {
    return unavailable(service, 'is temporarily unavailable (too many requests waiting).', cause)
  }
  return cause
}

const unavailable = (service: string, claim: string, cause: Error) =>
  new GatewayError('UPSTREAM_UNAVAILABLE', `${serviceLabel(service)} ${claim}`, { service, cause })
