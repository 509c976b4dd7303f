import { lazy, Suspense } from 'preact/compat'
import { useEffect, useRef } from 'preact/hooks'
import { Savings } from '../csv/Saving.tsx'
import { Home } from '../pages/Home.tsx'
import { Waiting } from '../parts/Panel.tsx'
import { text } from '../text.ts'
import { shortened } from './format.ts'
import { Header } from './Header.tsx'
import type { Place } from './pages.ts'
import { usePlace } from './router.ts'
import { Ticks } from './useNow.tsx'

const pages = {
  // Most of it is what all pages share: it comes with them.
  '': Home,
  search: lazy(() => import('../pages/Search.tsx').then(({ Search }) => ({ default: Search }))),
  chain: lazy(() => import('../pages/Chain.tsx').then(({ Chain }) => ({ default: Chain }))),
  block: lazy(() => import('../pages/Block.tsx').then(({ Block }) => ({ default: Block }))),
  tx: lazy(() => import('../pages/Transaction.tsx').then((page) => ({ default: page.Transaction }))),
  address: lazy(() => import('../pages/Account.tsx').then((page) => ({ default: page.Account }))),
  asset: lazy(() => import('../pages/Asset.tsx').then(({ Asset }) => ({ default: Asset }))),
  assets: lazy(() => import('../pages/Assets.tsx').then(({ Assets }) => ({ default: Assets }))),
  validators: lazy(() => import('../pages/Validators.tsx').then((page) => ({ default: page.Validators }))),
  contracts: lazy(() => import('../pages/Contracts.tsx').then((page) => ({ default: page.Contracts }))),
  collection: lazy(() => import('../pages/Collection.tsx').then((page) => ({ default: page.Collection }))),
  contract: lazy(() => import('../pages/Contract.tsx').then((page) => ({ default: page.Contract }))),
  nft: lazy(() => import('../pages/Nft.tsx').then(({ Nft }) => ({ default: Nft }))),
  transfer: lazy(() => import('../pages/Transfer.tsx').then((page) => ({ default: page.Transfer }))),
  transfers: lazy(() => import('../pages/Transfers.tsx').then((page) => ({ default: page.Transfers }))),
  quote: lazy(() => import('../pages/Quote.tsx').then(({ Quote }) => ({ default: Quote }))),
  status: lazy(() => import('../pages/Status.tsx').then(({ Status }) => ({ default: Status }))),
  lost: lazy(() => import('../pages/Lost.tsx').then(({ Lost }) => ({ default: Lost }))),
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
  const Page = pages[place.page]
  return (
    <Ticks>
      <a class="skip" href="#main">
        {text.skip}
      </a>
      <Header />
      <Savings>
        <main id="main" ref={main} tabIndex={-1}>
          <Suspense fallback={<Waiting />}>
            <Page key={key} place={place} />
          </Suspense>
        </main>
      </Savings>
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
