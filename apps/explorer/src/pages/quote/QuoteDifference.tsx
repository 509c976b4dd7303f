import type { ComponentChildren } from 'preact'
import type { QuoteQuery } from '../../generated/graphql.ts'
import { ChainText } from '../../parts/ChainText.tsx'
import { Facts, Panel } from '../../parts/Panel.tsx'
import { text } from '../../text.ts'
import { brief, dollars, duration, scaled } from '../../values/format.ts'

type Quoted = NonNullable<QuoteQuery['route']>

/** What the second of two routes gives more or less than the first. Amounts of different assets are not compared. */
export function QuoteDifference({
  first,
  second,
  isSame,
}: {
  first: Quoted
  second: Quoted
  /** Whether both end with the same asset on the same chain. */
  isSame: boolean
}) {
  const out = BigInt(second.amountOut) - BigInt(first.amountOut)
  const decimals = second.assetOut?.decimals
  const seconds = (second.estimatedDurationSeconds ?? Number.NaN) - (first.estimatedDurationSeconds ?? Number.NaN)
  const usd = Number(second.usdAmountOut ?? Number.NaN) - Number(first.usdAmountOut ?? Number.NaN)
  const signed = (shown: ComponentChildren, sign: number | bigint, isGoodAbove: boolean) =>
    sign === 0 || sign === 0n ? (
      text.quotes.equal
    ) : (
      <span class={sign > 0 === isGoodAbove ? 'good' : 'bad'}>
        {sign > 0 ? '+' : '−'}
        {shown}
      </span>
    )
  const size = out < 0n ? -out : out
  return (
    <Panel title={text.quotes.difference}>
      <Facts
        rows={[
          [
            text.quotes.get,
            isSame &&
              decimals != null &&
              signed(
                <>
                  {brief(scaled(String(size), decimals))} <ChainText>{second.assetOut?.symbol ?? ''}</ChainText>
                </>,
                out,
                true,
              ),
          ],
          [text.value, !Number.isNaN(usd) && signed(dollars(String(Math.abs(usd))), usd, true)],
          [text.quotes.time, !Number.isNaN(seconds) && signed(duration(Math.abs(seconds)), seconds, false)],
          [
            text.quotes.signatures,
            signed(
              String(Math.abs(second.transactionCount - first.transactionCount)),
              second.transactionCount - first.transactionCount,
              false,
            ),
          ],
        ]}
      />
    </Panel>
  )
}
