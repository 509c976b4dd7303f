import { type Clock, systemClock } from '../../src/kit/clock/clock.ts'

/** How much slower long times pass. */
const factor = 60

/**
 * A clock by which nothing is late on a busy machine: a second lasts a minute. Waits of less than half a second pass as
 * usual, since they hold up what a test waits for.
 */
export const patientClock: Clock = {
  now: () => systemClock.now() / factor,
  date: systemClock.date,
  after: (milliseconds, run) =>
    systemClock.after(milliseconds < 500 ? milliseconds : milliseconds * factor, run),
}
