import type { Table } from '../table.ts'

/** A chain that the gateway could not read. */
export interface UnavailableChain {
  readonly chainId: string
  readonly code: string
}

/** A page of a list in ascending order. */
export interface Page<Edge> {
  readonly edges: readonly Edge[]
  readonly hasNextPage: boolean
  /** Where the next page begins. Null on an empty page. */
  readonly endCursor: string | null
  readonly unavailable: readonly UnavailableChain[]
}

/** What tells a record from all others, and its time. */
export interface Identity {
  readonly chainId: string
  readonly id: string
  readonly time: string
}

/** Which page to ask for. */
export interface PagePlace {
  readonly first: number
  readonly after: string | undefined
}

/** A list of the graph: the document that reads its pages, and what their records are. */
export interface Source<Edge> {
  readonly document: string
  variablesAt(place: PagePlace): object
  /** The page in the data of an answer. Undefined if it has none. */
  pageIn(data: unknown): Page<Edge> | undefined
  /** Undefined for a record of which not enough is known. */
  identify(edge: Edge): Identity | undefined
}

/** A list, and the table that its records fill. */
export interface Subject<Edge> {
  readonly source: Source<Edge>
  readonly table: Table<Edge>
}
