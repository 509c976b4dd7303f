import {
  createUpstream,
  responsesRegion,
  sourceOf,
  type Upstream,
  type UpstreamOptions,
} from '../upstream/client.ts'
import type { ListedChain, Network, ServedChain, Vm } from '../upstream/network.ts'
import type { Limits } from './limits/limits.ts'
import { isChainId, upstreamUrl } from './parsers.ts'

/** Where a REST service is. */
export interface ServiceOptions {
  /** Base URL, with http or https. A path prefix is kept. */
  readonly url: string
  /** Headers sent with every request to this service. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Longest time of one request, in milliseconds. Default: the limit `upstreamTimeoutMs`. */
  readonly timeoutMs?: number | undefined
  /** Most requests open at once. Default: the limit `maxIndexerRequests` or `maxRouterRequests`. */
  readonly maxRequests?: number | undefined
}

/** What is known of a chain. */
export interface ListedChainOptions {
  readonly chainId: string
  /** Short name, such as `osmosis`. Default: as the router has it, or else the chain id. */
  readonly name?: string | undefined
  /** Name shown to people. Default: as the router has it, or else `name`. */
  readonly prettyName?: string | undefined
  /** The chain's virtual machine. When left out, the indexer is asked whether it is an EVM. */
  readonly vm?: Lowercase<Vm> | undefined
  /** What the chain's bech32 addresses begin with. */
  readonly bech32Prefix?: string | undefined
  readonly logoUrl?: string | undefined
  readonly explorers?: ListedChain['explorers'] | undefined
  /** Denoms that pay fees, and what one unit of gas costs in each. */
  readonly feeAssets?: ListedChain['feeAssets'] | undefined
  /** Public RPC endpoints, for wallets. The gateway does not use them. */
  readonly rpcUrls?: readonly string[] | undefined
  /** Public REST endpoints, for wallets. The gateway does not use them. */
  readonly restUrls?: readonly string[] | undefined
}

/** A chain to serve, and its indexer. */
export interface ChainOptions extends ServiceOptions, ListedChainOptions {}

/** The services that a gateway sends requests to. */
export interface NetworkOptions {
  /** At least one chain. */
  readonly chains: readonly ChainOptions[]
  /** Chains without an indexer of which something is known. */
  readonly listed?: readonly ListedChainOptions[] | undefined
  /** The cross-chain router. Without one, the router's fields answer with errors. */
  readonly router?: ServiceOptions | undefined
  /** The chain of queries that name none. Default: the first chain. */
  readonly defaultChain?: string | undefined
  /** The network is simulated, and transfers that have ended can begin anew. Default: false. */
  readonly isSandbox?: boolean | undefined
}

/** What `update` replaces. */
type ChainsOptions = Pick<NetworkOptions, 'chains' | 'listed' | 'defaultChain'>

const vms: Record<Lowercase<Vm>, Vm> = { evm: 'EVM', move: 'MOVE', wasm: 'WASM' }

/** The clients of all services. The chains can be replaced while they are in use. */
export interface OpenNetwork extends Network {
  /**
   * Replaces the chains. A chain keeps its client, and all that is cached of it, if its service is reached in the
   * same way. Returns whether anything has changed. Throws as `openNetwork` does, and then changes nothing.
   */
  update(options: ChainsOptions): boolean
}

/**
 * Creates the clients of all services.
 * @throws Error if there is no chain, a chain is named twice, the default chain is not one of them, or a
 * chain id or URL is invalid.
 */
