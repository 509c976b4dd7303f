/** A value that is here, or that will be. Rows by the thousands need not wait for what is here. */
export type Awaitable<T> = T | Promise<T>

/** Applies a function to a value: at once if it is here. */
export const withValue = <T, R>(
  value: Awaitable<T>,
  use: (value: T) => Awaitable<R>,
): Awaitable<R> => (value instanceof Promise ? value.then(use) : use(value))
