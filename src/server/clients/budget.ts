import type { GraphQLError } from 'graphql'
import type { CacheStore } from '../../kit/cache/cache.ts'
import type { Clock } from '../../kit/clock/clock.ts'
import { limitError } from './limitError.ts'

/** Cost points that a client may spend. */
export interface RateLimitOption {
  /** Points that a client gets for each second. 0 for no limit. */
  readonly pointsPerSecond: number
  /** The most points that it can save up. Default: five times the points, or the highest cost of an operation. */
  readonly burst?: number | undefined
}

/** How many cost points a client may spend. */
export interface RateLimit {
  readonly pointsPerSecond: number
  /** The most points that a client can have saved up. */
  readonly burst: number
}

/** The cost points that each client may spend. */
export interface CostBudget {
  /**
   * Charges the client the cost of an operation. Charges nothing and returns an error if too few points are left.
   * Called once per operation, when its cost is known to be within the limit.
   */
  charge(client: string, points: number): GraphQLError | undefined
  /** Charges the client points for past work, also beyond its budget. */
  spend(client: string, points: number): void
  /** The points that the client may spend now. */
  left(client: string): number
}

/** A budget that other processes can lower when a client spends points there. */
export interface SharableBudget extends CostBudget {
  /** The limit of a client. Undefined for a client without one. */
  limitOf(client: string): RateLimit | undefined
  /** Leaves the client at most this many points. A negative number is a debt. */
  lower(client: string, points: number): void
}

/** How much clients may spend. */
export interface RateLimitOptions {
  /**
   * The budget of each client. Default: 20,000 points a second, and no limit for clients on this machine
   * that no proxy names.
   */
  readonly rateLimit?: RateLimitOption | undefined
  /** Other budgets of clients with an API key, by their names. */
  readonly apiKeyRateLimits?: ReadonlyMap<string, RateLimitOption> | undefined
}

/** Returns a function that gives the limit of a client by its key. */
export function createLimitOf(options: RateLimitOptions, maxCost: number): (client: string) => RateLimit | undefined {
  const resolve = ({ pointsPerSecond, burst }: RateLimitOption): RateLimit | undefined => {
    if (pointsPerSecond === 0) return undefined
    return { pointsPerSecond, burst: burst ?? 5 * Math.max(pointsPerSecond, maxCost) }
  }
  const shared = resolve(options.rateLimit ?? defaultRateLimit)
  const local = options.rateLimit && shared
  const byName = new Map([...(options.apiKeyRateLimits ?? [])].map(([name, limit]) => [`key:${name}`, resolve(limit)]))
  return (client) => {
    if (byName.has(client)) return byName.get(client)
    if (client.startsWith('local:')) return local
    return /^(?:key|ip):/.test(client) ? shared : undefined
  }
}

const defaultRateLimit: RateLimitOption = { pointsPerSecond: 20_000 }

/** The points that a client had at some time. */
interface Bucket {
  readonly points: number
  readonly at: number
}

/** The most clients that are remembered. A client that is forgotten has a full bucket. */
const maxClients = 50_000

/** Milliseconds until a client is forgotten. All but the largest buckets are full again by then. */
const idleMs = 10 * 60_000

/**
 * A token bucket of cost points for each client that `limitOf` gives a limit. Libraries for rate limits count in fixed
 * windows and by the system's clock, and answer with promises.
 */
export function createRateLimiter(
  clock: Pick<Clock, 'now'>,
  cache: CacheStore,
  limitOf: SharableBudget['limitOf'],
): SharableBudget {
  const buckets = cache.open<Bucket>({ name: 'rateLimits', maxEntries: maxClients, ttlMs: idleMs })

  const pointsOf = (client: string, { pointsPerSecond, burst }: RateLimit): number => {
    const bucket = buckets.get(client)
    if (!bucket) return burst
    const refill = ((clock.now() - bucket.at) / 1000) * pointsPerSecond
    return Math.min(burst, bucket.points + refill)
  }

  const take = (client: string, left: number) => buckets.set(client, { points: left, at: clock.now() })

  return {
    limitOf,

    charge(client, cost) {
      const limit = limitOf(client)
      if (!limit) return undefined
      const points = pointsOf(client, limit)
      // A full bucket is enough for an operation of any cost. Its client waits the longer afterwards.
      const needed = Math.min(cost, limit.burst)
      if (points < needed) return rateLimited(Math.ceil((needed - points) / limit.pointsPerSecond))
      take(client, points - cost)
      return undefined
    },

    spend(client, cost) {
      const limit = limitOf(client)
      if (limit) take(client, Math.max(-limit.burst, pointsOf(client, limit) - cost))
    },

    left(client) {
      const limit = limitOf(client)
      return limit ? Math.max(0, Math.floor(pointsOf(client, limit))) : Number.POSITIVE_INFINITY
    },

    lower(client, points) {
      const limit = limitOf(client)
      if (limit && points < pointsOf(client, limit)) take(client, Math.max(-limit.burst, points))
    },
  }
}

/** The error for a client that has to wait this many seconds. */
function rateLimited(seconds: number): GraphQLError {
  const retryAfter = Math.max(1, seconds)
  const message = `This client has spent its cost points. Try again in ${retryAfter} s.`
  const http = { status: 429, headers: { 'retry-after': String(retryAfter) } }
  return limitError('rate', message, { code: 'RATE_LIMITED', retryAfter, http })
}
