import type { Clock } from '../kit/clock/clock.ts'

/** Finds repeats among equal log lines. */
export interface Repeats {
  /**
   * The number of repeats left out since the last line of this key that was not one, or undefined if this
   * one is a repeat itself.
   */
  count(key: string): number | undefined
}

/** An equal line is a repeat if it comes within this many milliseconds of the first. */
const windowMs = 60_000

/** Keys are few by design: services and error codes. */
export function createRepeats(clock: Clock): Repeats {
  const lines = new Map<string, { readonly at: number; repeats: number }>()
  return {
    count(key) {
      const line = lines.get(key)
      if (line && clock.now() - line.at < windowMs) {
        line.repeats += 1
        return undefined
      }
      lines.set(key, { at: clock.now(), repeats: 0 })
      return line?.repeats ?? 0
    },
  }
}
