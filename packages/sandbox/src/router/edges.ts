import { type RouterAsset, usdOf } from './assets.ts'
import type { Bridge } from './bridges/bridge.ts'

/** How a transfer crosses to another chain. */
export interface Way {
  readonly bridge: Bridge
  /** The contract that starts it. Left out if the chain does so itself. */
  readonly contract?: string
  /** The channel of the chain that it starts from, over IBC. */
  readonly channel?: string
  /** Between a rollup and the hub, over their own bridge. */
  readonly rollup?: {
    readonly bridgeId: number
    /** Whether it goes to the rollup. A withdrawal from it has to be claimed on the hub, days later. */
    readonly isDeposit: boolean
    /** Whether the rollup must run a transaction, signed in advance by the user, when the coin arrives. */
    readonly hasHook: boolean
  }
}

/** A pool that swaps one asset for another. */
export interface Pool {
  /** The key of the operation in a route. */
  readonly kind: 'swap' | 'evm_swap'
  readonly venue: string
  readonly pool: string
  /** The reserves of the pool in base units. Their product is constant. */
  readonly reserveIn: bigint
  readonly reserveOut: bigint
}

/** A transfer of an asset to another chain, or a swap on its own chain. */
export interface Edge {
  readonly from: RouterAsset
  readonly to: RouterAsset
  readonly via: Way | Pool
  /** Taken from the amount sent, in base units of `from`. */
  readonly fee: bigint
  /** Taken from the amount sent, in basis points. */
  readonly bps: number
  /** Estimated duration. */
  readonly seconds: number
  /** Whether the next step can follow in the same transaction, without a new signature. */
  readonly carriesOn: boolean
}

/** The bridge of an edge. Undefined for a swap. */
export const bridgeOf = ({ via }: Edge): Bridge | undefined => ('bridge' in via ? via.bridge : undefined)

/** The key of the operation of an edge in a route. */
export const operationKeyOf = ({ via }: Edge): string => ('bridge' in via ? via.bridge.operationKey : via.kind)

/** Whether the edge leaves a rollup over the rollup's own bridge. */
export const isWithdrawal = ({ via }: Edge): boolean => 'bridge' in via && via.rollup?.isDeposit === false

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
