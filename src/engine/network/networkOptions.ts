import type { ListedChain, Vm } from '../upstream/network.ts'
import { type ByService, mapServices, type UrlName, urlNameOf } from '../upstream/services.ts'
import { upstreamUrl } from './parsers.ts'

/** Where a REST service is. */
export interface ServiceOptions {
  /** Base URL, with http or https. A path prefix is kept. */
  readonly url: string
  /** Headers sent with every request to this service. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Longest time of one request, in milliseconds. Default: the limit `upstreamTimeoutMs`. */
  readonly timeoutMs?: number | undefined
  /** Most requests open at once. Default: 256, or 8 for prices. */
  readonly maxRequests?: number | undefined
}

/** The configuration of a chain, for clients. */
export interface ListedChainOptions {
  readonly chainId: string
  /** Short name, such as `osmosis`. Default: as the router has it, or else the chain id. */
  readonly name?: string | undefined
  /** Name shown to people. Default: as the router has it, or else `name`. */
  readonly prettyName?: string | undefined
  /** The chain's virtual machine. When left out, the indexer is asked whether it is an EVM. */
  readonly vm?: Lowercase<Vm> | undefined
  /** The prefix of the chain's bech32 addresses. */
  readonly bech32Prefix?: string | undefined
  readonly logoUrl?: string | undefined
  readonly explorers?: ListedChain['explorers'] | undefined
  /** Denoms that pay fees, and what one unit of gas costs in each. */
  readonly feeAssets?: ListedChain['feeAssets'] | undefined
  /** Public RPC endpoints, for wallets. The gateway does not use them. */
  readonly rpcUrls?: readonly string[] | undefined
  /** Public REST endpoints, for wallets. The gateway does not use them. */
  readonly restUrls?: readonly string[] | undefined
  /** The IBC channels of the chain, and the chain that each leads to. */
  readonly ibcChannels?: readonly IbcChannelOptions[] | undefined
  /** The id that the hub gave the OPinit bridge of this rollup, such as `7`. */
  readonly opInitBridgeId?: string | undefined
  /**
   * Seconds from an output of this rollup until its withdrawals can be claimed on the hub: the `finalization_period` of its
   * bridge, which no indexer has. Left out, the graph does not give the time of a claim.
   */
  readonly opInitFinalizationSeconds?: number | undefined
}

/** A channel of a chain, and the chain at its other end. */
export interface IbcChannelOptions {
  readonly channelId: string
  readonly chainId: string
}

/** A chain to serve, and its indexer. */
export interface ChainOptions extends ServiceOptions, ListedChainOptions {}

/** The services that a gateway sends requests to. */
export interface NetworkOptions extends ByService<ServiceOptions> {
  /** At least one chain. */
  readonly chains: readonly ChainOptions[]
  /** Chains without an indexer. */
  readonly listed?: readonly ListedChainOptions[] | undefined
  /** The chain of queries that name none. Default: the first chain. */
  readonly defaultChain?: string | undefined
  /** The network is simulated, and transfers that have ended can begin anew. Default: false. */
  readonly isSandbox?: boolean | undefined
}

/** The services at URLs that are named as their settings are. */
export const servicesAt = (urls: Partial<Readonly<Record<UrlName, string>>>): ByService<ServiceOptions> =>
  mapServices((name) => {
    const url = urls[urlNameOf(name)]
    return url === undefined ? undefined : { url }
  })

/** The URL of a service, and the headers of its credentials. */
export function checkedUrl(service: string, { url }: Pick<ServiceOptions, 'url'>) {
  const parsed = upstreamUrl.safeParse(url)
  if (parsed.success) return parsed.data
  throw new Error(`The URL of ${service} ${parsed.error.issues[0]?.message}.`)
}
