import { lazy, Suspense } from 'preact/compat'
import { useState } from 'preact/hooks'
import type { PageProps } from '../app/App.tsx'
import { type ActivityChoice, choiceOf, queryOf } from '../app/activityFilter.ts'
import { byNumber } from '../app/format.ts'
import { links } from '../app/links.ts'
import { replaceQuery } from '../app/router.ts'
import { useQuery } from '../app/useQuery.ts'
import { AccountDocument, type AccountQuery } from '../generated/graphql.ts'
import { Failed, Nothing, Unavailable } from '../parts/Failed.tsx'
import { Facts, Loaded, Panel } from '../parts/Panel.tsx'
import { PageAccount, type PageAccountParts } from '../parts/tables.tsx'
import { Copy, Short, Words } from '../parts/text.tsx'
import { text } from '../text.ts'
import { Activity } from './Activity.tsx'
import { Balances, totalOf } from './Balances.tsx'
import { Missing } from './Lost.tsx'

type Known = NonNullable<AccountQuery['account']>

// Most readers save no file.
const Export = lazy(() => import('../csv/Export.tsx').then(({ Export }) => ({ default: Export })))

/** An account on all chains, by any spelling of its address. */
export function Account({ place }: PageProps) {
  const [address = ''] = place.parts
  const account = useQuery(AccountDocument, { address })
  const known = account.data?.account
  const [choice, setChoice] = useChoice(place)
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
            choice={choice}
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
        <div class="sides">
          <div class="side">
            <Panel
              title={text.balances}
              note={known.balances && totalOf(known.balances)}
              of={account.operation}
            >
              <Failed error={account.errorAt('account', 'balances')} onRetry={account.reload} />
              {known.balances && <Balances of={known.balances} />}
            </Panel>
            <Panel title={text.nfts} of={account.operation}>
              <Failed error={account.errorAt('account', 'nfts')} onRetry={account.reload} />
              <Unavailable chains={known.nfts?.unavailableChains} />
              {known.nfts && <Nfts of={known.nfts} />}
            </Panel>
          </div>
          <PageAccount.Provider value={partsOf(known)}>
            <Activity
              address={address}
              chains={known.chainAccounts.map(({ chain }) => chain)}
              choice={choice}
              onChoice={setChoice}
            />
          </PageAccount.Provider>
        </div>
      )}
    </>
  )
}

/** What the rows of its activity say of the account. Their values are at the prices of its balances, which took no request more. */
const partsOf = ({ chainAccounts, balances }: Known): PageAccountParts => ({
  addresses: chainAccounts.map(({ address }) => address),
  prices: new Map(
    balances?.balances.flatMap(({ chain, denom, usdPrice }) =>
      usdPrice == null ? [] : [[`${chain.chainId} ${denom}`, Number(usdPrice)]],
    ),
  ),
})

/** What is chosen of the activity. The address of the page has it, so that a link shows the same. */
function useChoice({ query }: PageProps['place']) {
  const [choice, setChoice] = useState(() => choiceOf(query))
  const change = (next: ActivityChoice) => {
    setChoice(next)
    replaceQuery(queryOf(next))
  }
  return [choice, change] as const
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

type AccountNft = NonNullable<NonNullable<Known['nfts']>['nodes'][number]>

/** The collection of an NFT, with its name first: tiles are in the order of names. */
const keyOf = ({ chain, collection }: AccountNft) =>
  `${collection?.name} ${chain.chainId} ${collection?.address}`

function Nfts({ of }: { of: NonNullable<Known['nfts']> }) {
  const known = of.nodes
    .filter((nft) => nft !== null)
    .toSorted((a, b) => byNumber(keyOf(a), keyOf(b)) || byNumber(a.tokenId, b.tokenId))
  if (known.length === 0) return <Nothing but={of.unavailableChains} />
  return (
    <ul class="tiles">
      {known.map((nft) => (
        <li key={`${nft.chain.chainId}${nft.collection?.address}${nft.tokenId}`}>
          <a href={links.nft(nft.chain.chainId, nft.collection?.address ?? '', nft.tokenId)}>
            <strong>
              <Words>{nft.collection?.name || text.nft}</Words>
            </strong>
            <Short value={`#${nft.tokenId}`} />
          </a>
          <small>
            <Words>{nft.chain.prettyName}</Words>
          </small>
        </li>
      ))}
    </ul>
  )
}
