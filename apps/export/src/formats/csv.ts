import { byteOrderMark, csvHead, csvRow } from '#kit/csv'
import type { Column } from '#kit/table'
import type { LineForm } from './lines.ts'

/** CSV in UTF-8. Without its mark of byte order, Excel takes it for another encoding. */
export const csvForm = (columns: readonly Column[], { bom = false } = {}): LineForm => ({
  head: `${bom ? byteOrderMark : ''}${csvHead(columns)}`,
  lineOf: (row) => csvRow(columns, row),
})
