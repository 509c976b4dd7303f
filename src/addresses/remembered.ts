/** Results of each of the two generations of a memory. */
const generationSize = 4_096

/** Longer texts are no addresses, and are not kept. */
const maxLength = 100

/**
 * A function of short texts that remembers its newest results: a page names few addresses, and each of them often.
 * The older half of the results goes when the newer one is full. Two maps do this without a package, since the client
 * for browsers has this code in it.
 */
export function remembered<T>(
  compute: (text: string, detail: string) => T,
): (text: string, detail?: string) => T {
  let newer = new Map<string, T>()
  let older = newer
  const keep = (key: string, value: T): T => {
    if (newer.size >= generationSize) {
      older = newer
      newer = new Map()
    }
    newer.set(key, value)
    return value
  }
  return (text, detail = '') => {
    if (text.length + detail.length > maxLength) return compute(text, detail)
    const key = detail === '' ? text : `${detail} ${text}`
    const known = newer.get(key)
    if (known !== undefined || newer.has(key)) return known as T
    const old = older.get(key)
    return keep(key, old !== undefined || older.has(key) ? (old as T) : compute(text, detail))
  }
}
