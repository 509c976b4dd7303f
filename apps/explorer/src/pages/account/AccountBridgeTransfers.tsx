import { usePages, useQuery } from '@portolan/client/react'
import { useContext } from 'preact/hooks'
import {
  AccountBridgeTransfersDocument,
  type BridgeEndFragment,
  type BridgeTransferPartsFragment,
} from '../../generated/graphql.ts'
import { Amount } from '../../parts/Amount.tsx'
import { BridgeRoute, BridgeState, BridgeWorth, bridgedAmount } from '../../parts/BridgeTransfer.tsx'
import { EmptyNote, FaultNote, MissingChains } from '../../parts/FaultNote.tsx'
import { LoadingNote } from '../../parts/LoadingNote.tsx'
import { LoadMore } from '../../parts/LoadMore.tsx'
import { PageAccountContext } from '../../parts/PageAccountContext.ts'
import { Panel } from '../../parts/Panel.tsx'
import { Address, TxHash } from '../../parts/recordLinks.tsx'
import { Table } from '../../parts/Table.tsx'
import { Time } from '../../parts/Time.tsx'
import { text } from '../../text.ts'
import { type ActivityChoice, filterOf, filterOfSpan, spanOf } from './activityFilter.ts'
import { FilterFields } from './FilterFields.tsx'

/** Pages without a row after which no more are read by themselves. */
const maxEmptyPages = 10

/** What an account sent to other chains and got from them, each with both of its ends. */
export function AccountBridgeTransfers({
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
  const chainIds = filterOf({ ...choice, kind: '', result: '' })?.chainIds
  const filter = { ...(chainIds && { chainIds }), ...filterOfSpan(spanOf(choice)) }
  const variables = { address, filter }
  const query = useQuery(AccountBridgeTransfersDocument, variables)
  const {
    rows,
    pages,
    hasMore,
    loadMore,
    error: laterError,
  } = usePages(query, {
    rowsOf: ({ account }) =>
      account?.bridgeTransfers?.edges.map(({ cursor, node }) => (node ? { cursor, node } : null)) ?? [],
    pageInfoOf: ({ account }) => account?.bridgeTransfers?.pageInfo,
  })
  const last = pages.at(-1)?.account?.bridgeTransfers
  const isTired = rows.length === 0 && pages.length >= maxEmptyPages
  return (
    <Panel title={text.accountTabs.bridges} of={query}>
      <FilterFields chains={chains} choice={choice} onChoice={onChoice} hasTransactionFields={false} />
      <FaultNote
        error={query.error ?? query.rootError ?? query.errorAt('account', 'bridgeTransfers')}
        onRetry={query.refetch}
      />
      <FaultNote error={laterError} />
      <MissingChains chains={last?.unavailableChains} />
      {query.isLoading && <LoadingNote />}
      {query.data && !hasMore && rows.length === 0 && <EmptyNote but={last?.unavailableChains} />}
      {rows.length > 0 && (
        <Table
          caption={text.accountTabs.bridges}
          heads={[text.amount, text.route, text.result, text.senderAndReceiver, text.hash, text.age]}
          isStacked
        >
          {rows.map(({ cursor, node }) => (
            <Line key={cursor} of={node} />
          ))}
        </Table>
      )}
      {isTired && hasMore && <p class="nothing">{text.pagesRead(pages.length)}</p>}
      <LoadMore hasMore={hasMore} loadMore={loadMore} isAuto={pages.length > 1 && !isTired} />
    </Panel>
  )
}

function Line({ of }: { of: BridgeTransferPartsFragment }) {
  const { departure, arrival } = of
  // One that no indexer has the start of leads to where it arrived.
  const known = departure.hash && departure.endChain ? departure : arrival
  const { addresses } = useContext(PageAccountContext)
  const isOwn = ({ address }: BridgeEndFragment) => address != null && addresses.includes(address)
  const direction = isOwn(arrival) ? (isOwn(departure) ? 'self' : 'in') : isOwn(departure) ? 'out' : undefined
  return (
    <tr>
      <td class="what">
        {direction && (
          <span class={direction === 'in' && of.state === 'ARRIVED' ? 'good' : undefined}>
            {text.directions[direction]}
          </span>
        )}{' '}
        <Amount {...bridgedAmount(of)} isPlain /> <BridgeWorth of={of} isBelow />
      </td>
      <td class="ends">
        <BridgeRoute of={of} />
      </td>
      <td>
        <BridgeState of={of} />
      </td>
      <td class="wide">
        <Address value={departure.address} />{' '}
        <small class="second">
          → <Address value={arrival.address} />
        </small>
      </td>
      <td class="wide">
        {known.hash && known.endChain ? <TxHash chainId={known.endChain.chainId} value={known.hash} /> : text.none}
      </td>
      <td class="age">
        <Time value={known.timestamp} />
      </td>
    </tr>
  )
}
