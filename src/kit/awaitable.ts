/** A value that is here, or that will be. Rows by the thousands need not wait for what is here. */
export type Awaitable<T> = T | Promise<T>

/** Applies a function to a value: at once if it is here. */
export const withValue = <T, R>(value: Awaitable<T>, use: (value: T) => Awaitable<R>): Awaitable<R> =>
  value instanceof Promise ? value.then(use) : use(value)

/**
 * Whether a value is a promise, or another object with `then`. The property of a string, a number or a
 * bigint is not read: V8 looks it up on a prototype each time, which is slow.
 */
export const isPromise = <T>(value: T | Promise<T>): value is Promise<T> =>
  isObject(value) && typeof value.then === 'function'

const isObject = (value: unknown): value is { readonly then?: unknown } =>
  (typeof value === 'object' && value !== null) || typeof value === 'function'
