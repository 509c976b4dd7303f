import { randomUUID } from 'node:crypto'

/** Stands before the digits in the text of `JSON.stringify`. */
const mark = randomUUID()
const marked = new RegExp(`"${mark}(\\d+)"`, 'g')

/** A 64-bit integer that `jsonText` writes as a number, with all its digits. */
export const longNumber = (value: bigint) => ({ toJSON: () => `${mark}${value}` })

/** The JSON text of a value that may contain long numbers. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value)
  return text.includes(mark) ? text.replace(marked, '$1') : text
}
