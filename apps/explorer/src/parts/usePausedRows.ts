import { useRef, useState } from 'preact/hooks'

/** Rows that stay where they are while somebody reads them, and how many newer ones wait. */
export interface PausedRows<Row> {
  readonly shown: readonly Row[]
  readonly waiting: number
  readonly release: () => void
  /** Properties of the element that has the rows. */
  readonly reading: Readonly<Record<'onPointerEnter' | 'onPointerLeave' | 'onFocusIn' | 'onFocusOut', () => void>>
}

/** Holds new rows at the top of a list back while the pointer or the focus is in it. Older rows are added at once. */
export function usePausedRows<Row>(rows: readonly Row[], keyOf: (row: Row) => unknown): PausedRows<Row> {
  const [isPointed, setPointed] = useState(false)
  const [isFocused, setFocused] = useState(false)
  const first = useRef<unknown>(undefined)
  const top = rows[0]
  if (!(isPointed || isFocused) || first.current === undefined) first.current = top && keyOf(top)
  const at = rows.findIndex((row) => keyOf(row) === first.current)
  const waiting = Math.max(0, at)
  return {
    shown: waiting > 0 ? rows.slice(waiting) : rows,
    waiting,
    release() {
      first.current = top && keyOf(top)
      setPointed(false)
      setFocused(false)
    },
    reading: {
      onPointerEnter: () => setPointed(true),
      onPointerLeave: () => setPointed(false),
      onFocusIn: () => setFocused(true),
      onFocusOut: () => setFocused(false),
    },
  }
}
