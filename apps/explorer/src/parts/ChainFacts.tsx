import type { ChainFactsFragment } from '../generated/graphql.ts'
import { text } from '../text.ts'
import { count, dollars, exact, scaledDecimal } from '../values/format.ts'
import { ChainText } from './ChainText.tsx'
import { NoValue } from './NoValue.tsx'

type Of = { of: ChainFactsFragment | null | undefined }

/** How many transactions a chain has. A dash keeps the place until it is known. */
export function Counted({ of }: Of) {
  const { totalCount, isTotalCountEstimate } = of?.counted ?? {}
  if (totalCount == null) return <NoValue />
  return <>{text.estimated(count(totalCount), isTotalCountEstimate ?? false)}</>
}

/** What the coin of a chain costs, in which its fees are paid. A dash keeps the place until it is read. */
export function CoinPrice({ of }: Of) {
  const [asset] = of?.feeAssets?.flatMap(({ asset }) => (asset?.usdPrice ? [asset] : [])) ?? []
  const price = dollars(asset?.usdPrice)
  if (!asset || !price) return of ? <span>{text.priceUnknown}</span> : <NoValue />
  return <ChainText>{text.priceOf(asset.symbol ?? text.coin, price)}</ChainText>
}

/**
 * What gas costs in the coin of the fee, for a million units, or in base units for one if nobody knows the decimals. One price
 * alone is the same for a low, an average and a high fee.
 */
export function GasPrice({ of, denom, coin }: { of: Prices; denom: string; coin: Coin | null }) {
  const prices = (['low', 'average', 'high'] as const).flatMap((name) =>
    of[name] == null ? [] : [[name, of[name]] as const],
  )
  const isOne = new Set(prices.map(([, price]) => price)).size === 1
  const shown = isOne ? prices.slice(0, 1) : prices
  const words = (priceOf: (price: string) => string) =>
    shown.map(([name, price]) => (isOne ? priceOf(price) : `${text.gasPrices[name]} ${priceOf(price)}`)).join(' · ')
  const base = text.perGas(words(exact), denom)
  const { symbol, decimals } = coin ?? {}
  return (
    <small title={base}>
      <ChainText>
        {symbol && decimals != null
          ? text.perMillionGas(
              words((price) => exact(scaledDecimal(price, decimals - 6))),
              symbol,
            )
          : base}
      </ChainText>
    </small>
  )
}

interface Coin {
  readonly symbol?: string | null
  readonly decimals?: number | null
}

interface Prices {
  readonly low?: string | null
  readonly average?: string | null
  readonly high?: string | null
}
