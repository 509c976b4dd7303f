import { expect, test } from 'vitest'
import type { Steps } from '#kit/steps'
import { createFairScheduler } from '../../../src/kit/clock/fairScheduler.ts'
import { fakeClock } from '../../support/fakeClock.ts'

/** A scheduler on a clock that the work itself moves. `longest` is the longest time without a pause. */
function setUp() {
  const timers = fakeClock()
  let worked = 0
  let pausedAt = 0
  let longest = 0
  const clock = {
    ...timers,
    now: () => timers.now() + worked,
    after: (milliseconds: number, run: () => void) =>
      timers.after(milliseconds, () => {
        pausedAt = worked
        run()
      }),
  }
  const scheduler = createFairScheduler(clock)
  function* steps(count: number, milliseconds: number): Steps<number> {
    for (let step = 0; step < count; step += 1) {
      yield
      worked += milliseconds
      longest = Math.max(longest, worked - pausedAt)
    }
    return count
  }
  return { scheduler, timers, steps, longest: () => longest }
}

test('a short operation runs without a pause', () => {
  const { scheduler, steps } = setUp()
  expect(scheduler.begin('a').run(steps(700, 0.01))).toBe(700)
})

test('a few long steps do not block the event loop', async () => {
  const { scheduler, steps, timers, longest } = setUp()
  const done = scheduler.begin('a').run(steps(40, 5))
  await timers.advance(10_000)
  expect(await done).toBe(40)
  // The time is asked for once in eight steps, and counts from the first time.
  expect(longest()).toBeLessThan(2 * 8 * 5)
})

test('long work does not block the event loop', async () => {
  const { scheduler, steps, timers, longest } = setUp()
  const work = scheduler.begin('a')
  const done = work.run(steps(100_000, 0.01))
  expect(done).toBeInstanceOf(Promise)
  await timers.advance(10_000)
  expect(await done).toBe(100_000)
  expect(longest()).toBeLessThan(10)
})

test('many operations block the event loop no longer than one', async () => {
  const { scheduler, steps, timers, longest } = setUp()
  const done = Array.from({ length: 20 }, (_, i) => scheduler.begin(`c${i}`).run(steps(5_000, 0.01)))
  await timers.advance(10_000)
  expect(await Promise.all(done)).toEqual(Array(20).fill(5_000))
  expect(longest()).toBeLessThan(50)
})

test('an error after a pause rejects', async () => {
  const { scheduler, steps, timers } = setUp()
  function* failing(): Steps<never> {
    yield* steps(5_000, 0.01)
    throw new Error('too long')
  }
  const done = Promise.resolve(scheduler.begin('a').run(failing()))
  const caught = done.catch((error: Error) => error.message)
  await timers.advance(10_000)
  expect(await caught).toBe('too long')
})

test('isLong stays true once the time is used up', async () => {
  const { scheduler, steps, timers } = setUp()
  const work = scheduler.begin('a')
  const done = work.run(steps(3_000, 0.01))
  expect(work.isLong()).toBe(true)
  expect(work.isLong()).toBe(true)
  await timers.advance(10_000)
  await done
})

test('later runs the tasks of one client in order', async () => {
  const { scheduler, timers } = setUp()
  const work = scheduler.begin('a')
  const done: number[] = []
  const all = Array.from({ length: 5_000 }, (_, i) => work.later(() => done.push(i)))
  await timers.advance(10_000)
  await Promise.all(all)
  expect(done).toEqual(Array.from({ length: 5_000 }, (_, i) => i))
})
