import type { Cache, CacheStore } from '../../kit/cache/cache.ts'
import type { CacheRegion } from '../../kit/cache/region.ts'
import type { Clock } from '../../kit/clock/clock.ts'
import type { Signal } from '../../kit/clock/signal.ts'
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
 * Sends a request of a load that operations share. It is queued and charged once, to the client that started the load.
 * It ends when all operations that wait for the load have left.
 */
export type SharedFetch = <T>(
  upstream: Pick<Upstream, 'send'>,
  request: UpstreamRequest<T>,
  /** Ends the request. The default is the signal of the load. */
  ending?: LoadSignal,
) => Promise<T | null>

/** Aborts when nobody waits for a load any more. */
export type LoadSignal = Signal

/** Loads a value that operations share. The load ends when nobody waits for it any more. */
export type SharedLoad<T> = (fetch: SharedFetch, ending: LoadSignal) => Promise<T>

/** Reads values that operations share. */
export interface CachedReads {
  /** The cached value for a key of a region, or what `load` resolves to. Callers of one key share a load. */
  cached<T>(region: CacheRegion<T>, key: string, load: SharedLoad<T>): Promise<T>
}

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

/** Reads through a cache, for no operation. */
export const createCachedReads = (cache: CacheStore): CachedReads => ({
  cached: (region, key, load) => readCached(cache, {}, region, key, load),
})

/** Reads through a cache for an operation. A read of no operation has no client, and nobody leaves it. */
export function readCached<T>(
  cache: CacheStore,
  { requester, signal, onFresh }: Partial<CachedReader>,
  region: CacheRegion<T>,
  key: string,
  load: SharedLoad<T>,
): Promise<T> {
  const sender = requester && { client: requester.client, requestId: requester.requestId }
  const loadUntil = (ending: Signal) =>
    load((upstream, request, end = ending) => {
      requester?.budget?.send()
      return upstream.send(request, end, sender)
    }, ending)
  return cache.open(region).fetch(key, loadUntil, signal, onFresh)
}

/** The clock and the cache that all operations of a gateway read. */
export interface ScopeSources {
  readonly clock: Clock
  readonly cache: CacheStore
}
