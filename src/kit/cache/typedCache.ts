import type { Cache } from './cache.ts'
import type { TypedKey } from './typedKey.ts'

/** A cache of values of many types. A key has the type of its value. */
export interface TypedCache {
  /** The value, if it is cached and fresh. */
  get<T>(key: TypedKey<T>): T | undefined
  /** Caches a value of that many bytes for that many milliseconds. */
  set<T>(key: TypedKey<T>, value: T, bytes?: number, ttlMs?: number): void
}

/** The same cache, with the types of its values read from their keys. */
export const typedCache = (cache: Cache<unknown>): TypedCache => ({
  // Only `set` below writes to the cache, and its key has the type of its value.
  get: <T>(key: TypedKey<T>) => cache.get(key) as T | undefined,
  set: (key, value, bytes, ttlMs) => cache.set(key, value, bytes, ttlMs),
})
