import type { Column, Row, Value } from '../table.ts'
import type { LineForm } from './lines.ts'

/** Spreadsheets run a cell that begins with one of these as a formula, the wide forms too. */
const startsFormula = /^[=+\-@\t\r\n\0＝＋－＠]/

/** CSV by RFC 4180, in UTF-8. Importers refuse a byte order mark, and Excel takes a file without one for another encoding. */
export const csvForm = (columns: readonly Column[], { bom = false } = {}): LineForm => ({
  head: `${bom ? '\uFEFF' : ''}${line(columns.map(({ name }) => name))}`,
  lineOf: (row: Row) => line(row.map((value, index) => cell(value, columns[index]))),
})

const line = (cells: readonly string[]): string => `${cells.map(quoted).join(',')}\r\n`

/** An apostrophe before what would be a formula makes it text in spreadsheets. Numbers, times and hashes are left as they are. */
const cell = (value: Value, column: Column | undefined): string => {
  const text = String(value ?? '')
  return column?.kind === 'text' && startsFormula.test(text) ? `'${text}` : text
}

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
