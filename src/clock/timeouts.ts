import type { Clock } from './clock.ts'

/** Calls `run` once when the time is up. The function it returns cancels the call. */
export type StartTimeout = (run: () => void) => () => void

interface Timeout {
  /** Milliseconds of the clock. */
  readonly due: number
  readonly run: () => void
}

/**
 * Timeouts of one length, with one timer for all of them: most of them are cancelled, and a timer costs
 * more than a place in a set.
 */
export function createTimeouts(clock: Clock, milliseconds: number): StartTimeout {
  // All have the same length, so they are due in the order in which they started.
  const waiting = new Set<Timeout>()
  let cancelTimer: (() => void) | undefined

  const wait = (due: number) => {
    cancelTimer?.()
    cancelTimer = clock.after(Math.max(0, due - clock.now()), onTimer)
  }
  const onTimer = () => {
    for (const timeout of waiting) {
      if (timeout.due > clock.now()) return wait(timeout.due)
      waiting.delete(timeout)
      timeout.run()
    }
    cancelTimer = undefined
  }

  return (run) => {
    const timeout = { due: clock.now() + milliseconds, run }
    waiting.add(timeout)
    if (!cancelTimer) wait(timeout.due)
    return () => {
      waiting.delete(timeout)
      if (waiting.size > 0) return
      // A timer would keep a process alive that has nothing else to do.
      cancelTimer?.()
      cancelTimer = undefined
    }
  }
}
