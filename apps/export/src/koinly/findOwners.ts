import { type ReadOptions, readPages } from '../readPages.ts'
import type { Source } from '../subjects/subject.ts'
import { identityOf, keyOfSymbol } from './currencies.ts'

/** An asset as the list of a chain has it. */
interface ListedAsset {
  readonly chainId: string
  readonly denom: string
  readonly symbol: string | null
  readonly originChainId: string | null
  readonly originDenom: string | null
  readonly coingeckoId: string | null
  readonly isHidden: boolean
}

interface ListedData {
  readonly assets: {
    readonly nodes: readonly ListedAsset[]
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
  } | null
}

const document = `query ExportSymbols($symbols: [String!]!, $first: Int!, $after: String) {
  assets(first: $first, after: $after, filter: { symbols: $symbols, includeHidden: true }) {
    pageInfo { hasNextPage endCursor }
    nodes { chainId denom symbol originChainId originDenom coingeckoId isHidden }
  }
}`

const source = (symbols: readonly string[]): Source<ListedAsset> => ({
  document,
  variablesAt: (place) => ({ symbols, ...place }),
  pageIn: (data) => {
    const list = (data as ListedData | null)?.assets
    return list ? { edges: list.nodes, ...list.pageInfo, unavailable: [] } : undefined
  },
  identify: () => undefined,
})

/** The gateway takes as many symbols in one list. */
const maxSymbols = 100

/** What the lists say of an asset: how well it is known. */
interface Renown {
  readonly isOpen: boolean
  readonly hasPrice: boolean
  readonly listings: number
}

/**
 * Whose each symbol is, by the lists of all chains: the asset that is open, has a price, and is on most chains. So it is the
 * same one in all files, whatever came first. Symbols that no list has are left out.
 * @throws The reason of the signal if it aborts.
 */
export async function findOwners(
  symbols: readonly string[],
  options: Omit<ReadOptions<ListedAsset>, 'source' | 'after' | 'skipsUnreadable'>,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, Map<string, Renown>>()
  for (let from = 0; from < symbols.length; from += maxSymbols) {
    const part = source(symbols.slice(from, from + maxSymbols))
    const pages = readPages({ ...options, source: part, after: undefined, skipsUnreadable: false })
    for await (const { edges } of pages) for (const listed of edges) addListed(found, listed)
  }
  options.io.signal.throwIfAborted()
  return new Map(
    [...found].flatMap(([symbol, assets]) =>
      [...assets]
        .toSorted(byRenown)
        .slice(0, 1)
        .map(([identity]) => [symbol, identity]),
    ),
  )
}

function addListed(found: Map<string, Map<string, Renown>>, { chainId, denom, symbol, ...asset }: ListedAsset): void {
  const key = keyOfSymbol(symbol?.trim() ?? '')
  const identity = identityOf({ chainId, assetId: denom, asset: { ...asset, symbol, decimals: null, origin: null } })
  const assets = found.get(key) ?? new Map<string, Renown>()
  const { isOpen, hasPrice, listings } = assets.get(identity) ?? { isOpen: false, hasPrice: false, listings: 0 }
  const isOpenHere = !asset.isHidden
  assets.set(identity, {
    isOpen: isOpen || isOpenHere,
    hasPrice: hasPrice || (isOpenHere && asset.coingeckoId !== null),
    listings: listings + 1,
  })
  found.set(key, assets)
}

const byRenown = ([one, a]: [string, Renown], [other, b]: [string, Renown]): number =>
  Number(b.isOpen) - Number(a.isOpen) ||
  Number(b.hasPrice) - Number(a.hasPrice) ||
  b.listings - a.listings ||
  (one < other ? -1 : 1)
