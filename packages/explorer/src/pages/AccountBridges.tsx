import { useContext } from 'preact/hooks'
import { type ActivityChoice, filterOf, filterOfSpan, spanOf } from '../app/activityFilter.ts'
import { usePages } from '../app/usePages.ts'
import { useQuery } from '../app/useQuery.ts'
import {
  AccountBridgeTransfersDocument,
  type BridgeEndFragment,
  type BridgeTransferPartsFragment,
} from '../generated/graphql.ts'
import { Amount } from '../parts/amount.tsx'
import { BridgeState, BridgeWorth, movedBy, Way } from '../parts/BridgeTransfer.tsx'
import { ChoiceFields } from '../parts/ChoiceFields.tsx'
import { Failed, Nothing, Unavailable } from '../parts/Failed.tsx'
import { PageAccount } from '../parts/known.ts'
import { Waiting } from '../parts/later.tsx'
import { More } from '../parts/More.tsx'
import { Panel } from '../parts/Panel.tsx'
import { Table } from '../parts/Table.tsx'
import { Address, Time, TxHash } from '../parts/text.tsx'
import { text } from '../text.ts'

/** Pages without a row after which no more are read by themselves. */
const maxEmptyPages = 10

/** What an account sent to other chains and got from them, each with both of its ends. */
export function AccountBridges({
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
  const { rows, pages, hasMore, load, fault } = usePages(AccountBridgeTransfersDocument, variables, {
    first: query.data,
    rowsOf: ({ account }) =>
      account?.bridgeTransfers?.edges.map(({ cursor, node }) => (node ? { cursor, node } : null)) ?? [],
    infoOf: ({ account }) => account?.bridgeTransfers?.pageInfo,
  })
  const last = pages.at(-1)?.account?.bridgeTransfers
  const isTired = rows.length === 0 && pages.length >= maxEmptyPages
  return (
    <Panel title={text.accountTabs.bridges} of={query.operation}>
      <ChoiceFields chains={chains} choice={choice} onChoice={onChoice} hasMoves={false} />
      <Failed
        error={query.error ?? query.rootError ?? query.errorAt('account', 'bridgeTransfers')}
        onRetry={query.reload}
      />
      <Failed error={fault} />
      <Unavailable chains={last?.unavailableChains} />
      {query.isLoading && <Waiting />}
      {query.data && !hasMore && rows.length === 0 && <Nothing but={last?.unavailableChains} />}
      {rows.length > 0 && (
        <Table
          caption={text.accountTabs.bridges}
          heads={[text.amount, text.way, text.result, text.fromTo, text.hash, text.age]}
          isStacked
        >
          {rows.map(({ cursor, node }) => (
            <Line key={cursor} of={node} />
          ))}
        </Table>
      )}
      {isTired && hasMore && <p class="nothing">{text.pagesRead(pages.length)}</p>}
      <More hasMore={hasMore} load={load} isAuto={pages.length > 1 && !isTired} />
    </Panel>
  )
}

function Line({ of }: { of: BridgeTransferPartsFragment }) {
  const { departure, arrival } = of
  // One that no indexer has the start of leads to where it arrived.
  const known = departure.hash && departure.endChain ? departure : arrival
  const { addresses } = useContext(PageAccount)
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
        <Amount {...movedBy(of)} isPlain /> <BridgeWorth of={of} isBelow />
      </td>
      <td class="ends">
        <Way of={of} />
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
