import type { Clock } from './clock.ts'

/** Calls `run` once when the time is up. The function it returns cancels the call. */
export type StartTimeout = (run: () => void) => () => void

interface Timeout {
  /** Milliseconds of the clock. */
  readonly due: number
  readonly run: () => void
  isWaiting: boolean
  previous: Timeout | undefined
  next: Timeout | undefined
}

/**
 * Timeouts of one length, with one timer for all of them: most of them are cancelled, and a timer costs
 * more than a place in a list.
 */
export function createTimeouts(clock: Clock, milliseconds: number): StartTimeout {
  // All have the same length, so the first to start is the first to be due.
  let first: Timeout | undefined
  let last: Timeout | undefined
  let cancelTimer: (() => void) | undefined

  const wait = (due: number) => {
    cancelTimer = clock.after(Math.max(0, due - clock.now()), onTimer)
  }
  const onTimer = () => {
    cancelTimer = undefined
    while (first && first.due <= clock.now()) {
      const { run } = first
      remove(first)
      run()
    }
    if (first && !cancelTimer) wait(first.due)
  }

  const remove = (timeout: Timeout) => {
    const { previous, next } = timeout
    timeout.isWaiting = false
    if (previous) previous.next = next
    else first = next
    if (next) next.previous = previous
    else last = previous
    // V8 keeps every object that an old object refers to until a full collection: a timeout that is done
    // would keep all later ones.
    timeout.previous = undefined
    timeout.next = undefined
  }

  return (run) => {
    const due = clock.now() + milliseconds
    const timeout: Timeout = { due, run, isWaiting: true, previous: last, next: undefined }
    if (last) last.next = timeout
    else first = timeout
    last = timeout
    if (!cancelTimer) wait(due)
    return () => {
      if (!timeout.isWaiting) return
      remove(timeout)
      if (first) return
      // A timer would keep a process alive that has nothing else to do.
      cancelTimer?.()
      cancelTimer = undefined
    }
  }
}
