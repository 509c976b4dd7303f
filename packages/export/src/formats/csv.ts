import { byteOrderMark, csvLine, guardFormula } from '#kit/csv'
import type { Column, Row, Value } from '../table.ts'
import type { LineForm } from './lines.ts'

/** CSV in UTF-8. Without its mark of byte order, Excel takes it for another encoding. */
export const csvForm = (columns: readonly Column[], { bom = false } = {}): LineForm => ({
  head: `${bom ? byteOrderMark : ''}${csvLine(columns.map(({ name }) => name))}`,
  lineOf: (row: Row) => csvLine(row.map((value, index) => cell(value, columns[index]))),
})

/** Numbers, times and hashes are left as they are. */
const cell = (value: Value, column: Column | undefined): string => {
  const text = String(value ?? '')
  return column?.kind === 'text' ? guardFormula(text) : text
}
