import { text } from '../text.ts'

/** A page: the component `Chain` of `pages/chain/Chain.tsx` is the page `chain`. */
interface PageRow {
  /**
   * Its path, where `:name` is a part. `:name?` may be left out. `:name*` is a part with slashes where nobody encoded them.
   * The page without a path is shown at all others.
   */
  readonly path?: `/${string}`
  /** What the document is called, after what the path names. */
  readonly title: string
}

/**
 * All pages. A new one is a row, its folder, and its document: `npm run generate` writes how it is loaded, and the build
 * tells the server its path. If its record may not exist, `scripts/recordQueries.ts` has how to find out.
 */
export const pages = {
  home: { path: '/', title: '' },
  search: { path: '/search', title: text.searchLabel },
  chain: { path: '/chain/:chainId', title: text.chain },
  block: { path: '/block/:chainId/:height', title: text.block },
  transaction: { path: '/tx/:chainId?/:hash', title: text.transaction },
  account: { path: '/address/:address', title: text.account },
  asset: { path: '/asset/:chainId/:denom*', title: text.asset },
  // Files of the site lie below this path.
  assets: { path: '/assets', title: text.assets },
  validators: { path: '/validators/:chainId', title: text.validators },
  contracts: { path: '/contracts/:chainId', title: text.contracts },
  usage: { path: '/usage/:chainId', title: text.usage },
  collection: { path: '/collection/:chainId/:address', title: text.collection },
  contract: { path: '/contract/:chainId/:address', title: text.contract },
  nft: { path: '/nft/:chainId/:collection/:tokenId', title: text.nft },
  transfer: { path: '/transfer/:chainId/:hash', title: text.transfer },
  transfers: { path: '/transfers', title: text.watched.title },
  quote: { path: '/quote', title: text.quote },
  status: { path: '/status', title: text.status },
  lost: { title: text.notFound },
} as const satisfies Readonly<Record<string, PageRow>>

export type PageName = keyof typeof pages

/** A page that has a path. */
export type PageWithPath = {
  [Name in PageName]: (typeof pages)[Name] extends { path: string } ? Name : never
}[PageName]

export const pageNames = Object.keys(pages) as readonly PageName[]

/** The most parts of a denom that nobody encoded. */
const maxDenomParts = 8

/** A path as it is matched. */
export interface PagePath {
  readonly page: PageWithPath
  /** Its first segment. No other page has the same. */
  readonly first: string
  /** How many parts follow, at least and at most. */
  readonly lengths: readonly [least: number, most: number]
  /** Whether the last part has slashes. */
  readonly hasSlashes: boolean
}

/** The paths of pages. The server answers these with the explorer, and no others. */
export const pagePaths: readonly PagePath[] = pageNames.flatMap((page) => {
  const row: PageRow = pages[page]
  if (row.path === undefined) return []
  const [first = '', ...parts] = row.path.slice(1).split('/')
  const hasSlashes = row.path.endsWith('*')
  const least = parts.filter((part) => !part.endsWith('?')).length
  const most = parts.length + (hasSlashes ? maxDenomParts - 1 : 0)
  return [{ page: page as PageWithPath, first, lengths: [least, most], hasSlashes }]
})

/** A page and what its path names. */
export interface Place {
  readonly page: PageName
  readonly parts: readonly string[]
  readonly query: URLSearchParams
}

/** Reads a path. A path without a page leads to the page `lost`. */
export function placeOf(url: URL): Place {
  const query = url.searchParams
  const lost = { page: 'lost', parts: [], query } as const
  const [first = '', ...encoded] = url.pathname.replace(/^\/|\/$/g, '').split('/')
  const found = pagePaths.find((path) => path.first === first)
  if (!found) return lost
  const { page, hasSlashes } = found
  const parts = encoded.map(decode)
  const [least, most] = found.lengths
  if (parts.length < least || parts.length > most || parts.includes(undefined)) return lost
  const read = parts.filter((part) => part !== undefined)
  return { page, parts: hasSlashes ? [...read.slice(0, least - 1), read.slice(least - 1).join('/')] : read, query }
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}
