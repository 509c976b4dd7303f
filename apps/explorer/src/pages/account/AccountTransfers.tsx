import { usePages, useQuery } from '@portolan/client/react'
import { useContext } from 'preact/hooks'
import { AccountTransfersDocument, type AccountTransfersQuery } from '../../generated/graphql.ts'
import { worthOf } from '../../parts/AccountBalanceChanges.tsx'
import { EmptyNote, FaultNote, MissingChains } from '../../parts/FaultNote.tsx'
import { HiddenRows } from '../../parts/HiddenRows.tsx'
import { LoadingNote } from '../../parts/LoadingNote.tsx'
import { LoadMore } from '../../parts/LoadMore.tsx'
import { PageAccountContext } from '../../parts/PageAccountContext.ts'
import { Panel } from '../../parts/Panel.tsx'
import { RowGroups } from '../../parts/RowGroups.tsx'
import { Address, ChainName, TxHash } from '../../parts/recordLinks.tsx'
import { Table } from '../../parts/Table.tsx'
import { Time } from '../../parts/Time.tsx'
import { TransferAmount, type TransferParts } from '../../parts/TransferAmount.tsx'
import { text } from '../../text.ts'
import { type Direction, directionOf, withoutFee, withoutTwins } from '../../values/assetTransfers.ts'
import { type ActivityChoice, filterOf, filterOfSpan, isIn, spanOf } from './activityFilter.ts'
import { type BalanceChangeRow, hasParty, isDust, isToken, listedChains } from './balanceChangeFilter.ts'
import { FilterFields } from './FilterFields.tsx'

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
  const { addresses, prices } = useContext(PageAccountContext)
  const span = spanOf(choice)
  const filter = { ...filterOf(choice), ...filterOfSpan(span) }
  const variables = { address, filter }
  const query = useQuery(AccountTransfersDocument, variables)
  const {
    rows,
    pages,
    hasMore,
    loadMore,
    error: laterError,
  } = usePages(query, {
    rowsOf: ({ account }) =>
      account?.activity?.edges.flatMap(({ node }) => (node ? rowsOf(node, account.hexAddress) : [])) ?? [],
    pageInfoOf: ({ account }) => account?.activity?.pageInfo,
  })
  const listed = listedChains(rows.map(balanceChangeRowOf), prices)
  const { direction } = choice
  const chosen = rows.filter(
    (row) =>
      (direction === '' || row.direction === direction) &&
      isIn(span, Date.parse(row.node.timestamp ?? '')) &&
      hasParty(balanceChangeRowOf(row), choice) &&
      isToken({ denom: row.of.denom ?? row.of.contract?.address }, choice),
  )
  const shown =
    choice.dust === 'show' ? chosen : chosen.filter((row) => !isDust(balanceChangeRowOf(row), addresses, listed))
  const hidden = chosen.length - shown.length
  const last = pages.at(-1)?.account?.activity
  const oldest = Date.parse(last?.edges.at(-1)?.node?.timestamp ?? '')
  const isOver = span.since !== undefined && oldest < span.since
  const isTired = shown.length === 0 && pages.length >= maxEmptyPages
  return (
    <Panel title={text.tokenTransfers} of={query}>
      <FilterFields chains={chains} choice={choice} onChoice={onChoice} />
      <FaultNote
        error={query.error ?? query.rootError ?? query.errorAt('account', 'activity')}
        onRetry={query.refetch}
      />
      <FaultNote error={laterError} />
      <MissingChains chains={last?.unavailableChains} />
      {query.isLoading && <LoadingNote />}
      <HiddenRows count={hidden} onShow={() => onChoice({ ...choice, dust: 'show' })} />
      {query.data && !hasMore && chosen.length === 0 && <EmptyNote but={last?.unavailableChains} />}
      {shown.length > 0 && (
        <Table
          caption={text.tokenTransfers}
          heads={[text.amount, text.chain, text.hash, text.account, text.age]}
          isLong
          isStacked
        >
          <RowGroups rows={shown} keyOf={({ key }) => key} row={lineOf} />
        </Table>
      )}
      {isTired && hasMore && !isOver && <p class="nothing">{text.pagesRead(pages.length)}</p>}
      {/* The first page is short: what follows is read once somebody asks for it. */}
      <LoadMore hasMore={hasMore && !isOver} loadMore={loadMore} isAuto={pages.length > 1 && !isTired} />
    </Panel>
  )
}

const lineOf = (row: Row) => <Line key={row.key} row={row} />

function Line({ row: { node, of, direction, other } }: { row: Row }) {
  const { prices } = useContext(PageAccountContext)
  const { chainId } = node.chain
  return (
    <tr>
      <td class="what">
        <span class={direction === 'in' ? 'good' : undefined}>{text.directions[direction]}</span>{' '}
        <TransferAmount of={of} chainId={chainId} />{' '}
        <small title={text.atPresentPrice}>{worthOf(of, chainId, prices)}</small>
      </td>
      <td>
        <ChainName chain={node.chain} />
      </td>
      <td class="wide">
        <TxHash chainId={chainId} value={node.hash} />
      </td>
      <td class="wide">
        <Address value={other} />
      </td>
      <td class="age">
        <Time value={node.timestamp} />
      </td>
    </tr>
  )
}

const balanceChangeRowOf = ({ node, of, other }: Row): BalanceChangeRow => ({
  chain: node.chain,
  signer: 'signers' in node ? node.signers?.[0]?.account?.address : undefined,
  changes: [of],
  parties: [other],
})

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
