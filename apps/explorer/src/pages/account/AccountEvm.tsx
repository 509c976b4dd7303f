import { usePages, useQuery } from '@portolan/client/react'
import { useState } from 'preact/hooks'
import { links } from '../../app/links.ts'
import { AccountEvmDocument, type EvmRowFragment } from '../../generated/graphql.ts'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { type EvmProps, InternalCalls } from '../../parts/InternalCalls.tsx'
import { LoadMore } from '../../parts/LoadMore.tsx'
import { NoValue } from '../../parts/NoValue.tsx'
import { Loaded, Panel } from '../../parts/Panel.tsx'
import { ResultMark } from '../../parts/ResultMark.tsx'
import { Address, Height, TxHash } from '../../parts/recordLinks.tsx'
import { Table } from '../../parts/Table.tsx'
import { Time } from '../../parts/Time.tsx'
import { TransferAmount } from '../../parts/TransferAmount.tsx'
import { text } from '../../text.ts'
import { directionOf } from '../../values/assetTransfers.ts'

/** The sender of an EVM transaction that MiniEVM made of a Cosmos one. */
const noSender = `0x${'0'.repeat(40)}`

/** What an account did in the EVM of a chain: its transactions, and the calls inside others. */
export function AccountEvm({
  address,
  hexAddress,
  chains,
}: {
  address: string
  hexAddress: string
  chains: readonly EvmProps['chain'][]
}) {
  return chains.map((chain) => (
    <div key={chain.chainId}>
      <EvmTransactions address={address} hexAddress={hexAddress} chain={chain} />
      <InternalCalls address={address} chain={chain} />
    </div>
  ))
}

function EvmTransactions({ address, hexAddress, chain: { chainId, prettyName } }: EvmProps & { hexAddress: string }) {
  const [sent, setSent] = useState('')
  const variables = { chainId, address, ...(sent && { filter: { signedOnly: true } }) }
  const query = useQuery(AccountEvmDocument, variables)
  const list = query.data?.chain?.account?.evmTransactions
  const { rows, hasMore, loadMore } = usePages(query, {
    rowsOf: ({ chain }) => chain?.account?.evmTransactions?.nodes ?? [],
    pageInfoOf: ({ chain }) => chain?.account?.evmTransactions?.pageInfo,
  })
  return (
    <Panel title={`${text.evmTransactions} · ${prettyName}`} of={query}>
      <div class="filters">
        <select aria-label={text.direction} value={sent} onChange={({ currentTarget: { value } }) => setSent(value)}>
          <option value="">{text.sentAndNamed}</option>
          <option value="sent">{text.sentOnly}</option>
        </select>
        <a href={links.contract(chainId, address)}>{text.asContract}</a>
      </div>
      <FaultNote error={query.errorAt('chain', 'account', 'evmTransactions')} onRetry={query.refetch} />
      <Loaded of={query}>
        {() =>
          rows.length > 0 ? (
            <Table
              caption={text.evmTransactions}
              heads={[text.tokenTransfers, text.hashAndBlock, text.from, text.to, text.age]}
              isStacked
            >
              {rows.map((row) => (
                <EvmLine key={row.hash} row={row} chainId={chainId} hexAddress={hexAddress} />
              ))}
            </Table>
          ) : (
            list && <p class="nothing">{text.nothing}</p>
          )
        }
      </Loaded>
      <LoadMore hasMore={hasMore} loadMore={loadMore} isAuto={false} />
    </Panel>
  )
}

/** The other account of a transfer, if it has one. */
const Party = ({ word, of }: { word: string; of?: { readonly address: string } | null }) =>
  of ? (
    <small>
      {word} <Address value={of.address} />
    </small>
  ) : null

/** Transfers that a row names. */
const shownTransfers = 3

function EvmLine({ row, chainId, hexAddress }: { row: EvmRowFragment; chainId: string; hexAddress: string }) {
  const all = (row.tokenTransfers ?? []).map((of) => ({ of, direction: directionOf(of, hexAddress) }))
  // Those of the account first: a transaction with it in a log can move what others have.
  const sorted = [...all.filter(({ direction }) => direction), ...all.filter(({ direction }) => !direction)]
  const isMade = row.from?.address === noSender
  return (
    <tr>
      <td class="what">
        {row.isSuccessful !== true && <ResultMark ok={row.isSuccessful} isShort />}
        {sorted.slice(0, shownTransfers).map(({ of, direction }, index) => (
          <div key={index}>
            {direction && <span class={`way ${direction}`}>{text.directions[direction]}</span>}{' '}
            <TransferAmount of={of} chainId={chainId} />{' '}
            <Party word={text.fromOther} of={direction === 'in' || !direction ? of.from : null} />
            <Party word={text.toOther} of={direction === 'out' || !direction ? of.to : null} />
          </div>
        ))}
        {sorted.length > shownTransfers && <small>{text.moreActions(sorted.length - shownTransfers)}</small>}
        {sorted.length === 0 && <NoValue />}
      </td>
      <td class="wide">
        <TxHash chainId={chainId} value={row.hash} />
        <small class="second">
          <Height chainId={chainId} value={row.height} />
        </small>
      </td>
      <td class="wide">
        {isMade ? <small title={text.madeOfHint}>{text.madeOf}</small> : <Address value={row.from?.address} />}
      </td>
      <td class="wide">
        <Address value={row.to?.address} />
      </td>
      <td class="age">
        <Time value={row.timestamp} />
      </td>
    </tr>
  )
}
