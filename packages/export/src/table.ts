/** What a cell can hold. Numbers beyond 2^53 are text. */
export type Value = string | number | boolean | null

/**
 * What a column has. `text` comes from chains, and can be anything. `code` is made of letters and digits, such as a hash.
 * `amount` is an integer of base units, and `decimal` a number in whole units: both are text, and exact. `time` is in UTC.
 */
export type ColumnKind = 'text' | 'code' | 'time' | 'integer' | 'boolean' | 'amount' | 'decimal'

/** A column of a file. New ones are added at the end. */
export interface Column {
  readonly name: string
  readonly kind: ColumnKind
}

/** A row, with a value for each column. */
export type Row = readonly Value[]

/** What is kept from record to record, and from run to run. */
export interface Ledger {
  /** Texts that were met before, by what they are, in the order in which they were met. */
  readonly lists: Record<string, string[]>
  /** How often each thing happened that readers of the file must know. */
  readonly notes: Record<string, number>
}

/** Counts something that readers of the file must know. */
export function addNote({ notes }: Ledger, name: string): void {
  notes[name] = (notes[name] ?? 0) + 1
}

/** A list of texts that were met before. */
export function listIn({ lists }: Ledger, name: string): string[] {
  const list = lists[name] ?? []
  lists[name] = list
  return list
}

/** How records become rows. */
export interface Table<Edge> {
  readonly columns: readonly Column[]
  rowsOf(edge: Edge, ledger: Ledger): readonly Row[]
}

/** Columns by their names, in order. */
export const toColumns = (kinds: Readonly<Record<string, ColumnKind>>): readonly Column[] =>
  Object.entries(kinds).map(([name, kind]) => ({ name, kind }))
