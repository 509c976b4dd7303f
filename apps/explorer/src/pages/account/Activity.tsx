import { PortolanError } from '@portolan/client/errors'
import { useLiveConnection, usePages, useQuery, useRetry } from '@portolan/client/react'
import type { ComponentChildren } from 'preact'
import { useContext, useEffect, useMemo, useState } from 'preact/hooks'
import { useRenewal } from '../../app/useRenewal.ts'
import { ActivityDocument, type ActivityQuery, LiveActivityDocument } from '../../generated/graphql.ts'
import { EmptyNote, FaultNote, MissingChains } from '../../parts/FaultNote.tsx'
import { HiddenRows } from '../../parts/HiddenRows.tsx'
import { LiveMark } from '../../parts/LiveMark.tsx'
import { LoadingNote } from '../../parts/LoadingNote.tsx'
import { LoadMore } from '../../parts/LoadMore.tsx'
import type { Operation } from '../../parts/Operation.ts'
import { PageAccountContext } from '../../parts/PageAccountContext.ts'
import { Panel } from '../../parts/Panel.tsx'
import { PausedList } from '../../parts/PausedList.tsx'
import { RowGroups } from '../../parts/RowGroups.tsx'
import { Table } from '../../parts/Table.tsx'
import { type TransactionParts, TransactionRow, transactionHeads } from '../../parts/TransactionTable.tsx'
import { text } from '../../text.ts'
import { type ActivityChoice, filterOf, filterOfSpan, isChosen, isIn, spanOf } from './activityFilter.ts'
import { isDust, isOfSides, listedChains } from './balanceChangeFilter.ts'
import { balanceChangeRowOf, timeOf } from './balanceChangeRow.ts'
import { FilterFields } from './FilterFields.tsx'

interface Row {
  readonly key: string
  readonly row: TransactionParts | null
}

interface ActivityProps {
  readonly address: string
  readonly choice: ActivityChoice
  readonly onChoice: (choice: ActivityChoice) => void
  /** The fields of the choice. */
  readonly fields: ComponentChildren
}

/** What an account does: live, unless the choice ends in the past or the chains cannot be followed. */
export function Activity({
  chains,
  onChoice,
  ...rest
}: Omit<ActivityProps, 'fields'> & {
  chains: readonly { chainId: string; prettyName: string }[]
}) {
  const { address, choice } = rest
  const [turn, setTurn] = useState(0)
  // What the page chooses of its rows alone is no other list.
  const list = JSON.stringify([address, { ...choice, direction: '', party: '', dust: '' }])
  const key = `${list}${turn}`
  const [read, setRead] = useState<{ list: string; page: ActivityQuery }>()
  const last = read?.list === list ? read.page : undefined
  const onRetry = () => setTurn(turn + 1)
  // A list that lacks a chain is read anew. Meanwhile its rows stay.
  useRetry(last && { data: last }, onRetry)
  const [unfollowed, setUnfollowed] = useState('')
  const fields = <FilterFields chains={chains} choice={choice} onChoice={onChoice} />
  return choice.until !== '' || unfollowed === key ? (
    <PastActivity key={key} {...rest} {...{ fields, onChoice }} />
  ) : (
    <LiveActivity
      key={key}
      {...rest}
      {...{ fields, onChoice }}
      last={last}
      onRead={(page) => setRead({ list, page })}
      onRetry={onRetry}
      onUnfollowed={() => setUnfollowed(key)}
    />
  )
}

function LiveActivity({
  address,
  choice,
  onChoice,
  fields,
  last,
  onRead,
  onRetry,
  onUnfollowed,
}: ActivityProps & {
  /** What was shown of the same list before. */
  last: ActivityQuery | undefined
  onRead: (page: ActivityQuery) => void
  onRetry: () => void
  onUnfollowed: () => void
}) {
  const filter = filterOf(choice)
  const pageVariables = { address, ...(filter && { filter }) }
  const liveVariables = { address, ...(choice.chain !== '' && { chainIds: [choice.chain] }) }
  const list = useLiveConnection({
    page: ActivityDocument,
    pageVariables,
    live: LiveActivityDocument,
    liveVariables,
    cursorOf: ({ account }) => account?.activity?.liveCursor,
    rowsOf,
    rowOf: ({ activity: { node } }) =>
      node && isChosen(choice, node) ? { key: node.chain.chainId + node.hash, row: node } : null,
    keyOf: ({ key }: Row) => key,
    endCursorOf: ({ account }) =>
      account?.activity?.pageInfo.hasNextPage ? account.activity.pageInfo.endCursor : null,
  })
  const { error, page = last } = list
  useEffect(() => {
    if (list.page) onRead(list.page)
  }, [list.page])
  const first = list.page && rowsOf(list.page)[0]
  useRenewal(first ? list.rows.findIndex(({ key }) => key === first.key) : list.rows.length, onRetry)
  // A page without a cursor for what follows, or with a fault in it, is shown as it is.
  const isUnfollowed = error instanceof PortolanError && (error.code === 'NO_CURSOR' || error.partialData != null)
  useEffect(() => {
    if (isUnfollowed) onUnfollowed()
  }, [isUnfollowed])
  return (
    <ActivityPanel
      {...{ choice, onChoice, fields }}
      rows={list.page || !last ? list.rows : rowsOf(last)}
      isLive={!list.error && list.page !== undefined}
      of={{ document: ActivityDocument, variables: pageVariables }}
      live={{ document: LiveActivityDocument, variables: liveVariables }}
      unavailable={page?.account?.activity?.unavailableChains}
      isLoading={!page && !error}
      more={list}
    >
      <FaultNote error={list.error} onRetry={onRetry} />
    </ActivityPanel>
  )
}

