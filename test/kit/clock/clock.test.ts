import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { systemClock } from '../../../src/kit/clock/clock.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a timer beyond the longest of Node waits, as for what expires in a year', () => {
  // As Node does, these timers run at once if they are longer than 2^31 - 1 ms.
  const run = vi.fn()
  const cancel = systemClock.after(365 * 24 * 3_600_000, run)
  vi.advanceTimersByTime(24 * 3_600_000)
  expect(run).not.toHaveBeenCalled()
  cancel()
})
