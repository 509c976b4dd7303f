/**
 * A pure function of a number or a text that keeps its latest `maxEntries` results.
 * Building a record takes dozens of hashes, and clients page over the same records again and again.
 */
export function memoize<T, K extends number | string = number>(
  maxEntries: number,
  compute: (key: K) => T,
): (key: K) => T {
  const results = new Map<K, T>()
  return (key) => {
    const known = results.get(key)
    if (known !== undefined) return known
    const result = compute(key)
    results.set(key, result)
    for (const oldest of results.keys()) {
      if (results.size <= maxEntries) break
      results.delete(oldest)
    }
    return result
  }
}

/** A value that is computed when it is first asked for. */
export function once<T extends object>(compute: () => T): () => T {
  let result: T | undefined
  return () => {
    result ??= compute()
    return result
  }
}
