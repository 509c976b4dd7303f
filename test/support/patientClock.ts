import type { MovableClock } from '../../src/kit/clock/movableClock.ts'

/** How much slower long times pass. */
const factor = 60

/**
 * A clock by which nothing is late on a busy machine: a second lasts a minute. Waits of less than half a second pass as
 * usual, since they hold up what a test waits for.
 */
export const patientClock: Omit<MovableClock, 'advance'> = {
  now: () => performance.now() / factor,
  date: Date.now,
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds < 500 ? milliseconds : milliseconds * factor)
    return () => clearTimeout(timer)
  },
}
