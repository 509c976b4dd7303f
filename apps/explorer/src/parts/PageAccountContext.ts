import { createContext } from 'preact'

/** The account that a page is about, as far as rows of transactions need it. */
export interface PageAccount {
  /** Its spellings. Sentences say "you" in their place. */
  readonly addresses: readonly string[]
  /** US dollars for one unit of what it holds, by chain id and denom. */
  readonly prices: ReadonlyMap<string, number>
}

export const PageAccountContext = createContext<PageAccount>({ addresses: [], prices: new Map() })
