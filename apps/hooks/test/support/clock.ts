import type { HooksIo } from '../../src/io.ts'

/** A clock that only tests move, and the log of what ran with it. */
export interface TestIo {
  readonly io: HooksIo
  readonly lines: readonly string[]
  readonly waits: readonly number[]
  /** Moves the time, and calls back what is due. */
  advance(milliseconds: number): void
  /** Ends what runs, as an operator does. */
  stop(): void
}

/** The moment tests play at. */
export const start = Date.UTC(2026, 10, 21, 12)

/** A wait is over at once, and moves the time. `onWait` is awaited in each wait. */
export function createIo(onWait: () => Promise<void> | void = () => {}, random: () => number = () => 0): TestIo {
  const lines: string[] = []
  const waits: number[] = []
  const timers = new Set<{ readonly at: number; readonly run: () => void }>()
  const abort = new AbortController()
  let now = start
  const advance = (milliseconds: number) => {
    now += milliseconds
    for (const timer of timers) {
      if (timer.at > now) continue
      timers.delete(timer)
      timer.run()
    }
  }
  return {
    ...{ lines, waits, advance, stop: () => abort.abort() },
    io: {
      ...{ random, signal: abort.signal, now: () => now, log: (line) => void lines.push(line) },
      after(milliseconds, run) {
        const timer = { at: now + milliseconds, run }
        timers.add(timer)
        return () => void timers.delete(timer)
      },
      async wait(milliseconds) {
        waits.push(milliseconds)
        advance(milliseconds)
        await onWait()
      },
    },
  }
}
