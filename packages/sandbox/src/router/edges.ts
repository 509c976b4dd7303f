import { type RouterAsset, usdOf } from './assets.ts'

/** The ids of the bridges in the API of the router. */
export type BridgeId =
  | 'IBC'
  | 'OPINIT'
  | 'AXELAR'
  | 'CCTP'
  | 'HYPERLANE'
  | 'GO_FAST'
  | 'STARGATE'
  | 'LAYER_ZERO'
  | 'EUREKA'

/** Bridges that lock or burn tokens by a call to one contract. */
export type ContractBridgeKind =
  | 'axelar_transfer'
  | 'cctp_transfer'
  | 'hyperlane_transfer'
  | 'go_fast_transfer'
  | 'stargate_transfer'
  | 'layer_zero_transfer'
  | 'eureka_transfer'

/** How an edge moves its asset. `kind` is the key of the operation in a route. */
export type Via =
  | { readonly kind: 'transfer'; readonly channel: string }
  | {
      readonly kind: 'op_init_transfer'
      readonly bridgeId: number
      readonly deposit: boolean
      /** Whether the rollup must run a transaction, signed in advance by the user, when the coin arrives. */
      readonly hook: boolean
    }
  | {
      readonly kind: 'swap' | 'evm_swap'
      readonly venue: string
      readonly pool: string
      /** The reserves of the pool in base units. Their product is constant. */
      readonly reserveIn: bigint
      readonly reserveOut: bigint
    }
  | { readonly kind: ContractBridgeKind; readonly contract: string }

/** A transfer of an asset to another chain, or a swap on its own chain. */
export interface Edge {
  readonly from: RouterAsset
  readonly to: RouterAsset
  readonly via: Via
  /** Undefined for a swap. */
  readonly bridge: BridgeId | undefined
  /** Taken from the amount sent, in base units of `from`. */
  readonly fee: bigint
  /** Taken from the amount sent, in basis points. */
  readonly bps: number
  /** Estimated duration. */
  readonly seconds: number
  /** Whether the next step can follow in the same transaction, without a new signature. */
  readonly carriesOn: boolean
}

/** The amount that arrives, at least 0. It never falls as `amountIn` grows. */
export function quote(edge: Edge, amountIn: bigint): bigint {
  const sent = ((amountIn - edge.fee) * BigInt(10_000 - edge.bps)) / 10_000n
  if (sent <= 0n) return 0n
  if ('reserveIn' in edge.via) {
    return (edge.via.reserveOut * sent) / (edge.via.reserveIn + sent)
  }
  const shift = edge.to.decimals - edge.from.decimals
  return shift >= 0 ? sent * 10n ** BigInt(shift) : sent / 10n ** BigInt(-shift)
}

/** The fee of the edge for an amount, in base units of `from`. */
export function feeOf(edge: Edge, amountIn: bigint): bigint {
  const rest = amountIn - edge.fee
  return rest <= 0n ? amountIn : edge.fee + (rest * BigInt(edge.bps)) / 10_000n
}

/** How far a swap moves the price, in percent. 0 for a bridge. */
export function priceImpact(edge: Edge, amountIn: bigint): number {
  if (!('reserveIn' in edge.via)) return 0
  return (Number(amountIn) / (Number(edge.via.reserveIn) + Number(amountIn))) * 100
}

/** The two edges of a constant-product pool with `depth` USD on each side. */
export function poolEdges(
  via: { kind: 'swap' | 'evm_swap'; venue: string; pool: string },
  assetA: RouterAsset,
  assetB: RouterAsset,
  depth: number,
): readonly Edge[] {
  const reserve = (asset: RouterAsset): bigint =>
    (BigInt(Math.round((depth / asset.token.usd) * 1e6)) * 10n ** BigInt(asset.decimals)) / 1_000_000n
  const edge = (from: RouterAsset, to: RouterAsset): Edge => ({
    from,
    to,
    via: { ...via, reserveIn: reserve(from), reserveOut: reserve(to) },
    bridge: undefined,
    fee: 0n,
    bps: 30,
    seconds: via.kind === 'swap' ? 6 : 24,
    carriesOn: true,
  })
  return [edge(assetA, assetB), edge(assetB, assetA)]
}

/** The value of an amount in USD with two decimal places. Undefined without a price. */
export function usdText(asset: RouterAsset, amount: bigint): string | undefined {
  return usdOf(asset, amount)?.toFixed(2)
}
