import { useQuery } from '@portolan/client/react'
import { useState } from 'preact/hooks'
import type { PageProps } from '../../app/pageProps.ts'
import { replaceQuery } from '../../app/router.ts'
import { QuoteDocument, RoutableAssetsDocument, RoutableChainsDocument } from '../../generated/graphql.ts'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { Loaded, Panel } from '../../parts/Panel.tsx'
import { text } from '../../text.ts'
import { QuoteDifference } from './QuoteDifference.tsx'
import { QuotedRoute } from './QuotedRoute.tsx'
import { formOf, type QuoteForm, queryOfForms, type Side, unscaled } from './quoteForm.ts'

/** Plans a route of an asset to another chain, beside another one. Nothing is signed or sent. */
export function Quote({ place }: PageProps) {
  const [form, setForm] = useState(() => formOf(place.query, '') ?? emptyForm)
  const [compared, setCompared] = useState(() => formOf(place.query, 'vs-'))
  const chains = useQuery(RoutableChainsDocument, {})
  const known = chains.data?.routableChains?.nodes.flatMap((chain) => chain ?? []) ?? []
  const from = { ...form.from, chainId: form.from.chainId || (known[0]?.chainId ?? '') }
  const to = { ...form.to, chainId: form.to.chainId || (known[1]?.chainId ?? '') }
  const quote = useQuote({ ...form, from, to })
  const change = (next: QuoteForm, other: QuoteForm | undefined) => {
    setForm(next)
    setCompared(other)
    replaceQuery(queryOfForms(next, other))
  }
  return (
    <>
      <h1>{text.quote}</h1>
      <Panel title={text.quotes.form} of={chains}>
        <FaultNote error={chains.error ?? chains.errorAt('routableChains')} onRetry={chains.refetch} />
        <form class="quote" onSubmit={(event) => event.preventDefault()}>
          <SideFields
            legend={text.from}
            side={{ ...from, denom: quote.source?.denom ?? '' }}
            chains={known}
            assets={quote.sources}
            onChange={(side) => change({ ...form, from: side, to }, compared)}
          />
          <SideFields
            legend={text.to}
            side={{ ...to, denom: quote.target?.denom ?? '' }}
            chains={known}
            assets={quote.targets}
            onChange={(side) => change({ ...form, from, to: side }, compared)}
          />
          <label>
            {text.amount}
            <input
              inputMode="decimal"
              value={form.amount}
              onChange={(event) => change({ ...form, amount: event.currentTarget.value.trim() }, compared)}
            />
          </label>
          <label class="check">
            <input
              type="checkbox"
              checked={form.isFast}
              onChange={(event) => change({ ...form, isFast: event.currentTarget.checked }, compared)}
            />{' '}
            {text.quotes.fast}
          </label>
          <button type="button" disabled={!quote.isReady} onClick={() => change({ ...form, from, to }, quote.form)}>
            {text.quotes.keep}
          </button>
        </form>
      </Panel>
      {compared ? (
        <Compared of={compared} beside={quote} onDrop={() => change(form, undefined)} />
      ) : (
        <RoutePanel title={text.quotes.route} of={quote} />
      )}
    </>
  )
}

const emptyForm: QuoteForm = {
  from: { chainId: '', denom: '' },
  to: { chainId: '', denom: '' },
  amount: '1',
  isFast: false,
}

type QuoteState = ReturnType<typeof useQuote>

/** The route of a form, with the assets that its sides can have. */
function useQuote(form: QuoteForm) {
  const [source, sources] = useAssetOf(form.from)
  const [target, targets] = useAssetOf(form.to)
  const amountIn = unscaled(form.amount, source?.decimals ?? 0)
  const input = {
    amountIn: amountIn ?? '0',
    source: { chainId: form.from.chainId, denom: source?.denom ?? '' },
    destination: { chainId: form.to.chainId, denom: target?.denom ?? '' },
    ...(form.isFast && { fastTransfer: true }),
  }
  const isReady = Boolean(source && target && amountIn && BigInt(amountIn) > 0n)
  const query = useQuery(QuoteDocument, { input }, { skip: !isReady })
  return {
    ...{ source, sources, target, targets, isReady, query },
    form: { ...form, from: input.source, to: input.destination },
  }
}

function RoutePanel({ title, of, onDrop }: { title: string; of: QuoteState; onDrop?: () => void }) {
  const { isReady, query } = of
  const drop = onDrop && (
    <button type="button" onClick={onDrop}>
      {text.quotes.drop}
    </button>
  )
  return (
    <Panel title={title} note={drop} of={isReady ? query : undefined}>
      {!isReady && <p class="nothing">{text.quotes.choose}</p>}
      {isReady && (
        <Loaded of={query}>
          {({ route }) => (route ? <QuotedRoute of={route} /> : <p class="nothing">{text.quotes.noRoute}</p>)}
        </Loaded>
      )}
    </Panel>
  )
}

/** Two routes beside each other, and what the second has more or less. */
function Compared({ of, beside, onDrop }: { of: QuoteForm; beside: QuoteState; onDrop: () => void }) {
  const kept = useQuote(of)
  const [first, second] = [kept.query.data?.route, beside.query.data?.route]
  return (
    <>
      {first && second && <QuoteDifference first={first} second={second} isSame={sameTarget(kept, beside)} />}
      <div class="columns">
        <RoutePanel title={text.quotes.kept} of={kept} onDrop={onDrop} />
        <RoutePanel title={text.quotes.route} of={beside} />
      </div>
    </>
  )
}

const sameTarget = (a: QuoteState, b: QuoteState) =>
  a.form.to.chainId === b.form.to.chainId && a.form.to.denom === b.form.to.denom

interface AssetChoice {
  readonly denom: string
  readonly symbol?: string | null
  readonly name?: string | null
  readonly decimals?: number | null
  readonly originLabel: string
}

/** The chosen asset of a chain, or its first, and all that can be chosen. */
function useAssetOf({ chainId, denom }: Side): readonly [AssetChoice | undefined, readonly AssetChoice[]] {
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
          <option key={chainId} value={chainId} dir="auto">
            {prettyName}
          </option>
        ))}
      </select>
      <select
        aria-label={`${legend}: ${text.asset}`}
        value={side.denom}
        onChange={(event) => onChange({ ...side, denom: event.currentTarget.value })}
      >
        {assets.map(({ denom, symbol, name, originLabel }) => (
          <option key={denom} value={denom} dir="auto">
            {[symbol ?? name ?? denom, originLabel === 'native' ? '' : originLabel].filter(Boolean).join(' · ')}
          </option>
        ))}
      </select>
    </fieldset>
  )
}
