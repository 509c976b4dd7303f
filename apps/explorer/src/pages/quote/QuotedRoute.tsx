import type { ComponentChildren } from 'preact'
import { useNow } from '../../app/useNow.tsx'
import type { QuoteQuery } from '../../generated/graphql.ts'
import { AssetLink, AssetName } from '../../parts/Amount.tsx'
import { BriefAmount } from '../../parts/BriefAmount.tsx'
import { ChainText } from '../../parts/ChainText.tsx'
import { NoValue } from '../../parts/NoValue.tsx'
import { Facts } from '../../parts/Panel.tsx'
import { HopChain } from '../../parts/recordLinks.tsx'
import { Table } from '../../parts/Table.tsx'
import { Time } from '../../parts/Time.tsx'
import { text } from '../../text.ts'
import { dollars, duration, percent, scaled } from '../../values/format.ts'
import { leastOf, leastWorth, usualSlippage } from './slippage.ts'

type Quoted = NonNullable<QuoteQuery['route']>
type Fee = Quoted['fees'][number]

interface QuotedAsset {
  readonly chainId: string
  readonly denom: string
  readonly symbol?: string | null
  readonly decimals?: number | null
}

/** A route: what it gives and costs, and each of its operations. */
export function QuotedRoute({ of }: { of: Quoted }) {
  return (
    <>
      <div class="price">
        <Table
          caption={text.quotes.amounts}
          heads={[text.quotes.part, { number: text.amount }, text.asset, { number: text.value }]}
        >
          <AmountRow
            name={text.quotes.send}
            value={of.formattedAmountIn ?? of.amountIn}
            asset={of.assetIn}
            usd={of.usdAmountIn}
          />
          <AmountRow
            name={text.quotes.get}
            value={of.formattedAmountOut ?? of.amountOut}
            asset={of.assetOut}
            usd={of.usdAmountOut}
          />
          <AmountRow
            name={text.quotes.least}
            hint={of.doesSwap ? text.quotes.slippage(usualSlippage) : text.quotes.noSwap}
            value={scaled(of.doesSwap ? leastOf(of.amountOut) : of.amountOut, of.assetOut?.decimals ?? 0)}
            asset={of.assetOut}
            usd={of.doesSwap ? leastWorth(of.usdAmountOut) : of.usdAmountOut}
          />
          {of.fees.map((fee, index) => (
            <FeeRow key={index} of={fee} />
          ))}
          {of.fees.length === 0 && (
            <tr>
              <td>{text.fees}</td>
              <td colSpan={3} class="number part">
                <small>{text.quotes.noFees}</small>
              </td>
            </tr>
          )}
        </Table>
      </div>
      <Facts
        rows={[
          [text.quotes.valid, <Expiry at={of.expiresAt} key="expiry" />],
          [text.quotes.time, of.estimatedDurationSeconds != null && duration(of.estimatedDurationSeconds)],
          [text.quotes.signatures, of.transactionCount],
          [text.quotes.impact, of.swapPriceImpactPercent && percent(of.swapPriceImpactPercent)],
          [
            text.quotes.warning,
            of.warning?.message && (
              <span class="bad">
                <ChainText>{of.warning.message}</ChainText>
              </span>
            ),
          ],
        ]}
      />
      <ol class="hops">
        {of.operations.map((operation) => (
          <li key={operation.index}>
            <strong>
              <HopChain chain={operation.fromChain} chainId={operation.fromChainId} />
              {operation.toChainId && operation.toChainId !== operation.fromChainId && (
                <>
                  {' → '}
                  <HopChain chain={operation.toChain} chainId={operation.toChainId} />
                </>
              )}
            </strong>
            <span class="tag">{operation.bridge ?? operation.kind}</span>
            <span class="amount">
              {operation.amountIn && isChanged(operation) && (
                <>
                  <Brief value={operation.formattedAmountIn ?? operation.amountIn} asset={operation.assetIn} />
                  {' → '}
                </>
              )}
              {operation.amountOut && (
                <Brief value={operation.formattedAmountOut ?? operation.amountOut} asset={operation.assetOut} />
              )}
            </span>
          </li>
        ))}
      </ol>
    </>
  )
}

const isChanged = (operation: Quoted['operations'][number]) =>
  operation.amountIn !== operation.amountOut || operation.assetIn?.symbol !== operation.assetOut?.symbol

const Brief = ({ value, asset }: { value: string; asset: QuotedAsset | null }) => (
  <span>
    <BriefAmount value={value} /> <AssetLink of={asset} />
  </span>
)

const AmountRow = ({
  asset,
  ...row
}: {
  name: string
  hint?: string
  value: string
  asset: QuotedAsset | null
  usd?: string | null | undefined
}) => <Row {...row} asset={<AssetLink of={asset} />} />

const FeeRow = ({ of }: { of: Fee }) => (
  <Row
    name={text.quotes.feeOf(of.kind.toLowerCase().replaceAll('_', ' '))}
    hint={text.quotes.feeBehaviors[of.behavior] ?? ''}
    value={of.formattedAmount ?? of.amount}
    asset={<AssetName of={of} chainId={of.chainId ?? undefined} />}
    usd={of.usdValue}
  />
)

/** A part of the price, with its amount, asset and value under each other. */
const Row = ({
  name,
  hint,
  value,
  asset,
  usd,
}: {
  name: string
  hint?: string | undefined
  value: string | null
  asset: ComponentChildren
  usd?: string | null | undefined
}) => (
  <tr>
    <td class="part">
      {name} {hint && <small>{hint}</small>}
    </td>
    <td class="number">{value == null ? <NoValue /> : <BriefAmount value={value} />}</td>
    <td>{asset}</td>
    <td class="number">{dollars(usd) ?? <NoValue />}</td>
  </tr>
)

function Expiry({ at }: { at: string | null }) {
  const now = useNow()
  if (!at) return <>{text.quotes.noExpiry}</>
  if (Date.parse(at) <= now) return <span class="bad">{text.quotes.expired}</span>
  return <Time value={at} as="age" />
}
