import { memo } from 'preact/compat'
import { useState } from 'preact/hooks'
import type { ActionSummaryFragment } from '../generated/graphql.ts'
import { text } from '../text.ts'
import { shortType } from '../values/format.ts'
import { AccountBalanceChanges, type BalanceChangeParts } from './AccountBalanceChanges.tsx'
import { ChainText } from './ChainText.tsx'
import { NoValue } from './NoValue.tsx'
import { ResultMark } from './ResultMark.tsx'
import { Address, ChainName, Height, TxHash } from './recordLinks.tsx'
import { Sentence, textOf } from './Sentence.tsx'
import { Table } from './Table.tsx'
import { Time } from './Time.tsx'

/** A row of a list of transactions of either kind. */
export interface TransactionParts {
  readonly __typename?: string
  readonly hash: string
  /** Its hash in the EVM, where a list shows both. */
  readonly evmHash?: string | undefined
  readonly height: number
  readonly timestamp?: string | null
  readonly isSuccessful?: boolean | null
  readonly chain: { readonly chainId: string; readonly prettyName: string }
  readonly messages?: readonly { readonly typeUrl: string }[] | null
  readonly actions?: readonly ActionSummaryFragment[] | null
  readonly signers?: readonly { readonly account?: { readonly address: string } | null }[] | null
  readonly from?: { readonly address: string } | null
  /** What the account of the page gave and got. */
  readonly changes?: readonly BalanceChangeParts[] | null
  /** The standards of the contracts whose tokens it moved. */
  readonly standards?: readonly { readonly standard: string; readonly contract: { readonly address: string } }[] | null
}

/** What a transaction did: the sentence of its first action. A press shows those of the others. */
function Kind({ of }: { of: TransactionParts }) {
  const [isOpen, setOpen] = useState(false)
  const [action, ...others] = of.actions ?? []
  if (!action) return <MessageKind of={of} />
  return (
    <div>
      <div class="sentence">
        <Sentence of={action} chainId={of.chain.chainId} />
      </div>
      {others.length > 0 && (
        <button
          type="button"
          class="others"
          aria-expanded={isOpen}
          title={others.map(textOf).join('\n')}
          onClick={() => setOpen(!isOpen)}
        >
          {text.moreActions(others.length)}
        </button>
      )}
      {isOpen &&
        others.map((other, index) => (
          <div class="sentence" key={index}>
            <Sentence of={other} chainId={of.chain.chainId} />
          </div>
        ))}
    </div>
  )
}

/** What a transaction does, in the words of its messages. */
function MessageKind({ of }: { of: TransactionParts }) {
  const types = of.messages?.map(({ typeUrl }) => typeUrl) ?? []
  const [first] = types
  if (of.__typename === 'EvmTransaction') return <span class="kind">{text.evm}</span>
  if (first === undefined) return <NoValue />
  return (
    <span class="kind" title={types.join('\n')}>
      <ChainText>{shortType(first)}</ChainText>
      {types.length > 1 && <small> +{types.length - 1}</small>}
    </span>
  )
}

/** The columns of a list of transactions. `brief` ones fit beside another list. */
export type TransactionColumns = 'of a block' | 'of a chain' | 'of all chains' | 'brief'

const hasChain = (columns: TransactionColumns) => columns === 'of all chains' || columns === 'brief'
const hasHeight = (columns: TransactionColumns) => columns === 'of a chain' || columns === 'of all chains'

export function TransactionTable({
  rows,
  caption = text.transactions,
  columns = 'of a chain',
}: {
  rows: readonly (TransactionParts | null)[]
  caption?: string
  columns?: TransactionColumns
}) {
  const known = rows.filter((row) => row !== null)
  if (known.length === 0) return <p class="nothing">{text.nothing}</p>
  return (
    <Table caption={caption} heads={transactionHeads(columns)} isStacked>
      {known.map((row) => (
        <TransactionRow key={`${row.chain.chainId}${row.hash}`} row={row} columns={columns} />
      ))}
    </Table>
  )
}

export const transactionHeads = (columns: TransactionColumns) => [
  text.action,
  ...(hasChain(columns) ? [text.chain] : []),
  hasHeight(columns) ? text.hashAndBlock : text.hash,
  ...(columns === 'brief' ? [] : [text.from]),
  ...(columns === 'of a block' ? [] : [text.age]),
]

/** A row of a list of transactions, what it did first. It stays as it is while others come. */
export const TransactionRow = memo(({ row, columns }: { row: TransactionParts; columns: TransactionColumns }) => (
  <tr>
    <td class="what">
      {row.isSuccessful !== true && <ResultMark ok={row.isSuccessful} isShort />}
      <Flow of={row} />
      <Kind of={row} />
      {row.changes && <AccountBalanceChanges of={row.changes} chainId={row.chain.chainId} />}
    </td>
    {hasChain(columns) && (
      <td>
        <ChainName chain={row.chain} />
      </td>
    )}
    <td class="wide">
      <TxHash chainId={row.chain.chainId} value={row.hash} />
      {row.evmHash && (
        <small class="second">
          <TxHash chainId={row.chain.chainId} value={row.evmHash} />
        </small>
      )}
      {hasHeight(columns) && (
        <small class="second">
          <Height chainId={row.chain.chainId} value={row.height} />
        </small>
      )}
    </td>
    {columns !== 'brief' && (
      <td class="wide">
        <Address value={row.from?.address ?? row.signers?.[0]?.account?.address} />
      </td>
    )}
    {columns !== 'of a block' && (
      <td class="age">
        <Time value={row.timestamp} />
      </td>
    )}
  </tr>
))

/** Which way the balances of the page's account went, but for fees. */
function Flow({ of: { changes } }: { of: TransactionParts }) {
  if (!changes) return null
  const moved = changes.filter(({ kind, amount }) => kind !== 'FEE' && amount != null)
  // What moved nothing keeps the place.
  if (moved.length === 0) return <span class="tag flow none" />
  const losses = moved.filter(({ amount }) => amount?.startsWith('-')).length
  const way = losses === 0 ? 'in' : losses === moved.length ? 'out' : 'both'
  return <span class={`tag flow ${way}`}>{text.flows[way]}</span>
}
