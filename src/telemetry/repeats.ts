import type { Clock } from '../kit/clock/clock.ts'

/** Tells the first of many equal log lines from its repeats. */
export interface Repeats {
  /**
   * The number of repeats left out since the last line of this key that was not one, or undefined if this
   * one is a repeat itself.
   */
  count(key: string): number | undefined
}

/** Milliseconds in which equal lines after the first are repeats. */
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
