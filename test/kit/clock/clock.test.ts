import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { systemClock } from '../../../src/kit/clock/clock.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a timer beyond the longest of Node waits, as for what expires in a year', () => {
  const setTimer = vi.spyOn(globalThis, 'setTimeout')
  const cancel = systemClock.after(365 * 24 * 3_600_000, () => {})
  expect(setTimer.mock.lastCall?.[1]).toBe(2 ** 31 - 1)
  cancel()
})
