import type { Clock } from './clock.ts'

/** A clock that only moves when it is advanced. */
export interface MovableClock extends Clock {
  /** Advances the time, timer by timer, and lets promises settle after each. */
  advance(milliseconds: number): Promise<void>
}

/** Turns of the event loop that promises without I/O need to settle. */
const turns = 3

/** Waits for promises without I/O. */
const settle = async () => {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((done) => setImmediate(done))
}

/**
 * A clock at 0. `settled` waits for what timers have started, where that takes real time. `epoch` is the
 * date at 0, in milliseconds since 1970.
 */
export function createMovableClock(settled: () => Promise<void> = settle, epoch = 0): MovableClock {
  let now = 0
  const timers = new Set<{ readonly at: number; readonly run: () => void }>()
  return {
    now: () => now,
    date: () => epoch + now,
    after(milliseconds, run) {
      const timer = { at: now + Math.max(0, milliseconds), run }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    async advance(milliseconds) {
      const end = now + milliseconds
      await settled()
      for (;;) {
        const due = [...timers].filter(({ at }) => at <= end)
        if (due.length === 0) break
        now = Math.max(now, Math.min(...due.map(({ at }) => at)))
        for (const timer of due.filter(({ at }) => at <= now)) {
          timers.delete(timer)
          timer.run()
        }
        await settled()
      }
      now = end
    },
  }
}
