import { useQuery } from '@portolan/client/react'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { PageProps } from '../../app/pageProps.ts'
import { pushQuery } from '../../app/router.ts'
import { useNarrow } from '../../app/useNarrow.ts'
import {
  AccountDocument,
  AccountElsewhereDocument,
  type AccountQuery,
  RoutableChainsDocument,
} from '../../generated/graphql.ts'
import { CopyButton } from '../../parts/CopyButton.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { lazyPage } from '../../parts/lazyPage.tsx'
import { MiddleEllipsis } from '../../parts/MiddleEllipsis.tsx'
import { MissingRecord } from '../../parts/MissingRecord.tsx'
import { ModuleTag } from '../../parts/ModuleTag.tsx'
import { type PageAccount, PageAccountContext } from '../../parts/PageAccountContext.ts'
import { Loaded, Panel } from '../../parts/Panel.tsx'
import { ChainNames } from '../../parts/recordLinks.tsx'
import { Tabs } from '../../parts/Tabs.tsx'
import { text } from '../../text.ts'
import { addressFault } from '../../values/addressFault.ts'
import { dollars } from '../../values/format.ts'
import { Activity } from './Activity.tsx'
import { type ActivityChoice, choiceOf, noChoice, queryOf } from './activityFilter.ts'
import { Balances, type BalancesElsewhere } from './Balances.tsx'
import { addDecimals } from './decimals.ts'
import { foldReason } from './foldedBalances.ts'
import { toHoldings } from './holdings.ts'

type Known = NonNullable<AccountQuery['account']>

// Most readers save no file.
const Export = lazyPage(() => import('../../csv/Export.tsx').then((page) => page.Export), { isQuiet: true })

const AccountBridgeTransfers = lazyPage(() =>
  import('./AccountBridgeTransfers.tsx').then((page) => page.AccountBridgeTransfers),
)
const AccountTransfers = lazyPage(() => import('./AccountTransfers.tsx').then((page) => page.AccountTransfers))
const AccountNfts = lazyPage(() => import('./AccountNfts.tsx').then((page) => page.AccountNfts))
const AccountEvm = lazyPage(() => import('./AccountEvm.tsx').then((page) => page.AccountEvm))

/** An account on all chains, by any spelling of its address. */
export function Account({ place }: PageProps) {
  const [address = ''] = place.parts
  const fault = addressFault(address)
  const account = useQuery(AccountDocument, { address }, { skip: fault !== undefined })
  const known = account.data?.account
  const view = useView(place)
  const isNarrow = useNarrow()
  const elsewhere = useElsewhere(address, known != null, isNarrow && view.tab === 'balances')
  const [isExporting, setExporting] = useState(false)
  const balances = known && (
    <Panel title={text.balances} note={dollars(known.balances?.usdValue)} of={account}>
      <FaultNote error={account.errorAt('account', 'balances')} onRetry={account.refetch} />
      {known.balances && <Balances of={known.balances} elsewhere={elsewhere} />}
    </Panel>
  )
  return (
    <>
      <div class="pager">
        <h1>{text.account}</h1>
        <ModuleTag of={address} />
        {known && (
          <button type="button" onClick={() => setExporting(true)}>
            {text.csv.open}
          </button>
        )}
      </div>
      {known && isExporting && (
        <Export
          address={address}
          hexAddress={known.hexAddress}
          choice={view.choice}
          onClose={() => setExporting(false)}
        />
      )}
      <Panel title={text.overview} of={account}>
        {fault && <p class="nothing">{text.addressFaults[fault]}</p>}
        <Loaded of={account}>
          {() =>
            known ? (
              <div class="headline">
                <Worth of={known} elsewhere={elsewhere} />
                <Spellings account={known} />
              </div>
            ) : (
              <MissingRecord what={text.account} value={address} />
            )
          }
        </Loaded>
      </Panel>
      {known && (
        <div class="sides">
          {!isNarrow && <div class="side">{balances}</div>}
          <PageAccountContext.Provider value={partsOf(known)}>
            <AccountTabs address={address} account={known} balances={isNarrow ? balances : undefined} {...view} />
          </PageAccountContext.Provider>
        </div>
      )}
    </>
  )
}

/** Chains that only the router reaches, at most, that are read without a press once the balances are opened. */
const fewChains = 20

/**
 * What the address has on chains that only the router reaches. It is read when the reader asks for it, or opens the tab of the
 * balances if the chains are few: a router can reach a hundred, each with its list of assets. Balances that stand
 * beside the activity are on the screen of everybody, and opened by nobody.
 */
function useElsewhere(address: string, isKnown: boolean, isOpened: boolean): BalancesElsewhere {
  const [isWanted, setWanted] = useState(false)
  const routable = useQuery(RoutableChainsDocument, {}, { skip: !isKnown })
  const nodes = routable.data?.routableChains?.nodes.flatMap((chain) => chain ?? []) ?? []
  const chains = nodes.filter(({ isIndexed }) => !isIndexed)
  const variables = { address, chainIds: chains.map(({ chainId }) => chainId) }
  const query = useQuery(AccountElsewhereDocument, variables, {
    skip: !(isWanted || (isOpened && chains.length <= fewChains)) || chains.length === 0,
  })
  return {
    chains,
    found: query.data?.account?.elsewhere ?? undefined,
    error: query.error ?? query.rootError ?? query.errorAt('account', 'elsewhere'),
    isLoading: query.isLoading,
    ask: () => setWanted(true),
    reload: query.refetch,
  }
}

