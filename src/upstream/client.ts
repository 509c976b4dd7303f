import { createHash } from 'node:crypto'
import type { Dispatcher } from 'undici'
import { createAdmission } from '../kit/cache/admission.ts'
import type { CacheStore } from '../kit/cache/cache.ts'
import { createSingleFlight } from '../kit/cache/singleFlight.ts'
import { typedCache } from '../kit/cache/typedCache.ts'
import { type TypedKey, typedKey } from '../kit/cache/typedKey.ts'
import type { Clock } from '../kit/clock/clock.ts'
import type { Signal } from '../kit/clock/signal.ts'
import { createTurns, type Turns } from '../kit/clock/turns.ts'
import { Page } from '../wire/decode.ts'
import { createJsonParser } from '../wire/shapedJson.ts'
import { createAttempts } from './attempt.ts'
import type { UpstreamEvents } from './events.ts'
import type { UpstreamResponse } from './exchange.ts'
import type { Owner } from './owner.ts'
import { createPolicy, type EndAttempt } from './policy.ts'
import { readResponse, readText } from './readResponse.ts'
import { createRedactor } from './redact.ts'
import { requestKey, type UpstreamRequest } from './request.ts'
import type { SharedRecords } from './sharedRecords.ts'

/** A client for one REST service: the indexer of a chain, or the router. */
export interface Upstream {
  /** A chain id, or `router`. */
  readonly service: string
  /** Where its responses come from: see `sourceOf`. What is remembered of them belongs to it. */
  readonly source: string
  /** What its responses have to show: see `marked`. */
  readonly mark?: string
  /**
   * Sends a request, or joins an equal GET already under way. Null when the upstream answers 404.
   * Rejects with a `GatewayError`, or with the signal's reason once it aborts. Requests of one owner
   * take turns with those of others. All requests without an owner count as one owner's. `onFresh` is
   * called before the promise resolves, with the time of the clock until which the response stays the
   * same: 0 if it may change at any time. A page is an object of its own for each caller.
   */
  send<T>(
    request: UpstreamRequest<T>,
    signal: Signal,
    owner?: Owner,
    onFresh?: (until: number) => void,
  ): Promise<T | null>
}

/**
 * The same upstream for those who know that it has reached a state, which `mark` names. Its caches are
 * passed by, and a response is shared only with requests of the same mark, since others may be older.
 */
export const marked = (upstream: Upstream, mark: string): Upstream => ({
  service: upstream.service,
  source: upstream.source,
  mark,
  send: (request, ...rest) => upstream.send({ ...request, mark }, ...rest),
})

/** A decoded response. Null for a 404. */
interface Decoded<T> {
  readonly value: T | null
  /** Time of the clock until which it stays the same. 0 if it may change at any time. */
  readonly freshUntil: number
}

/**
 * A name for a service at a URL, the same in all processes: a chain whose indexer moves has another source. It has
 * no part of the URL in it.
 */
export const sourceOf = (service: string, url: string): string =>
  `${service}@${createHash('sha256').update(url).digest('base64url').slice(0, 16)}`

