import type { BalanceExclusion } from '../../generated/graphql.ts'

/** A balance, as far as its place on the page depends on it. */
interface Balance {
  readonly exclusion?: BalanceExclusion | null
  readonly asset?: object | null
}

/**
 * Why a balance is folded: what the total of the graph leaves out is, except listed assets without a price. Without a list of
 * assets nothing is in the total, and no coin is known to be what it is called.
 */
export function foldReason({ asset, exclusion }: Balance): BalanceExclusion | undefined {
  if (exclusion === 'UNPRICED') return undefined
  return exclusion ?? (asset ? undefined : 'UNLISTED')
}
