import { expect, test } from 'vitest'
import { createRestarts } from '../../../src/app/workers/primary.ts'

test('a worker that ends is replaced at once, and later if it keeps ending early', () => {
  const delay = createRestarts()
  expect(delay(60_000)).toBe(0)
  const waits = Array.from({ length: 10 }, () => delay(100))
  expect(waits).toEqual([0, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000])
  expect(delay(10_000)).toBe(0)
  expect(delay(100)).toBe(0)
  expect(delay(100)).toBe(500)
})
