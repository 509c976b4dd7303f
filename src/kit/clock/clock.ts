import { performance } from 'node:perf_hooks'
import { systemTimer } from '#kit/clock'
import type { Signal } from './signal.ts'

/** A source of time. Tests pass a clock that they move themselves. */
export interface Clock {
  /** Milliseconds since an arbitrary start. Only differences are meaningful. */
  now(): number
  /** The date, in milliseconds since 1970. It can jump, so it is only for comparison with other dates. */
  date(): number
  /**
   * Calls `run` once after that many milliseconds, 24 days at most; for 0, once the event loop has served what is due.
   * The function it returns cancels the call.
   */
  after(milliseconds: number, run: () => void): () => void
}

/** The monotonic time of the machine, which does not jump when its date is changed. */
export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => Date.now(),
  after: (milliseconds, run) => {
    // The shortest timer of Node takes a millisecond.
    if (milliseconds <= 0) {
      const immediate = setImmediate(run)
      return () => clearImmediate(immediate)
    }
    return systemTimer.after(milliseconds, run)
  },
}

/** Resolves after that many milliseconds. Rejects with the signal's reason when it aborts first. */
export async function pause(clock: Clock, milliseconds: number, signal: Signal): Promise<void> {
  if (signal.aborted) throw signal.reason
  await new Promise<void>((resolve, reject) => {
    const onAbort = () => {
      cancel()
      reject(signal.reason)
    }
    const cancel = clock.after(milliseconds, () => {
      signal.removeEventListener('abort', onAbort)
      resolve()
    })
    signal.addEventListener('abort', onAbort)
  })
}
