import { createContext } from 'preact'

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
