/**
 * Whether a value is a promise, or another object with `then`. The property of a string, a number or a
 * bigint is not read: V8 looks it up on a prototype each time, which is slow.
 */
export const isPromise = <T>(value: T | Promise<T>): value is Promise<T> =>
  isObject(value) && typeof value.then === 'function'

const isObject = (value: unknown): value is { readonly then?: unknown } =>
  (typeof value === 'object' && value !== null) || typeof value === 'function'
