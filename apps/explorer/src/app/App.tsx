import { useEffect, useRef } from 'preact/hooks'
import { SavingProvider } from '../csv/Saving.tsx'
import { lazyPages } from '../generated/lazyPages.ts'
import { Home } from '../pages/home/Home.tsx'
import { ErrorBoundary } from '../parts/ErrorBoundary.tsx'
import { text } from '../text.ts'
import { shortened } from '../values/format.ts'
import { Header } from './Header.tsx'
import { PrintedAddress } from './PrintedAddress.tsx'
import { pages } from './pages.ts'
import { usePlace } from './router.ts'
import { lightSameAddresses } from './sameAddresses.ts'
import { TimesProvider } from './TimesContext.tsx'
import { ClockProvider } from './useNow.tsx'

/** The explorer. */
export function App() {
  const place = usePlace()
  const main = useRef<HTMLElement>(null)
  const key = `${place.page}/${place.parts.join('/')}`
  const isFirst = useRef(true)
  useEffect(() => {
    document.title = [shortened(place.parts.at(-1) ?? ''), pages[place.page].title, text.title]
      .filter(Boolean)
      .join(' · ')
    if (!isFirst.current) main.current?.focus({ preventScroll: true })
    isFirst.current = false
  }, [key])
  useEffect(lightSameAddresses, [])
  // Most of the home page is what all pages share: it comes with them.
  const Page = place.page === 'home' ? Home : lazyPages[place.page]
  return (
    <ClockProvider>
      <a class="skip" href="#main">
        {text.skip}
      </a>
      <Header />
      <PrintedAddress />
      <TimesProvider>
        <SavingProvider>
          <main id="main" ref={main} tabIndex={-1}>
            <ErrorBoundary key={key}>
              <Page place={place} />
            </ErrorBoundary>
          </main>
        </SavingProvider>
      </TimesProvider>
    </ClockProvider>
  )
}
