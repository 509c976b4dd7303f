import { expect, test } from 'vitest'
import { createClock } from '../../src/app/useNow.tsx'

test('a clock stands still between its ticks, for all who read it', () => {
  let real = 1_000
  const clock = createClock(() => real)
  const seen: number[] = []
  const stop = clock.subscribe(() => seen.push(clock.now()))
  clock.subscribe(() => seen.push(clock.now()))
  real = 1_700
  expect(clock.now()).toBe(1_000)
  clock.tick()
  expect(seen).toEqual([1_700, 1_700])
  stop()
  real = 2_700
  clock.tick()
  expect(seen).toEqual([1_700, 1_700, 2_700])
})
