import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock/clock.ts'
import { type Signal, SignalSource } from '../clock/signal.ts'
import { SharedWork } from './singleFlight.ts'

/** The bounds of a region: a number of entries, of bytes, or both. The least recently used go first. */
export type CacheBounds =
  | { readonly maxEntries: number; readonly maxBytes?: number }
  | { readonly maxEntries?: undefined; readonly maxBytes: number }

/** A named part of the store, and its bounds. `T` is the type of its values. */
export type CacheRegion<T> = CacheBounds & {
  /** Unique within the store. A region opened again has the same entries, and the bounds it began with. */
  readonly name: string
  /** Milliseconds that a value stays fresh. By default it never expires. */
  readonly ttlMs?: number
  /**
   * Milliseconds after the failure of a load that took a second or more. All who ask meanwhile get its error: nobody
   * waits twice. By default each of them loads.
   */
  readonly slowFailureTtlMs?: number
  /** Makes `fetch` return an expired value while one load refreshes it. */
  readonly staleWhileRevalidate?: {
    /** Milliseconds to keep serving the expired value after a refresh that failed. */
    readonly retryDelayMs: number
  }
  /** Never set. It makes regions of different values different types. */
  readonly values?: T
}

/** The entries of one region. */
export interface Cache<T> {
  /** The value, if it is cached and fresh. */
  get(key: string): T | undefined
  /**
   * Caches a value, also while a load for its key is under way. `bytes` counts in a region with
   * `maxBytes`, where a value larger than the region is not cached. `ttlMs` is the time of this value,
   * instead of the region's.
   */
  set(key: string, value: T, bytes?: number, ttlMs?: number): void
  /**
   * The cached value, or what `load` resolves to. Callers of one key share a load. Each of them is rejected with
   * the reason of its signal when it leaves, and the signal of the load aborts with the last. A failed load rejects
   * for all of them and is not cached, but for `slowFailureTtlMs`; a failed refresh keeps the expired value. A loaded value counts as one byte.
   * `onFresh` is called before the promise resolves, with the time of the clock when the value expires. The time is 0
   * if the value has expired or was not cached.
   */
  fetch(
    key: string,
    load: (signal: Signal) => Promise<T>,
    signal?: Signal,
    onFresh?: (until: number) => void,
  ): Promise<T>
  /** Time of the clock until which an entry is fresh. Infinity if it never expires, 0 if there is none. */
  freshUntil(key: string): number
  /** Drops an entry. */
  delete(key: string): void
  /** Drops the entries that have expired, unless they are still served. */
  sweep(): void
  /** Drops all entries. */
  clear(): void
  readonly size: number
  /** Bytes of all entries. 0 in a region without `maxBytes`. */
  readonly bytes: number
  /** Whether the region has `maxBytes`. */
  readonly isBoundedByBytes: boolean
  /** How often `get` found a fresh value. */
  readonly hits: number
  /** How often `get` found none. */
  readonly misses: number
}

/** Everything that a gateway remembers between operations, in named regions. */
export interface CacheStore {
  open<T>(region: CacheRegion<T>): Cache<T>
  /** Forgets a region. A caller that has opened it keeps a cache that nobody else sees. */
  drop(name: string): void
  /**
   * Drops what has expired in all regions, except where expired values are still served. A value that nobody reads
   * would stay without it.
   */
  sweep(): void
  /** All open regions by name. */
  readonly regions: ReadonlyMap<string, Cache<unknown>>
}

/** Creates a store in the memory of this process. */
export function createMemoryCacheStore(clock: Pick<Clock, 'now'>): CacheStore {
  const regions = new Map<string, Cache<unknown>>()
  return {
    regions,
    drop(name) {
      regions.delete(name)
    },
    sweep() {
      for (const region of regions.values()) region.sweep()
    },
    open<T>(region: CacheRegion<T>) {
      // The name stands for one type of value, which a map of all regions cannot say.
      const known = regions.get(region.name) as Cache<T> | undefined
      if (known) return known
      const cache = createMemoryCache<T>(region, clock)
      regions.set(region.name, cache as Cache<unknown>)
      return cache
    },
  }
}

/** Milliseconds between two sweeps. */
const sweepMs = 30_000

/** Drops what has expired twice a minute, until the function that it returns is called. */
export function sweepRegularly(store: CacheStore, clock: Pick<Clock, 'after'>): () => void {
  let cancel = () => {}
  const wait = () => {
    cancel = clock.after(sweepMs, () => {
      store.sweep()
      wait()
    })
  }
  wait()
  return () => cancel()
}

/** The signal of a caller that never leaves. */
const neverAborted: Signal = new SignalSource()