/** The headline of an account: the total of the graph. What only the router reaches is a second number once it was read. */
function Worth({ of: { balances }, elsewhere: { found } }: { of: Known; elsewhere: BalancesElsewhere }) {
  const worth = dollars(balances?.usdValue)
  if (!worth || !balances) return null
  const others = addDecimals(balances.excluded?.flatMap(({ usdValue }) => usdValue ?? []) ?? [])
  const more = found && chainsOf(found.balances) > 0 && dollars(found.usdValue)
  return (
    <div>
      <p class="big worth">{worth}</p>
      <p class="note">
        {text.worthOn(chainsOf(balances.balances))}
        {others && ` · ${text.notCounted(dollars(others) ?? '')}`}
      </p>
      {more && found && <p class="note">{text.worthElsewhere(more, chainsOf(found.balances))}</p>}
    </div>
  )
}

type SomeBalances = NonNullable<Known['balances']>['balances']

/** How many chains have a balance that a total counts. */
const chainsOf = (balances: SomeBalances): number =>
  new Set(balances.filter(({ exclusion }) => !exclusion).map(({ chain }) => chain.chainId)).size

/** What the rows of its activity say of the account. Their values are at the prices of its balances, which took no request more. */
const partsOf = ({ chainAccounts, balances }: Known): PageAccount => ({
  addresses: chainAccounts.map(({ address }) => address),
  prices: new Map(
    balances?.balances.flatMap(({ chain, denom, usdPrice }) =>
      usdPrice == null
        ? []
        : // Token transfers name the coins of an EVM chain by their contracts.
          [denom, denom?.replace(/^evm\//, '0x')].map(
            (name) => [`${chain.chainId} ${name}`, Number(usdPrice)] as const,
          ),
    ),
  ),
  tokens: toHoldings(balances?.balances.filter((balance) => !foldReason(balance)) ?? []).flatMap(
    ({ balances: held }) => {
      const symbol = held[0]?.asset?.symbol
      return symbol ? [{ symbol, denoms: [...new Set(held.flatMap(({ denom }) => denom ?? []))] }] : []
    },
  ),
})

const tabNames = ['activity', 'balances', 'bridges', 'transfers', 'nfts', 'evm'] as const
type TabName = (typeof tabNames)[number]

const tabOf = (query: URLSearchParams): TabName => tabNames.find((name) => name === query.get('tab')) ?? 'activity'

interface View {
  readonly tab: TabName
  readonly choice: ActivityChoice
  readonly onTab: (tab: TabName) => void
  readonly onChoice: (choice: ActivityChoice) => void
}

/** What is chosen on the page. The address of the page has it, so that a link shows the same. */
function useView({ query }: PageProps['place']): View {
  const [choice, setChoice] = useState(() => choiceOf(query))
  const [tab, setTab] = useState(() => tabOf(query))
  useEffect(() => {
    // A link within the page has another query.
    setChoice(choiceOf(query))
    setTab(tabOf(query))
  }, [query])
  const show = (nextTab: TabName, next: ActivityChoice) => {
    // A field for times changes with each digit.
    const typed = (['since', 'until'] as const).find((name) => next[name] !== choice[name])
    setTab(nextTab)
    setChoice(next)
    const shown = queryOf(next)
    if (nextTab !== 'activity') shown.set('tab', nextTab)
    pushQuery(shown, next === noChoice ? undefined : typed)
  }
  return {
    ...{ tab, choice },
    onTab: (next) => show(next, choice),
    onChoice: (next) => show(tab, next),
  }
}

/** What an account did and has, in tabs. Each is read when it is opened. Balances are a tab where nothing stands beside it. */
function AccountTabs({
  address,
  account,
  balances,
  tab,
  choice,
  onTab,
  onChoice,
}: View & { address: string; account: Known; balances: ComponentChildren }) {
  const chains = account.chainAccounts.map(({ chain }) => chain)
  const evm = chains.filter(({ vm }) => vm === 'EVM')
  const tabs = tabNames
    .filter((name) => name !== 'evm' || evm.length > 0)
    .filter((name) => name !== 'balances' || balances)
    .map((name) => [name, text.accountTabs[name]] as const)
  const chosen = tabs.some(([name]) => name === tab) ? tab : 'activity'
  const activity = { address, chains, choice, onChoice }
  return (
    <div>
      <Tabs label={text.account} tabs={tabs} chosen={chosen} onChoice={onTab}>
        {chosen === 'activity' && <Activity {...activity} />}
        {chosen === 'balances' && balances}
        {chosen === 'bridges' && <AccountBridgeTransfers {...activity} />}
        {chosen === 'transfers' && <AccountTransfers {...activity} />}
        {chosen === 'nfts' && <AccountNfts address={address} />}
        {chosen === 'evm' && <AccountEvm address={address} hexAddress={account.hexAddress} chains={evm} />}
      </Tabs>
    </div>
  )
}

/** The spellings of one address, side by side, with the one in hex. Chains that write it alike share one. */
function Spellings({ account }: { account: Known }) {
  const byAddress = new Map<string, Known['chainAccounts']>()
  for (const spelling of account.chainAccounts) {
    byAddress.set(spelling.address, [...(byAddress.get(spelling.address) ?? []), spelling])
  }
  if (!byAddress.has(account.hexAddress)) byAddress.set(account.hexAddress, [])
  return [...byAddress].map(([address, spellings]) => (
    <div key={address}>
      <p class="linked">
        <MiddleEllipsis value={address} />
        <CopyButton value={address} />
      </p>
      <p class="note">{spellings.length > 0 ? <ChainNames of={spellings.map(({ chain }) => chain)} /> : text.inHex}</p>
    </div>
  ))
}
