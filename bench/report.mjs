/** Prints a table: the names of the columns, then rows of cells. */
export function printTable(title, columns, rows) {
  const table = [columns, ...rows.map((row) => row.map(String))]
  const widths = columns.map((_, index) => Math.max(...table.map((row) => row[index].length)))
  const line = (row) =>
    row.map((cell, index) => (index === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[index]))).join('  ')
  process.stdout.write(`\n${title}\n${table.map(line).join('\n')}\n`)
}

/** The value that this share of the numbers does not pass. */
export function quantile(numbers, share) {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}
