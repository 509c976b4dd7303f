import { useLatest } from '@portolan/client/react'
import { useState } from 'preact/hooks'
import { links } from '../app/links.ts'
import { outcomeClass, progressOf } from '../app/outcome.ts'
import { useQuery } from '../app/useQuery.ts'
import { maxWatched, useWatched, type Watched } from '../app/watched.ts'
import { RoutableChainsDocument, TransferDocument } from '../generated/graphql.ts'
import { Failed } from '../parts/Failed.tsx'
import { Panel } from '../parts/Panel.tsx'
import { Short } from '../parts/Short.tsx'
import { Table } from '../parts/Table.tsx'
import { Words } from '../parts/Words.tsx'
import { text } from '../text.ts'

/** The transfers that this reader watches, each as it goes on. They are kept in the browser. */
export function Transfers() {
  const watched = useWatched()
  return (
    <>
      <h1>{text.watched.title}</h1>
      <Panel title={text.watched.form} note={text.watched.hint}>
        <Add onAdd={watched.add} isFull={watched.isFull} />
      </Panel>
      <Panel title={text.watched.title} note={watched.all.length}>
        {watched.all.length === 0 ? (
          <p class="nothing">{text.watched.nothing}</p>
        ) : (
          <Table caption={text.watched.title} heads={[text.hash, text.from, text.to, text.result, '']} isStacked>
            {watched.all.map((one) => (
              <Line key={`${one.chainId}/${one.hash}`} of={one} onRemove={() => watched.remove(one)} />
            ))}
          </Table>
        )}
      </Panel>
    </>
  )
}

function Line({ of, onRemove }: { of: Watched; onRemove: () => void }) {
  const { data, error, status } = useLatest(TransferDocument, {
    chainId: of.chainId,
    hash: of.hash,
  })
  const transfer = data?.transfer
  const last = transfer?.hops.at(-1)
  return (
    <tr>
      <td class="what">
        <a href={links.transfer(of.chainId, of.hash)}>
          <Short value={of.hash} />
        </a>
      </td>
      <td>
        <Words>{transfer?.chain.prettyName ?? of.chainId}</Words>
      </td>
      <td class="to">
        <Words>{last?.toChain?.prettyName ?? last?.toChainId ?? text.none}</Words>
      </td>
      <td>
        <Failed error={error} />
        {!transfer && !error && `${text.loading}…`}
        {transfer && (
          <span class={outcomeClass(transfer.outcome)}>
            {status !== 'ended' && <span class="pulse" />}
            {progressOf(transfer)}
          </span>
        )}
      </td>
      <td class="number">
        <button type="button" onClick={onRemove} aria-label={`${text.watched.unwatch}: ${of.hash}`}>
          ✕
        </button>
      </td>
    </tr>
  )
}

function Add({ onAdd, isFull }: { onAdd: (one: Watched) => void; isFull: boolean }) {
  const { data } = useQuery(RoutableChainsDocument, {})
  const chains = data?.routableChains?.nodes.flatMap((chain) => chain ?? []) ?? []
  const [chainId, setChainId] = useState('')
  const [hash, setHash] = useState('')
  const chosen = chainId || (chains[0]?.chainId ?? '')
  return (
    <form
      class="quote"
      onSubmit={(event) => {
        event.preventDefault()
        if (chosen === '' || hash === '' || isFull) return
        onAdd({ chainId: chosen, hash })
        setHash('')
      }}
    >
      <label>
        {text.chain}
        <select aria-label={text.chain} value={chosen} onChange={(event) => setChainId(event.currentTarget.value)}>
          {chains.map((chain) => (
            <option key={chain.chainId} value={chain.chainId} dir="auto">
              {chain.prettyName}
            </option>
          ))}
        </select>
      </label>
      <label>
        {text.hash}
        <input
          value={hash}
          maxLength={128}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => setHash(event.currentTarget.value.trim())}
        />
      </label>
      <button type="submit" disabled={hash === '' || isFull}>
        {text.watched.add}
      </button>
      {isFull && <p class="failed">{text.watched.full(maxWatched)}</p>}
    </form>
  )
}
