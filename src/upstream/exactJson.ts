import { randomUUID } from 'node:crypto'

// Chains put 64-bit integers into JSON as numbers, of which JavaScript keeps 53 bits. What the gateway
// hands on as it came must keep all their digits.

/** Every number that loses digits has at least so many of them, or one less and a point. */
const longLength = 16

/**
 * Stands in the text of `JSON.stringify` before the digits of a number, where Node.js cannot write them
 * itself. It is random and replaced in all that is sent, so no text of others can contain it.
 */
const mark = randomUUID()
const marked = new RegExp(`"${mark}([^"]+)"`, 'g')

/** `JSON.rawJSON`, which Node.js has from version 21 on. */
const rawJson = (JSON as { rawJSON?: (text: string) => unknown }).rawJSON

/** A JSON number with more digits than a JavaScript number holds. */
class LongNumber {
  readonly #digits: string

  constructor(digits: string) {
    this.#digits = digits
  }

  /** The number as it was written. */
  toString(): string {
    return this.#digits
  }

  /** The nearest JavaScript number. */
  valueOf(): number {
    return Number(this.#digits)
  }

  toJSON(): unknown {
    return rawJson ? rawJson(this.#digits) : mark + this.#digits
  }
}

/** Whether the value is a number that a JavaScript number would round. `String` gives all its digits. */
export const isLongNumber = (value: unknown): value is { toString(): string; valueOf(): number } =>
  value instanceof LongNumber

/**
 * Parses JSON like `JSON.parse`, but keeps the digits of numbers that it would round. `JSON.parse` copies
 * each string. One that was cut out of the text instead would hold the text in memory as long as itself.
 */
export function parseJson(text: string): unknown {
  const marked = mayHaveLongNumber(text) ? markLongNumbers(text) : text
  return marked === text ? JSON.parse(text) : readMarked(JSON.parse(marked))
}

/**
 * The text of a value of `parseJson`, or of one that contains such values. That of null for a value that JSON
 * does not have, such as a function.
 */
export const jsonText = (value: unknown): string => withDigits(JSON.stringify(value) ?? 'null')

/** Puts in the digits that `JSON.stringify` could not write. */
export const withDigits = (text: string): string =>
  text.includes(mark) ? text.replace(marked, '$1') : text

/** A text of JSON with its long numbers as marked strings. */
function markLongNumbers(text: string): string {
  let marked = ''
  let taken = 0
  for (let start = 0; start < text.length; ) {
    const quote = text.indexOf('"', start)
    const end = quote < 0 ? text.length : quote
    if (end - start >= longLength) {
      const between = text.slice(start, end)
      const replaced = between.replace(word, (found, digits: string, colon?: string) =>
        colon === undefined && isLong(digits) ? `"${mark}${digits}"` : found,
      )
      if (replaced !== between) {
        marked += text.slice(taken, start) + replaced
        taken = end
      }
    }
    start = quote < 0 ? end : endOfString(text, quote)
  }
  return marked + text.slice(taken)
}

/** What can be a long number between two strings, and the colon that makes it a key. */
const word = /([-+.\w]{16,})(\s*:)?/g
const numeral = /^-?(?=[\d.]{16})(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** Whether the text is a number that a JavaScript number would round. One such as `10e0000000000000` is not. */
const isLong = (text: string): boolean =>
  numeral.test(text) && String(Number(text)) !== text.replace(/\.0+$/, '')

/** Where a string of JSON ends that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at += 1) {
    at = text.indexOf('"', at)
    if (at < 0) return text.length
    let first = at
    while (text.charCodeAt(first - 1) === backslash) first -= 1
    if ((at - first) % 2 === 0) return at + 1
  }
}

const backslash = 92

/** Replaces the marked strings of a parsed value by numbers. It may be nested deeper than the stack is. */
function readMarked(value: unknown): unknown {
  const root: Record<string, unknown> = { value }
  const open = [root]
  for (let holder = open.pop(); holder; holder = open.pop()) {
    for (const key in holder) {
      const part = holder[key]
      if (typeof part === 'object' && part !== null) open.push(part as Record<string, unknown>)
      else if (typeof part === 'string' && part.startsWith(mark)) {
        holder[key] = new LongNumber(part.slice(mark.length))
      }
    }
  }
  return root.value
}

/**
 * Whether a text of JSON may contain a long number. A pattern would look at each character: this looks at
 * one of sixteen, and around it only if it is part of a number.
 */
function mayHaveLongNumber(text: string): boolean {
  for (let at = longLength - 1; at < text.length; at += longLength) {
    if (!isNumeral(text.charCodeAt(at))) continue
    let start = at
    while (isNumeral(text.charCodeAt(start - 1))) start -= 1
    while (isNumeral(text.charCodeAt(at + 1))) at += 1
    if (at - start >= longLength - 1 && startsNumber(text.charAt(start - 1))) return true
  }
  return false
}

/** Whether the code is that of a digit or a point. */
const isNumeral = (code: number): boolean => (code >= 48 && code <= 57) || code === 46

/** Whether a number can follow the character. Most long numbers in bodies are in quotes. */
const startsNumber = (before: string): boolean => ':,[- \t\r\n'.includes(before)
