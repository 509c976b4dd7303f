import { useEffect, useRef } from 'preact/hooks'
import { Savings } from '../csv/Saving.tsx'
import { Home } from '../pages/Home.tsx'
import { Guarded, later } from '../parts/later.tsx'
import { text } from '../text.ts'
import { shortened } from './format.ts'
import { Header } from './Header.tsx'
import type { Place } from './pages.ts'
import { usePlace } from './router.ts'
import { lightSameAddresses } from './sameAddresses.ts'
import { TimesChoice } from './times.tsx'
import { Ticks } from './useNow.tsx'

const pages = {
  // Most of it is what all pages share: it comes with them.
  '': Home,
  search: later(() => import('../pages/Search.tsx').then((page) => page.Search)),
  chain: later(() => import('../pages/Chain.tsx').then((page) => page.Chain)),
  block: later(() => import('../pages/Block.tsx').then((page) => page.Block)),
  tx: later(() => import('../pages/Transaction.tsx').then((page) => page.Transaction)),
  address: later(() => import('../pages/Account.tsx').then((page) => page.Account)),
  asset: later(() => import('../pages/Asset.tsx').then((page) => page.Asset)),
  assets: later(() => import('../pages/Assets.tsx').then((page) => page.Assets)),
  validators: later(() => import('../pages/Validators.tsx').then((page) => page.Validators)),
  contracts: later(() => import('../pages/Contracts.tsx').then((page) => page.Contracts)),
  collection: later(() => import('../pages/Collection.tsx').then((page) => page.Collection)),
  contract: later(() => import('../pages/Contract.tsx').then((page) => page.Contract)),
  nft: later(() => import('../pages/Nft.tsx').then((page) => page.Nft)),
  transfer: later(() => import('../pages/Transfer.tsx').then((page) => page.Transfer)),
  transfers: later(() => import('../pages/Transfers.tsx').then((page) => page.Transfers)),
  quote: later(() => import('../pages/Quote.tsx').then((page) => page.Quote)),
  status: later(() => import('../pages/Status.tsx').then((page) => page.Status)),
  lost: later(() => import('../pages/Lost.tsx').then((page) => page.Lost)),
} as const

/** The explorer. */
export function App() {
  const place = usePlace()
  const main = useRef<HTMLElement>(null)
  const key = `${place.page}/${place.parts.join('/')}`
  const isFirst = useRef(true)
  useEffect(() => {
    document.title = [shortened(place.parts.at(-1) ?? ''), titles[place.page], text.title].filter(Boolean).join(' · ')
    if (!isFirst.current) main.current?.focus({ preventScroll: true })
    isFirst.current = false
  }, [key])
  useEffect(lightSameAddresses, [])
  const Page = pages[place.page]
  return (
    <Ticks>
      <a class="skip" href="#main">
        {text.skip}
      </a>
      <Header />
      <TimesChoice>
        <Savings>
          <main id="main" ref={main} tabIndex={-1}>
            <Guarded key={key}>
              <Page place={place} />
            </Guarded>
          </main>
        </Savings>
      </TimesChoice>
    </Ticks>
  )
}

const titles: Readonly<Record<Place['page'], string>> = {
  '': '',
  search: text.searchLabel,
  chain: text.chain,
  block: text.block,
  tx: text.transaction,
  address: text.account,
  asset: text.asset,
  assets: text.assets,
  validators: text.validators,
  contracts: text.contracts,
  collection: text.collection,
  contract: text.contract,
  nft: text.nft,
  transfer: text.transfer,
  transfers: text.watched.title,
  quote: text.quote,
  status: text.status,
  lost: text.notFound,
}
