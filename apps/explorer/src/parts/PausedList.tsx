import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { text } from '../text.ts'
import { usePausedRows } from './usePausedRows.ts'

/** A list that is live at its top. While the pointer or the focus is in it, new rows wait behind a bar. */
export function PausedList<Row>({
  rows,
  keyOf,
  children,
}: {
  rows: readonly Row[]
  keyOf: (row: Row) => unknown
  children: (rows: readonly Row[]) => ComponentChildren
}) {
  const paused = usePausedRows(rows, keyOf)
  return (
    <div class="paused-list" {...paused.reading}>
      {paused.waiting > 0 && (
        <button type="button" class="fresh" onClick={paused.release}>
          {text.fresh(paused.waiting)}
        </button>
      )}
      <Added rows={rows} keyOf={keyOf} />
      {children(paused.shown)}
    </div>
  )
}

/** Milliseconds between two announcements: some lists get a row each second. */
const quietMs = 15_000

/** Tells screen readers how many rows have come at the top of a list. */
function Added<Row>({ rows, keyOf }: { rows: readonly Row[]; keyOf: (row: Row) => unknown }) {
  const latest = useRef({ rows, keyOf })
  latest.current = { rows, keyOf }
  const [added, setAdded] = useState({ count: 0, turn: 0 })
  useEffect(() => {
    const topOf = () => {
      const [top] = latest.current.rows
      return top && latest.current.keyOf(top)
    }
    let last = topOf()
    const timer = setInterval(() => {
      const count = latest.current.rows.findIndex((row) => latest.current.keyOf(row) === last)
      last = topOf()
      if (count > 0) setAdded(({ turn }) => ({ count, turn: turn + 1 }))
    }, quietMs)
    return () => clearInterval(timer)
  }, [])
  return (
    <p class="unseen" aria-live="polite">
      {/* The same number again is said again. */}
      {added.count > 0 && <span key={added.turn}>{text.added(added.count)}</span>}
    </p>
  )
}
