import { useContext, useState } from 'preact/hooks'
import { type ActivityChoice, filterOf, filterOfSpan, isIn, spanOf } from '../app/activityFilter.ts'
import { type Direction, directionOf, withoutFee, withoutTwins } from '../app/tokenTransfers.ts'
import { usePages } from '../app/usePages.ts'
import { useQuery } from '../app/useQuery.ts'
import { AccountTransfersDocument, type AccountTransfersQuery } from '../generated/graphql.ts'
import { ChoiceFields } from '../parts/ChoiceFields.tsx'
import { Failed, Nothing, Unavailable } from '../parts/Failed.tsx'
import { PageAccount } from '../parts/known.ts'
import { Waiting } from '../parts/later.tsx'
import { More } from '../parts/More.tsx'
import { worthOf } from '../parts/Moves.tsx'
import { Panel } from '../parts/Panel.tsx'
import { TransferAmount, type TransferParts } from '../parts/TransferAmount.tsx'
import { Table } from '../parts/tables.tsx'
import { Address, ChainName, Time, TxHash } from '../parts/text.tsx'
import { text } from '../text.ts'

type Found = NonNullable<AccountTransfersQuery['account']>
type Node = NonNullable<NonNullable<Found['activity']>['edges'][number]['node']>

interface Row {
  readonly key: string
  readonly node: Node
  readonly of: TransferParts
  readonly direction: Direction
  readonly other: string | undefined
}

/** Pages without a transfer of the choice after which no more are read by themselves. */
const maxEmptyPages = 10

/** What an account sent and received: coins, tokens and NFTs, without the fees. */
export function AccountTransfers({
  address,
  chains,
  choice,
  onChoice,
}: {
  address: string
  chains: readonly { chainId: string; prettyName: string }[]
  choice: ActivityChoice
  onChoice: (choice: ActivityChoice) => void
}) {
  const [direction, setDirection] = useState('')
  const span = spanOf(choice)
  const filter = { ...filterOf(choice), ...filterOfSpan(span) }
  const variables = { address, filter }
  const query = useQuery(AccountTransfersDocument, variables)
  const { rows, pages, hasMore, load, fault } = usePages(AccountTransfersDocument, variables, {
    first: query.data,
    rowsOf: ({ account }) =>
      account?.activity?.edges.flatMap(({ node }) => (node ? rowsOf(node, account.hexAddress) : [])) ?? [],
    infoOf: ({ account }) => account?.activity?.pageInfo,
  })
  const shown = rows.filter(
    (row) => (direction === '' || row.direction === direction) && isIn(span, Date.parse(row.node.timestamp ?? '')),
  )
  const last = pages.at(-1)?.account?.activity
  const oldest = Date.parse(last?.edges.at(-1)?.node?.timestamp ?? '')
  const isOver = span.since !== undefined && oldest < span.since
  const isTired = shown.length === 0 && pages.length >= maxEmptyPages
  return (
    <Panel title={text.moved} of={query.operation}>
      <ChoiceFields chains={chains} choice={choice} onChoice={onChoice}>
        <select
          aria-label={text.direction}
          value={direction}
          onChange={({ currentTarget: { value } }) => setDirection(value)}
        >
          <option value="">{text.allDirections}</option>
          <option value="in">{text.directions.in}</option>
          <option value="out">{text.directions.out}</option>
        </select>
      </ChoiceFields>
      <Failed error={query.error ?? query.rootError ?? query.errorAt('account', 'activity')} onRetry={query.reload} />
      <Failed error={fault} />
      <Unavailable chains={last?.unavailableChains} />
      {query.isLoading && <Waiting />}
      {query.data && !hasMore && shown.length === 0 && <Nothing but={last?.unavailableChains} />}
      {shown.length > 0 && (
        <Table caption={text.moved} heads={[text.amount, text.account, text.chain, text.hash, text.age]} isStacked>
          {shown.map((row) => (
            <Line key={row.key} row={row} />
          ))}
        </Table>
      )}
      {isTired && hasMore && !isOver && <p class="nothing">{text.pagesRead(pages.length)}</p>}
      {/* The first page is short: what follows is read once somebody asks for it. */}
      <More hasMore={hasMore && !isOver} load={load} isAuto={pages.length > 1 && !isTired} />
    </Panel>
  )
}

function Line({ row: { node, of, direction, other } }: { row: Row }) {
  const { prices } = useContext(PageAccount)
  const { chainId } = node.chain
  return (
    <tr>
      <td class="what">
        <span class={direction === 'in' ? 'good' : undefined}>{text.directions[direction]}</span>{' '}
        <TransferAmount of={of} chainId={chainId} />{' '}
        <small title={text.atPresentPrice}>{worthOf(of, chainId, prices)}</small>
      </td>
      <td class="wide">
        <Address value={other} />
      </td>
      <td>
        <ChainName chain={node.chain} />
      </td>
      <td class="wide">
        <TxHash chainId={chainId} value={node.hash} />
      </td>
      <td class="age">
        <Time value={node.timestamp} />
      </td>
    </tr>
  )
}

/** The transfers of a transaction that the account sent or received. */
function rowsOf(node: Node, hexAddress: string): readonly Row[] {
  if (!('coinTransfers' in node)) return []
  const coins = (node.coinTransfers ?? []).flatMap(({ sender, recipient, coins }) =>
    (coins ?? []).map((coin) => ({ ...coin, from: sender, to: recipient })),
  )
  const payer = node.fee?.payer ?? node.signers?.[0]?.account
  const sent = withoutFee(coins, { coins: node.fee?.amount ?? [], payer })
  const all = [...sent, ...withoutTwins(node.tokenTransfers ?? [], coins)]
  return all.flatMap((of, index) => {
    const direction = directionOf(of, hexAddress)
    if (!direction) return []
    const other = direction === 'in' ? of.from?.address : of.to?.address
    return [{ key: `${node.chain.chainId}${node.hash}${index}`, node, of, direction, other }]
  })
}
