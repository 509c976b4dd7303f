import type { Limits } from '../../engine/limits/limits.ts'
import type { Log } from '../../engine/telemetry/log.ts'
import type { CacheStore } from '../../kit/cache/cache.ts'
import type { Clock } from '../../kit/clock/clock.ts'
import type { WorkScheduler } from '../../kit/clock/fairScheduler.ts'
import { createLimitOf, createRateLimiter, type RateLimitOptions, type SharableBudget } from './budget.ts'
import { Client } from './client.ts'
import { createApiKeys, createIdentify, type Identify } from './identify.ts'
import { createOriginFinder, createProxyTest } from './proxies.ts'

/** How clients are told apart, and how much each may do. */
export interface ClientOptions extends RateLimitOptions {
  /**
   * Proxies whose `X-Forwarded-For` or `Forwarded` header names the client: addresses, networks such as
   * `10.0.0.0/8`, and the names `loopback`, `linklocal` and `uniquelocal`. Default: `loopback`.
   */
  readonly trustedProxies?: readonly string[] | undefined
  /** The API keys of clients, by the names of the clients. Default: none. */
  readonly apiKeys?: ReadonlyMap<string, string> | undefined
  /** Refuse clients without an API key. Default: false. */
  readonly requireApiKey?: boolean | undefined
}

/** The options of clients that can change while they are served. */
export type KeyOptions = RateLimitOptions & Pick<ClientOptions, 'apiKeys' | 'requireApiKey'>

export interface Clients {
  readonly identify: Identify
  readonly openClient: (key: string) => Client
  /** Whether connections from an address are those of many clients. */
  readonly isProxy: (address: string) => boolean
  /** Replaces the keys and the limits of clients. What they have spent stays spent. */
  readonly replaceKeys: (options: KeyOptions) => void
}

/** The parts of a server that its clients need. */
export interface ClientsContext {
  readonly clock: Pick<Clock, 'now'>
  readonly cache: CacheStore
  readonly log: Log
  readonly scheduler: WorkScheduler
  readonly limits: Pick<Limits, 'maxCost'>
  /** Makes other processes count the points that clients spend here. */
  readonly shareBudget?: ((budget: SharableBudget) => SharableBudget) | undefined
}

/** Tells clients apart by their API keys and addresses, and limits what each may spend. */
export function createClients(
  options: ClientOptions,
  { clock, cache, log, scheduler, limits, shareBudget = (own) => own }: ClientsContext,
): Clients {
  const { trustedProxies = ['loopback'] } = options
  let limitOf = createLimitOf(options, limits.maxCost)
  let keys = createApiKeys(options.apiKeys, options.requireApiKey)
  const budget = shareBudget(createRateLimiter(clock, cache, (client) => limitOf(client)))
  const openClient = (key: string) => new Client(key, budget, scheduler)
  const identify = createIdentify(
    openClient,
    createOriginFinder(trustedProxies, (address) => log.warn({ address }, untrusted)),
    () => keys,
  )
  return {
    identify,
    openClient,
    isProxy: createProxyTest(trustedProxies),
    replaceKeys(next) {
      limitOf = createLimitOf(next, limits.maxCost)
      keys = createApiKeys(next.apiKeys, next.requireApiKey)
    },
  }
}

const untrusted = 'A proxy that is not in TRUSTED_PROXIES forwards requests. All its clients count as one client.'
