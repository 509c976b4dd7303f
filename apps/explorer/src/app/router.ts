import { useEffect, useState } from 'preact/hooks'
import { type Place, pagePaths, placeOf } from './pages.ts'

/** The event that says that the address has changed without a new document. */
const moved = 'portolan:moved'

/** Goes to a path of the explorer. */
export function navigate(href: string): void {
  history.replaceState({ y: scrollY }, '')
  history.pushState({ y: 0 }, '', href)
  dispatchEvent(new Event(moved))
}

const withQuery = (query: URLSearchParams): string => location.pathname + (query.size > 0 ? `?${query}` : '')

/** Changes the query of the address, without a step in the history. */
export function replaceQuery(query: URLSearchParams): void {
  history.replaceState(history.state, '', withQuery(query))
}

/**
 * Changes the query of the address by what a reader chose. Each choice is a step in the history, but for what one field gets
 * while it is typed into: all of it is one step.
 */
export function pushQuery(query: URLSearchParams, typed?: string): void {
  const href = withQuery(query)
  if (href === location.pathname + location.search) return
  const state = { y: scrollY, ...(typed !== undefined && { typed }) }
  if (typed !== undefined && history.state?.typed === typed) {
    history.replaceState(state, '', href)
  } else {
    history.replaceState({ ...history.state, y: scrollY }, '')
    history.pushState(state, '', href)
  }
}

/** Milliseconds without a scroll after which the place is remembered. */
const rememberMs = 200

/** The page that the address names. */
export function usePlace(): Place {
  const [place, setPlace] = useState(() => placeOf(new URL(location.href)))
  useEffect(() => {
    history.scrollRestoration = 'manual'
    let timer: ReturnType<typeof setTimeout> | undefined
    const show = (event: Event) => {
      clearTimeout(timer)
      setPlace(placeOf(new URL(location.href)))
      const y = event.type === 'popstate' ? Number(history.state?.y ?? 0) : 0
      restoreScroll(y)
    }
    const remember = () => history.replaceState({ ...history.state, y: scrollY }, '')
    // The browser needs milliseconds for it, and a wheel ends a scroll with each of its notches.
    const rememberSoon = () => {
      clearTimeout(timer)
      timer = setTimeout(remember, rememberMs)
    }
    addEventListener('pagehide', remember)
    addEventListener('popstate', show)
    addEventListener(moved, show)
    addEventListener('scrollend', rememberSoon)
    document.addEventListener('click', follow)
    return () => {
      removeEventListener('popstate', show)
      removeEventListener(moved, show)
      clearTimeout(timer)
      removeEventListener('pagehide', remember)
      removeEventListener('scrollend', rememberSoon)
      document.removeEventListener('click', follow)
    }
  }, [])
  return place
}

/** Scrolls to a place as soon as the page is long enough, within two seconds. */
function restoreScroll(y: number): void {
  const until = performance.now() + 2_000
  const step = () => {
    scrollTo(0, y)
    if (Math.abs(scrollY - y) > 1 && performance.now() < until) requestAnimationFrame(step)
  }
  requestAnimationFrame(step)
}

/** Follows a link to a page of the explorer without loading a document. */
function follow(event: MouseEvent): void {
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (!isPlain || event.altKey || event.defaultPrevented || !link || link.target) return
  const url = new URL(link.href)
  const first = url.pathname.split('/')[1] ?? ''
  if (url.origin !== location.origin || !pagePaths.some((path) => path.first === first)) return
  event.preventDefault()
  navigate(url.pathname + url.search)
}
