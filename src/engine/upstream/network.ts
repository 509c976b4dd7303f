import type { Optional } from '../wire/optional.ts'
import type { Upstream } from './client.ts'
import type { ByService } from './services.ts'

/** The virtual machine of a chain. */
export type Vm = 'EVM' | 'MOVE' | 'WASM'

/** A block explorer. Its pages are URL templates with `${txHash}` or `${accountAddress}`. */
export interface Explorer {
  readonly name: string | null
  readonly transactionPage: string | null
  readonly accountPage: string | null
}

/** A denom that pays fees. Prices are decimal texts, in the denom's base units for one unit of gas. */
export interface FeeAsset {
  readonly denom: string
  readonly low: Optional<string>
  readonly average: Optional<string>
  readonly high: Optional<string>
}

/** A chain by the configuration and the chain registry. Fields that both leave out are undefined or empty. */
export interface ListedChain {
  readonly chainId: string
  /** The short name of registries, such as `osmosis`. */
  readonly name: string | undefined
  /** The name shown to people. */
  readonly prettyName: string | undefined
  readonly vm: Vm | undefined
  readonly bech32Prefix: string | undefined
  readonly logoUrl: string | undefined
  readonly explorers: readonly Explorer[]
  readonly feeAssets: readonly FeeAsset[]
  readonly rpcUrls: readonly string[]
  readonly restUrls: readonly string[]
  /** The chains that its IBC channels lead to, by channel, such as `channel-0`. */
  readonly ibcChannels: ReadonlyMap<string, string>
  /** The id that the hub gave its OPinit bridge. Undefined for a chain without one, or whose id is not known. */
  readonly opInitBridgeId: string | undefined
  /** Seconds from an output of this rollup until its withdrawals can be claimed on the hub. Undefined if not known. */
  readonly opInitFinalizationSeconds: number | undefined
}

/** A chain with an indexer. */
export interface ServedChain extends ListedChain {
  readonly indexer: Upstream
}

/** All upstreams of the gateway, and what is configured of chains. A service that is not configured is undefined. */
export interface Network extends ByService<Upstream> {
  readonly chains: ReadonlyMap<string, ServedChain>
  /** Chains of the registry without an indexer. */
  readonly listed: ReadonlyMap<string, ListedChain>
  readonly defaultChain: ServedChain
  /** The host and path of the router, which identify it. Absent if none is configured. */
  readonly routerSite?: string | undefined
  /**
   * Calls the listener with the ids of chains after their clients were replaced or removed. The function it returns
   * ends that.
   */
  onMoved(listener: (chainIds: ReadonlySet<string>) => void): () => void
  /** The number of times that the chains were replaced. What depends on settings is of one epoch. */
  readonly epoch: number
}
