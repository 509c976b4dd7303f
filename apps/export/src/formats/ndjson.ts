import type { Column, Row } from '#kit/table'
import type { LineForm } from './lines.ts'

/** A JSON object a line, with the names of the columns. Amounts are text, since they are larger than numbers of JSON. */
export const ndjsonForm = (columns: readonly Column[]): LineForm => ({
  head: '',
  lineOf: (row: Row) => `${JSON.stringify(Object.fromEntries(columns.map(({ name }, index) => [name, row[index]])))}\n`,
})
