import { addDecimals } from './decimals.ts'

/** A balance, as far as it is joined with others of its asset. */
interface Balance {
  readonly chain: { readonly chainId: string }
  readonly denom?: string | null
  readonly formattedAmount?: string | null
  readonly usdValue?: string | null
  readonly asset?: {
    readonly chainId: string
    readonly originChainId?: string | null
    readonly originDenom?: string | null
  } | null
}

/** What an account has of one asset, on all chains together. */
export interface Holding<Of extends Balance> {
  /** The balances on each chain, of the most value first. */
  readonly balances: readonly Of[]
  /** Their sum in whole units. Undefined if one of them is not known in whole units. */
  readonly amount: string | undefined
  /** The value of all whose value is known. Undefined if none is. */
  readonly usdValue: string | undefined
}

/** The same for all forms of an asset on all chains: its chain and denom where it comes from. */
const originOf = ({ chain, denom, asset }: Balance): string =>
  asset?.originChainId && asset.originDenom
    ? `${asset.originChainId} ${asset.originDenom}`
    : `${chain.chainId} ${denom}`

const usdOf = ({ usdValue }: { readonly usdValue?: string | null | undefined }) => Number(usdValue ?? -1)

/** Joins balances by where their assets come from. What is worth most comes first. */
export function toHoldings<Of extends Balance>(balances: readonly Of[]): readonly Holding<Of>[] {
  const groups = new Map<string, Of[]>()
  for (const balance of balances) {
    const group = groups.get(originOf(balance))
    if (group) group.push(balance)
    else groups.set(originOf(balance), [balance])
  }
  return [...groups.values()]
    .map((group) => ({
      balances: group.toSorted((a, b) => usdOf(b) - usdOf(a)),
      amount: addDecimals(group.map(({ formattedAmount }) => formattedAmount)),
      usdValue: addDecimals(group.flatMap(({ usdValue }) => usdValue ?? [])),
    }))
    .toSorted((a, b) => usdOf(b) - usdOf(a))
}
