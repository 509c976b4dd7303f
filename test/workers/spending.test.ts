import { expect, test } from 'vitest'
import { createMemoryCacheStore } from '../../src/kit/cache/cache.ts'
import { createRateLimiter } from '../../src/server/clients/rateLimit.ts'
import { createSharedHub } from '../../src/workers/sharedHub.ts'
import { type SharedBudget, shareBudget } from '../../src/workers/spending.ts'
import { fakeClock } from '../support/fakeClock.ts'

const quota = { maxTargetsPerClient: 1, maxTargets: 1 }

/** Two workers, each with a budget of 100 points a second and client, and a burst of 200. */
function createBudgets() {
  const clock = fakeClock()
  const hub = createSharedHub(clock, quota)
  const told: number[] = []
  const add = () => {
    const limits = { pointsPerSecond: 100, burst: 200 }
    const own = createRateLimiter({
      ...{ clock, cache: createMemoryCacheStore(clock) },
      limitOf: (client) => (client === 'free' ? undefined : limits),
    })
    const seat = hub.join({
      run: async () => undefined,
      onPeerRead: () => {},
      onSpent(spent) {
        told.push(spent.length)
        budget.onSpent(spent)
      },
    })
    const budget: SharedBudget = shareBudget(own, clock, seat.spend)
    return budget
  }
  return { clock, told, budgets: [add(), add()] as const }
}

test('what a client spends at one worker is gone at the other', async () => {
  const { clock, budgets } = createBudgets()
  const [first, second] = budgets
  expect(first.charge('a', 150)).toBeUndefined()
  first.spend('a', 20)
  await clock.advance(100)
  expect(first.left('a')).toBe(40)
  expect(second.left('a')).toBe(30)
  expect(second.left('b')).toBe(200)
  expect(second.charge('a', 100)?.extensions).toMatchObject({ code: 'RATE_LIMITED' })
})

test('a refused operation is told to nobody, and one of a client without a limit neither', async () => {
  const { clock, budgets, told } = createBudgets()
  const [first] = budgets
  first.charge('free', 1_000)
  first.charge('a', 200)
  expect(first.charge('a', 10)).toBeDefined()
  await clock.advance(100)
  expect(told).toEqual([1])
  expect(budgets[1].left('a')).toBe(0)
})

test('what a client spends at both before they know is taken from what it gets later', async () => {
  const { clock, budgets } = createBudgets()
  const [first, second] = budgets
  for (const budget of budgets) expect(budget.charge('a', 200)).toBeUndefined()
  await clock.advance(1_000)
  // 400 of 200 points were spent, and 100 have come back.
  expect([first.left('a'), second.left('a')]).toEqual([0, 0])
  await clock.advance(2_000)
  expect([first.left('a'), second.left('a')]).toEqual([100, 100])
})
