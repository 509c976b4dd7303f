declare const valueType: unique symbol

/**
 * A string that names the type of the value under it, so that one map can hold values of many types.
 * The code that makes keys must ensure that equal keys stand for values of one type.
 */
export type TypedKey<T> = string & { readonly [valueType]?: T }

/** Declares that this key stands for a value of type `T`. */
export const typedKey = <T>(key: string): TypedKey<T> =>
  // Only the caller knows the type: at run time a key is a plain string.
  key as TypedKey<T>

/** Values that are each made once. It has no bounds: for values that live as long as one operation. */
export class Memo {
  #values: Map<string, unknown> | undefined

  /** The value made for this key earlier, or now. */
  get<T>(key: TypedKey<T>, make: () => T): T {
    this.#values ??= new Map()
    if (!this.#values.has(key)) this.#values.set(key, make())
    // A value under a typed key was made for that key.
    return this.#values.get(key) as T
  }

  /** Forgets all values. */
  clear(): void {
    this.#values = undefined
  }
}
