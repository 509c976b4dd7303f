import type { Column, Row, Value } from './table.ts'

/** With this mark at its beginning, Excel reads a file as UTF-8. Many importers refuse it. */
export const byteOrderMark = '\uFEFF'

/** The line of CSV with the names of columns, with its end. */
export const csvHead = (columns: readonly Column[]): string => csvLine(columns.map(({ name }) => name))

/** The line of CSV of a row, with its end. */
export const csvRow = (columns: readonly Column[], row: Row): string =>
  csvLine(row.map((value, index) => cellOf(value, columns[index])))

/** Only text can be a formula. Numbers, times and hashes are left as they are. */
function cellOf(value: Value, column: Column | undefined): string {
  const text = String(value ?? '')
  return column?.kind === 'text' ? guardFormula(text) : text
}

/** Spreadsheets run a cell that begins with one of these as a formula, the wide forms too. */
const startsFormula = /^[=+\-@\t\r\n\0＝＋－＠]/

/** An apostrophe before what would be a formula makes it text in spreadsheets. */
const guardFormula = (text: string): string => (startsFormula.test(text) ? `'${text}` : text)

/** A line by RFC 4180. */
const csvLine = (cells: readonly string[]): string => `${cells.map(quoted).join(',')}\r\n`

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