export function openNetwork(
  options: NetworkOptions,
  limits: Limits,
  shared: Pick<
    UpstreamOptions,
    'dispatcher' | 'clock' | 'cache' | 'turns' | 'events' | 'backoff' | 'records'
  >,
): OpenNetwork {
  const { maxWaitingRequests: maxWaiting, cacheBytes } = limits
  const { quoteTimeoutMs: slowTimeout } = limits
  const open = (
    service: string,
    options: ServiceOptions,
    own: Pick<UpstreamOptions, 'movingTtl' | 'finalTtl'> & {
      concurrency: number
      reservedShare?: number
    },
  ) => {
    const { reservedShare = 0, movingTtl, finalTtl = limits.cacheTtlMs } = own
    const concurrency = options.maxRequests ?? own.concurrency
    const { timeoutMs: timeout = limits.upstreamTimeoutMs } = options
    const { url, headers: ofUrl } = checkedUrl(service, options)
    const headers = { ...ofUrl, ...options.headers }
    return createUpstream({
      ...shared,
      ...{ service, url, headers, timeout, slowTimeout, maxWaiting, cacheBytes, finalTtl },
      ...(movingTtl !== undefined && { movingTtl }),
      concurrency,
      reserved: Math.floor(concurrency * reservedShare),
    })
  }
  const openIndexer = (options: ChainOptions): Upstream =>
    open(options.chainId, options, {
      concurrency: limits.maxIndexerRequests,
      movingTtl: limits.movingCacheTtlMs,
    })
  const chains = new Map<string, ServedChain>()
  const listed = new Map<string, ListedChain>()
  let entries: readonly Entry[] = []
  /** The entry of a chain, as it is if nothing has changed, with its client if that is reached in the same way. */
  const entryOf = (options: ChainOptions): Entry => {
    const key = JSON.stringify(options)
    const { url, headers, timeoutMs, maxRequests } = options
    const clientKey = JSON.stringify({ url, headers, timeoutMs, maxRequests })
    const known = entries.find(({ chain }) => chain.chainId === options.chainId)
    if (known?.key === key) return known
    const isSame = known?.clientKey === clientKey
    const indexer = isSame ? known.chain.indexer : openIndexer(options)
    return { key, clientKey, chain: { ...listedChain(options), indexer } }
  }
  const replace = (next: ChainsOptions): ServedChain => {
    const { sources, defaultId } = checkChains(next)
    for (const { chain } of entries) {
      // What the next client reads is kept apart from what this one still reads.
      if (sources.get(chain.chainId) !== chain.indexer.source)
        shared.cache.drop(responsesRegion(chain.chainId))
    }
    entries = next.chains.map(entryOf)
    chains.clear()
    for (const { chain } of entries) chains.set(chain.chainId, chain)
    listed.clear()
    for (const chain of next.listed ?? []) {
      if (!chains.has(chain.chainId)) listed.set(chain.chainId, listedChain(chain))
    }
    const found = chains.get(defaultId)
    if (!found) throw new Error('The chains are not those that were checked.')
    return found
  }
  let defaultChain = replace(options)
  let epoch = 0
  const listeners = new Set<(chainIds: ReadonlySet<string>) => void>()
  const router =
    options.router &&
    open('router', options.router, {
      concurrency: limits.maxRouterRequests,
      reservedShare: reservedForPolls,
      ...(options.isSandbox && { finalTtl: 0 }),
    })
  return {
    chains,
    listed,
    get defaultChain() {
      return defaultChain
    },
    router,
    routerSite: options.router && siteOf(options.router.url),
    get epoch() {
      return epoch
    },
    onMoved(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    update(next) {
      const before = [defaultChain, ...chains.values()]
      const listedBefore = JSON.stringify([...listed])
      defaultChain = replace(next)
      const after = [defaultChain, ...chains.values()]
      const isChanged =
        before.length !== after.length ||
        after.some((chain, i) => chain !== before[i]) ||
        JSON.stringify([...listed]) !== listedBefore
      if (!isChanged) return false
      epoch += 1
      const moved = before.filter(
        ({ chainId, indexer }) => chains.get(chainId)?.indexer !== indexer,
      )
      const ids = new Set(moved.map(({ chainId }) => chainId))
      if (ids.size > 0) for (const listener of [...listeners]) listener(ids)
      return true
    },
  }
}

/** A chain that is served, with the options that it was made of, and those of its client. */
interface Entry {
  readonly key: string
  readonly clientKey: string
  readonly chain: ServedChain
}

/** The part of the requests to the router that only polls of transfers may be: quotes can take long. */
const reservedForPolls = 1 / 4

/** The host and path of a URL. */
function siteOf(url: string): string {
  const { host, pathname } = new URL(url)
  return `${host}${pathname.replace(/\/+$/, '')}`
}

/** The URL of a service, and the headers of its credentials. */
function checkedUrl(service: string, { url }: Pick<ServiceOptions, 'url'>) {
  const parsed = upstreamUrl.safeParse(url)
  if (parsed.success) return parsed.data
  throw new Error(`The URL of ${service} ${parsed.error.issues[0]?.message}.`)
}

/** The sources of the chains by their ids, and the id of the default chain. */
function checkChains({ chains, defaultChain }: ChainsOptions) {
  if (chains.length === 0) throw new Error('A gateway needs at least one chain.')
  const sources = new Map<string, string>()
  for (const { chainId, url } of chains) {
    if (!isChainId(chainId)) throw new Error(`'${chainId}' is not a valid chain id.`)
    if (sources.has(chainId)) throw new Error(`The chain ${chainId} is named twice.`)
    sources.set(chainId, sourceOf(chainId, checkedUrl(chainId, { url }).url))
  }
  const defaultId = defaultChain ?? chains[0]?.chainId ?? ''
  if (sources.has(defaultId)) return { sources, defaultId }
  throw new Error(`The default chain ${defaultId} is not one of the chains.`)
}

const listedChain = ({ vm, ...chain }: ListedChainOptions): ListedChain => ({
  chainId: chain.chainId,
  name: chain.name,
  prettyName: chain.prettyName,
  vm: vm && vms[vm],
  bech32Prefix: chain.bech32Prefix,
  logoUrl: chain.logoUrl,
  explorers: chain.explorers ?? [],
  feeAssets: chain.feeAssets ?? [],
  rpcUrls: chain.rpcUrls ?? [],
  restUrls: chain.restUrls ?? [],
})
