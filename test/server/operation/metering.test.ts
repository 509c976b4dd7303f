import { expect, test } from 'vitest'
import { CacheStore } from '../../../src/kit/cache/cache.ts'
import { createFairScheduler } from '../../../src/kit/clock/fairScheduler.ts'
import { createRateLimiter } from '../../../src/server/clients/budget.ts'
import { Client } from '../../../src/server/clients/client.ts'
import { Metering } from '../../../src/server/operation/metering.ts'
import { createUnreadAnswers } from '../../../src/server/operation/unreadAnswers.ts'
import { fakeClock } from '../../support/fakeClock.ts'

const mebibyte = 1024 * 1024

/** The points that an answer costs beyond its fields. */
function pointsOf(answer: { bytes?: number; rows?: number; read?: number }): number {
  const clock = fakeClock()
  const budget = createRateLimiter(clock, new CacheStore(clock), () => ({ pointsPerSecond: 1, burst: 100_000 }))
  const client = new Client('key:a', budget, createFairScheduler(clock))
  const unread = createUnreadAnswers({ maxAnswerBytes: mebibyte })
  const { bytes = 0, rows = 0, read = 0 } = answer
  new Metering({ unread }).answer(client, { bytes, rows, scope: { budget: { bytes: read } } })
  return 100_000 - client.left
}

test.each([
  [{}, 0],
  [{ bytes: 16 * 1024 - 1, rows: 3, read: mebibyte }, 0],
  [{ bytes: 16 * 1024, rows: 8 }, 3],
  [{ read: mebibyte + 1023 }, 0],
  [{ read: mebibyte + 1024 }, 1],
  [{ read: 10 * mebibyte }, 9 * 1024],
])('%o costs %i points', (answer, points) => expect(pointsOf(answer)).toBe(points))
