import type { Clock } from './clock/clock.ts'
import type { RedisLink } from './redis/redisLink.ts'
import { createSharedBuckets } from './redis/sharedBuckets.ts'
import type { SharableBudget } from './server/execution/client.ts'

/**
 * Makes a budget count what clients spend at all gateways of a fleet. Each gateway decides at once by what it
 * knows, so that no query waits for Redis. It knows what a client has spent elsewhere soon after the client
 * has come here. What a client spends in the meantime is taken from what it gets afterwards.
 */
export function shareFleetBudget(
  budget: SharableBudget,
  link: RedisLink,
  clock: Clock,
): SharableBudget {
  const buckets = createSharedBuckets({ link, clock, onLeft: budget.lower })
  const take = (client: string, points: number) => {
    const limit = budget.limitOf(client)
    if (limit) buckets.take(client, points, limit)
  }
  return {
    ...budget,
    charge(client, points) {
      const refusal = budget.charge(client, points)
      // An operation is charged nothing when it arrives. That is when the client is looked up.
      if (!refusal) take(client, points)
      return refusal
    },
    spend(client, points) {
      budget.spend(client, points)
      take(client, points)
    },
  }
}
