import { dataOf, hexOf } from '../values/bech32.ts'

/**
 * A selector of all links of a page that name the same address, in any spelling, as an account, a contract or a collection.
 * Undefined for the path of something else.
 */
export function sameAddress(path: string): string | undefined {
  const address = /^\/(?:address|(?:contract|collection)\/[^/]+)\/([\da-z]+)$/i.exec(path)?.[1]
  if (address === undefined) return undefined
  const hex = hexOf(address)
  // Move leaves leading zeros out: such an address is equal to none but itself.
  const spellings = hex ? `[href$="/${hex}" i], [href*="1${dataOf(hex)}" i]` : `[href$="/${address}" i]`
  return `main a:is(${spellings})`
}

/** No outline: that is the focus. */
const light = '{ border-radius: 3px; background: var(--same); box-shadow: 0 0 0 2px var(--same); }'

/**
 * Lights equal addresses up while one of them is pointed at or has the focus. It is one rule of style, so that no row is
 * drawn anew, and rows that come meanwhile have it too. The returned function ends it.
 */
export function lightSameAddresses(): () => void {
  const sheet = new CSSStyleSheet()
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  let shown = ''
  const show = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest('main a') : null
    const selector = link instanceof HTMLAnchorElement ? sameAddress(link.pathname) : undefined
    // One alone is equal to nothing.
    const next = selector && document.querySelectorAll(selector).length > 1 ? selector : ''
    if (next !== shown) sheet.replaceSync(next && `${next} ${light}`)
    shown = next
  }
  document.addEventListener('pointerover', show)
  document.addEventListener('focusin', show)
  return () => {
    document.removeEventListener('pointerover', show)
    document.removeEventListener('focusin', show)
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet)
  }
}
