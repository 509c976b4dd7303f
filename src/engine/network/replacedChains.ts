import type { Upstream } from '../upstream/client.ts'
import type { ListedChain, ServedChain, Vm } from '../upstream/network.ts'
import { type ChainOptions, checkedUrl, type ListedChainOptions, type NetworkOptions } from './networkOptions.ts'
import { isChainId } from './parsers.ts'

/** The chains of a network, which are replaced all at once. */
export interface Chains {
  readonly served: ReadonlyMap<string, ServedChain>
  readonly listed: ReadonlyMap<string, ListedChain>
  /** Replaces the chains, and returns the default chain. */
  replace(next: NetworkOptions): ServedChain
}

/** Creates an empty set of chains. */
export function createChains(openIndexer: (options: ChainOptions) => Upstream): Chains {
  const served = new Map<string, ServedChain>()
  const listed = new Map<string, ListedChain>()
  let entries: readonly Entry[] = []

  /** The known entry of a chain with equal options. Its client is kept if the service is reached in the same way. */
  const openEntry = (options: ChainOptions): Entry => {
    const key = JSON.stringify(options)
    const { url, headers, timeoutMs, maxRequests } = options
    const clientKey = JSON.stringify({ url, headers, timeoutMs, maxRequests })
    const known = entries.find(({ chain }) => chain.chainId === options.chainId)
    if (known?.key === key) return known
    const isSame = known?.clientKey === clientKey
    const indexer = isSame ? known.chain.indexer : openIndexer(options)
    return { key, clientKey, chain: { ...listedChain(options), indexer } }
  }

  return {
    served,
    listed,
    replace(next) {
      const defaultId = checkedDefault(next)
      entries = next.chains.map(openEntry)
      served.clear()
      for (const { chain } of entries) served.set(chain.chainId, chain)
      listed.clear()
      for (const chain of next.listed ?? []) {
        if (!served.has(chain.chainId)) listed.set(chain.chainId, listedChain(chain))
      }
      const found = served.get(defaultId)
      if (!found) throw new Error('The chains are not those that were checked.')
      return found
    },
  }
}

const vms: Record<Lowercase<Vm>, Vm> = { evm: 'EVM', move: 'MOVE', wasm: 'WASM' }

/** A chain that is served, with the options that it was made of, and those of its client. */
interface Entry {
  readonly key: string
  readonly clientKey: string
  readonly chain: ServedChain
}

/** The id of the default chain, if all chains can be served. */
function checkedDefault({ chains, defaultChain }: NetworkOptions): string {
  if (chains.length === 0) throw new Error('A gateway needs at least one chain.')
  const ids = new Set<string>()
  for (const { chainId, url } of chains) {
    if (!isChainId(chainId)) throw new Error(`'${chainId}' is not a valid chain id.`)
    if (ids.has(chainId)) throw new Error(`The chain ${chainId} is named twice.`)
    checkedUrl(chainId, { url })
    ids.add(chainId)
  }
  const defaultId = defaultChain ?? chains[0]?.chainId ?? ''
  if (ids.has(defaultId)) return defaultId
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
  ibcChannels: new Map(chain.ibcChannels?.map(({ channelId, chainId }) => [channelId, chainId])),
  opInitBridgeId: chain.opInitBridgeId,
  opInitFinalizationSeconds: chain.opInitFinalizationSeconds,
})