function PastActivity({ address, choice, onChoice, fields }: ActivityProps) {
  const filter = { ...filterOf(choice), ...filterOfSpan(spanOf(choice)) }
  const variables = { address, filter, first: 20 }
  const query = useQuery(ActivityDocument, variables)
  const list = usePages(query, {
    rowsOf,
    pageInfoOf: ({ account }) => account?.activity?.pageInfo,
  })
  return (
    <ActivityPanel
      {...{ choice, onChoice, fields }}
      rows={list.rows}
      of={query}
      unavailable={list.pages.at(-1)?.account?.activity?.unavailableChains}
      isLoading={query.isLoading}
      more={{ hasMore: list.hasMore, loadMore: list.loadMore, pages: list.pages.length }}
    >
      <FaultNote
        error={query.error ?? query.rootError ?? query.errorAt('account', 'activity')}
        onRetry={query.refetch}
      />
      <FaultNote error={list.error} />
    </ActivityPanel>
  )
}

const rowsOf = ({ account }: ActivityQuery): readonly Row[] =>
  account?.activity?.edges.map(({ cursor, node }) => ({
    key: node ? node.chain.chainId + node.hash : cursor,
    row: node ?? null,
  })) ?? []

const lineOf = ({ key, row }: Row) => row && <TransactionRow key={key} row={row} columns="of all chains" />

/** Pages without a row of the choice after which no more are read by themselves. */
const maxEmptyPages = 20

/** The rows of a choice, and how many more it hides. Rows are the same objects as before, so that they are not drawn anew. */
function useChosen(rows: readonly Row[], choice: ActivityChoice) {
  const { addresses, prices } = useContext(PageAccountContext)
  return useMemo(() => {
    const span = spanOf(choice)
    const known = rows.flatMap((row) => (row.row ? [{ row, of: balanceChangeRowOf(row.row) }] : []))
    const listed = listedChains(
      known.map(({ of }) => of),
      prices,
    )
    const chosen = known.filter(({ row, of }) => isIn(span, timeOf(row.row)) && isOfSides(of, choice))
    const shown = choice.dust === 'show' ? chosen : chosen.filter(({ of }) => !isDust(of, addresses, listed))
    return { shown: shown.map(({ row }) => row), hidden: chosen.length - shown.length }
  }, [rows, choice, addresses, prices])
}

function ActivityPanel({
  rows,
  choice,
  onChoice,
  fields,
  isLive = false,
  of,
  live,
  unavailable,
  isLoading,
  more,
  children,
}: {
  rows: readonly Row[]
  choice: ActivityChoice
  onChoice: (choice: ActivityChoice) => void
  fields: ComponentChildren
  isLive?: boolean
  of: Operation
  live?: Operation
  unavailable: Parameters<typeof MissingChains>[0]['chains']
  isLoading: boolean
  more: { hasMore: boolean; loadMore: () => Promise<void>; pages?: number }
  children: ComponentChildren
}) {
  const span = spanOf(choice)
  const { shown, hidden } = useChosen(rows, choice)
  const oldest = Math.min(...rows.map(({ row }) => timeOf(row)).filter((time) => !Number.isNaN(time)))
  const isOver = span.since !== undefined && oldest < span.since
  const hasMore = more.hasMore && !isOver
  const isTired = shown.length === 0 && (more.pages ?? 0) >= maxEmptyPages
  return (
    <Panel
      title={text.activity}
      note={isLive && <LiveMark without={unavailable?.map(({ chain }) => chain)} />}
      {...{ of, live }}
    >
      {fields}
      {children}
      <MissingChains chains={unavailable} />
      {isLoading && <LoadingNote />}
      <HiddenRows count={hidden} onShow={() => onChoice({ ...choice, dust: 'show' })} />
      {!isLoading && !hasMore && shown.length + hidden === 0 && <EmptyNote but={unavailable} />}
      {shown.length > 0 && (
        <PausedList rows={shown} keyOf={({ key }) => key}>
          {(paused) => (
            <Table caption={text.activity} heads={transactionHeads('of all chains')} isLong isStacked>
              <RowGroups rows={paused} keyOf={({ key }) => key} row={lineOf} />
            </Table>
          )}
        </PausedList>
      )}
      {isTired && hasMore && <p class="nothing">{text.pagesRead(more.pages ?? 0)}</p>}
      <LoadMore hasMore={hasMore} loadMore={more.loadMore} isAuto={!isTired} />
    </Panel>
  )
}
