import { parseJson } from './exactJson.ts'
import { type Cursor, createShapes, type Site } from './jsonShapes.ts'

// `JSON.parse` looks up each short string in a table of all strings of the process, and puts it there if it
// is new. Most heights and amounts are new, and the table is larger than the caches of a processor.

/** Bytes of the texts that are read here. Others are left to `parseJson`. */
const least = 256
const most = 1024 * 1024

/** Longer parts of a text would hold all of it in memory: V8 copies no part of 13 or more characters. */
const longestCopied = 12

/** The most texts that are left to `parseJson` after one that could not be read. */
const longestPause = 256

/** Holds the text that is being read. Readers share it, since a text is read in one go. */
const buffer = Buffer.alloc(most + 8)
const bytes = new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.length)
const words = new DataView(buffer.buffer, buffer.byteOffset, buffer.length)

/** Why a text is left to `parseJson`, which has the last word. */
const unexpected = new SyntaxError('The text is not one that is read fast.')

/**
 * Returns a function that parses as `parseJson` does. It learns what the objects of one upstream look like,
 * and reads them several times faster. Parts that it does not know are left to `parseJson`, as is all of a
 * text with spaces between its tokens, or with characters that are not ASCII.
 */
export function createJsonParser(): (text: string) => unknown {
  const cursor: Cursor = { text: '', at: 0 }
  const shapes = createShapes(cursor, { bytes, words }, readValue)
  /** Bytes that may still be read again, because an object was not of the shape it looked like. */
  let budget = 0
  let pause = 0
  let paused = 0

  return (text) => {
    if (text.length < least || text.length > most) return parseJson(text)
    if (paused > 0) {
      paused -= 1
      return parseJson(text)
    }
    if (Buffer.byteLength(text) !== text.length) return parseJson(text)
    const value = readText(text)
    if (value !== undefined) return value
    const parsed = parseJson(text)
    shapes.learn(shapes.root, parsed)
    return parsed
  }

  /** The value of the text. Undefined if it is left to `parseJson`. */
  function readText(text: string): unknown {
    buffer.write(text, 'latin1')
    bytes[text.length] = 0
    cursor.text = text
    cursor.at = 0
    budget = text.length
    try {
      const value = bytes[0] === code.brace ? readKnown(shapes.root) : readValue(shapes.root)
      while (isSpace(bytes[cursor.at])) cursor.at += 1
      if (value !== undefined && cursor.at !== text.length) throw unexpected
      pause >>= 1
      return value
    } catch {
      pause = Math.min(2 * pause + 1, longestPause)
      paused = pause
      return undefined
    } finally {
      cursor.text = ''
    }
  }

  function readValue(site: Site): unknown {
    const first = bytes[cursor.at]
    if (first === code.quote) return readString()
    if (first === code.brace) return readKnown(site) ?? readOther(site, endOfNested(cursor.at))
    if (first === code.bracket) return readList(site)
    return readWord(site)
  }

  function readString(): unknown {
    const start = cursor.at + 1
    let end = start
    let byte = bytes[end]
    while (byte !== code.quote) {
      if (byte === code.backslash) return readOther(undefined, endOfString(start))
      if (byte === undefined || byte < code.space) throw unexpected
      end += 1
      byte = bytes[end]
    }
    cursor.at = end + 1
    return end - start <= longestCopied
      ? cursor.text.slice(start, end)
      : buffer.toString('latin1', start, end)
  }

  /** An object of one of the shapes of the place. Undefined if it is of none of them. */
  function readKnown({ shapes }: Site): object | undefined {
    const start = cursor.at
    for (let i = 0; i < shapes.length; i += 1) {
      const object = shapes[i]?.()
      if (object) return object
      budget -= cursor.at - start
      if (budget < 0) throw unexpected
      cursor.at = start
    }
    return undefined
  }

  function readList(site: Site): unknown {
    const element = shapes.elementOf(site)
    if (!element) return readOther(undefined, endOfNested(cursor.at))
    cursor.at += 1
    if (bytes[cursor.at] === code.endBracket) {
      cursor.at += 1
      return []
    }
    // Most lists are short. V8 makes room for 16 more elements when it adds one to a full list.
    const first = readValue(element)
    if (isLast()) return [first]
    const list = [first, readValue(element)]
    while (!isLast()) list.push(readValue(element))
    return list
  }

  /** Whether the list ends after this element. */
  function isLast(): boolean {
    const after = bytes[cursor.at]
    cursor.at += 1
    if (after !== code.comma && after !== code.endBracket) throw unexpected
    return after === code.endBracket
  }

  /** A number, or one of the three names. */
  function readWord(site: Site): unknown {
    const start = cursor.at
    const first = bytes[start]
    if (first === code.n && words.getInt32(start, true) === name.null) return named(null, 4)
    if (first === code.t && words.getInt32(start, true) === name.true) return named(true, 4)
    if (first === code.f && words.getInt32(start + 1, true) === name.false) return named(false, 5)
    return readInteger() ?? readOther(site, endOfWord(start))
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

  /** Leaves the part up to `end` to `parseJson`. Throws if it is not JSON. */
  function readOther(site: Site | undefined, end: number): unknown {
    const value = parseJson(cursor.text.slice(cursor.at, end))
    cursor.at = end
    if (site) shapes.learn(site, value)
    return value
  }
}

const code = {
  ...{ space: 32, quote: 34, comma: 44, zero: 48, nine: 57, bracket: 91, backslash: 92 },
  ...{ endBracket: 93, f: 102, n: 110, t: 116, brace: 123, endBrace: 125 },
} as const

/** The last four bytes of each name as a number, the first one lowest. */
const name = { null: 0x6c_6c_75_6e, true: 0x65_75_72_74, false: 0x65_73_6c_61 }

const isSpace = (byte: number | undefined): boolean =>
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
function endOfNested(start: number): number {
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
