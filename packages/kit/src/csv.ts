/** With this mark at its beginning, Excel reads a file as UTF-8. Many importers refuse it. */
export const byteOrderMark = '\uFEFF'

/** Spreadsheets run a cell that begins with one of these as a formula, the wide forms too. */
const startsFormula = /^[=+\-@\t\r\n\0＝＋－＠]/

/** The text of a cell. An apostrophe before what would be a formula makes it text in spreadsheets. */
export const guardFormula = (text: string): string => (startsFormula.test(text) ? `'${text}` : text)

/** A line of CSV with its end, by RFC 4180. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(quoted).join(',')}\r\n`

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
