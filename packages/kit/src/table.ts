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

/** Columns by their names, in order. */
export const toColumns = (kinds: Readonly<Record<string, ColumnKind>>): readonly Column[] =>
  Object.entries(kinds).map(([name, kind]) => ({ name, kind }))
