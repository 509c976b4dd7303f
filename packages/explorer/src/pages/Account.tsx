import { useLiveConnection } from '@portolan/client/react'
import { lazy, Suspense } from 'preact/compat'
import { useState } from 'preact/hooks'
import {
  AccountDocument,
  type AccountQuery,
  ActivityDocument,
  LiveActivityDocument,
} from '../__generated__/graphql.ts'
import type { PageProps } from '../app/App.tsx'
import { dollars } from '../app/format.ts'
import { links } from '../app/links.ts'
import { useQuery } from '../app/useQuery.ts'
import { Failed, Unavailable } from '../parts/Failed.tsx'
import { Held } from '../parts/Held.tsx'
import { More } from '../parts/More.tsx'
import { Facts, Loaded, Panel, Waiting } from '../parts/Panel.tsx'
import {
  Table,
  TransactionLine,
  type TransactionParts,
  transactionHeads,
} from '../parts/tables.tsx'
import { AssetName, ChainName, Copy, Digits, None, Short, Words } from '../parts/text.tsx'
import { text } from '../text.ts'
import { Missing } from './Lost.tsx'

type Known = NonNullable<AccountQuery['account']>

// Most readers save no file.
const Export = lazy(() => import('../csv/Export.tsx').then(({ Export }) => ({ default: Export })))

/** An account on all chains, by any spelling of its address. */
export function Account({ place }: PageProps) {
  const [address = ''] = place.parts
  const account = useQuery(AccountDocument, { address })
  const known = account.data?.account
  const [isExporting, setExporting] = useState(false)
  return (
    <>
      <div class="pager">
        <h1>{text.account}</h1>
        {known && (
          <button type="button" onClick={() => setExporting(true)}>
            {text.csv.open}
          </button>
        )}
      </div>
      {known && isExporting && (
        <Suspense fallback={null}>
          <Export
            address={address}
            hexAddress={known.hexAddress}
            onClose={() => setExporting(false)}
          />
        </Suspense>
      )}
      <Panel title={text.addresses} of={account.operation}>
        <Loaded of={account}>
          {() =>
            known ? <Spellings account={known} /> : <Missing what={text.account} value={address} />
          }
        </Loaded>
      </Panel>
      {known && (
        <>
          <Panel
            title={text.balances}
            note={dollars(known.balances?.usdValue)}
            of={account.operation}
          >
            <Failed error={account.errorAt('account', 'balances')} onRetry={account.reload} />
            {known.balances && <Balances of={known.balances} />}
          </Panel>
          <Panel title={text.nfts} of={account.operation}>
            <Failed error={account.errorAt('account', 'nfts')} onRetry={account.reload} />
            <Unavailable chains={known.nfts?.unavailableChains} />
            <Nfts of={known.nfts?.nodes ?? []} />
          </Panel>
          <Activity address={address} chains={known.chainAccounts.map(({ chain }) => chain)} />
        </>
      )}
    </>
  )
}

/** The spellings of one address. Chains that write it alike share a line. */
function Spellings({ account }: { account: Known }) {
  const byAddress = new Map<string, Known['chainAccounts']>()
  for (const spelling of account.chainAccounts) {
    byAddress.set(spelling.address, [...(byAddress.get(spelling.address) ?? []), spelling])
  }
  return (
    <Facts
      rows={[...byAddress].map(([address, chains]) => [
        chains.map(({ chain }) => chain.prettyName).join(', '),
        <span class="linked" key={address}>
          <Short value={address} />
          <Copy value={address} />
        </span>,
      ])}
    />
  )
}

function Balances({ of }: { of: NonNullable<Known['balances']> }) {
  const value = (usd: string | null | undefined) => Number(usd ?? -1)
  const rows = of.balances.toSorted((a, b) => value(b.usdValue) - value(a.usdValue))
  return (
    <>
      <Unavailable chains={of.unavailableChains} />
      {rows.length === 0 && <p class="nothing">{text.nothing}</p>}
      {rows.length > 0 && (
        <>
          <Table
            caption={text.balances}
            heads={[text.asset, text.chain, { number: text.amount }, { number: text.value }]}
          >
            {rows.map((balance) => (
              <tr key={`${balance.chain.chainId}${balance.denom}`}>
                <td class="clip">
                  <AssetName of={balance} chainId={balance.chain.chainId} />
                </td>
                <td>
                  <ChainName chain={balance.chain} />
                </td>
                <td class="number">
                  <Digits value={balance.formattedAmount ?? balance.amount} />
                </td>
                <td class="number">{dollars(balance.usdValue) ?? <None />}</td>
              </tr>
            ))}
          </Table>
          <p class="note">{text.priced(of.pricedCount, of.count)}</p>
        </>
      )}
    </>
  )
}

