import { useState } from 'preact/hooks'
import {
  QuoteDocument,
  type QuoteQuery,
  RoutableAssetsDocument,
  RoutableChainsDocument,
} from '../__generated__/graphql.ts'
import type { PageProps } from '../app/App.tsx'
import { dollars, duration, scaled } from '../app/format.ts'
import { replaceQuery } from '../app/router.ts'
import { useQuery } from '../app/useQuery.ts'
import { Failed } from '../parts/Failed.tsx'
import { Facts, Loaded, Panel } from '../parts/Panel.tsx'
import { Table } from '../parts/tables.tsx'
import { Amount, Time, Words } from '../parts/text.tsx'
import { text } from '../text.ts'

interface Side {
  readonly chainId: string
  readonly denom: string
}

/** Plans a route of an asset to another chain. Nothing is signed or sent. */
export function Quote({ place }: PageProps) {
  const [form, setForm] = useState({
    from: { chainId: place.query.get('from') ?? '', denom: place.query.get('asset') ?? '' },
    to: { chainId: place.query.get('to') ?? '', denom: place.query.get('for') ?? '' },
    amount: place.query.get('amount') ?? '1',
  })
  const chains = useQuery(RoutableChainsDocument, {})
  const known = chains.data?.routableChains?.nodes.flatMap((chain) => chain ?? []) ?? []
  const from = { ...form.from, chainId: form.from.chainId || (known[0]?.chainId ?? '') }
  const to = { ...form.to, chainId: form.to.chainId || (known[1]?.chainId ?? '') }
  const [source, sourceOf] = useAssetOf(from)
  const [target, targetOf] = useAssetOf(to)
  const amountIn = unscaled(form.amount, source?.decimals ?? 0)
  const input = {
    amountIn: amountIn ?? '0',
    source: { chainId: from.chainId, denom: source?.denom ?? '' },
    destination: { chainId: to.chainId, denom: target?.denom ?? '' },
  }
  const isReady = Boolean(source && target && amountIn && BigInt(amountIn) > 0n)
  const quote = useQuery(QuoteDocument, { input }, { skip: !isReady })
  const change = (next: typeof form) => {
    setForm(next)
    const { from, to, amount } = next
    const query = { from: from.chainId, asset: from.denom, to: to.chainId, for: to.denom, amount }
    replaceQuery(new URLSearchParams(query))
  }
  return (
    <>
      <h1>{text.quote}</h1>
      <Panel title="From here to there" of={chains.operation}>
        <Failed error={chains.error ?? chains.errorAt('routableChains')} onRetry={chains.reload} />
        <form class="quote" onSubmit={(event) => event.preventDefault()}>
          <SideFields
            legend={text.from}
            side={{ ...from, denom: source?.denom ?? '' }}
            chains={known}
            assets={sourceOf}
            onChange={(side) => change({ ...form, from: side, to })}
          />
          <SideFields
            legend={text.to}
            side={{ ...to, denom: target?.denom ?? '' }}
            chains={known}
            assets={targetOf}
            onChange={(side) => change({ ...form, from, to: side })}
          />
          <label>
            {text.amount}
            <input
              inputMode="decimal"
              value={form.amount}
              onChange={(event) => change({ ...form, amount: event.currentTarget.value.trim() })}
            />
          </label>
        </form>
      </Panel>
      <Panel title="Route" of={isReady ? quote.operation : undefined}>
        {!isReady && <p class="nothing">Choose two assets and an amount.</p>}
        {isReady && (
          <Loaded of={quote}>
            {({ route }) =>
              route ? <Route of={route} /> : <p class="nothing">There is no route between them.</p>
            }
          </Loaded>
        )}
      </Panel>
    </>
  )
}

interface AssetChoice {
  readonly denom: string
  readonly symbol?: string | null
  readonly name?: string | null
  readonly decimals?: number | null
}

/** The chosen asset of a chain, or its first, and all that can be chosen. */
function useAssetOf({
  chainId,
  denom,
}: Side): readonly [AssetChoice | undefined, readonly AssetChoice[]] {
  const query = useQuery(RoutableAssetsDocument, { chainId }, { skip: chainId === '' })
  const assets = query.data?.assets?.nodes.flatMap((asset) => asset ?? []) ?? []
  return [assets.find((asset) => asset.denom === denom) ?? assets[0], assets]
}

function SideFields({
  legend,
  side,
  chains,
  assets,
  onChange,
}: {
  legend: string
  side: Side
  chains: readonly { chainId: string; prettyName: string }[]
  assets: readonly AssetChoice[]
  onChange: (side: Side) => void
}) {
  return (
    <fieldset>
      <legend>{legend}</legend>
      <select
        aria-label={`${legend}: ${text.chain}`}
        value={side.chainId}
        onChange={(event) => onChange({ chainId: event.currentTarget.value, denom: '' })}
      >
        {chains.map(({ chainId, prettyName }) => (
          <option key={chainId} value={chainId}>
            {prettyName}
          </option>
        ))}
      </select>
      <select
        aria-label={`${legend}: ${text.asset}`}
        value={side.denom}
        onChange={(event) => onChange({ ...side, denom: event.currentTarget.value })}
      >
        {assets.map(({ denom, symbol, name }) => (
          <option key={denom} value={denom}>
            {symbol ?? name ?? denom}
          </option>
        ))}
      </select>
    </fieldset>
  )
}

function Route({ of }: { of: NonNullable<QuoteQuery['route']> }) {
  const amount = (
    value: string,
    asset: { symbol?: string | null; decimals?: number | null } | null | undefined,
  ) => `${scaled(value, asset?.decimals ?? 0)} ${asset?.symbol ?? ''}`
  return (
    <>
      <Facts
        rows={[
          ['You send', `${amount(of.amountIn, of.assetIn)} ${dollars(of.usdAmountIn) ?? ''}`],
          ['You get', `${amount(of.amountOut, of.assetOut)} ${dollars(of.usdAmountOut) ?? ''}`],
          [text.time, of.estimatedDurationSeconds != null && duration(of.estimatedDurationSeconds)],
          ['Signatures', of.transactionCount],
          ['Price impact', of.swapPriceImpactPercent && `${of.swapPriceImpactPercent} %`],
          ['Valid', of.expiresAt && <Time value={of.expiresAt} />],
          [
            'Warning',
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
              {operation.fromChain?.prettyName ?? operation.fromChainId}
              {operation.toChainId &&
                operation.toChainId !== operation.fromChainId &&
                ` → ${operation.toChain?.prettyName ?? operation.toChainId}`}
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
          caption="Fees"
          heads={['Fee', text.chain, { number: text.amount }, { number: text.value }]}
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

/** A decimal in the smallest unit. Undefined if it is none, or has too many digits. */
export function unscaled(value: string, decimals: number): string | undefined {
  const match = /^(\d{1,60})(?:[.,](\d{1,60}))?$/.exec(value)
  const [, whole = '', fraction = ''] = match ?? []
  if (!match || fraction.length > decimals) return undefined
  return BigInt(whole + fraction.padEnd(decimals, '0')).toString()
}
