import { createContext } from 'preact'

/** The account that a page is about, as far as rows of transactions need it. */
export interface PageAccount {
  /** Its spellings. Sentences say "you" in their place. */
  readonly addresses: readonly string[]
  /** US dollars for one unit of what it holds, by chain id and denom. */
  readonly prices: ReadonlyMap<string, number>
  /** The listed assets that it has, by which a reader can choose of its rows: that of most value first. */
  readonly tokens: readonly HeldToken[]
}

/** An asset on all chains together. */
export interface HeldToken {
  readonly symbol: string
  readonly denoms: readonly string[]
}

export const PageAccountContext = createContext<PageAccount>({ addresses: [], prices: new Map(), tokens: [] })
