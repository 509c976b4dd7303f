import { createMovableClock, type MovableClock } from '../../src/kit/clock/movableClock.ts'

/** A clock that only moves when a test advances it. */
export type FakeClock = MovableClock

/** A clock at 0. `settled` waits for what takes real time. `epoch` is the date at 0. */
export const fakeClock = (settled?: () => Promise<void>, epoch?: number): FakeClock =>
  createMovableClock(settled, epoch)