function Nfts({ of }: { of: NonNullable<Known['nfts']>['nodes'] }) {
  const known = of.filter((nft) => nft !== null)
  if (known.length === 0) return <p class="nothing">{text.nothing}</p>
  return (
    <ul class="tiles">
      {known.map((nft) => (
        <li key={`${nft.chain.chainId}${nft.collection?.address}${nft.tokenId}`}>
          <a href={links.nft(nft.chain.chainId, nft.collection?.address ?? '', nft.tokenId)}>
            <strong>
              <Words>{nft.collection?.name ?? text.nft}</Words>
            </strong>
            <Short value={`#${nft.tokenId}`} />
          </a>
          <small>{nft.chain.prettyName}</small>
        </li>
      ))}
    </ul>
  )
}

interface Row {
  readonly key: string
  readonly isProvisional: boolean
  readonly row: TransactionParts | null
}

function Activity({
  address,
  chains,
}: {
  address: string
  chains: readonly { chainId: string; prettyName: string }[]
}) {
  const [chain, setChain] = useState('')
  const [turn, setTurn] = useState(0)
  return (
    <ActivityList
      key={`${chain}${turn}`}
      address={address}
      chains={chain === '' ? undefined : [chain]}
      onRetry={() => setTurn(turn + 1)}
      filter={
        <select
          aria-label={text.chain}
          value={chain}
          onChange={(event) => setChain(event.currentTarget.value)}
        >
          <option value="">{text.allChains}</option>
          {chains.map(({ chainId, prettyName }) => (
            <option value={chainId} key={chainId}>
              {prettyName}
            </option>
          ))}
        </select>
      }
    />
  )
}

function ActivityList({
  address,
  chains,
  filter,
  onRetry,
}: {
  address: string
  chains: readonly string[] | undefined
  filter: preact.ComponentChildren
  onRetry: () => void
}) {
  const pageVariables = { address, ...(chains && { filter: { chainIds: [...chains] } }) }
  const liveVariables = { address, ...(chains && { chainIds: [...chains] }) }
  const list = useLiveConnection({
    page: ActivityDocument,
    pageVariables,
    live: LiveActivityDocument,
    liveVariables,
    cursorOf: ({ account }) => account?.activity?.liveCursor,
    rowsOf: ({ account }): readonly Row[] =>
      account?.activity?.edges.map(({ cursor, node, isProvisional }) => ({
        key: node ? node.chain.chainId + node.hash : cursor,
        isProvisional,
        row: node ?? null,
      })) ?? [],
    rowOf: ({ activity: { node } }) =>
      node && { key: node.chain.chainId + node.hash, isProvisional: false, row: node },
    keyOf: ({ key }: Row) => key,
    endCursorOf: ({ account }) =>
      account?.activity?.pageInfo.hasNextPage ? account.activity.pageInfo.endCursor : null,
  })
  const activity = list.page?.account?.activity
  return (
    <Panel
      title={text.activity}
      note={
        <>
          {!list.error && list.page && <span class="pulse">{text.live}</span>} {filter}
        </>
      }
      of={{ document: ActivityDocument, variables: pageVariables }}
      live={{ document: LiveActivityDocument, variables: liveVariables }}
    >
      <Failed error={list.error} onRetry={onRetry} />
      <Unavailable chains={activity?.unavailableChains} />
      {!list.page && !list.error && <Waiting />}
      {list.page && list.rows.length === 0 && <p class="nothing">{text.nothing}</p>}
      {list.rows.length > 0 && (
        <Held rows={list.rows} keyOf={({ key }) => key}>
          {(rows) => (
            <Table caption={text.activity} heads={transactionHeads('of all chains')}>
              {rows.map(({ key, row }) =>
                row ? <TransactionLine key={key} row={row} columns="of all chains" /> : null,
              )}
            </Table>
          )}
        </Held>
      )}
      <More hasMore={list.hasMore} load={list.loadMore} />
    </Panel>
  )
}
