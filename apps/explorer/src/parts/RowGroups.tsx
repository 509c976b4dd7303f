import type { ComponentChildren } from 'preact'
import { memo } from 'preact/compat'
import { useEffect, useRef, useState } from 'preact/hooks'
import { groupRows } from './groupRows.ts'

/** Rows of a group: few enough to be laid out within a frame, and enough that a long table has few groups. */
const size = 20

/** Rows of a table of which all are kept, wherever the window is: screen readers and the search of the browser have them. */
const mostKept = 500

/** How far from the window the groups of a longer table are kept. */
const margin = '3000px'

interface GroupProps<Row> {
  readonly rows: readonly Row[]
  readonly row: (row: Row) => ComponentChildren
}

/**
 * The rows of a long table as row groups, each with a layout of its own: a new row changes one of them. Of a table with more
 * rows than a browser has room for, those far from the window leave a gap as high as they were. `row` must be the same
 * function in each drawing.
 */
export function RowGroups<Row>({ rows, keyOf, row }: GroupProps<Row> & { keyOf: (row: Row) => unknown }) {
  const anchor = useRef<unknown>(undefined)
  let at = rows.findIndex((row) => keyOf(row) === anchor.current)
  if (at < 0) {
    at = 0
    anchor.current = rows[0] && keyOf(rows[0])
  }
  const canDrop = rows.length > mostKept
  return groupRows(rows, at, size).map((group) => (
    <Group key={group.number} rows={group.rows} row={row as (row: unknown) => ComponentChildren} canDrop={canDrop} />
  ))
}

const Group = memo(
  ({ rows, row, canDrop }: GroupProps<unknown> & { canDrop: boolean }) => {
    const body = useRef<HTMLTableSectionElement>(null)
    const gap = useGap(body, canDrop)
    return (
      <tbody ref={body} style={gap === undefined ? undefined : { height: `${gap}px` }}>
        {gap === undefined && rows.map(row)}
      </tbody>
    )
  },
  (last, next) =>
    last.row === next.row &&
    last.canDrop === next.canDrop &&
    last.rows.length === next.rows.length &&
    last.rows.every((row, index) => row === next.rows[index]),
)

/** The height in pixels of what is far from the window. Undefined for what is near, and while nothing is dropped. */
function useGap(body: { readonly current: HTMLElement | null }, canDrop: boolean): number | undefined {
  const [gap, setGap] = useState<number>()
  useEffect(() => {
    const element = body.current
    if (!canDrop || !element) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        // What has the focus stays.
        const isKept = entry?.isIntersecting || element.contains(document.activeElement)
        if (entry) setGap(isKept ? undefined : entry.boundingClientRect.height)
      },
      { rootMargin: margin },
    )
    observer.observe(element)
    return () => {
      observer.disconnect()
      setGap(undefined)
    }
  }, [canDrop])
  return gap
}
