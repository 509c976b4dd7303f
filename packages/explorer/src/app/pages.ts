/**
 * Pages by the first segments of their paths, and how many parts follow, at least and at most. The server answers these
 * paths with the explorer, and no others.
 */
export const lengths = {
  '': [0, 0],
  search: [0, 0],
  chain: [1, 1],
  block: [2, 2],
  tx: [1, 2],
  address: [1, 1],
  // A denom that nobody encoded has slashes.
  asset: [2, 9],
  // Files of the site lie below this path.
  assets: [0, 0],
  validators: [1, 1],
  contracts: [1, 1],
  collection: [2, 2],
  contract: [2, 2],
  nft: [3, 3],
  transfer: [2, 2],
  transfers: [0, 0],
  quote: [0, 0],
  status: [0, 0],
} as const

export type PageName = keyof typeof lengths

export const pageNames = Object.keys(lengths) as readonly PageName[]

/** A page and what its path names. */
export interface Place {
  readonly page: PageName | 'lost'
  readonly parts: readonly string[]
  readonly query: URLSearchParams
}

/** Reads a path. A path without a page leads to the page `lost`. */
export function placeOf(url: URL): Place {
  const query = url.searchParams
  const lost = { page: 'lost', parts: [], query } as const
  const [name = '', ...encoded] = url.pathname.replace(/^\/|\/$/g, '').split('/')
  const page = pageNames.find((known) => known === name)
  if (page === undefined) return lost
  const parts = encoded.map(decode)
  const [least, most] = lengths[page]
  if (parts.length < least || parts.length > most || parts.includes(undefined)) return lost
  const read = parts.filter((part) => part !== undefined)
  if (page !== 'asset') return { page, parts: read, query }
  return { page, parts: [read[0] ?? '', read.slice(1).join('/')], query }
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}
