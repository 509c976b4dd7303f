import { randomUUID } from 'node:crypto'
import { inspect } from 'node:util'

// Chains put 64-bit integers into JSON as numbers, and JavaScript keeps 53 bits of them. A value that the gateway
// passes on unread must keep all its digits.

/** Every number that loses digits has at least so many of them, or one less and a point, unless it is odd. */
const longLength = 16

/** A number that is short and not the same as a JavaScript number: `-0`, or one with an exponent of three digits. */
const oddNumber = /(?:^|[:,[])\s*(?:-0(?:\.0+)?\s*(?:[,\]}]|$)|-?\d{1,15}(?:\.\d{1,15})?[eE][+-]?\d{3})/

/** `JSON.rawJSON`. Node.js has it since version 21. */
const rawJson = (JSON as { rawJSON?: (text: string) => unknown }).rawJSON

/** A JSON number that a JavaScript number cannot hold, mostly since it has more digits. */
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

  /** The text of the number, for messages of errors and the like. */
  toJSON(): unknown {
    if (rawJson) return rawJson(this.#digits)
    written += 1
    return this.#digits
  }

  [inspect.custom](): string {
    return this.#digits
  }
}

/** How many long numbers `JSON.stringify` has met so far, where Node.js cannot write them itself. */
let written = 0

/** Whether the value is a number that a JavaScript number would round. `String` gives all its digits. */
export const isLongNumber = (value: unknown): value is { toString(): string; valueOf(): number } =>
  value instanceof LongNumber

/**
 * Parses JSON like `JSON.parse`, but keeps the digits of numbers that it would round. `JSON.parse` copies each
 * string. A string that was cut out of the text instead would keep the whole text in memory.
 */
export function parseJson(text: string): unknown {
  if (text.length > boundedLength) checkParts(text)
  if (!mayHaveLongNumber(text) && !oddNumber.test(text)) return JSON.parse(text)
  // It is made after the text, and lasts only until it is read, so no text of others contains it.
  const mark = randomUUID()
  const marked = markLongNumbers(text, mark)
  if (marked === text) return JSON.parse(text)
  let value: unknown
  try {
    value = JSON.parse(marked)
  } catch {
    // The error is to quote the text as it came.
    return JSON.parse(text)
  }
  return readMarked(value, mark)
}

/**
 * The text of a value that is, or contains, a value of `parseJson`. It is `null` for a value that JSON does not
 * have, such as a function.
 */
export function jsonText(value: unknown): string {
  const before = written
  const text = JSON.stringify(value) ?? 'null'
  return written === before ? text : (writeJson(value) ?? 'null')
}

/** Writes as `JSON.stringify` does, and long numbers with all their digits. */
function writeJson(value: unknown): string | undefined {
  if (value instanceof LongNumber) return String(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if ('toJSON' in value && typeof value.toJSON === 'function') return writeJson(value.toJSON())
  if (Array.isArray(value)) return `[${value.map((item) => writeJson(item) ?? 'null').join()}]`
  const fields = Object.entries(value).flatMap(([name, part]) => {
    const text = writeJson(part)
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`]
  })
  return `{${fields.join()}}`
}

/** Texts of up to so many characters are parsed without counting their parts. */
const boundedLength = 256 * 1024

/** The most parts of a large text. */
export const partBounds = {
  /** Objects and lists. A page of 1,000 transactions has 70,000. */
  nested: 300_000,
  values: 1_000_000,
  /** Different names. Objects with new names take V8 far longer: 900,000 in small objects keep it busy for seconds. */
  names: 30_000,
}

/** Throws if a text has so many parts that to parse it would keep the event loop from all else. */
function checkParts(text: string): void {
  let nested = 0
  let values = 0
  let names = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quoteCode) at = endOfString(text, at) - 1
    else if (code === commaCode) values += 1
    else if (code === colonCode) names += 1
    else if (code === braceCode || code === bracketCode) nested += 1
    if (nested > partBounds.nested || values > partBounds.values) throw tooManyParts()
  }
  if (names > partBounds.names && hasManyNames(text)) throw tooManyParts()
}

/** The error for a text with too many parts. */
export const tooManyParts = () => new Error('The JSON has too many parts.')

/** Whether a text has more different names than it may have. Most texts repeat a few. */
function hasManyNames(text: string): boolean {
  const names = new Set<string>()
  for (let start = text.indexOf('"'); start >= 0; ) {
    const end = endOfString(text, start)
    let after = end
    while (isSpace(text.charCodeAt(after))) after += 1
    if (text.charCodeAt(after) === colonCode) names.add(text.slice(start, end))
    if (names.size > partBounds.names) return true
    start = text.indexOf('"', end)
  }
  return false
}

const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9

const quoteCode = 34
const colonCode = 58
const commaCode = 44
const bracketCode = 91
const braceCode = 123

/** A text of JSON with its long numbers as strings that begin with a mark. */
function markLongNumbers(text: string, mark: string): string {
  let marked = ''
  let taken = 0
  for (let start = 0; start < text.length; ) {
    const quote = text.indexOf('"', start)
    const end = quote < 0 ? text.length : quote
    if (end - start > 1) {
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

/** A possible long number between two strings, and the colon that makes it a key. */
const word = /([-+.\w]{2,})(\s*:)?/g
const numeral = /^-?((?:0|[1-9]\d*)(?:\.\d+)?)(?:[eE][+-]?\d+)?$/

/** Whether the text is a number that a JavaScript number would round. One such as `10e0000000000000` is not. */
function isLong(text: string): boolean {
  const digits = numeral.exec(text)?.[1]
  if (digits === undefined) return false
  const number = Number(text)
  if (digits.length >= longLength) return String(number) !== text.replace(/\.0+$/, '')
  const isZero = /^[0.]+$/.test(digits)
  return !Number.isFinite(number) || Object.is(number, -0) || (number === 0 && !isZero)
}

/** Where a string of JSON ends that begins at `start`. */
export function endOfString(text: string, start: number): number {
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
function readMarked(value: unknown, mark: string): unknown {
  const root = [value]
  const open: object[] = [root]
  const read = (part: unknown): unknown => {
    if (typeof part === 'object' && part !== null) open.push(part)
    if (typeof part !== 'string' || !part.startsWith(mark)) return part
    return new LongNumber(part.slice(mark.length))
  }
  for (let holder = open.pop(); holder; holder = open.pop()) {
    if (Array.isArray(holder)) {
      // The indexes of a list as names would be texts, one for each.
      for (let i = 0; i < holder.length; i += 1) holder[i] = read(holder[i])
      continue
    }
    const fields = holder as Record<string, unknown>
    for (const key in fields) {
      const part = fields[key]
      const value = read(part)
      if (value !== part) fields[key] = value
    }
  }
  return root[0]
}

/**
 * Whether a text of JSON may contain a long number. A pattern would read each character. This reads one of sixteen,
 * and its neighbours only if it is part of a number.
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

/** Whether the code is the code of a digit or a point. */
const isNumeral = (code: number): boolean => (code >= 48 && code <= 57) || code === 46

/** Whether a number can follow the character. Most long numbers in bodies are in quotes. */
const startsNumber = (before: string): boolean => ':,[- \t\r\n'.includes(before)
