import type { Limits } from '../limits/limits.ts'
import { createUpstream, type Upstream } from '../upstream/client.ts'
import type { Network } from '../upstream/network.ts'
import type { UpstreamOptions } from '../upstream/upstreamOptions.ts'
import { checkedUrl, type NetworkOptions, type ServiceOptions } from './networkOptions.ts'
import { createChains } from './replacedChains.ts'

/** The clients of all services. The chains can be replaced while they are in use. */
export interface OpenNetwork extends Network {
  /**
   * Replaces the chains, and nothing else of the options. An unchanged service keeps its client and its cache. Returns
   * whether anything has changed. On an error, which is as in `openNetwork`, nothing changes.
   */
  update(options: NetworkOptions): boolean
}

interface ServiceKind extends Pick<UpstreamOptions, 'movingTtl' | 'finalTtl'> {
  readonly concurrency: number
  /** The share of the requests that only urgent requests may be. */
  readonly reservedShare?: number
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
    'dispatcher' | 'clock' | 'cache' | 'scheduler' | 'bodyScheduler' | 'events' | 'backoff'
  >,
): OpenNetwork {
  const open = (service: string, options: ServiceOptions, { reservedShare = 0, ...kind }: ServiceKind): Upstream => {
    const { url, headers } = checkedUrl(service, options)
    const concurrency = options.maxRequests ?? kind.concurrency
    return createUpstream({
      ...shared,
      service,
      url,
      finalTtl: limits.cacheTtlMs,
      ...kind,
      concurrency,
      headers: { ...headers, ...options.headers },
      timeout: options.timeoutMs ?? limits.upstreamTimeoutMs,
      slowTimeout: limits.quoteTimeoutMs,
      maxWaiting: limits.maxWaitingRequests,
      cacheBytes: limits.cacheBytes,
      reserved: Math.floor(concurrency * reservedShare),
    })
  }
  const indexers = { concurrency: limits.maxIndexerRequests, movingTtl: limits.movingCacheTtlMs }
  const routers = { concurrency: limits.maxRouterRequests, reservedShare: reservedForPolls }
  const { served, listed, replace } = createChains((chain) => open(chain.chainId, chain, indexers), shared)
  const listeners = new Set<(chainIds: ReadonlySet<string>) => void>()
  let defaultChain = replace(options)
  let epoch = 0
  const router =
    options.router &&
    open('router', options.router, {
      ...routers,
      ...(options.isSandbox && { finalTtl: 0 }),
    })
  const prices = options.prices && open('prices', options.prices, { concurrency: priceRequests })

  return {
    chains: served,
    listed,
    get defaultChain() {
      return defaultChain
    },
    router,
    prices,
    routerSite: options.router && parseAddress(options.router.url),
    get epoch() {
      return epoch
    },
    onMoved(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    update(next) {
      const before = [defaultChain, ...served.values()]
      const listedBefore = JSON.stringify([...listed])
      defaultChain = replace(next)
      const after = [defaultChain, ...served.values()]
      const isChanged = !isSameList(before, after) || JSON.stringify([...listed]) !== listedBefore
      if (!isChanged) return false
      epoch += 1
      const moved = before.filter(({ chainId, indexer }) => served.get(chainId)?.indexer !== indexer)
      const ids = new Set(moved.map(({ chainId }) => chainId))
      if (ids.size > 0) for (const listener of [...listeners]) listener(ids)
      return true
    },
  }
}

const isSameList = (before: readonly unknown[], after: readonly unknown[]): boolean =>
  before.length === after.length && after.every((item, i) => item === before[i])

/** Requests open at once to the service of prices, which is mostly a public one. */
const priceRequests = 8

/** The part of the requests to the router that only polls of transfers may be: quotes can take long. */
const reservedForPolls = 1 / 4

function parseAddress(url: string): string {
  const { host, pathname } = new URL(url)
  return `${host}${pathname.replace(/\/+$/, '')}`
}
