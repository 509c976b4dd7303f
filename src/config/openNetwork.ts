import { createUpstream, type UpstreamOptions } from '../upstream/client.ts'
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
  /** The chain's virtual machine. When left out, the indexer is asked once whether it is an EVM. */
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
}

/** What `update` replaces. */
type ChainsOptions = Pick<NetworkOptions, 'chains' | 'listed' | 'defaultChain'>

const vms: Record<Lowercase<Vm>, Vm> = { evm: 'EVM', move: 'MOVE', wasm: 'WASM' }

/** The clients of all services. The chains can be replaced while they are in use. */
export interface OpenNetwork extends Network {
  /**
   * Replaces the chains. A chain whose options are the same keeps its client. Returns whether anything has
   * changed. Throws as `openNetwork` does, and then changes nothing.
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
  const { cacheTtlMs: finalTtl, quoteTimeoutMs: slowTimeout } = limits
  const open = (
    service: string,
    options: ServiceOptions,
    own: Pick<UpstreamOptions, 'concurrency' | 'movingTtl'>,
  ) => {
    const { timeoutMs: timeout = limits.upstreamTimeoutMs } = options
    const parsed = upstreamUrl.safeParse(options.url)
    if (!parsed.success) {
      throw new Error(`The URL of ${service} ${parsed.error.issues[0]?.message}.`)
    }
    const { url } = parsed.data
    const headers = { ...parsed.data.headers, ...options.headers }
    return createUpstream({
      ...shared,
      ...{ service, url, headers, timeout, slowTimeout, maxWaiting, cacheBytes, finalTtl },
      ...own,
      concurrency: options.maxRequests ?? own.concurrency,
    })
  }
  const openChain = (options: ChainOptions): ServedChain => ({
    ...listedChain(options),
    indexer: open(options.chainId, options, {
      concurrency: limits.maxIndexerRequests,
      movingTtl: limits.movingCacheTtlMs,
    }),
  })
  const chains = new Map<string, ServedChain>()
  const listed = new Map<string, ListedChain>()
  const opened = new Map<string, { readonly key: string; readonly chain: ServedChain }>()
  const replace = (next: ChainsOptions): ServedChain => {
    checkChains(next)
    const entries = next.chains.map((options) => {
      const key = JSON.stringify(options)
      const known = opened.get(options.chainId)
      return known?.key === key ? known : { key, chain: openChain(options) }
    })
    const [first] = entries
    const defaultId = next.defaultChain ?? first?.chain.chainId ?? ''
    const found = entries.find(({ chain }) => chain.chainId === defaultId)
    if (!found) throw new Error(`The default chain ${defaultId} is not one of the chains.`)
    chains.clear()
    opened.clear()
    for (const entry of entries) {
      chains.set(entry.chain.chainId, entry.chain)
      opened.set(entry.chain.chainId, entry)
    }
    listed.clear()
    for (const chain of next.listed ?? []) {
      if (!chains.has(chain.chainId)) listed.set(chain.chainId, listedChain(chain))
    }
    return found.chain
  }
  let defaultChain = replace(options)
  const router =
    options.router && open('router', options.router, { concurrency: limits.maxRouterRequests })
  return {
    chains,
    listed,
    get defaultChain() {
      return defaultChain
    },
    router,
    routerSite: options.router && siteOf(options.router.url),
    update(next) {
      const before = [defaultChain, ...chains.values()]
      const listedBefore = JSON.stringify([...listed])
      defaultChain = replace(next)
      const after = [defaultChain, ...chains.values()]
      return (
        before.length !== after.length ||
        after.some((chain, i) => chain !== before[i]) ||
        JSON.stringify([...listed]) !== listedBefore
      )
    },
  }
}

/** The host and path of a URL. */
function siteOf(url: string): string {
  const { host, pathname } = new URL(url)
  return `${host}${pathname.replace(/\/+$/, '')}`
}

function checkChains({ chains }: Pick<NetworkOptions, 'chains'>): void {
  if (chains.length === 0) throw new Error('A gateway needs at least one chain.')
  const seen = new Set<string>()
  for (const { chainId } of chains) {
    if (!isChainId(chainId)) throw new Error(`'${chainId}' is not a valid chain id.`)
    if (seen.has(chainId)) throw new Error(`The chain ${chainId} is named twice.`)
    seen.add(chainId)
  }
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
