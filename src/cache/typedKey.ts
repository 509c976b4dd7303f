import type { Cache } from './cache.ts'

declare const valueType: unique symbol

/**
 * A string that names the type of the value under it, so that one map can hold values of many types.
 * The code that makes keys must ensure that equal keys stand for values of one type.
 */
export type TypedKey<T> = string & { readonly [valueType]?: T }

/** Declares that this key stands for a value of type `T`. */
export const typedKey = <T>(key: string): TypedKey<T> =>
  // The type is known to the caller alone: at run time a key is a plain string.
  key as TypedKey<T>

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

/** Values that are each made once. */
export interface Memo {
  /** The value made for this key earlier, or now. */
  get<T>(key: TypedKey<T>, make: () => T): T
  /** Forgets all values. */
  clear(): void
}

/** A memo without bounds, for values that live as long as one operation. */
export function createMemo(): Memo {
  let values: Map<string, unknown> | undefined
  return {
    get<T>(key: TypedKey<T>, make: () => T): T {
      values ??= new Map()
      if (!values.has(key)) values.set(key, make())
      // A value under a typed key was made for that key.
      return values.get(key) as T
    },
    clear() {
      values = undefined
    },
  }
}
