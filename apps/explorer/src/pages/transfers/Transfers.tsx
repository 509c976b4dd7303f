import { useLatest, useQuery } from '@portolan/client/react'
import { useState } from 'preact/hooks'
import { links } from '../../app/links.ts'
import { maxWatched, useWatchedTransfers, type WatchedTransfer } from '../../app/watchedTransfers.ts'
import { RoutableChainsDocument, TransferDocument } from '../../generated/graphql.ts'
import { ChainText } from '../../parts/ChainText.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { MiddleEllipsis } from '../../parts/MiddleEllipsis.tsx'
import { Panel } from '../../parts/Panel.tsx'
import { Table } from '../../parts/Table.tsx'
import { text } from '../../text.ts'
import { outcomeClass, progressOf } from '../../values/transferOutcome.ts'

/** The transfers that this reader watches, each as it goes on. They are kept in the browser. */
export function Transfers() {
  const watched = useWatchedTransfers()
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

function Line({ of, onRemove }: { of: WatchedTransfer; onRemove: () => void }) {
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
          <MiddleEllipsis value={of.hash} />
        </a>
      </td>
      <td>
        <ChainText>{transfer?.chain.prettyName ?? of.chainId}</ChainText>
      </td>
      <td class="to">
        <ChainText>{last?.toChain?.prettyName ?? last?.toChainId ?? text.none}</ChainText>
      </td>
      <td>
        <FaultNote error={error} />
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

function Add({ onAdd, isFull }: { onAdd: (one: WatchedTransfer) => void; isFull: boolean }) {
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
