import { useState } from 'preact/hooks'
import type { AccountQuery, BalanceExclusion } from '../../generated/graphql.ts'
import { AssetName, Digits, Origin } from '../../parts/Amount.tsx'
import { EmptyNote, FaultNote, MissingChains } from '../../parts/FaultNote.tsx'
import { NoValue } from '../../parts/NoValue.tsx'
import { ChainName, ChainNames, type ChainParts } from '../../parts/recordLinks.tsx'
import { Table } from '../../parts/Table.tsx'
import { text } from '../../text.ts'
import { dollars, exact } from '../../values/format.ts'
import { foldReason } from './foldedBalances.ts'
import { type Holding, toHoldings } from './holdings.ts'

type AccountBalances = NonNullable<NonNullable<AccountQuery['account']>['balances']>
type Balance = AccountBalances['balances'][number]

/** Assets before a reader asks for all of them. */
const firstAssets = 8

const usdOf = ({ usdValue }: Balance) => Number(usdValue ?? -1)

/** The balances that are shown at once, by their assets, and the folded ones with their reasons. */
function foldedBalances(balances: readonly Balance[]) {
  const all = balances.map((balance) => ({ balance, reason: foldReason(balance) }))
  return {
    holdings: toHoldings(all.flatMap(({ balance, reason }) => (reason ? [] : [balance]))),
    folded: all
      .flatMap(({ balance, reason }) => (reason ? [{ balance, reason }] : []))
      .toSorted((a, b) => usdOf(b.balance) - usdOf(a.balance)),
  }
}

/** Chains that only the router reaches, and the balances there once somebody has asked for them. */
export interface BalancesElsewhere {
  readonly chains: readonly ChainParts[]
  readonly found: Pick<AccountBalances, 'balances' | 'unavailableChains' | 'usdValue'> | undefined
  readonly error: Parameters<typeof FaultNote>[0]['error']
  readonly isLoading: boolean
  readonly ask: () => void
  readonly reload: () => void
}

/** What an account has: a row for each asset, and below it the chains that it is on. What may have come unasked is folded. */
export function Balances({ of, elsewhere }: { of: AccountBalances; elsewhere: BalancesElsewhere }) {
  const [hasAll, setAll] = useState(false)
  const balances = [...of.balances, ...(elsewhere.found?.balances ?? [])]
  const { holdings, folded } = foldedBalances(balances)
  const shown = hasAll ? holdings : holdings.slice(0, firstAssets)
  const unavailable = [...of.unavailableChains, ...(elsewhere.found?.unavailableChains ?? [])]
  return (
    <>
      <MissingChains chains={unavailable} />
      {balances.length === 0 && <EmptyNote but={unavailable} />}
      {shown.length > 0 && <HoldingTable rows={shown} />}
      {shown.length < holdings.length && (
        <button type="button" class="load-more" onClick={() => setAll(true)}>
          {text.showAll(holdings.length)}
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
          <Table caption={text.foldedAssets} heads={balanceHeads} isCompact>
            {folded.map(({ balance, reason }) => (
              <BalanceRow key={keyOf(balance)} of={balance} reason={reason} />
            ))}
          </Table>
        </details>
      )}
      {of.balances.length > 0 && <p class="note">{text.priced(of.pricedCount, of.count)}</p>}
      {elsewhere.chains.length > 0 && <ElsewherePart of={elsewhere} />}
    </>
  )
}

const ElsewherePart = ({ of: { chains, found, error, isLoading, ask, reload } }: { of: BalancesElsewhere }) => (
  <>
    <FaultNote error={error} onRetry={reload} />
    {!found && !error && (
      <button type="button" class="load-more" onClick={ask} disabled={isLoading}>
        {isLoading ? `${text.loading}…` : text.lookElsewhere(chains.length)}
      </button>
    )}
    <p class="note">
      {found ? text.elsewhere : text.notLooked} <ChainNames of={chains} />
    </p>
  </>
)

const balanceHeads = [text.asset, { number: text.amount }, { number: text.value }]

const keyOf = ({ chain, denom }: Balance) => `${chain.chainId} ${denom}`

const HoldingTable = ({ rows }: { rows: readonly Holding<Balance>[] }) => (
  <Table caption={text.balances} heads={balanceHeads} isCompact>
    {rows.flatMap(({ balances, amount, usdValue }) => {
      const [first, ...others] = balances
      if (!first) return []
      if (others.length === 0) return [<BalanceRow key={keyOf(first)} of={first} />]
      return [
        <tr key={keyOf(first)}>
          <th scope="rowgroup">
            <AssetName of={first} chainId={first.chain.chainId} isPlain />{' '}
            <small>{text.onChains(new Set(balances.map(({ chain }) => chain.chainId)).size)}</small>
          </th>
          <td class="number" title={amount && exact(amount)}>
            <Digits value={amount} />
          </td>
          <td class="number">{dollars(usdValue) ?? <NoValue />}</td>
        </tr>,
        ...balances.map((balance) => (
          <tr key={`${keyOf(balance)} there`} class="there">
            <td>
              <ChainName chain={balance.chain} />
              <BalanceOrigin of={balance} />
            </td>
            <AmountCells of={balance} />
          </tr>
        )),
      ]
    })}
  </Table>
)

const BalanceRow = ({ of, reason }: { of: Balance; reason?: BalanceExclusion }) => (
  <tr>
    <td>
      <AssetName of={of} chainId={of.chain.chainId} isPlain />{' '}
      <small>
        <ChainName chain={of.chain} />
      </small>
      {reason && <span class="tag">{text.foldReasons[reason]}</span>}
      <BalanceOrigin of={of} />
    </td>
    <AmountCells of={of} />
  </tr>
)

/** Where a balance of an asset came from, in one line. */
const BalanceOrigin = ({ of: { asset } }: { of: Balance }) => (asset ? <Origin of={asset} always /> : null)

const AmountCells = ({ of }: { of: Balance }) => (
  <>
    <td class="number">
      <Digits value={of.formattedAmount ?? of.amount} />
      {of.formattedAmount == null && of.amount != null && <small> {text.baseUnits}</small>}
    </td>
    <td class="number">{dollars(of.usdValue) ?? <NoValue />}</td>
  </>
)
