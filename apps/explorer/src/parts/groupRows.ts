/** Rows that stay together. */
export interface Group<Row> {
  readonly number: number
  readonly rows: readonly Row[]
}

/**
 * Cuts rows into groups of a size. A group begins at the index `at`, so that rows which come before or after the others
 * change the first and the last group alone, as long as `at` is the index of the same row.
 */
export function groupRows<Row>(rows: readonly Row[], at: number, size: number): Group<Row>[] {
  const first = at % size
  const starts = first > 0 ? [0] : []
  for (let start = first; start < rows.length; start += size) starts.push(start)
  return starts.map((start, index) => ({
    number: Math.floor((start - at) / size),
    rows: rows.slice(start, starts[index + 1] ?? rows.length),
  }))
}
