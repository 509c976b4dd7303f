/** Bytes of an object or array, of each of its entries, and of a number, as V8 has them on 64 bits, roughly. */
const [bytesOfObject, bytesOfEntry, bytesOfNumber] = [24, 8, 16]

/**
 * The bytes of memory that a value takes up, roughly: its objects, texts and numbers. An object that it holds twice counts
 * once. Functions and private fields of classes do not count.
 */
export function sizeOf(value: unknown): number {
  const seen = new Set<object>()
  const left: unknown[] = [value]
  let bytes = 0
  while (left.length > 0) {
    const next = left.pop()
    if (typeof next === 'string') bytes += bytesOfObject + next.length
    else if (typeof next === 'number' || typeof next === 'bigint') bytes += bytesOfNumber
    else if (typeof next === 'object' && next !== null && !seen.has(next)) {
      seen.add(next)
      const inner = next instanceof Map ? [...next].flat() : next instanceof Set ? [...next] : Object.values(next)
      bytes += bytesOfObject + bytesOfEntry * inner.length
      left.push(...inner)
    }
  }
  return bytes
}