/** The region of the cache with the responses of a service. */
export const responsesRegion = (service: string): string => `responses of ${service}`

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
  /** The most requests under way at once. 32 by default. `reserved` of them are for urgent requests only, by default 0. */
  readonly concurrency?: number
  readonly reserved?: number
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
  /** Responses to heavy requests are read in turns. Upstreams can share them. */
  readonly turns?: Turns
  readonly events?: Partial<UpstreamEvents>
  /** Records that other gateways have read. By default none are known. */
  readonly records?: SharedRecords | undefined
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
  const { service, clock, events, cacheBytes, finalTtl, movingTtl, ...rest } = {
    ...defaults,
    ...options,
  }
  const { records } = options
  const source = sourceOf(service, options.url)
  const singleFlight = createSingleFlight<Owner>()
  const region = options.cache.open({ name: responsesRegion(service), maxBytes: cacheBytes })
  const responses = typedCache(region)
  const mayKeep = createAdmission(region, cacheBytes)
  const policy = createPolicy({ service, clock, events, ...rest })
  const headers = options.headers ?? {}
  const { turns = createTurns(clock) } = options
  const send = createAttempts({ service, clock, events, ...rest, headers, turns })
  const redact = createRedactor(headers)
  const parse = createJsonParser()
  const background: Owner = { client: '', isUrgent: true }

  /** Milliseconds for which a response stays the same. */
  const lifeOf = <T>(request: UpstreamRequest<T>, value: T): number => {
    const { isFinal, method, isText } = request
    if (isText) return 0
    if (typeof isFinal === 'function' ? isFinal(value) : isFinal) return finalTtl
    return method === 'GET' ? movingTtl : 0
  }

  /** Caches a value if it stays the same. */
  const keep = <T>(
    request: UpstreamRequest<T>,
    key: TypedKey<Decoded<T>>,
    value: T,
    bytes: number,
    sentAt: number,
  ): Decoded<T> => {
    const life = lifeOf(request, value)
    if (life <= 0) return { value, freshUntil: 0 }
    const decoded = { value, freshUntil: sentAt + life }
    if (mayKeep(key)) {
      responses.set(key, decoded, memoryOf(key, bytes), decoded.freshUntil - clock.now())
    }
    return decoded
  }

  /** A record that another gateway has read. Undefined if it is not known, or is not what it should be. */
  const findShared = async <T>(
    request: UpstreamRequest<T>,
    key: TypedKey<Decoded<T>>,
  ): Promise<Decoded<T> | undefined> => {
    const record = await records?.find(source, request.target)
    if (!record || record.ageMs >= finalTtl) return undefined
    try {
      const value = readText(service, request, record.body, parse)
      const bytes = Buffer.byteLength(record.body)
      return keep(request, key, value, bytes, clock.now() - record.ageMs)
    } catch {
      return undefined
    }
  }

  /** Reads a response, and caches it if it stays the same. Throws the error that it stands for. */
  const decode = <T>(
    request: UpstreamRequest<T>,
    key: TypedKey<Decoded<T>>,
    response: UpstreamResponse,
    sentAt: number,
  ): Decoded<T> => {
    if (response.status === 404 && !request.is404Error) return { value: null, freshUntil: 0 }
    const value = readResponse({ service, redact, parse, clock }, request, response)
    if (isRecord(request)) records?.keep(source, request.target, response.text)
    return keep(request, key, value, response.bytes, sentAt)
  }

  return {
    service,
    source,
    send<T>(
      request: UpstreamRequest<T>,
      signal: Signal,
      owner = background,
      onFresh?: (until: number) => void,
    ) {
      return new Promise<T | null>((settle, reject) => {
        const resolve = ({ value, freshUntil }: Decoded<T>) => {
          onFresh?.(freshUntil)
          // The cache, and others that wait for the response, keep theirs.
          settle(value instanceof Page ? (new Page(value) as T) : value)
        }
        const isRepeatable = request.method === 'GET'
        const key = typedKey<Decoded<T>>(requestKey(request))
        const mayBeCached = request.isFinal !== false || (isRepeatable && movingTtl > 0)
        // What never changes is right for every mark.
        const isShared = request.isFinal === true && request.mark !== undefined
        const cacheKey = isShared
          ? typedKey<Decoded<T>>(requestKey({ ...request, mark: undefined }))
          : key
        const known = mayBeCached ? responses.get(cacheKey) : undefined
        if (known) return resolve(known)
        owner.budget?.send()
        const hasJoined = singleFlight.run(
          isRepeatable ? key : undefined,
          { member: owner, signal, resolve, reject },
          (flight) => {
            const read = (response: UpstreamResponse, sentAt: number) =>
              decode(request, cacheKey, response, sentAt)
            const attempt = (end: EndAttempt<Decoded<T>>, retries: number) =>
              send({ request, flight, owner, retries, read }, end)
            const ask = () => policy({ route: request.route, isRepeatable, flight, attempt })
            if (!records?.isOpen || !isRecord(request)) return ask()
            void findShared(request, cacheKey).then((found) => {
              if (found) flight.resolve(found)
              else if (!flight.isCancelled) ask()
            })
          },
        )
        if (hasJoined) events.onCoalesced?.(service)
      })
    },
  }
}

/** Whether any response to a request is a record that never changes. */
const isRecord = <T>({ isFinal, isText }: UpstreamRequest<T>): boolean =>
  isFinal === true && !isText

/**
 * Bytes that a decoded response takes up, roughly. Decoded blocks and transactions were measured at 1.5
 * and 1.7 times their JSON text.
 */
const memoryOf = (key: string, bytes: number): number =>
  Math.ceil(bytes * 1.75) + Buffer.byteLength(key) + 256
