import { assetKey, contractAddress, ibcDenom, type RouterAsset, type Token } from './assets.ts'
import type { Bridge } from './bridges/bridge.ts'
import { ibc } from './bridges/ibc.ts'
import { hubVenue, outsideVenues, type RouterChain } from './chains.ts'
import { type Edge, poolEdges, type Way } from './edges.ts'

/** The chains and assets that the router knows, and all transfers and swaps between them. */
export interface Network {
  readonly chains: ReadonlyMap<string, RouterChain>
  readonly assets: ReadonlyMap<string, RouterAsset>
  /** Assets that balances can have, and no list. */
  readonly unlisted: readonly RouterAsset[]
  readonly edges: readonly Edge[]
  /** By the `assetKey` of the asset that an edge starts from. */
  readonly edgesFrom: ReadonlyMap<string, readonly Edge[]>
}

/** An IBC connection seen from one side: its channel there, and the channel of the counterparty. */
export interface Link {
  readonly to: string
  readonly channel: string
  readonly farChannel: string
}

/** What an edge takes. Fees are in base units of the asset sent. */
interface EdgeCost {
  readonly fee?: bigint
  readonly bps?: number
  readonly seconds: number
  readonly carriesOn?: boolean
}

/** Collects assets, and the transfers and swaps between them. Each transfer starts from an asset added before. */
export function createNetworkBuilder(chains: readonly RouterChain[]) {
  const assets = new Map<string, RouterAsset>()
  const unlisted: RouterAsset[] = []
  const edges: Edge[] = []

  /** Adds an asset, by default a native one of its chain. */
  function addAsset(chainId: string, denom: string, token: Token, more: Partial<RouterAsset> = {}): RouterAsset {
    const origin = { originChainId: chainId, originDenom: denom, trace: '' }
    const added = { chainId, denom, token, decimals: token.decimals, ...origin, ...more }
    assets.set(assetKey(chainId, denom), added)
    return added
  }

  /** Adds a native asset of a chain that is in no list, and that nothing transfers or swaps. */
  function addUnlisted(chainId: string, denom: string, token: Token): void {
    const origin = { originChainId: chainId, originDenom: denom, trace: '' }
    unlisted.push({ chainId, denom, token, decimals: token.decimals, ...origin })
  }

  /** Adds a transfer in one direction. */
  function addEdge(from: RouterAsset, to: RouterAsset, via: Way, cost: EdgeCost): void {
    edges.push({ from, to, via, fee: 0n, bps: 0, carriesOn: false, ...cost })
  }

  /** Adds the voucher of an asset on the other chain, and the IBC transfers in both directions. */
  function connectIbc(from: RouterAsset, link: Link, hidden = false): RouterAsset {
    const hop = `transfer/${link.farChannel}`
    const trace = from.trace === '' ? hop : `${hop}/${from.trace}`
    const { originChainId, originDenom } = from
    const base = from.trace === '' ? from.denom : originDenom
    const voucher = addAsset(link.to, ibcDenom(`${trace}/${base}`), from.token, {
      decimals: from.decimals,
      originChainId,
      originDenom,
      trace,
      hidden,
    })
    const cost = { seconds: 20, carriesOn: true }
    addEdge(from, voucher, { bridge: ibc, channel: link.channel }, cost)
    addEdge(voucher, from, { bridge: ibc, channel: link.farChannel }, cost)
    return voucher
  }

  /** Adds a transfer in one direction by a call to a contract. */
  function addBridge(bridge: Bridge, from: RouterAsset, to: RouterAsset, cost: EdgeCost): void {
    addEdge(from, to, { bridge, contract: contractAddress(bridge.operationKey, from.chainId) }, cost)
  }

  /** Adds a pool of two assets on one chain, and the swaps through it in both directions. */
  function addPool(pool: string, assetA: RouterAsset, assetB: RouterAsset, depth: number): void {
    const kind = assetA.chainId === '1' ? 'evm_swap' : 'swap'
    const home = outsideVenues.find(({ chainId }) => chainId === assetA.chainId)
    const venue = home?.name ?? hubVenue(assetA).name
    edges.push(...poolEdges({ kind, venue, pool }, assetA, assetB, depth))
  }

  /** The network of what was added. */
  const build = (): Network => ({
    chains: new Map(chains.map((chain) => [chain.chainId, chain])),
    assets,
    unlisted,
    edges,
    edgesFrom: grouped(edges),
  })

  return { addAsset, addUnlisted, addEdge, connectIbc, addBridge, addPool, build }
}

function grouped(edges: readonly Edge[]): ReadonlyMap<string, readonly Edge[]> {
  const groups = new Map<string, Edge[]>()
  for (const edge of edges) {
    const key = assetKey(edge.from.chainId, edge.from.denom)
    groups.set(key, [...(groups.get(key) ?? []), edge])
  }
  return groups
}
