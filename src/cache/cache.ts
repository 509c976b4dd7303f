import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock/clock.ts'

/** What bounds a region: a number of entries, of bytes, or both. The least recently used go first. */
export type CacheBounds =
  | { readonly maxEntries: number; readonly maxBytes?: number }
  | { readonly maxEntries?: undefined; readonly maxBytes: number }

/** What a region of the store holds, and its bounds. `T` is the type of its values. */
export type CacheRegion<T> = CacheBounds & {
  /** Unique within the store. Opening the same name twice gives the same entries. */
  readonly name: string
  /** Milliseconds a value stays fresh. It never expires when left out. */
  readonly ttlMs?: number
  /** Set to serve an expired value while one load refreshes it. */
  readonly staleWhileRevalidate?: {
    /** Milliseconds to keep serving the expired value after a refresh that failed. */
    readonly retryDelayMs: number
  }
  /** Never set. It lets TypeScript tell regions of different values apart. */
  readonly values?: T
}

/** The entries of one region. */
export interface Cache<T> {
  /** The value, if it is kept and fresh. */
  get(key: string): T | undefined
  /** Keeps a value of that many bytes. One larger than the region is not kept. */
  set(key: string, value: T, bytes?: number): void
  /**
   * The kept value, or what `load` resolves to. Callers of one key share a load. A failed load rejects
   * for all of them and is not kept.
   */
  fetch(key: string, load: () => Promise<T>): Promise<T>
  readonly size: number
  /** Sum of the bytes told to `set`; 0 in a region without `maxBytes`. */
  readonly bytes: number
}

/** Everything a gateway remembers between operations, in named regions. */
export interface CacheStore {
  open<T>(region: CacheRegion<T>): Cache<T>
}

/** A store in this process's memory. */
export function createMemoryCacheStore(clock: Pick<Clock, 'now'>): CacheStore {
  const regions = new Map<string, Cache<unknown>>()
  return {
    open<T>(region: CacheRegion<T>) {
      const cache = regions.get(region.name) ?? createMemoryCache<T>(region, clock)
      regions.set(region.name, cache as Cache<unknown>)
      // The name stands for one type of value, which a map of all regions cannot say.
      return cache as Cache<T>
    },
  }
}

/** A box, since the library cannot keep `undefined` and leaves it out of its types. */
interface Entry<T> {
  readonly value: T
}

function createMemoryCache<T>(region: CacheRegion<T>, clock: Pick<Clock, 'now'>): Cache<T> {
  const { maxEntries, maxBytes, ttlMs, staleWhileRevalidate } = region
  const entries = new LRUCache<string, Entry<T>, () => Promise<T>>({
    // 0 is no bound.
    max: maxEntries ?? 0,
    maxSize: maxBytes ?? 0,
    // The library takes a start at 0 for none at all, and a test's clock starts there.
    perf: { now: () => clock.now() + 1 },
    ...(ttlMs !== undefined && { ttl: ttlMs, ttlResolution: 0 }),
    allowStale: false,
    // An evicted entry would otherwise reject the load its callers still wait for.
    ignoreFetchAbort: true,
    fetchMethod: async (_key, stale, { options, context: load }) => {
      try {
        return { value: await load() }
      } catch (error) {
        if (!staleWhileRevalidate || stale === undefined) throw error
        options.ttl = staleWhileRevalidate.retryDelayMs
        return stale
      }
    },
  })
  const sized = (bytes: number) => (maxBytes === undefined ? {} : { size: Math.max(1, bytes) })
  return {
    get: (key) => entries.get(key)?.value,
    set: (key, value, bytes = 1) => void entries.set(key, { value }, sized(bytes)),
    async fetch(key, load) {
      const allowStale = staleWhileRevalidate !== undefined
      const entry = await entries.forceFetch(key, { context: load, allowStale, ...sized(1) })
      return entry.value
    },
    get size() {
      return entries.size
    },
    get bytes() {
      return entries.calculatedSize
    },
  }
}
