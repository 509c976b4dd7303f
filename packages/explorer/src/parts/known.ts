import { createContext } from 'preact'
import { links } from '../app/links.ts'

/** The account that a page is about, as far as rows of transactions need it. */
export interface PageAccountParts {
  /** Its spellings. Sentences say "you" in their place. */
  readonly addresses: readonly string[]
  /** US dollars for one unit of what it holds, by chain id and denom. */
  readonly prices: ReadonlyMap<string, number>
}

export const PageAccount = createContext<PageAccountParts>({ addresses: [], prices: new Map() })

/** What the page knows by a name, and its place, by the address in small letters. */
export type KnownNames = ReadonlyMap<string, { readonly name: string; readonly href: string }>

export const Names = createContext<KnownNames>(new Map())

interface CollectionsOf {
  readonly chainId: string
  readonly nftCollections?: {
    readonly nodes: readonly ({ readonly address: string; readonly name?: string | null } | null)[]
  } | null
}

/** The names of the collections that were read with some chains: sentences have them by their addresses. */
export const collectionNames = (chains: readonly CollectionsOf[]): KnownNames =>
  new Map(
    chains.flatMap(({ chainId, nftCollections }) =>
      (nftCollections?.nodes ?? []).flatMap((collection) => {
        if (!collection?.name) return []
        const { name, address } = collection
        return [[address.toLowerCase(), { name, href: links.collection(chainId, address) }] as const]
      }),
    ),
  )
