import { extname } from 'node:path'
import { plainPage } from './plainPage.ts'
import type { Pages } from './site.ts'

const base = '/docs/'

const seconds = 3

/** A page in place of each page that is not built yet. The browser asks again by itself. */
const waiting = () => {
  const page = plainPage(
    'Portolan: documentation',
    `<nav><a href="/">Explorer</a> <a href="/graphql">GraphiQL</a></nav>
<h1>The documentation is being built</h1>
<p>This happens once, and takes about half a minute. The page then shows itself. The terminal of the gateway says if it fails.</p>`,
  )
  const headers = { ...page.headers, 'cache-control': 'no-store', refresh: String(seconds) }
  return { ...page, headers }
}

/**
 * Pages that are built when the first of them is asked for. Browsers wait for them on a page that says so. Until they are
 * there, and where they cannot be built, `sources` are served in their place.
 */
export function pagesOnDemand(sources: Pages, build: () => Promise<Pages | undefined>): Pages {
  const page = waiting()
  let isBegun = false
  const begin = async () => {
    isBegun = true
    const built = await build().catch(() => undefined)
    shown = built ?? sources
  }
  let shown: Pages = {
    has: (path) => path === base || sources.has(path),
    fileAt(path) {
      if (!path.startsWith(base) || extname(path) !== '') return sources.fileAt(path)
      if (!isBegun) void begin()
      return page
    },
  }
  return { has: (path) => shown.has(path), fileAt: (path) => shown.fileAt(path) }
}
