import { createContext } from 'preact'
import { links } from '../app/links.ts'

/** What the page knows by a name, and its place, by the address in small letters. */
export type KnownNames = ReadonlyMap<string, { readonly name: string; readonly href: string }>

export const NamesContext = createContext<KnownNames>(new Map())

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
