import type { GraphQLError } from 'graphql'
import type { Limits } from '../../engine/limits/limits.ts'
import type { Log } from '../../engine/telemetry/log.ts'
import type { CacheStore } from '../../kit/cache/cache.ts'
import type { Clock } from '../../kit/clock/clock.ts'
import type { RateLimit, SharableBudget } from '../operation/client.ts'
import { limitError } from '../operation/formatError.ts'
import { createApiKeys, createIdentify, type Identify } from './identify.ts'
import { createOriginOf, createProxyTest } from './proxies.ts'

/** Cost points that a client may spend. */
export interface RateLimitOption {
  /** Points that a client gets for each second. 0 for no limit. */
  readonly pointsPerSecond: number
  /** The most points that it can save up. Default: five times the points, or the highest cost of an operation. */
  readonly burst?: number | undefined
}

/** How clients are told apart, and how much each may do. */
export interface ClientOptions {
  /**
   * Proxies whose `X-Forwarded-For` or `Forwarded` header names the client: addresses, networks such as
   * `10.0.0.0/8`, and the names `loopback`, `linklocal` and `uniquelocal`. Default: `loopback`.
   */
  readonly trustedProxies?: readonly string[] | undefined
  /** The API keys of clients, by the names of the clients. Default: none. */
  readonly apiKeys?: ReadonlyMap<string, string> | undefined
  /** Refuse clients without an API key. Default: false. */
  readonly requireApiKey?: boolean | undefined
  /**
   * The budget of each client. Default: 20,000 points a second, and no limit for clients on this machine
   * that no proxy names.
   */
  readonly rateLimit?: RateLimitOption | undefined
  /** Other budgets of clients with an API key, by their names. */
  readonly apiKeyRateLimits?: ReadonlyMap<string, RateLimitOption> | undefined
}

export interface Clients {
  readonly identify: Identify
  readonly budget: SharableBudget
  /** Whether connections from an address are those of many clients. */
  readonly isProxy: (address: string) => boolean
}

/** The parts of a server that its clients need. */
export interface ClientsContext {
  readonly clock: Pick<Clock, 'now'>
  readonly cache: CacheStore
  readonly log: Log
  readonly limits: Pick<Limits, 'maxCost'>
  /** How many processes divide the budget of each client between them. Default: 1. */
  readonly processCount?: number | undefined
}

/** Tells clients apart by their API keys and addresses, and limits what each may spend. */
export function createClients(
  options: ClientOptions,
  { clock, cache, log, limits, processCount = 1 }: ClientsContext,
): Clients {
  const { trustedProxies = ['loopback'] } = options
  const identify = createIdentify({
    originOf: createOriginOf({
      trustedProxies,
      onUntrusted: (address) => log.warn({ address }, untrusted),
    }),
    apiKeys: createApiKeys(options.apiKeys ?? new Map()),
    requireApiKey: options.requireApiKey ?? false,
  })

  const resolve = ({ pointsPerSecond, burst }: RateLimitOption): RateLimit | undefined => {
    if (pointsPerSecond === 0) return undefined
    const saved = burst ?? 5 * Math.max(pointsPerSecond, limits.maxCost)
    return { pointsPerSecond: pointsPerSecond / processCount, burst: saved / processCount }
  }
  const shared = resolve(options.rateLimit ?? defaultRateLimit)
  const local = options.rateLimit && shared
  const byName = new Map([...(options.apiKeyRateLimits ?? [])].map(([name, limit]) => [`key:${name}`, resolve(limit)]))
  const limitOf = (client: string): RateLimit | undefined => {
    if (byName.has(client)) return byName.get(client)
    if (client.startsWith('local:')) return local
    return /^(?:key|ip):/.test(client) ? shared : undefined
  }
  const budget = createRateLimiter({ clock, cache, limitOf })
  return { identify, budget, isProxy: createProxyTest(trustedProxies) }
}

const defaultRateLimit: RateLimitOption = { pointsPerSecond: 20_000 }

const untrusted = 'A proxy that is not in TRUSTED_PROXIES forwards requests. All its clients count as one client.'

/** The limits of a rate limiter, and where it keeps the points of clients. */
export interface RateLimiterOptions {
  readonly clock: Pick<Clock, 'now'>
  readonly cache: CacheStore
  /** The limit of a client. Undefined for a client without one. */
  readonly limitOf: (client: string) => RateLimit | undefined
}

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
 * A token bucket of cost points for each client. Libraries for rate limits count in fixed windows and by
 * the system's clock, and answer with promises.
 */
export function createRateLimiter({ clock, cache, limitOf }: RateLimiterOptions): SharableBudget {
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

/** The error for a client that has to wait so many seconds. */
function rateLimited(seconds: number): GraphQLError {
  const retryAfter = Math.max(1, seconds)
  const message = `This client has spent its cost points. Try again in ${retryAfter} s.`
  const http = { status: 429, headers: { 'retry-after': String(retryAfter) } }
  return limitError('rate', message, { code: 'RATE_LIMITED', retryAfter, http })
}
