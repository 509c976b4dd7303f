import { count, dollars } from '../app/format.ts'
import type { ChainFactsFragment } from '../generated/graphql.ts'
import { text } from '../text.ts'
import { None, Words } from './text.tsx'

type Of = { of: ChainFactsFragment | null | undefined }

/** How many transactions a chain has. A dash keeps the place until it is known. */
export function Counted({ of }: Of) {
  const { totalCount, isTotalCountEstimate } = of?.counted ?? {}
  if (totalCount == null) return <None />
  return <>{text.estimated(count(totalCount), isTotalCountEstimate ?? false)}</>
}

/** What the coin of a chain costs, in which its fees are paid. A dash keeps the place until it is known. */
export function CoinPrice({ of }: Of) {
  const [asset] = of?.feeAssets?.flatMap(({ asset }) => (asset?.usdPrice ? [asset] : [])) ?? []
  const price = dollars(asset?.usdPrice)
  if (!asset || !price) return <None />
  return <Words>{text.priceOf(asset.symbol ?? text.coin, price)}</Words>
}
