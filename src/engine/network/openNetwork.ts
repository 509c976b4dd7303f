import { type Limits, shareOfAnswers } from '../limits/limits.ts'
import { createUpstream, type Upstream } from '../upstream/client.ts'
import type { Network } from '../upstream/network.ts'
import {
  type ByService,
  mapServices,
  openRequests,
  type ServiceName,
  serviceNames,
  serviceOf,
} from '../upstream/services.ts'
import type { UpstreamOptions } from '../upstream/upstreamOptions.ts'
import { checkedUrl, type NetworkOptions, type ServiceOptions } from './networkOptions.ts'
import { createChains } from './replacedChains.ts'

/** The clients of all services. The chains can be replaced while they are in use. */
export interface OpenNetwork extends Network {
  /**
   * Replaces the chains, and the other services if they are given. An unchanged service keeps its client and its cache.
   * Returns whether anything has changed. On an error, which is as in `openNetwork`, nothing changes.
   */
  update(options: NetworkOptions, services?: ByService<ServiceOptions>): boolean
  /** Begins a new epoch, so that no answer from before it is sent again. */
  beginEpoch(): void
}

/**
 * Creates the clients of all services, which share the parts of a gateway. The options of a service come before the limits.
 * @throws Error if there is no chain, a chain is named twice, the default chain is not one of them, or a
 * chain id or URL is invalid.
 */
export function openNetwork(
  options: NetworkOptions,
  limits: Limits,
  shared: Pick<
    UpstreamOptions,
    'dispatcher' | 'clock' | 'cache' | 'scheduler' | 'bodyScheduler' | 'events' | 'backoff' | 'maxWaiting'
  >,
): OpenNetwork {
  const open = (
    service: string,
    options: ServiceOptions,
    usual: { readonly maxRequests: number; readonly reservedShare?: number; readonly finalTtl?: number },
  ): Upstream => {
    const { url, headers } = checkedUrl(service, options)
    const concurrency = options.maxRequests ?? usual.maxRequests
    return createUpstream({
      ...shared,
      service,
      url,
      finalTtl: usual.finalTtl ?? limits.cacheTtlMs,
      concurrency,
      headers: { ...headers, ...options.headers },
      timeout: options.timeoutMs ?? limits.upstreamTimeoutMs,
      cacheBytes: limits.cacheBytes * (1 - shareOfAnswers),
      reserved: Math.floor(concurrency * (usual.reservedShare ?? 0)),
    })
  }
  const indexers = { maxRequests: openRequests }
  const { served, listed, replace } = createChains((chain) => open(chain.chainId, chain, indexers))
  const listeners = new Set<(chainIds: ReadonlySet<string>) => void>()
  let defaultChain = replace(options)
  let epoch = 0
  // In a sandbox, what has ended can begin anew.
  const inSandbox = options.isSandbox ? { finalTtl: 0 } : {}
  const openService = (name: ServiceName, given: ServiceOptions) =>
    open(name, given, { ...serviceOf(name), ...inSandbox })
  let given: ByService<ServiceOptions> = mapServices((name) => options[name])
  let services = mapServices((name) => given[name] && openService(name, given[name]))
  /** The clients of the services that are reached in another way than before are new. */
  const reopen = (next: ByService<ServiceOptions>) =>
    mapServices((name) => {
      const isSame = JSON.stringify(next[name]) === JSON.stringify(given[name])
      return isSame ? services[name] : next[name] && openService(name, next[name])
    })

  const network: OpenNetwork = {
    chains: served,
    listed,
    get defaultChain() {
      return defaultChain
    },
    get routerSite() {
      return given.router && parseAddress(given.router.url)
    },
    get epoch() {
      return epoch
    },
    onMoved(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    beginEpoch() {
      epoch += 1
    },
    update(next, nextServices = given) {
      const reopened = reopen(nextServices)
      const before = [defaultChain, ...served.values()]
      const listedBefore = JSON.stringify([...listed])
      defaultChain = replace(next)
      const after = [defaultChain, ...served.values()]
      const areServicesChanged = serviceNames.some((name) => reopened[name] !== services[name])
      services = reopened
      given = mapServices((name) => nextServices[name])
      const isChanged = areServicesChanged || !isSameList(before, after) || JSON.stringify([...listed]) !== listedBefore
      if (!isChanged) return false
      epoch += 1
      const moved = before.filter(({ chainId, indexer }) => served.get(chainId)?.indexer !== indexer)
      const ids = new Set(moved.map(({ chainId }) => chainId))
      if (ids.size > 0) for (const listener of [...listeners]) listener(ids)
      return true
    },
  }
  for (const name of serviceNames) {
    Object.defineProperty(network, name, { get: () => services[name], enumerable: true })
  }
  return network
}

const isSameList = (before: readonly unknown[], after: readonly unknown[]): boolean =>
  before.length === after.length && after.every((item, i) => item === before[i])

function parseAddress(url: string): string {
  const { host, pathname } = new URL(url)
  return `${host}${pathname.replace(/\/+$/, '')}`
}
