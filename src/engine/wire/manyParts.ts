/** zod reports every fault, and takes up to 0.1 ms for each: a million would stop all else for minutes. */
const maxParts = 2_000

/** Whether a value has so many parts that zod must not be asked what is wrong with it. */
export function hasManyParts(value: unknown): boolean {
  const open = [value]
  let count = 0
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (typeof part !== 'object' || part === null) continue
    const parts = Object.values(part)
    count += parts.length
    if (count > maxParts) return true
    open.push(...parts)
  }
  return false
}
