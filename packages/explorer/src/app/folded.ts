/** A balance, as far as its place on the page depends on it. */
interface Balance {
  readonly usdPrice?: string | null
  readonly asset?: {
    readonly isListed: boolean
    readonly isHidden: boolean
    readonly originLabel: string
  } | null
}

export type FoldReason = 'unlisted' | 'hidden' | 'unpriced'

/**
 * Why a balance is folded and not in the total. Anybody can send a coin with a known symbol, so only listed assets with a
 * price are shown at once, and the native coins of chains.
 */
export function foldReason({ asset, usdPrice }: Balance): FoldReason | undefined {
  if (!asset?.isListed) return 'unlisted'
  if (asset.isHidden) return 'hidden'
  return usdPrice == null && asset.originLabel !== 'native' ? 'unpriced' : undefined
}
