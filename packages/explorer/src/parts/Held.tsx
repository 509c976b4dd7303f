import type { ComponentChildren } from 'preact'
import { text } from '../text.ts'
import { useHeld } from './useHeld.ts'

/** A list that is live at its top. While the pointer or the focus is in it, new rows wait behind a bar. */
export function Held<Row>({
  rows,
  keyOf,
  children,
}: {
  rows: readonly Row[]
  keyOf: (row: Row) => unknown
  children: (rows: readonly Row[]) => ComponentChildren
}) {
  const held = useHeld(rows, keyOf)
  return (
    <div class="held" {...held.reading}>
      {held.waiting > 0 && (
        <button type="button" class="fresh" onClick={held.release}>
          {text.fresh(held.waiting)}
        </button>
      )}
      {children(held.shown)}
    </div>
  )
}
