import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock/clock.ts'
import { type Signal, SignalSource } from '../clock/signal.ts'

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
  /**
   * Whether a value that does not fit is cached only if its key was asked for more often than the keys of all values that
   * would leave for it. Who reads a whole chain once then pushes out nothing that others repeat.
   */
  readonly isContested?: boolean
  /** Never set. It makes regions of different values different types. */
  readonly values?: T
}

/** The signal of a caller that never leaves. */
export const neverAborted: Signal = new SignalSource()

/** A box, since the library takes an undefined value for a missing one. */
export interface CacheEntry<T> {
  readonly value: T
}

export type Load<T> = (signal: Signal) => Promise<T>

/** Opens the entries of a region. An expired entry is returned while a load refreshes it, if the region allows. */
export function createEntries<T>(region: CacheRegion<T>, clock: Pick<Clock, 'now'>) {
  const { maxEntries, maxBytes, ttlMs, staleWhileRevalidate } = region
  return new LRUCache<string, CacheEntry<T>, Load<T>>({
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
