import type { Cache, CacheStore } from '../../kit/cache/cache.ts'
import type { CacheRegion } from '../../kit/cache/region.ts'
import type { Clock } from '../../kit/clock/clock.ts'
import type { Signal } from '../../kit/clock/signal.ts'
import type { Upstream } from './client.ts'
import type { Freshness } from './freshness.ts'
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
  read<T>(region: CacheRegion<T>, key: string, load: SharedLoad<T>): Promise<T>
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
  read: (region, key, load) => readCached(cache, {}, region, key, load),
})

/** Reads through a cache for an operation. A read of no operation has no client, and nobody leaves it. */
function readCached<T>(
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

/** The operation that reads, and the freshness of its answer. */
interface CacheUser extends Pick<CachedReader, 'requester' | 'signal'> {
  readonly freshness: Freshness
}

/** The cache of all operations, as one operation reads it. Its answer is true for as long as what it has read. */
export class OperationCache implements CachedReads {
  readonly #store: CacheStore
  readonly #user: CacheUser

  constructor(store: CacheStore, user: CacheUser) {
    this.#store = store
    this.#user = user
  }

  /** Knowledge of how upstreams are read. No answer may depend on it. */
  get hints(): UpstreamFacts {
    return this.#store
  }

  /** A value that operations share: from the cache, or as it is loaded. True until its entry expires. */
  read<T>(region: CacheRegion<T>, key: string, load: SharedLoad<T>): Promise<T> {
    const { requester, signal, freshness } = this.#user
    return freshness.read((onFresh) => readCached(this.#store, { requester, signal, onFresh }, region, key, load))
  }

  /** The values of a region of the cache. Reading or writing one makes the answer true until its entry expires. */
  values<T>(region: CacheRegion<T>): CachedValues<T> {
    const values = this.#store.open(region)
    const { freshness } = this.#user
    return {
      get: (key) => {
        const value = values.get(key)
        if (value !== undefined) freshness.limit(values.freshUntil(key))
        return value
      },
      set: (key, value, ttlMs) => {
        values.set(key, value, 1, ttlMs)
        freshness.limit(values.freshUntil(key))
      },
    }
  }

  /** Notes a value of a group, such as an indexer, that any later operation may replace. */
  note<T>(region: CacheRegion<Map<string, T>>, group: string, key: string, value: T): void {
    const groups = this.#store.open(region)
    const notes = groups.get(group) ?? new Map<string, T>()
    if (notes.get(key) === value) return
    if (notes.size >= maxNotes) notes.clear()
    notes.set(key, value)
    groups.set(group, notes)
  }

  /** The value noted last, if there is one. It is true for this moment only. */
  noted<T>(region: CacheRegion<Map<string, T>>, group: string, key: string): T | undefined {
    this.#user.freshness.limit(0)
    return this.#store.open(region).get(group)?.get(key)
  }
}

/** The most notes of one group. Beyond it, they are noted anew. */
const maxNotes = 5_000

/** The clock and the cache that all operations of a gateway read. */
export interface ScopeSources {
  readonly clock: Clock
  readonly cache: CacheStore
}
