import { expect, test } from 'vitest'
import { afterPeers, backoff, intervalOf, jitter, nextDelay } from '../../../src/engine/watch/nextDelay.ts'
import { minute, second } from './stateWorld.ts'

// The numbers of the pace. The other tests of watches hold at any pace that keeps their claims.

/** Milliseconds between two polls of a target of that age, in milliseconds. */
const pollInterval = (ageMs: number, untilEndMs = Number.POSITIVE_INFINITY) =>
  intervalOf({ kind: 'ends', ageMs, untilEndMs }, 1)

test('the poll interval grows with age, and is short around the expected end', () => {
  const ages = [0, 9_999, 10_000, 14_000, 60_000, 10 * minute, 59 * minute, 60 * minute]
  expect(ages.map((age) => pollInterval(age))).toEqual([1_000, 1_000, 1_000, 2_000, 4_000, 15_000, 15_000, 60_000])
  const untilDue = [10 * minute, 5 * minute + 9_000, 5 * minute, 8_000, 1_000]
  const overdue = [-1_000, -14_000, -4 * minute, -6 * minute]
  expect([...untilDue, ...overdue].map((ms) => pollInterval(30 * minute, ms))).toEqual([
    15_000, 9_000, 4_000, 2_000, 1_000, 1_000, 2_000, 4_000, 15_000,
  ])
})

test('the poll interval is at most 5 s for ten minutes and around the expected end', () => {
  for (const expectedMs of [0, 30, 300, 1_200, 2_000_000_000].map((at) => at * second))
    for (let age = 0; age < 60 * minute; age += second) {
      const untilDue = expectedMs - age
      if (age < 10 * minute || Math.abs(untilDue) < 5 * minute)
        expect(jitter(pollInterval(age, untilDue), 1)).toBeLessThanOrEqual(5 * second)
    }
})

test('the retry delay doubles after each fault up to a limit, and is jittered', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 60].map(backoff)).toEqual([500, 1_000, 2_000, 2_000, 2_000, 2_000, 4_000, 4_000])
  expect([0, 0.5, 1].map((random) => jitter(1_000, random))).toEqual([750, 1_000, 1_250])
})

test('few listeners have a sequence polled less often, but every five seconds', () => {
  const rhythm = { kind: 'endless', minMs: second, fullRateAt: 5 } as const
  const intervals = [0, 1, 2, 4, 5, 9].map((demand) => intervalOf(rhythm, demand))
  expect(intervals).toEqual([5_000, 5_000, 2_500, 1_250, 1_000, 1_000])
  expect(intervalOf({ ...rhythm, minMs: 7_000 }, 1)).toBe(7_000)
})

test('a peer waits longer than who polled last, from the time of that poll on', () => {
  expect([0, 0.5, 1].map((random) => afterPeers(1_000, random))).toEqual([1_300, 1_425, 1_550])
  const rhythm = { kind: 'fixed', intervalMs: second } as const
  const peer = (more: object) => nextDelay({ rhythm, faults: 0, peerAgeMs: 200, ...more }, 1, 0.5)
  expect([peer({}), peer({ peerAgeMs: 9_000 })]).toEqual([1_225, 0])
  expect([peer({ faults: 2 }), peer({ faults: 2, retryAfterMs: 2_000 })]).toEqual([1_225, 2_650])
})

test('a retry waits as long as the error asks, or the delay without the time of the request', () => {
  const retry = (more: object) =>
    nextDelay({ rhythm: { kind: 'fixed', intervalMs: second }, faults: 3, tookMs: 700, ...more }, 1, 0.5)
  expect([retry({}), retry({ retryAfterMs: 7_000 })]).toEqual([1_300, 7_000])
})
