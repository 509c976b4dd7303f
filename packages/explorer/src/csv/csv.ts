/** What a cell can hold. Absent values are empty cells. */
export type Cell = string | number | null | undefined

/** Programs that read tables run a cell that begins with one of these as a formula, the wide forms too. */
const startsFormula = /^[=+\-@\t\r\n＝＋－＠]/

/** A file of rows in the form of RFC 4180. Its mark of byte order makes spreadsheets read it as UTF-8. */
export const csvOf = (rows: readonly (readonly Cell[])[]): string =>
  `\uFEFF${rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')}`

/** A cell as text. An apostrophe before what would be a formula makes it text in spreadsheets too. */
export function cellOf(value: Cell): string {
  const text = String(value ?? '')
  const harmless = startsFormula.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
