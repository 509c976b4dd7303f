import type { Clock } from '../../kit/clock/clock.ts'

/** Checks all open streams and sockets at one pace, so that clients that have stopped reading are dropped. */
export interface Liveness {
  /**
   * Calls `check` at every interval. A check drops its client if it has shown no sign of life since the last one. The
   * function that it returns ends the calls.
   */
  watch(check: () => void): () => void
}

/** Milliseconds between two checks. */
const defaultIntervalMs = 12_000

/** Creates the one timer of these checks. It runs only while something is watched. */
export function createLiveness(clock: Pick<Clock, 'after'>, intervalMs = defaultIntervalMs): Liveness {
  const checks = new Set<() => void>()
  let cancelTimer: (() => void) | undefined

  const checkAll = () => {
    cancelTimer = clock.after(intervalMs, checkAll)
    for (const check of checks) check()
  }
  return {
    watch(check) {
      checks.add(check)
      cancelTimer ??= clock.after(intervalMs, checkAll)
      return () => {
        checks.delete(check)
        if (checks.size > 0) return
        cancelTimer?.()
        cancelTimer = undefined
      }
    },
  }
}
