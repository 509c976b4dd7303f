import type { Dispatcher } from 'undici'
import type { CacheStore } from '../cache/cache.ts'
import { createSingleFlight, type Flight } from '../cache/singleFlight.ts'
import { typedCache, typedKey } from '../cache/typedKey.ts'
import type { Cancellation } from '../clock/cancellation.ts'
import type { Clock } from '../clock/clock.ts'
import type { Signal } from '../clock/signal.ts'
import { createTimeouts } from '../clock/timeouts.ts'
import { GatewayError } from './error.ts'
import type { UpstreamEvents } from './events.ts'
import { exchange, headerOf, type UpstreamResponse } from './exchange.ts'
import type { Owner } from './lane.ts'
import { createPolicy } from './policy.ts'
import { createRedactor, type Redact } from './redact.ts'
import { requestKey, type UpstreamRequest } from './request.ts'
import type { RequestSpan } from './trace.ts'
import { networkFault, retryAfterOf, serviceLabel, UpstreamHttpError } from './upstreamError.ts'

/** A client for one REST service: the indexer of a chain, or the router. */
export interface Upstream {
  /** A chain id, or `router`. */
  readonly service: string
  /**
   * Sends a request, or joins an equal GET already under way. Null when the upstream answers 404.
   * Rejects with a `GatewayError`, or with the signal's reason once it aborts. Requests of one owner
   * take turns with those of others. All requests without an owner count as one owner's. `onFresh` is
   * called before the promise resolves, with the time of the clock until which the response stays the
   * same: 0 if it may change at any time.
   */
  send<T>(
    request: UpstreamRequest<T>,
    signal: Signal,
    owner?: Owner,
    onFresh?: (until: number) => void,
  ): Promise<T | null>
}

/** A decoded response. Null for a 404. */
interface Decoded<T> {
  readonly value: T | null
  /** Time of the clock until which it stays the same. 0 if it may change at any time. */
  readonly freshUntil: number
}

/** How to reach an upstream, and how long it may take. Times are in milliseconds. */
export interface UpstreamOptions {
  readonly service: string
  /** Base URL. Its path is a prefix of every request's. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly dispatcher: Dispatcher
  readonly clock: Clock
  /** Holds responses that stay the same, in a region of this upstream. */
  readonly cache: CacheStore
  /** Total time for one attempt, from its turn in the queue to the last byte. 5 s by default. */
  readonly timeout?: number
  /** The same for slow requests, if it is longer. 15 s by default. */
  readonly slowTimeout?: number
  /** The most requests under way at once. 32 by default. */
  readonly concurrency?: number
  /** The most requests that wait for their turn. 25,000 by default. */
  readonly maxWaiting?: number
  /** The most bytes of memory that cached responses take up, roughly. 32 MiB by default. */
  readonly cacheBytes?: number
  /** How long final responses are cached, since a chain can be reset. 0 caches none. 1 h by default. */
  readonly finalTtl?: number
  /** How long the responses to all other GETs are cached. Not at all by default. */
  readonly movingTtl?: number
  /** Wait before a retry of a GET, by its number from 1. By default about 100 ms, then 200 ms. */
  readonly backoff?: (attempt: number) => number
  readonly events?: Partial<UpstreamEvents>
}

const defaults = {
  timeout: 5_000,
  slowTimeout: 15_000,
  concurrency: 32,
  maxWaiting: 25_000,
  cacheBytes: 32 * 1024 * 1024,
  finalTtl: 60 * 60 * 1000,
  movingTtl: 0,
  backoff: (attempt: number) => 50 * 2 ** attempt * (0.5 + Math.random()),
  events: {} as Partial<UpstreamEvents>,
}

