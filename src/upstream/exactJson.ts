import { randomUUID } from 'node:crypto'
import { parse } from 'json-custom-numbers'

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

/** Parses JSON like `JSON.parse`, but keeps the digits of numbers that it would round. */
export const parseJson = (text: string): unknown =>
  mayHaveLongNumber(text)
    ? parse(text, undefined, (_key, digits) => readNumber(digits))
    : JSON.parse(text)

function readNumber(digits: string): unknown {
  const number = Number(digits)
  const isExact = digits.length < longLength || String(number) === digits.replace(/\.0+$/, '')
  return isExact ? number : new LongNumber(digits)
}

/** The text of a value of `parseJson`, or of one that contains such values. */
export const jsonText = (value: unknown): string => withDigits(JSON.stringify(value))

/** Puts in the digits that `JSON.stringify` could not write. */
export const withDigits = (text: string): string =>
  text.includes(mark) ? text.replace(marked, '$1') : text

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
