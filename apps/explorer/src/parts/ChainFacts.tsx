import type { ChainFactsFragment } from '../generated/graphql.ts'
import { text } from '../text.ts'
import { count, dollars, exact } from '../values/format.ts'
import { ChainText } from './ChainText.tsx'
import { NoValue } from './NoValue.tsx'

type Of = { of: ChainFactsFragment | null | undefined }

/** How many transactions a chain has. A dash keeps the place until it is known. */
export function Counted({ of }: Of) {
  const { totalCount, isTotalCountEstimate } = of?.counted ?? {}
  if (totalCount == null) return <NoValue />
  return <>{text.estimated(count(totalCount), isTotalCountEstimate ?? false)}</>
}

/** What the coin of a chain costs, in which its fees are paid. A dash keeps the place until it is known. */
export function CoinPrice({ of }: Of) {
  const [asset] = of?.feeAssets?.flatMap(({ asset }) => (asset?.usdPrice ? [asset] : [])) ?? []
  const price = dollars(asset?.usdPrice)
  if (!asset || !price) return <NoValue />
  return <ChainText>{text.priceOf(asset.symbol ?? text.coin, price)}</ChainText>
}

/** What a unit of gas costs, in base units. One price alone is the same for a low, an average and a high fee. */
export function GasPrice({ of, denom }: { of: Prices; denom: string }) {
  const prices = (['low', 'average', 'high'] as const).flatMap((name) =>
    of[name] == null ? [] : [[name, of[name]] as const],
  )
  const isOne = new Set(prices.map(([, price]) => price)).size === 1
  const shown = isOne ? prices.slice(0, 1) : prices
  const words = shown.map(([name, price]) => (isOne ? exact(price) : `${text.gasPrices[name]} ${exact(price)}`))
  return (
    <small>
      <ChainText>{text.perGas(words.join(' · '), denom)}</ChainText>
    </small>
  )
}

interface Prices {
  readonly low?: string | null
  readonly average?: string | null
  readonly high?: string | null
}
