import type { Steps } from '#kit/steps'
import { endOfString, parseJson, partBounds, tooManyParts } from './exactJson.ts'

// A text of many megabytes would hold the event loop for longer than 100 ms. Here its lists and objects are put together
// from pieces, each of which `parseJson` reads, with a pause after each piece.

/** Characters of the longest text that is parsed at once. */
export const longestAtOnce = 1024 * 1024

/** Characters of a piece, roughly. It ends at the next comma of its list or object. It takes about a millisecond. */
const pieceLength = 64 * 1024

const code = { quote: 34, comma: 44, colon: 58, bracket: 91, endBracket: 93, brace: 123, endBrace: 125 } as const

/** A list or an object whose end has not been met. */
interface Open {
  /** Where its bracket is. */
  readonly start: number
  /** The code of the bracket that ends it. The text itself is a list that no bracket ends. */
  readonly end: number
  /** Its items so far. Undefined while all of them are text. */
  value: unknown[] | Record<string, unknown> | undefined
  /** Where the text begins that is not parsed. */
  taken: number
  /** Whether the text before `taken` is a long item, which a comma or the end has to follow. */
  isAfterItem: boolean
  /** The last name of an object, in quotes. */
  name: string
}

/**
 * Parses as `parseJson` does, with a pause after each piece of the text. Throws a syntax error, perhaps of other words,
 * if it is not JSON.
 */
export function* parseLongJson(text: string): Steps<unknown> {
  const count = countParts()
  const root = open(-1)
  const stack = [root]
  let top = root
  let lastText = ''
  for (let at = 0; at < text.length; at += 1) {
    const found = text.charCodeAt(at)
    if (found === code.quote) {
      const end = endOfString(text, at)
      lastText = text.slice(at, end)
      at = end - 1
    } else if (found === code.colon) {
      count.name(lastText)
      top.name = lastText
    } else if (found === code.comma) {
      count.value()
      if (top.isAfterItem) endItem(top, text, at)
      else if (at - top.taken >= pieceLength) {
        takePiece(top, text, at)
        yield
      }
    } else if (found === code.bracket || found === code.brace) {
      count.nested()
      top = open(at, found === code.bracket ? code.endBracket : code.endBrace)
      stack.push(top)
    } else if (found === code.endBracket || found === code.endBrace) {
      const ended = top
      stack.pop()
      const around = stack.at(-1)
      if (found !== ended.end || !around) throw invalid()
      top = around
      if (ended.value === undefined) continue
      if (ended.isAfterItem) endItem(ended, text, at)
      else takePiece(ended, text, at)
      takeItem(top, text, ended, at + 1)
    }
  }
  if (top !== root) throw invalid()
  if (!Array.isArray(root.value)) return parseJson(text)
  if (!root.isAfterItem || root.value.length !== 1) throw invalid()
  endItem(root, text, text.length)
  return root.value[0]
}

const open = (start: number, end = 0): Open => ({
  ...{ start, end, value: undefined, taken: start + 1, isAfterItem: false, name: '' },
})

const invalid = () => new SyntaxError('The text is not JSON.')

/** Counts the parts of a text. Throws if there are more than `parseJson` takes. */
function countParts() {
  const names = new Set<string>()
  let nested = 0
  let values = 0
  return {
    nested() {
      nested += 1
      if (nested > partBounds.nested) throw tooManyParts()
    },
    value() {
      values += 1
      if (values > partBounds.values) throw tooManyParts()
    },
    name(text: string) {
      names.add(text)
      if (names.size > partBounds.names) throw tooManyParts()
    },
  }
}

/** Parses the text up to a comma or the end. There is at least one item in it. */
function takePiece(holder: Open, text: string, end: number): void {
  if (addItems(holder, text.slice(holder.taken, end)) === 0) throw invalid()
  holder.taken = end + 1
}

/** Adds a list or an object whose items were read in pieces. */
function takeItem(holder: Open, text: string, item: Open, end: number): void {
  if (holder.isAfterItem) throw invalid()
  // What is before it ends with a comma or a name: a null in its place makes that valid, and nothing else.
  addItems(holder, `${text.slice(holder.taken, item.start)}null`)
  const { value } = holder
  if (Array.isArray(value)) value[value.length - 1] = item.value
  else if (value) keep(value, JSON.parse(holder.name), item.value)
  holder.taken = end
  holder.isAfterItem = true
}

/** Ends a long item, which only spaces may follow. */
function endItem(holder: Open, text: string, end: number): void {
  if (!/^[ \t\r\n]*$/.test(text.slice(holder.taken, end))) throw invalid()
  holder.taken = end + 1
  holder.isAfterItem = false
}

/** Parses items and adds them. Returns how many there are. */
function addItems(holder: Open, items: string): number {
  if (holder.end !== code.endBrace) {
    const parsed = parseJson(`[${items}]`) as unknown[]
    const list = Array.isArray(holder.value) ? holder.value : []
    for (const item of parsed) list.push(item)
    holder.value = list
    return parsed.length
  }
  const parsed = parseJson(`{${items}}`) as Record<string, unknown>
  const names = Object.keys(parsed)
  if (holder.value && !Array.isArray(holder.value)) {
    for (const name of names) keep(holder.value, name, parsed[name])
  } else holder.value = parsed
  return names.length
}

/** Sets a key as `JSON.parse` does. To assign `__proto__` would replace the prototype instead. */
function keep(output: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') output[key] = value
  else Object.defineProperty(output, key, { value, writable: true, enumerable: true, configurable: true })
}
