import type { Dispatcher } from 'undici'
import type { CacheStore } from '../cache/cache.ts'
import { createSingleFlight } from '../cache/singleFlight.ts'
import { typedCache } from '../cache/typedKey.ts'
import type { Cancellation } from '../clock/cancellation.ts'
import type { Clock } from '../clock/clock.ts'
import type { Signal } from '../clock/signal.ts'
import { createTimeouts } from '../clock/timeouts.ts'
import { GatewayError } from './error.ts'
import { exchange, type UpstreamResponse } from './exchange.ts'
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
  send<T>(request: UpstreamRequest<T>, signal: Signal, owner?: Owner): Promise<T | null>
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
  /** The most requests that wait for their turn. 25,000 by default. */
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
  maxWaiting: 25_000,
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
  const startTimeout = createTimeouts(clock, timeout)
  const background: Owner = { kind: 'background', client: '' }

  const accept = { accept: 'application/json' }
  const headers = {
    GET: { ...accept, ...options.headers },
    POST: { ...accept, 'content-type': 'application/json', ...options.headers },
  }

  /** The value of a response. Throws the error that it stands for. */
  const valueIn = <T>(request: UpstreamRequest<T>, response: UpstreamResponse): T | null => {
    const { status, text } = response
    if (status === 404 && !request.is404Error) return null
    if (status < 200 || status > 299) {
      const retryAfter = retryAfterOf(response.headers['retry-after'])
      throw new UpstreamHttpError(service, status, text, retryAfter)
    }
    const value = readResponse(service, request, text)
    if (request.isImmutable) {
      const key = requestKey(request)
      immutable.set(key, value, Buffer.byteLength(text) + Buffer.byteLength(key))
    }
    return value
  }

  const attempt = <T>(request: UpstreamRequest<T>, cancellation: Cancellation): Promise<T | null> =>
    new Promise((resolve, reject) => {
      // The circuit breaker lets some attempts wait for the outcome of another.
      if (cancellation.isCancelled) {
        reject(cancellation.reason)
        return
      }
      const startedAt = clock.now()
      const end = () => {
        cancelTimer()
        cancellation.onCancel = undefined
      }
      const observe = (outcome: string) =>
        options.observe?.({ service, outcome, seconds: (clock.now() - startedAt) / 1000 })
      const fail = (error: Error, hasStatus: boolean) => {
        end()
        const fault = networkFault(service, error, hasStatus)
        observe(fault.code)
        reject(fault)
      }
      const cancelTimer = startTimeout(() => {
        const error = new DOMException('The request timed out.', 'TimeoutError')
        sent.abort(error)
        fail(error, sent.hasStatus)
      })
      cancellation.onCancel = () => {
        end()
        sent.abort(cancelled)
        reject(cancellation.reason)
      }
      const { method, target, body } = request
      const sent = exchange(
        options.dispatcher,
        {
          origin: base.origin,
          path: prefix + target,
          method,
          headers: headers[method],
          body: body ?? null,
        },
        {
          onResponse(response) {
            end()
            observe(String(response.status))
            try {
              resolve(valueIn(request, response))
            } catch (error) {
              reject(error)
            }
          },
          onFault: fail,
        },
      )
    })

  return {
    service,
    send(request, signal, owner = background) {
      const key = requestKey(request)
      const cached = request.isImmutable ? immutable.get(key) : undefined
      if (cached !== undefined) return Promise.resolve(cached)
      const isRepeatable = request.method === 'GET'
      return singleFlight.run(isRepeatable ? key : undefined, signal, (cancellation) =>
        policy(() => attempt(request, cancellation), { isRepeatable, cancellation, owner }),
      )
    },
  }
}

/** The reason that undici closes the connection of a cancelled request with. Nobody reads it. */
const cancelled = new Error('The request was cancelled.')

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
