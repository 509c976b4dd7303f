import {
  BrokenCircuitError,
  BulkheadRejectedError,
  bulkhead,
  ConsecutiveBreaker,
  circuitBreaker,
  DelegateBackoff,
  handleWhen,
  retry,
  wrap,
} from 'cockatiel'
import { LRUCache } from 'lru-cache'
import type { Dispatcher } from 'undici'
import { createSingleFlight } from '../cache/singleFlight.ts'
import { GatewayError } from './error.ts'
import { requestKey, type UpstreamRequest } from './request.ts'
import {
  isTransient,
  networkFault,
  retryAfterOf,
  serviceLabel,
  UpstreamHttpError,
} from './upstreamError.ts'

/** One REST service the graph is made of. */
export interface Upstream {
  /** A chain id, or `router`. */
  readonly service: string
  /**
   * Sends a call, or shares an equal GET already under way. Null when the upstream answered 404.
   * Rejects with a `GatewayError`, or with the signal's reason once it aborts.
   */
  send<T>(call: UpstreamRequest<T>, signal: AbortSignal): Promise<T | null>
}

/** What became of one request, for metrics. */
export interface Observation {
  readonly service: string
  /** An HTTP status, or an error code where there was none. */
  readonly outcome: string
  readonly seconds: number
}

/** How an upstream is reached, and how long it may take. Times are in milliseconds. */
export interface UpstreamOptions {
  readonly service: string
  /** Base URL; a path prefix in it is kept. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly dispatcher: Dispatcher
  /** Total time for one attempt, from queueing to the last byte. */
  readonly timeout?: number
  /** Requests at work at once; eight times as many may wait. */
  readonly concurrency?: number
  /** Bytes of immutable responses kept. */
  readonly cacheBytes?: number
  /** Wait before a GET is repeated, by how often it was tried. */
  readonly backoff?: (attempt: number) => number
  readonly observe?: (observation: Observation) => void
}

const defaults = {
  timeout: 5_000,
  concurrency: 32,
  cacheBytes: 32 * 1024 * 1024,
  backoff: (attempt: number) => 50 * 2 ** attempt * (0.5 + Math.random()),
}

/** Opens a client for one upstream. Nothing is sent before the first call. */
export function createUpstream(options: UpstreamOptions): Upstream {
  const { service, timeout, concurrency, cacheBytes, backoff } = { ...defaults, ...options }
  const base = new URL(options.url)
  const prefix = base.pathname.replace(/\/+$/, '')
  const flights = createSingleFlight()
  const kept = new LRUCache<string, { value: unknown }>({ maxSize: cacheBytes })
  const policy = createPolicy(concurrency, backoff)

  const attempt = async <T>(call: UpstreamRequest<T>, signal: AbortSignal): Promise<T | null> => {
    const started = performance.now()
    let status = 0
    const outcome = (is: string | number) =>
      options.observe?.({
        service,
        outcome: String(is),
        seconds: (performance.now() - started) / 1000,
      })
    try {
      const answer = await options.dispatcher.request({
        origin: base.origin,
        path: prefix + call.target,
        method: call.method,
        headers: {
          accept: 'application/json',
          ...(call.body !== undefined && { 'content-type': 'application/json' }),
          ...options.headers,
        },
        body: call.body,
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
      })
      status = answer.statusCode
      const raw = await answer.body.text()
      outcome(status)
      if (status === 404 && !call.is404Error) return null
      if (status < 200 || status > 299) {
        const retryAfter = retryAfterOf(answer.headers['retry-after'])
        throw new UpstreamHttpError(service, status, raw, retryAfter)
      }
      const value = readAnswer(service, call, raw)
      if (call.isImmutable) kept.set(requestKey(call), { value }, { size: raw.length + 1 })
      return value
    } catch (error) {
      if (error instanceof GatewayError) throw error
      if (signal.aborted) throw signal.reason
      const fault = networkFault(service, error, status > 0)
      outcome(fault.code)
      throw fault
    }
  }

  const guarded = <T>(call: UpstreamRequest<T>, signal: AbortSignal): Promise<T | null> =>
    policy(() => attempt(call, signal), { isRepeatable: call.method === 'GET', signal }).catch(
      (error: unknown) => {
        if (signal.aborted) throw signal.reason
        throw mapPolicyError(service, error)
      },
    )

  return {
    service,
    async send(call, signal) {
      const key = requestKey(call)
      const hit = call.isImmutable ? kept.get(key) : undefined
      // Equal keys are equal calls, so what was kept or is under way was read by the same `read`.
      if (hit) return hit.value as never
      if (call.method !== 'GET') return guarded(call, signal)
      return flights.run(key, signal, (shared) => guarded(call, shared))
    },
  }
}

function readAnswer<T>(service: string, call: UpstreamRequest<T>, raw: string): T {
  try {
    // Some calls have nothing to answer; whether that will do is for `read` to say.
    return call.read(raw === '' ? null : JSON.parse(raw), raw)
  } catch (cause) {
    throw new GatewayError(
      'UPSTREAM_INVALID_RESPONSE',
      `${serviceLabel(service)} sent an answer of an unexpected shape.`,
      { service, cause },
    )
  }
}

/** Runs one call's attempts: in a free slot, past the breaker, and again where that may help. */
type Policy = <T>(
  attempt: () => Promise<T>,
  options: { isRepeatable: boolean; signal: AbortSignal },
) => Promise<T>

function createPolicy(concurrency: number, backoff: (attempt: number) => number): Policy {
  // A dead upstream is asked again by one probe every five seconds, not by every query.
  const breaker = circuitBreaker(
    handleWhen((error) => isTransient(error) || isTimeout(error)),
    { halfOpenAfter: 5_000, breaker: new ConsecutiveBreaker(10) },
  )
  const guard = wrap(bulkhead(concurrency, concurrency * 8), breaker)
  const retries = retry(handleWhen(isTransient), {
    maxAttempts: 2,
    backoff: new DelegateBackoff(({ result, attempt }) => {
      const named =
        'error' in result && result.error instanceof UpstreamHttpError
          ? result.error.retryAfter
          : undefined
      return named ?? backoff(attempt)
    }),
  })
  // At most one request in five may be a repeat, so that retries cannot multiply an outage.
  let budget = maxBudget
  return (attempt, { isRepeatable, signal }) => {
    budget = Math.min(maxBudget, budget + 0.2)
    if (!isRepeatable || budget < 1) return guard.execute(attempt, signal)
    return retries.execute((context) => {
      if (context.attempt > 0) budget -= 1
      return guard.execute(attempt, signal)
    }, signal)
  }
}

/** Repeats that may be owed at once. */
const maxBudget = 10

const isTimeout = (error: unknown): boolean =>
  error instanceof GatewayError && error.code === 'UPSTREAM_TIMEOUT'

function mapPolicyError(service: string, error: unknown): unknown {
  if (!(error instanceof BrokenCircuitError || error instanceof BulkheadRejectedError)) return error
  return new GatewayError(
    'UPSTREAM_UNAVAILABLE',
    `${serviceLabel(service)} has been failing, or is overloaded; it is left alone for a moment.`,
    { service, cause: error },
  )
}
