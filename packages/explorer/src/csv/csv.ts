import { byteOrderMark, csvLine, guardFormula } from '@portolan/kit/csv'

/** What a cell can hold. Absent values are empty cells. */
export type Cell = string | number | null | undefined

/** A file of rows. With its mark of byte order, spreadsheets read it as UTF-8. */
export const csvOf = (rows: readonly (readonly Cell[])[]): string =>
  `${byteOrderMark}${rows.map((row) => csvLine(row.map((cell) => guardFormula(String(cell ?? ''))))).join('')}`
