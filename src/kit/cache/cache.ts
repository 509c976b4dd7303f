import type { LRUCache } from 'lru-cache'
import type { Clock } from '../clock/clock.ts'
import type { Signal } from '../clock/signal.ts'
import { AskCounts } from './askCounts.ts'
import { type CacheEntry, type CacheRegion, createEntries, type Load, neverAborted } from './region.ts'
import { SharedWork } from './singleFlight.ts'

/** Everything that a gateway remembers between operations, in named regions, in the memory of its process. */
export class CacheStore {
  /** All open regions by name. */
  readonly regions = new Map<string, Cache<unknown>>()
  readonly #clock: Pick<Clock, 'now'>

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
  }

  open<T>(region: CacheRegion<T>): Cache<T> {
    // The name stands for one type of value, which a map of all regions cannot say.
    const known = this.regions.get(region.name) as Cache<T> | undefined
    if (known) return known
    const cache = new Cache<T>(region, this.#clock)
    this.regions.set(region.name, cache as Cache<unknown>)
    return cache
  }

  /**
   * Drops what has expired in all regions, except where expired values are still served. A value that nobody reads
   * would stay without it.
   */
  sweep(): void {
    for (const region of this.regions.values()) region.sweep()
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

/** Milliseconds of a slow load. */
const slowMs = 1_000

/** The most failures that a region remembers. */
const maxFailures = 256

/** The entries of one region. */
export class Cache<T> {
  /** The number of times that `get` found a fresh value. */
  hits = 0
  /** The number of times that `get` found none. */
  misses = 0
  readonly #region: CacheRegion<T>
  readonly #clock: Pick<Clock, 'now'>
  readonly #entries: LRUCache<string, CacheEntry<T>, Load<T>>
  readonly #failures: LRUCache<string, CacheEntry<unknown>, Load<unknown>>
  readonly #allowStale: boolean
  readonly #asks: AskCounts | undefined
  readonly #loads = new SharedWork()
  /** The number of times that all entries were dropped. A load that began before is not cached. */
  #cleared = 0

  constructor(region: CacheRegion<T>, clock: Pick<Clock, 'now'>) {
    const { name, slowFailureTtlMs: ttlMs = 0 } = region
    this.#region = region
    this.#clock = clock
    this.#entries = createEntries(region, clock)
    this.#failures = createEntries<unknown>({ name, maxEntries: maxFailures, ttlMs }, clock)
    this.#allowStale = region.staleWhileRevalidate !== undefined
    this.#asks = region.isContested ? new AskCounts() : undefined
  }

  get size(): number {
    return this.#entries.size
  }

  /** Bytes of all entries. 0 in a region without `maxBytes`. */
  get bytes(): number {
    return this.#entries.calculatedSize
  }

  /** Whether the region has `maxBytes`. */
  get isBoundedByBytes(): boolean {
    return this.#region.maxBytes !== undefined
  }

  /** The value, if it is cached and fresh. */
  get(key: string): T | undefined {
    this.#asks?.add(key)
    const entry = this.#entries.get(key)
    if (entry) this.hits += 1
    else this.misses += 1
    return entry?.value
  }

  /**
   * Caches a value, also while a load for its key is under way. `bytes` counts in a region with
   * `maxBytes`, where a value larger than the region is not cached. `ttlMs` is the time of this value,
   * instead of the region's. A contested region may refuse the value.
   */
  set(key: string, value: T, bytes = 1, ttlMs = this.#region.ttlMs): void {
    if (this.#asks && !this.#mayEnter(key, bytes, this.#asks)) return
    const ttl = ttlMs === undefined ? {} : { ttl: ttlMs }
    this.#entries.set(key, { value }, { ...this.#sizeOf(bytes), ...ttl })
  }

  /**
   * The cached value, or what `load` resolves to. Callers of one key share a load. Each of them is rejected with
   * the reason of its signal when it leaves, and the signal of the load aborts with the last. A failed load rejects
   * for all of them and is not cached, but for `slowFailureTtlMs`; a failed refresh keeps the expired value. A loaded value counts as one byte.
   * `onFresh` is called before the promise resolves, with the time of the clock when the value expires. The time is 0
   * if the value has expired or was not cached.
   */
  async fetch(key: string, load: Load<T>, signal = neverAborted, onFresh?: (until: number) => void): Promise<T> {
    const allowStale = this.#allowStale
    if (this.#entries.peek(key, { allowStale }) !== undefined) {
      onFresh?.(this.freshUntil(key))
      const options = { context: load, allowStale, ...this.#sizeOf(1) }
      const entry = await this.#entries.forceFetch(key, options)
      return entry.value
    }
    const failure = this.#region.slowFailureTtlMs ? this.#failures.get(key) : undefined
    if (failure) throw failure.value
    const loaded = await this.#load(key, load, signal)
    onFresh?.(loaded.until)
    return loaded.value
  }

  /** Time of the clock until which an entry is fresh. Infinity if it never expires, 0 if there is none. */
  freshUntil(key: string): number {
    const left = this.#entries.getRemainingTTL(key)
    return left > 0 ? this.#clock.now() + left : 0
  }

  /** Drops an entry. */
  delete(key: string): void {
    this.#entries.delete(key)
  }

  /** Drops the entries that have expired, unless they are still served. */
  sweep(): void {
    if (!this.#allowStale) this.#entries.purgeStale()
  }

  /** Drops all entries. */
  clear(): void {
    this.#cleared += 1
    this.#failures.clear()
    this.#entries.clear()
  }

  /** Whether a value fits, or its key was asked for more often than those of all values that would leave. */
  #mayEnter(key: string, bytes: number, asks: AskCounts): boolean {
    let missing = this.bytes + bytes - (this.#region.maxBytes ?? Number.POSITIVE_INFINITY)
    if (missing <= 0 || this.#entries.has(key)) return true
    const count = asks.of(key)
    for (const leaving of this.#entries.rkeys()) {
      if (asks.of(leaving) >= count) return false
      missing -= this.#entries.info(leaving)?.size ?? 0
      if (missing <= 0) return true
    }
    return true
  }

  #sizeOf(bytes: number) {
    return this.isBoundedByBytes ? { size: Math.max(1, bytes) } : {}
  }

  /** Loads a value for all callers of a key, and caches it unless another one was cached meanwhile. */
  #load(key: string, load: Load<T>, signal: Signal) {
    return this.#loads.run(key, signal, async (ending) => {
      const before = this.#cleared
      // An expired value is not served, and would stay if the load fails.
      this.#entries.delete(key)
      const value = await this.#loadOnce(key, load, ending)
      const isCached = before === this.#cleared && this.#entries.peek(key) === undefined
      if (isCached) this.set(key, value)
      return { value, until: isCached ? this.freshUntil(key) : 0 }
    })
  }

  /** Remembers a failure that took long. A load that nobody waits for has not failed by itself. */
  async #loadOnce(key: string, load: Load<T>, ending: Signal): Promise<T> {
    const startedAt = this.#clock.now()
    try {
      return await load(ending)
    } catch (error) {
      const isSlow = this.#clock.now() - startedAt >= slowMs
      if (isSlow && this.#region.slowFailureTtlMs && !ending.aborted) this.#failures.set(key, { value: error })
      throw error
    }
  }
}
