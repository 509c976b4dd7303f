import { parseJson } from './exactJson.ts'
import type { Cursor, TextBytes } from './jsonShapes.ts'

/** Bytes of the longest text that is read here. */
export const longestShaped = 1024 * 1024

/** Longer parts of a text would hold all of it in memory: V8 copies no part of 13 or more characters. */
const longestCopied = 12

/** Holds the text that is being read. Readers share it, since a text is read in one go. */
const buffer = Buffer.alloc(longestShaped + 8)
const bytes = new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.length)
const words = new DataView(buffer.buffer, buffer.byteOffset, buffer.length)

/** The bytes of the text. V8 knows a constant of the own module, and looks up an imported one at each use. */
export const textBytes = (): TextBytes => ({ bytes, words })

/** The reason to leave a text to `parseJson`, which then says whether it is JSON. */
export const unexpected = new SyntaxError('The text is not one that is read fast.')

/** Reads a value without parts at the cursor, and moves the cursor behind it. */
export interface Tokens {
  readString(): unknown
  /** A number, or one of the three names. */
  readWord(): unknown
  /** Leaves the part up to `end` to `parseJson`. Throws if it is not JSON. */
  parsePart(end: number): unknown
}

/** Begins a text, which is followed by a zero byte. */
export function loadText(cursor: Cursor, text: string): void {
  buffer.write(text, 'latin1')
  bytes[text.length] = 0
  cursor.text = text
  cursor.at = 0
}

export function createTokens(cursor: Cursor): Tokens {
  function parsePart(end: number): unknown {
    const value = parseJson(cursor.text.slice(cursor.at, end))
    cursor.at = end
    return value
  }

  function readString(): unknown {
    const start = cursor.at + 1
    let end = start
    let byte = bytes[end]
    while (byte !== code.quote) {
      if (byte === code.backslash) return parsePart(endOfString(start))
      if (byte === undefined || byte < code.space) throw unexpected
      end += 1
      byte = bytes[end]
    }
    cursor.at = end + 1
    return end - start <= longestCopied ? cursor.text.slice(start, end) : buffer.toString('latin1', start, end)
  }

  function readWord(): unknown {
    const start = cursor.at
    const first = bytes[start]
    if (first === code.n && words.getInt32(start, true) === name.null) return named(null, 4)
    if (first === code.t && words.getInt32(start, true) === name.true) return named(true, 4)
    if (first === code.f && words.getInt32(start + 1, true) === name.false) return named(false, 5)
    return readInteger() ?? parsePart(endOfWord(start))
  }

  function named<T>(value: T, length: number): T {
    cursor.at += length
    return value
  }

  /** An integer of up to 15 digits. Undefined if something else is there. */
  function readInteger(): number | undefined {
    const start = cursor.at
    let end = start
    let value = 0
    for (;;) {
      const byte = bytes[end] ?? 0
      if (byte < code.zero || byte > code.nine) break
      value = value * 10 + byte - code.zero
      end += 1
    }
    const length = end - start
    const hasLeadingZero = length > 1 && bytes[start] === code.zero
    if (length === 0 || length > 15 || hasLeadingZero || !isEnd(bytes[end])) return undefined
    cursor.at = end
    return value
  }

  return { readString, readWord, parsePart }
}

const code = {
  space: 32,
  quote: 34,
  comma: 44,
  zero: 48,
  nine: 57,
  bracket: 91,
  backslash: 92,
  endBracket: 93,
  f: 102,
  n: 110,
  t: 116,
  brace: 123,
  endBrace: 125,
} as const

/** The bytes that begin and end tokens. */
export const tokenBytes = () => code

/** The last four bytes of each name as a number, the first one lowest. */
const name = { null: 0x6c_6c_75_6e, true: 0x65_75_72_74, false: 0x65_73_6c_61 }

/** Whether JSON allows the byte between tokens. */
export const isSpace = (byte: number | undefined): boolean =>
  byte === code.space || byte === 10 || byte === 13 || byte === 9

/** Whether a value in a list or an object ends before the byte. */
const isEnd = (byte: number | undefined): boolean =>
  byte === code.comma || byte === code.endBrace || byte === code.endBracket

function endOfWord(start: number): number {
  let end = start
  while (bytes[end] !== 0 && !isEnd(bytes[end])) end += 1
  if (end === start) throw unexpected
  return end
}

/** Where a string ends whose first character is at `start`. */
function endOfString(start: number): number {
  for (let at = start; ; at += 1) {
    const byte = bytes[at]
    if (byte === code.quote) return at + 1
    if (byte === code.backslash) at += 1
    if (bytes[at] === 0) throw unexpected
  }
}

/** Where the object or list ends that begins at `start`. */
export function endOfNested(start: number): number {
  let depth = 0
  for (let at = start; ; at += 1) {
    const byte = bytes[at]
    if (byte === code.quote) at = endOfString(at + 1) - 1
    else if (byte === code.brace || byte === code.bracket) depth += 1
    else if (byte === code.endBrace || byte === code.endBracket) {
      depth -= 1
      if (depth === 0) return at + 1
    } else if (byte === 0) throw unexpected
  }
}
