/** All records of one kind, in the order of the list they come from, and by key. */
export interface Lookup<T> {
  readonly all: readonly T[]
  find(key: string): T | null
}

/** A lookup of `all`. Two keys that `normalize` makes equal are the same key. */
export function indexBy<T>(
  all: readonly T[],
  keyOf: (item: T) => string,
  normalize: (key: string) => string = (key) => key,
): Lookup<T> {
  const byKey = new Map(all.map((item) => [normalize(keyOf(item)), item]))
  return { all, find: (key) => byKey.get(normalize(key)) ?? null }
}

/**
 * A list of the router is fresh for five minutes. After that it is served while one request refreshes it. A failure is
 * remembered for some seconds, so that not everybody waits for a router that hangs.
 */
export const catalogFreshness = {
  ttlMs: 5 * 60_000,
  slowFailureTtlMs: 5_000,
  staleWhileRevalidate: { retryDelayMs: 10_000 },
}
