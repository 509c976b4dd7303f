import type { Cache, CacheRegion, CacheStore } from '../kit/cache/cache.ts'
import type { Clock } from '../kit/clock/clock.ts'
import { type DeadlineOptions, withDeadline } from '../kit/clock/deadline.ts'
import type { Signal } from '../kit/clock/signal.ts'
import type { Upstream } from './client.ts'
import type { UpstreamRequest } from './request.ts'
import type { Requester } from './requester.ts'

/** The operation that reads, and what it wants to know of the value. */
export interface CachedReader {
  readonly requester: Requester
  readonly signal: Signal
  /** Says until which time of the clock the value stays the same. */
  onFresh(until: number): void
}

/**
 * Sends a request of a load that operations share. It waits in the queue with the requests of the client that began
 * the load, which counts it once, and not before all others as requests without an requester do. It ends when all who
 * wait for the load have left.
 */
export type SharedFetch = <T>(
  upstream: Pick<Upstream, 'send'>,
  request: UpstreamRequest<T>,
  /** Ends the request. The default is the signal of the load. */
  ending?: LoadSignal,
) => Promise<T | null>

/** Aborts when nobody waits for a load any more. */
export type LoadSignal = Signal

/** The cached value for a key of a region, or what `load` resolves to. Callers of one key share a load. */
export type Cached = <T>(
  region: CacheRegion<T>,
  key: string,
  load: (fetch: SharedFetch, ending: LoadSignal) => Promise<T>,
) => Promise<T>

/** Values of a region that are written one by one. */
export interface CachedValues<T> {
  get(key: string): T | undefined
  /** Caches a value for that many milliseconds. By default for those of the region. */
  set(key: string, value: T, ttlMs?: number): void
}

/**
 * Knowledge of how upstreams are read: which list is long, which chain has a hash. It decides which
 * requests are sent, never what is answered, and so says nothing of how long an answer stays the same.
 */
export interface UpstreamFacts {
  open<T>(region: CacheRegion<T>): Pick<Cache<T>, 'get' | 'set'>
}

/** Calls a function that reads with its operation. A read of no operation has no client, and nobody leaves it. */
type ReadFrom = <T>(from: (reader: Partial<CachedReader>) => T) => T

/** Reads through a cache. The default `read` is of no operation. */
export const createCachedReads =
  (cache: CacheStore, read: ReadFrom = (from) => from({})): Cached =>
  (region, key, load) =>
    read(({ requester, signal, onFresh }) => {
      const sender = requester && { client: requester.client, requestId: requester.requestId }
      const loadUntil = (ending: Signal) =>
        load((upstream, request, end = ending) => {
          requester?.budget?.send()
          return upstream.send(request, end, sender)
        }, ending)
      return cache.open(region).fetch(key, loadUntil, signal, onFresh)
    })

/** How an operation reads what is neither a request of its own nor a setting. Each way knows how long it stays true. */
export interface ScopeReads {
  /** A value that operations share: from the cache, or as it is loaded. True until its entry expires. */
  readonly cached: Cached
  /** The values of a region of the cache. Reading or writing one makes the answer true until its entry expires. */
  cachedValues<T>(region: CacheRegion<T>): CachedValues<T>
  /** Notes a value that any later operation may replace. */
  note<T>(region: CacheRegion<T>, key: string, value: T): void
  /** The value noted last, if there is one. It is true for this moment only. */
  noted<T>(region: CacheRegion<T>, key: string): T | undefined
  /** Knowledge of how upstreams are read. No answer may depend on it. */
  readonly hints: UpstreamFacts
  /**
   * Reads from a source besides upstreams and the cache, which says until when the value is true. By default it may
   * change at any time.
   */
  read<T>(from: (reader: CachedReader) => T): T
  /** The date, in milliseconds since 1970. It is true for this moment only. */
  date(): number
  /** Runs work under a deadline. If it is late or fails, the answer may change at any time. */
  within<T>(options: DeadlineOptions, work: () => Promise<T>): Promise<T>
}

/** The clock and the cache that all operations of a gateway read. */
export interface ScopeSources {
  readonly clock: Clock
  readonly cache: CacheStore
}

/** The operation that reads, and its record of how long the reads stay true. A read calls `begin` and `end`, or `limit`. */
interface ReadLog extends Pick<CachedReader, 'requester' | 'signal'> {
  begin(): void
  /** The value just read is true until this time of the clock. */
  limit(until: number): void
  end(until: number): void
}

export function createScopeReads(
  { clock, cache }: ScopeSources,
  { requester, signal, begin, limit, end }: ReadLog,
): ScopeReads {
  const read = <T>(from: (reader: CachedReader) => T): T => {
    let until = 0
    const onFresh = (time: number) => {
      until = time
    }
    begin()
    let value: T
    try {
      value = from({ requester, signal, onFresh })
    } catch (error) {
      end(0)
      throw error
    }
    if (value instanceof Promise) {
      value.then(
        () => end(until),
        () => end(0),
      )
    } else {
      end(until)
    }
    return value
  }

  return {
    read,
    cached: createCachedReads(cache, read),
    cachedValues<T>(region: CacheRegion<T>): CachedValues<T> {
      const values = cache.open(region)
      return {
        get(key) {
          const value = values.get(key)
          if (value !== undefined) limit(values.freshUntil(key))
          return value
        },
        set(key, value, ttlMs) {
          values.set(key, value, 1, ttlMs)
          limit(values.freshUntil(key))
        },
      }
    },
    note(region, key, value) {
      const values = cache.open(region)
      if (values.get(key) !== value) values.set(key, value)
    },
    noted(region, key) {
      limit(0)
      return cache.open(region).get(key)
    },
    hints: cache,
    date() {
      limit(0)
      return clock.date()
    },
    within: (options, work) =>
      withDeadline(clock, options, work).catch((error: unknown) => {
        limit(0)
        throw error
      }),
  }
}