/** Milliseconds of a slow load. */
const slowMs = 1_000

/** The most failures that a region remembers. */
const maxFailures = 256

/** A box, since the library takes an undefined value for a missing one. */
interface Entry<T> {
  readonly value: T
}

type Load<T> = (signal: Signal) => Promise<T>

/** Opens the entries of a region. An expired entry is returned while a load refreshes it, if the region allows. */
function createEntries<T>(region: CacheRegion<T>, clock: Pick<Clock, 'now'>) {
  const { maxEntries, maxBytes, ttlMs, staleWhileRevalidate } = region
  return new LRUCache<string, Entry<T>, Load<T>>({
    // 0 is no bound.
    max: maxEntries ?? 0,
    maxSize: maxBytes ?? 0,
    // The library takes a start at 0 for no start, and a clock may begin at 0.
    perf: { now: () => clock.now() + 1 },
    ttlResolution: 0,
    ...(ttlMs !== undefined && { ttl: ttlMs }),
    // `get` must not drop an expired value that `fetch` can still serve.
    noDeleteOnStaleGet: staleWhileRevalidate !== undefined,
    // The library would reject a load that its callers wait for when its entry is evicted.
    ignoreFetchAbort: true,
    fetchMethod: async (_key, stale, { options, context: load }) => {
      try {
        // The expired value is served meanwhile, so no caller waits that could leave.
        return { value: await load(neverAborted) }
      } catch (error) {
        if (!staleWhileRevalidate || stale === undefined) throw error
        options.ttl = staleWhileRevalidate.retryDelayMs
        return stale
      }
    },
  })
}

function createMemoryCache<T>(region: CacheRegion<T>, clock: Pick<Clock, 'now'>): Cache<T> {
  const { maxBytes, ttlMs, slowFailureTtlMs = 0, staleWhileRevalidate } = region
  const allowStale = staleWhileRevalidate !== undefined
  const failures = createEntries<unknown>(
    { name: region.name, maxEntries: maxFailures, ttlMs: slowFailureTtlMs },
    clock,
  )
  const work = new SharedWork()
  const entries = createEntries(region, clock)
  const sized = (bytes: number) => (maxBytes === undefined ? {} : { size: Math.max(1, bytes) })
  /** Counts how often all entries were dropped. A load that began before is not cached. */
  let cleared = 0
  let hits = 0
  let misses = 0

  const freshUntil = (key: string): number => {
    const left = entries.getRemainingTTL(key)
    return left > 0 ? clock.now() + left : 0
  }
  const set = (key: string, value: T, bytes = 1, ttl = ttlMs) => {
    entries.set(key, { value }, { ...sized(bytes), ...(ttl !== undefined && { ttl }) })
  }
  /** Loads a value for all callers of a key, and caches it unless another one was cached meanwhile. */
  const loadShared = (key: string, load: Load<T>, signal: Signal) =>
    work.run(key, signal, async (ending) => {
      const before = cleared
      // An expired value is not served, and would stay if the load fails.
      entries.delete(key)
      const startedAt = clock.now()
      const value = await load(ending).catch((error: unknown) => {
        const isSlow = clock.now() - startedAt >= slowMs
        // A load that nobody waits for has not failed by itself.
        if (isSlow && slowFailureTtlMs > 0 && !ending.aborted) failures.set(key, { value: error })
        throw error
      })
      const isCached = before === cleared && entries.peek(key) === undefined
      if (isCached) set(key, value)
      return { value, until: isCached ? freshUntil(key) : 0 }
    })

  return {
    delete(key) {
      entries.delete(key)
    },
    sweep() {
      if (!allowStale) entries.purgeStale()
    },
    clear() {
      cleared += 1
      failures.clear()
      entries.clear()
    },
    get(key) {
      const entry = entries.get(key)
      if (entry) hits += 1
      else misses += 1
      return entry?.value
    },
    set,
    freshUntil,
    async fetch(key, load, signal = neverAborted, onFresh) {
      if (entries.peek(key, { allowStale }) !== undefined) {
        onFresh?.(freshUntil(key))
        const entry = await entries.forceFetch(key, { context: load, allowStale, ...sized(1) })
        return entry.value
      }
      const failure = slowFailureTtlMs > 0 ? failures.get(key) : undefined
      if (failure) throw failure.value
      const loaded = await loadShared(key, load, signal)
      onFresh?.(loaded.until)
      return loaded.value
    },
    get size() {
      return entries.size
    },
    get bytes() {
      return entries.calculatedSize
    },
    isBoundedByBytes: maxBytes !== undefined,
    get hits() {
      return hits
    },
    get misses() {
      return misses
    },
  }
}
