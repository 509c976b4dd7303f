import { dollars, duration, exact, percent, scaled } from '../app/format.ts'
import type { QuoteQuery } from '../generated/graphql.ts'
import { Facts } from '../parts/Panel.tsx'
import { Table } from '../parts/tables.tsx'
import { Amount, Time, Words } from '../parts/text.tsx'
import { text } from '../text.ts'

/** A route: what it gives and costs, and each of its operations. */
export function Route({ of }: { of: NonNullable<QuoteQuery['route']> }) {
  const amount = (
    value: string,
    asset: { symbol?: string | null; decimals?: number | null } | null | undefined,
    usd?: string | null,
  ) => (
    <>
      {exact(scaled(value, asset?.decimals ?? 0))} <Words>{asset?.symbol ?? ''}</Words>
      {dollars(usd) && ` · ${dollars(usd)}`}
    </>
  )
  return (
    <>
      <Facts
        rows={[
          [text.quotes.send, amount(of.amountIn, of.assetIn, of.usdAmountIn)],
          [text.quotes.get, amount(of.amountOut, of.assetOut, of.usdAmountOut)],
          [
            text.quotes.time,
            of.estimatedDurationSeconds != null && duration(of.estimatedDurationSeconds),
          ],
          [text.quotes.signatures, of.transactionCount],
          [text.quotes.impact, of.swapPriceImpactPercent && percent(of.swapPriceImpactPercent)],
          [text.quotes.valid, of.expiresAt && <Time value={of.expiresAt} />],
          [
            text.quotes.warning,
            of.warning?.message && (
              <span class="bad">
                <Words>{of.warning.message}</Words>
              </span>
            ),
          ],
        ]}
      />
      <ol class="hops">
        {of.operations.map((operation) => (
          <li key={operation.index}>
            <strong>
              <Words>{operation.fromChain?.prettyName ?? operation.fromChainId ?? ''}</Words>
              {operation.toChainId && operation.toChainId !== operation.fromChainId && (
                <>
                  {' → '}
                  <Words>{operation.toChain?.prettyName ?? operation.toChainId}</Words>
                </>
              )}
            </strong>
            <span class="tag">{operation.bridge ?? operation.kind}</span>
            {operation.amountOut && (
              <span class="amount">{amount(operation.amountOut, operation.assetOut)}</span>
            )}
          </li>
        ))}
      </ol>
      {of.fees.length > 0 && (
        <Table
          caption={text.fees}
          heads={[text.fee, text.chain, { number: text.amount }, { number: text.value }]}
        >
          {of.fees.map((fee, index) => (
            <tr key={index}>
              <td>
                {fee.kind.toLowerCase().replaceAll('_', ' ')}{' '}
                <small>{fee.behavior.toLowerCase()}</small>
              </td>
              <td>{fee.chainId ?? text.none}</td>
              <td class="number">
                <Amount of={fee} chainId={fee.chainId ?? undefined} />
              </td>
              <td class="number">{dollars(fee.usdValue) ?? text.none}</td>
            </tr>
          ))}
        </Table>
      )}
    </>
  )
}
