import type { ComponentChildren } from 'preact'
import { memo } from 'preact/compat'
import { useRef } from 'preact/hooks'
import { groupsOf } from './groups.ts'

/** Rows of a group: few enough to be laid out within a frame, and enough that a long table has few groups. */
const size = 20

interface GroupProps<Row> {
  readonly rows: readonly Row[]
  readonly row: (row: Row) => ComponentChildren
}

/**
 * The rows of a long table as row groups, each with a layout of its own: a new row changes one of them. They are not left
 * out far from the window, where screen readers would miss them. `row` must be the same function in each drawing.
 */
export function RowGroups<Row>({ rows, keyOf, row }: GroupProps<Row> & { keyOf: (row: Row) => unknown }) {
  const anchor = useRef<unknown>(undefined)
  let at = rows.findIndex((row) => keyOf(row) === anchor.current)
  if (at < 0) {
    at = 0
    anchor.current = rows[0] && keyOf(rows[0])
  }
  return groupsOf(rows, at, size).map((group) => (
    <Group key={group.number} rows={group.rows} row={row as (row: unknown) => ComponentChildren} />
  ))
}

const Group = memo(
  ({ rows, row }: GroupProps<unknown>) => <tbody>{rows.map(row)}</tbody>,
  (last, next) =>
    last.row === next.row &&
    last.rows.length === next.rows.length &&
    last.rows.every((row, index) => row === next.rows[index]),
)
