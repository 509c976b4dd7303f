import { type PageWithPath, pagePaths, type pages } from './pages.ts'

type Part = string | number

/** As many parts as a path of the table of pages has. */
type PartsOf<Path extends string> = Path extends `${string}/:${string}/${infer Rest}`
  ? [Part, ...PartsOf<`/${Rest}`>]
  : Path extends `${string}/:${string}`
    ? [Part]
    : []

type Paths = { readonly [Name in PageWithPath]: (...parts: PartsOf<(typeof pages)[Name]['path']>) => string }

const paths = Object.fromEntries(
  pagePaths.map(({ page, first }) => [
    page,
    (...parts: Part[]) => `/${[first, ...parts.map(encodeURIComponent)].join('/')}`,
  ]),
) as unknown as Paths

/** The paths of pages. Their parts are encoded: denoms have slashes. */
export const links = {
  ...paths,
  search: (query: string) => `${paths.search()}?q=${encodeURIComponent(query)}`,
  assets: (chainId?: string) => paths.assets() + (chainId === undefined ? '' : `?chain=${encodeURIComponent(chainId)}`),
}

/** A link to another host, if it is safe to follow: `https:` only. */
export function outside(url: string | null | undefined): string | undefined {
  if (!url || !URL.canParse(url)) return undefined
  const { protocol, href } = new URL(url)
  return protocol === 'https:' ? href : undefined
}
