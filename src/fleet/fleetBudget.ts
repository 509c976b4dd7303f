import type { Clock } from '../kit/clock/clock.ts'
import type { SharableBudget } from '../server/execution/client.ts'
import type { RedisLink } from './redis/redisLink.ts'
import { createSharedBuckets } from './redis/sharedBuckets.ts'

/** The parts of a budget of a fleet. */
export interface FleetBudgetOptions {
  /** The budget of this gateway. */
  readonly budget: SharableBudget
  /** What counts while Redis is gone: the same budget, which workers of one machine may share. */
  readonly alone: SharableBudget
  readonly link: RedisLink
  readonly clock: Clock
}

/**
 * Makes a budget count what clients spend at all gateways of a fleet. Each gateway decides at once by what it
 * knows, so that no query waits for Redis. It knows what a client has spent elsewhere soon after the client
 * has come here. What a client spends in the meantime is taken from what it gets afterwards.
 */
export function shareFleetBudget(options: FleetBudgetOptions): SharableBudget {
  const { budget, alone, link, clock } = options
  const buckets = createSharedBuckets({ link, clock, onLeft: budget.lower })
  const take = (client: string, points: number) => {
    const limit = budget.limitOf(client)
    if (limit) buckets.take(client, points, limit)
  }
  // Workers must not report to each other too: Redis reports the same points, and they would count twice.
  const current = () => (link.session ? budget : alone)
  return {
    ...budget,
    charge(client, points) {
      const refusal = current().charge(client, points)
      // An operation is charged nothing when it arrives. That is when the client is looked up.
      if (!refusal) take(client, points)
      return refusal
    },
    spend(client, points) {
      current().spend(client, points)
      take(client, points)
    },
  }
}
