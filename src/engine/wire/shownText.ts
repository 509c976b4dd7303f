import { stringOrNull } from './decode.ts'
import { ifThere, lenientString } from './lenient.ts'

// Anybody can name a coin, a collection or a validator. All names and descriptions are read here: a name cannot
// hide or reorder the text beside it, and its length has a bound. Ids, denoms and addresses stay as they are.

/** The longest name, in UTF-16 code units. */
const maxName = 128
/** The longest symbol, in UTF-16 code units. */
const maxSymbol = 32
/** The longest description, in UTF-16 code units. */
const maxDescription = 10_000

/** Text that needs no change: printable ASCII with single spaces. */
const plain = /^[!-~]+(?: [!-~]+)*$/

/** Joiners between letters of scripts that need them. They have no shape of their own. */
const joiner = String.raw`(?<=[\p{sc=Arabic}\p{sc=Devanagari}\p{sc=Bengali}\p{sc=Gurmukhi}\p{sc=Gujarati}\p{sc=Oriya}\p{sc=Tamil}\p{sc=Telugu}\p{sc=Kannada}\p{sc=Malayalam}\p{sc=Sinhala}])[\u200c\u200d](?=\p{L})`

/** Control characters, marks of direction, and characters without a shape. The braille blank is one. */
const invisible = String.raw`[[\p{Cc}--\n]\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800\ufff9-\ufffb]`

/** Matches hidden characters. Emoji of several parts and joiners of letters are in the group, and stay. */
const hidden = new RegExp(String.raw`(\p{RGI_Emoji}|${joiner})|${invisible}`, 'gv')

/** Spaces of any width, and ends of lines. U+FEFF has no width. */
const space = /[^\S\ufeff]+/g

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Text of several lines, as it can be shown. Cut with `…` at `max` code units. Null if nothing is left of it. */
export function shownLines(text: string | null | undefined, max: number): string | null {
  // Hidden characters must not make the work longer than the text that is shown.
  const read = (text ?? '').slice(0, max * 4)
  const shown = read
    .replace(/\r\n?/g, '\n')
    .replace(hidden, (_, kept: string = '') => kept)
    .trim()
  const isCut = shown.length > max || read.length < (text ?? '').length
  // Half a surrogate pair has no UTF-8.
  return (isCut ? `${start(shown, max - 1)}…` : shown).replace(/\p{Cs}/gu, '\ufffd') || null
}

/** The whole characters within the first `length` code units. */
function start(text: string, length: number): string {
  // A character of too many marks is cut all the same.
  return text.slice(0, graphemes.segment(text).containing(length)?.index || length)
}

/** Text on one line, as it can be shown. Cut with `…` at `max` code units. Null if nothing is left of it. */
export function shownLine(text: string | null | undefined, max: number): string | null {
  if (text && text.length <= max && plain.test(text)) return text
  const line = text?.slice(0, max * 16).replace(space, ' ')
  return shownLines(line, max)?.replace(/ +/g, ' ') ?? null
}

/** A name. Null if it is missing, or nothing of it can be shown. */
export const nameOrNull = stringOrNull.transform((text) => shownLine(text, maxName))

/** The same for a value of any kind: `unreadable` if it is no text. */
export const lenientName = lenientString.transform(ifThere((text) => shownLine(text, maxName)))

/** A symbol. Null if nothing of it can be shown, `unreadable` if it is no text. */
export const lenientSymbol = lenientString.transform(ifThere((text) => shownLine(text, maxSymbol)))

/** A description of several lines. Null if nothing of it can be shown, `unreadable` if it is no text. */
export const lenientDescription = lenientString.transform(ifThere((text) => shownLines(text, maxDescription)))