/** Opens a client for one upstream. It sends nothing before the first request. */
export function createUpstream(options: UpstreamOptions): Upstream {
  const { service, clock, timeout, concurrency, maxWaiting, backoff, events, ...cacheOptions } = {
    ...defaults,
    ...options,
  }
  const { slowTimeout, cacheBytes, finalTtl, movingTtl } = cacheOptions
  const base = new URL(options.url)
  const prefix = base.pathname.replace(/\/+$/, '')
  const singleFlight = createSingleFlight<Owner>()
  const responses = typedCache(
    options.cache.open({ name: `responses of ${service}`, maxBytes: cacheBytes }),
  )
  const policy = createPolicy({ service, clock, concurrency, maxWaiting, backoff, events })
  const startTimeout = createTimeouts(clock, timeout)
  const startSlowTimeout = createTimeouts(clock, Math.max(timeout, slowTimeout))
  const background: Owner = { client: '', isUrgent: true }

  const redact = createRedactor(options.headers ?? {})
  const accept = { accept: 'application/json' }
  const headers = {
    GET: { ...accept, ...options.headers },
    POST: { ...accept, 'content-type': 'application/json', ...options.headers },
  }

  /** Milliseconds for which a response stays the same. */
  const lifeOf = <T>(request: UpstreamRequest<T>, value: T): number => {
    const { isFinal, method } = request
    if (typeof isFinal === 'function' ? isFinal(value) : isFinal) return finalTtl
    return method === 'GET' ? movingTtl : 0
  }

  /** Reads a response, and caches it if it stays the same. Throws the error that it stands for. */
  const decode = <T>(
    request: UpstreamRequest<T>,
    response: UpstreamResponse,
    sentAt: number,
  ): Decoded<T> => {
    const { status, text } = response
    if (status === 404 && !request.is404Error) return { value: null, freshUntil: 0 }
    if (status < 200 || status > 299) {
      const retryAfter = retryAfterOf(headerOf(response, 'retry-after'))
      throw new UpstreamHttpError(service, status, text, retryAfter, redact)
    }
    const value = readResponse({ service, redact }, request, text)
    const life = lifeOf(request, value)
    if (life <= 0) return { value, freshUntil: 0 }
    const decoded = { value, freshUntil: sentAt + life }
    const key = typedKey<Decoded<T>>(requestKey(request))
    responses.set(key, decoded, memoryOf(key, text), decoded.freshUntil - clock.now())
    return decoded
  }

  const headersOf = (
    method: 'GET' | 'POST',
    requestId: string | undefined,
    span: RequestSpan | undefined,
  ): Readonly<Record<string, string>> =>
    requestId === undefined && !span
      ? headers[method]
      : { ...headers[method], ...(requestId && { 'x-request-id': requestId }), ...span?.headers }

  const attempt = <T>(
    request: UpstreamRequest<T>,
    cancellation: Cancellation,
    owners: Flight<Owner>,
    { requestId, trace }: Owner,
    retries: number,
  ): Promise<Decoded<T>> =>
    new Promise((resolve, reject) => {
      checkBudgets(owners.members())
      const startedAt = clock.now()
      const { method, target, body, route } = request
      const span = trace?.startRequest({ service, method, route, retries })
      const end = () => {
        cancelTimer()
        cancellation.onCancel = undefined
      }
      const observe = (outcome: string, cause?: string) => {
        span?.end(outcome)
        events.onAttempt?.({ service, outcome, seconds: (clock.now() - startedAt) / 1000, cause })
      }
      const fail = (error: Error, hasStatus: boolean) => {
        end()
        const fault = networkFault(service, error, hasStatus)
        observe(fault.code, causeOf(error))
        reject(fault)
      }
      const cancelTimer = (request.isSlow ? startSlowTimeout : startTimeout)(() => {
        const error = new DOMException('The request timed out.', 'TimeoutError')
        sent.abort(error)
        fail(error, sent.hasStatus())
      })
      cancellation.onCancel = () => {
        end()
        span?.end('CANCELLED')
        sent.abort(cancelled)
        reject(cancellation.reason)
      }
      const sent = exchange(
        options.dispatcher,
        {
          origin: base.origin,
          path: prefix + target,
          method,
          headers: headersOf(method, requestId, span),
          body: body ?? null,
        },
        {
          onResponse(response) {
            end()
            observe(String(response.status))
            const bytes = Buffer.byteLength(response.text)
            for (const { budget } of owners.members()) budget?.receive(bytes)
            try {
              resolve(decode(request, response, startedAt))
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
    async send<T>(
      request: UpstreamRequest<T>,
      signal: Signal,
      owner = background,
      onFresh?: (until: number) => void,
    ) {
      const isRepeatable = request.method === 'GET'
      const key = typedKey<Decoded<T>>(requestKey(request))
      const mayBeCached = request.isFinal !== false || (isRepeatable && movingTtl > 0)
      let decoded = mayBeCached ? responses.get(key) : undefined
      if (!decoded) {
        owner.budget?.send()
        let isFirst = false
        let attempts = 0
        const response = singleFlight.run(
          isRepeatable ? key : undefined,
          signal,
          (cancellation, owners) => {
            isFirst = true
            return policy(() => attempt(request, cancellation, owners, owner, attempts++), {
              route: request.route,
              isRepeatable,
              cancellation,
              owners,
            })
          },
          owner,
        )
        if (!isFirst && !signal.aborted) events.onCoalesced?.(service)
        decoded = await response
      }
      onFresh?.(decoded.freshUntil)
      return decoded.value
    },
  }
}

/**
 * Bytes that a decoded response takes up, roughly. Decoded blocks and transactions were measured at 1.5
 * and 1.7 times their JSON text.
 */
const memoryOf = (key: string, text: string): number =>
  Math.ceil(Buffer.byteLength(text) * 1.75) + Buffer.byteLength(key) + 256

/** Throws `QUERY_TOO_COMPLEX` if all operations that wait for a response have received too much. */
function checkBudgets(owners: readonly Owner[]): void {
  if (owners.every(({ budget }) => budget?.isExceeded)) owners[0]?.budget?.check()
}

/** The code of a network error, or its message. */
const causeOf = (error: Error): string =>
  'code' in error && typeof error.code === 'string' ? error.code : error.message

/** The reason that undici closes the connection of a cancelled request with. Nobody reads it. */
const cancelled = new Error('The request was cancelled.')

function readResponse<T>(
  { service, redact }: { service: string; redact: Redact },
  request: UpstreamRequest<T>,
  raw: string,
): T {
  try {
    // The body of some responses is empty. Whether that is valid is up to `read`.
    return request.read(raw === '' ? null : JSON.parse(raw), raw)
  } catch (cause) {
    throw new GatewayError(
      'UPSTREAM_INVALID_RESPONSE',
      `${serviceLabel(service)} sent a response of an unexpected shape.`,
      { service, cause: new Error(redact(mismatchOf(cause))) },
    )
  }
}

/** What is wrong with a response. Syntax errors quote a part of it, which could be half a secret. */
const mismatchOf = (error: unknown): string =>
  error instanceof Error && !(error instanceof SyntaxError)
    ? error.message
    : 'The syntax is invalid.'
