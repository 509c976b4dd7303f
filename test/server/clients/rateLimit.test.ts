import { expect, test } from 'vitest'
import { CacheStore } from '../../../src/kit/cache/cache.ts'
import { createFairScheduler } from '../../../src/kit/clock/fairScheduler.ts'
import { createRateLimiter } from '../../../src/server/clients/budget.ts'
import { type ClientOptions, createClients } from '../../../src/server/clients/clients.ts'
import { fakeClock } from '../../support/fakeClock.ts'

function limiter(limit: { pointsPerSecond: number; burst: number } | undefined) {
  const clock = fakeClock()
  const cache = new CacheStore(clock)
  return { clock, ...createRateLimiter(clock, cache, () => limit) }
}

const secondsOf = (error: ReturnType<ReturnType<typeof limiter>['charge']>) =>
  error && { code: error.extensions.code, retryAfter: error.extensions.retryAfter }

test('a client can spend its burst at once, then points per second', async () => {
  const { charge, left, clock } = limiter({ pointsPerSecond: 10, burst: 100 })
  expect(left('a')).toBe(100)
  expect(charge('a', 60)).toBeUndefined()
  expect(charge('a', 40)).toBeUndefined()
  expect(secondsOf(charge('a', 25))).toEqual({ code: 'RATE_LIMITED', retryAfter: 3 })
  expect(charge('b', 100)).toBeUndefined()
  await clock.advance(2_400)
  expect(left('a')).toBe(24)
  expect(secondsOf(charge('a', 25))).toEqual({ code: 'RATE_LIMITED', retryAfter: 1 })
  await clock.advance(100)
  expect(charge('a', 25)).toBeUndefined()
  await clock.advance(60_000)
  expect(left('a')).toBe(100)
})

test('an operation that costs more than the burst needs a full bucket and overdraws it', async () => {
  const { charge, left, clock } = limiter({ pointsPerSecond: 10, burst: 100 })
  expect(charge('a', 150)).toBeUndefined()
  expect(left('a')).toBe(0)
  expect(secondsOf(charge('a', 10))).toEqual({ code: 'RATE_LIMITED', retryAfter: 6 })
  await clock.advance(6_000)
  expect(charge('a', 10)).toBeUndefined()
})

test('spend is never refused, and overdraws by at most one burst', async () => {
  const { charge, spend, clock } = limiter({ pointsPerSecond: 10, burst: 100 })
  for (let event = 0; event < 50; event += 1) spend('a', 10)
  expect(secondsOf(charge('a', 0))).toEqual({ code: 'RATE_LIMITED', retryAfter: 10 })
  await clock.advance(10_000)
  expect(charge('a', 0)).toBeUndefined()
})

test('lower reduces the points of a client, and never raises them', async () => {
  const { charge, lower, left, clock } = limiter({ pointsPerSecond: 10, burst: 100 })
  lower('a', 30)
  expect(left('a')).toBe(30)
  lower('a', 80)
  expect(left('a')).toBe(30)
  lower('a', -500)
  expect(secondsOf(charge('a', 1))).toEqual({ code: 'RATE_LIMITED', retryAfter: 11 })
  await clock.advance(20_000)
  expect(left('a')).toBe(100)
})

test('a client without a rate limit is never refused', () => {
  const { charge, spend, left, lower } = limiter(undefined)
  lower('a', -1e9)
  spend('a', 1e9)
  expect(charge('a', 1e9)).toBeUndefined()
  expect(left('a')).toBe(Number.POSITIVE_INFINITY)
})

test('at most 50,000 clients have a bucket', () => {
  const clock = fakeClock()
  const cache = new CacheStore(clock)
  const limit = { pointsPerSecond: 10, burst: 100 }
  const { charge } = createRateLimiter(clock, cache, () => limit)
  for (let client = 0; client < 60_000; client += 1) charge(`ip:${client}`, 1)
  expect(cache.open({ name: 'rateLimits', maxEntries: 1 }).size).toBe(50_000)
})

test('the default rate limit applies to all clients but local ones', () => {
  const clock = fakeClock()
  const cache = new CacheStore(clock)
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  const scheduler = createFairScheduler(clock)
  const leftWith = (options: ClientOptions) => {
    const { openClient } = createClients(options, { clock, cache, log, scheduler, limits: { maxCost: 20_000 } })
    return (key: string) => openClient(key).left
  }
  const left = leftWith({})
  expect(left('ip:203.0.113.7')).toBe(100_000)
  expect(left('key:wallet')).toBe(100_000)
  expect(left('local:127.0.0.1')).toBe(Number.POSITIVE_INFINITY)

  const given = leftWith({ rateLimit: { pointsPerSecond: 50_000 } })
  expect(given('ip:203.0.113.7')).toBe(250_000)
  expect(given('local:127.0.0.1')).toBe(250_000)
  const off = leftWith({ rateLimit: { pointsPerSecond: 0 } })
  expect(off('ip:203.0.113.7')).toBe(Number.POSITIVE_INFINITY)
})
