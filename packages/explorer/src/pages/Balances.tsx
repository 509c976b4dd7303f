import { useState } from 'preact/hooks'
import { foldReason } from '../app/folded.ts'
import { dollars } from '../app/format.ts'
import type { AccountQuery, BalanceExclusion } from '../generated/graphql.ts'
import { Nothing, Unavailable } from '../parts/Failed.tsx'
import { Table } from '../parts/tables.tsx'
import { AssetName, ChainName, Digits, None } from '../parts/text.tsx'
import { text } from '../text.ts'

type AccountBalances = NonNullable<NonNullable<AccountQuery['account']>['balances']>
type Balance = AccountBalances['balances'][number]

/** Rows before a reader asks for all of them. */
const firstRows = 8

/** The balances that are shown at once, and the folded ones with their reasons. */
export function foldedBalances({ balances }: Pick<AccountBalances, 'balances'>) {
  const value = ({ usdValue }: Balance) => Number(usdValue ?? -1)
  const all = balances
    .toSorted((a, b) => value(b) - value(a))
    .map((balance) => ({ balance, reason: foldReason(balance) }))
  return {
    shown: all.flatMap(({ balance, reason }) => (reason ? [] : [balance])),
    folded: all.flatMap(({ balance, reason }) => (reason ? [{ balance, reason }] : [])),
  }
}

/** What an account has. Assets that somebody may have sent without being asked are folded at the end. */
export function Balances({ of }: { of: AccountBalances }) {
  const [hasAll, setAll] = useState(false)
  const { shown, folded } = foldedBalances(of)
  const rows = hasAll ? shown : shown.slice(0, firstRows)
  return (
    <>
      <Unavailable chains={of.unavailableChains} />
      {of.balances.length === 0 && <Nothing but={of.unavailableChains} />}
      {rows.length > 0 && <BalanceTable caption={text.balances} rows={rows} />}
      {rows.length < shown.length && (
        <button type="button" class="more" onClick={() => setAll(true)}>
          {text.showAll(shown.length)}
        </button>
      )}
      {folded.length > 0 && (
        <details class="folded">
          <summary>{text.folded(folded.length, [...new Set(folded.map((one) => one.reason))])}</summary>
          <p class="note">{text.foldedHint}</p>
          {of.excluded?.map(
            ({ reason, count, usdValue }) =>
              usdValue && (
                <p key={reason} class="note">
                  {text.leftOut(dollars(usdValue) ?? '', count, reason)}
                </p>
              ),
          )}
          <BalanceTable
            caption={text.foldedAssets}
            rows={folded.map(({ balance }) => balance)}
            reasons={folded.map(({ reason }) => reason)}
          />
        </details>
      )}
      {of.balances.length > 0 && <p class="note">{text.priced(of.pricedCount, of.count)}</p>}
    </>
  )
}

function BalanceTable({
  caption,
  rows,
  reasons,
}: {
  caption: string
  rows: readonly Balance[]
  reasons?: readonly BalanceExclusion[]
}) {
  return (
    <Table caption={caption} heads={[text.asset, text.chain, { number: text.amount }, { number: text.value }]}>
      {rows.map((balance, index) => (
        <tr key={`${balance.chain.chainId}${balance.denom}`}>
          <td>
            <AssetName of={balance} chainId={balance.chain.chainId} />
            {reasons?.[index] && <span class="tag">{text.foldReasons[reasons[index]]}</span>}
          </td>
          <td>
            <ChainName chain={balance.chain} />
          </td>
          <td class="number">
            <Digits value={balance.formattedAmount ?? balance.amount} />
            {balance.formattedAmount == null && balance.amount != null && <small> {text.baseUnits}</small>}
          </td>
          <td class="number">{dollars(balance.usdValue) ?? <None />}</td>
        </tr>
      ))}
    </Table>
  )
}
