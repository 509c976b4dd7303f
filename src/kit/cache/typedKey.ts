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
