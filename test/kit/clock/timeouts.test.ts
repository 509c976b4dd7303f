import { expect, test } from 'vitest'
import type { Clock } from '../../../src/kit/clock/clock.ts'
import { createTimeouts } from '../../../src/kit/clock/timeouts.ts'
import { fakeClock } from '../../support/fakeClock.ts'

/** A fake clock that counts the timers that wait and those ever set. */
function countingClock() {
  const clock = fakeClock()
  const timers = { waiting: 0, set: 0 }
  const counting: Clock = {
    now: clock.now,
    date: clock.date,
    after(milliseconds, run) {
      timers.waiting += 1
      timers.set += 1
      let isOver = false
      const end = () => {
        if (!isOver) timers.waiting -= 1
        isOver = true
      }
      const cancel = clock.after(milliseconds, () => {
        end()
        run()
      })
      return () => {
        end()
        cancel()
      }
    },
  }
  return { clock: counting, advance: clock.advance, timers }
}

test('timeouts run on time and share one timer', async () => {
  const { clock, advance, timers } = countingClock()
  const startTimeout = createTimeouts(clock, 1_000)
  const runs: string[] = []
  startTimeout(() => runs.push(`first at ${clock.now()}`))
  await advance(300)
  startTimeout(() => runs.push(`second at ${clock.now()}`))
  startTimeout(() => runs.push(`third at ${clock.now()}`))
  expect(timers.waiting).toBe(1)
  await advance(699)
  expect(runs).toEqual([])
  await advance(301)
  expect(runs).toEqual(['first at 1000', 'second at 1300', 'third at 1300'])
  expect(timers).toEqual({ waiting: 0, set: 2 })
})

test('a canceled timeout does not run, and the next one runs in time', async () => {
  const { clock, advance } = countingClock()
  const startTimeout = createTimeouts(clock, 1_000)
  const runs: number[] = []
  const cancel = startTimeout(() => runs.push(-1))
  await advance(10)
  startTimeout(() => runs.push(clock.now()))
  cancel()
  await advance(2_000)
  expect(runs).toEqual([1_010])
})

test('canceled timeouts leave no timer, and thousands share one', async () => {
  const { clock, advance, timers } = countingClock()
  const startTimeout = createTimeouts(clock, 1_000)
  const cancels = Array.from({ length: 1_000 }, () => startTimeout(expect.unreachable))
  for (const cancel of cancels) cancel()
  expect(timers).toEqual({ waiting: 0, set: 1 })
  await advance(2_000)
})

test('a timeout that starts another or cancels the next leaves one timer', async () => {
  const { clock, advance, timers } = countingClock()
  const startTimeout = createTimeouts(clock, 1_000)
  const runs: number[] = []
  startTimeout(() => {
    cancelNext()
    startTimeout(() => runs.push(clock.now()))
  })
  const cancelNext = startTimeout(() => runs.push(-1))
  await advance(1_000)
  expect(timers.waiting).toBe(1)
  await advance(1_000)
  expect([runs, timers.waiting]).toEqual([[2_000], 0])
})
