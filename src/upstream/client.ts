import type { Dispatcher } from 'undici'
import type { CacheStore } from '../cache/cache.ts'
import { createSingleFlight } from '../cache/singleFlight.ts'
import { typedCache } from '../cache/typedKey.ts'
import type { Clock } from '../clock/clock.ts'
import { openDeadline } from '../clock/deadline.ts'
import { GatewayError } from './error.ts'
import type { Owner } from './fairQueue.ts'
import { createPolicy } from './policy.ts'
import { requestKey, type UpstreamRequest } from './request.ts'
import { networkFault, retryAfterOf, serviceLabel, UpstreamHttpError } from './upstreamError.ts'

/** A client for one REST service: the indexer of a chain, or the router. */
export interface Upstream {
  /** A chain id, or `router`. */
  readonly service: string
  /**
   * Sends a request, or joins an equal GET already under way. Null when the upstream answers 404.
   * Rejects with a `GatewayError`, or with the signal's reason once it aborts. Requests of one owner
   * take turns with those of others. All requests without an owner count as one owner's.
   */
  send<T>(request: UpstreamRequest<T>, signal: AbortSignal, owner?: Owner): Promise<T | null>
}

/** The outcome of one attempt, for metrics. */
export interface Observation {
  readonly service: string
  /** The HTTP status, or an error code if there was no complete response. */
  readonly outcome: string
  readonly seconds: number
}

/** How to reach an upstream, and how long it may take. Times are in milliseconds. */
export interface UpstreamOptions {
  readonly service: string
  /** Base URL. Its path is a prefix of every request's. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly dispatcher: Dispatcher
  readonly clock: Clock
  /** Holds immutable responses, in a region of this upstream. */
  readonly cache: CacheStore
  /** Total time for one attempt, from its turn in the queue to the last byte. 5 s by default. */
  readonly timeout?: number
  /** The most requests under way at once. 32 by default. */
  readonly concurrency?: number
  /** The most requests that wait for their turn. 50,000 by default. */
  readonly maxWaiting?: number
  /** The most bytes of immutable responses cached: bodies as sent, with their keys. 32 MiB by default. */
  readonly cacheBytes?: number
  /** Wait before a retry of a GET, by its number from 1. By default about 100 ms, then 200 ms. */
  readonly backoff?: (attempt: number) => number
  readonly observe?: (observation: Observation) => void
}

const defaults = {
  timeout: 5_000,
  concurrency: 32,
  maxWaiting: 50_000,
  cacheBytes: 32 * 1024 * 1024,
  backoff: (attempt: number) => 50 * 2 ** attempt * (0.5 + Math.random()),
}

/** Opens a client for one upstream. It sends nothing before the first request. */
export function createUpstream(options: UpstreamOptions): Upstream {
  const { service, clock, timeout, concurrency, maxWaiting, cacheBytes, backoff } = {
    ...defaults,
    ...options,
  }
  const base = new URL(options.url)
  const prefix = base.pathname.replace(/\/+$/, '')
  const singleFlight = createSingleFlight()
  const immutable = typedCache(
    options.cache.open({ name: `responses of ${service}`, maxBytes: cacheBytes }),
  )
  const policy = createPolicy({ service, clock, concurrency, maxWaiting, backoff })
  const background: Owner = { kind: 'background' }

  const attempt = async <T>(
    request: UpstreamRequest<T>,
    signal: AbortSignal,
  ): Promise<T | null> => {
    const startedAt = clock.now()
    const deadline = openDeadline(clock, { milliseconds: timeout, signal })
    let status = 0
    const observe = (outcome: string | number) =>
      options.observe?.({
        service,
        outcome: String(outcome),
        seconds: (clock.now() - startedAt) / 1000,
      })
    try {
      const response = await options.dispatcher.request({
        origin: base.origin,
        path: prefix + request.target,
        method: request.method,
        headers: {
          accept: 'application/json',
          ...(request.body !== undefined && { 'content-type': 'application/json' }),
          ...options.headers,
        },
        body: request.body,
        signal: deadline.signal,
      })
      status = response.statusCode
      const raw = await response.body.text()
      observe(status)
      if (status === 404 && !request.is404Error) return null
      if (status < 200 || status > 299) {
        const retryAfter = retryAfterOf(response.headers['retry-after'])
        throw new UpstreamHttpError(service, status, raw, retryAfter)
      }
      const value = readResponse(service, request, raw)
      if (request.isImmutable) {
        const key = requestKey(request)
        immutable.set(key, value, Buffer.byteLength(raw) + Buffer.byteLength(key))
      }
      return value
    } catch (error) {
      if (error instanceof GatewayError) throw error
      if (signal.aborted) throw signal.reason
      const fault = networkFault(service, error, status > 0)
      observe(fault.code)
      throw fault
    } finally {
      deadline.close()
    }
  }

  const run = <T>(
    request: UpstreamRequest<T>,
    signal: AbortSignal,
    owner: Owner,
  ): Promise<T | null> =>
    policy(() => attempt(request, signal), {
      isRepeatable: request.method === 'GET',
      signal,
      owner,
    })

  return {
    service,
    async send(request, signal, owner = background) {
      const key = requestKey(request)
      const cached = request.isImmutable ? immutable.get(key) : undefined
      if (cached !== undefined) return cached
      if (request.method !== 'GET') return run(request, signal, owner)
      return singleFlight.run(key, signal, (shared) => run(request, shared, owner))
    },
  }
}

function readResponse<T>(service: string, request: UpstreamRequest<T>, raw: string): T {
  try {
    // The body of some responses is empty. Whether that is valid is up to `read`.
    return request.read(raw === '' ? null : JSON.parse(raw), raw)
  } catch (cause) {
    throw new GatewayError(
      'UPSTREAM_INVALID_RESPONSE',
      `${serviceLabel(service)} sent a response of an unexpected shape.`,
      { service, cause },
    )
  }
}
