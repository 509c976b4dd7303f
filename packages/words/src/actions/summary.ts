import type { Action, ActionAmount, Piece } from './action.ts'
import { createFunctionNames, type NameOfFunction } from './functionNames.ts'
import { withAddress } from './sentence.ts'

/** Writes an amount, such as `12 INIT`. */
export type WriteAmount = (amount: ActionAmount) => string

const namedAmounts = 3

/** An amount in base units with its denom: what can be said without knowing the decimal places. */
export const rawAmount: WriteAmount = ({ denom, metadata, amount }) => {
  const coin = denom === null ? `token ${identifier(metadata ?? '', 6)}` : identifier(denom, 14)
  return `${baseUnits(amount)} of ${coin}`
}

/** A number of base units, with all digits that a supply can have: `77 base units`, `115.7 × 10^75 base units`. */
function baseUnits(amount: bigint): string {
  const digits = `${amount}`
  if (amount === 1n) return '1 base unit'
  if (digits.length <= longestExact) return `${digits} base units`
  const exponent = 3 * Math.floor((digits.length - 1) / 3)
  const head = digits.length - exponent
  const fraction = digits.slice(head, significantDigits).replace(/0+$/, '')
  return `${digits.slice(0, head)}${fraction && `.${fraction}`} × 10^${exponent} base units`
}

/** A number with more digits is shortened: it stands for "without a limit". */
const longestExact = 30
const significantDigits = 4

/** An amount in whole units, with all its digits: `1500000` of 6 decimals is `1.5`. */
export function wholeUnits(amount: bigint, decimals: number): string {
  const digits = String(amount).padStart(decimals + 1, '0')
  const split = digits.length - decimals
  const fraction = digits.slice(split).replace(/0+$/, '')
  return fraction ? `${digits.slice(0, split)}.${fraction}` : digits.slice(0, split)
}

/** An amount in whole units with a symbol, which is of any length and any characters. */
export const wholeAmount = (whole: string, symbol: string): string => `${whole} ${cleanText(symbol, 24)}`

/** The name that an address is known by, of any length and any characters. Undefined if it has none. */
export type NameOf = (address: string) => string | undefined

/** How the parts of a sentence are written that nobody knows by the transaction alone. */
export interface Wording {
  /** Default: base units. */
  readonly writeAmount?: WriteAmount
  /** The place of an amount among others, least first. Default: coins without a path in their denom. */
  readonly rankOf?: (amount: ActionAmount) => number
  readonly nameOf?: NameOf
  readonly nameOfFunction?: NameOfFunction
}

/** A plain sentence about an action, such as `Delegated 12 INIT to initvaloper1qqqq…abcdef`. */
export function summaryOf(
  { says: { verb, pieces }, isSuccessful, executor, actor }: Action,
  wording: Wording = {},
): string {
  const [past, base] = verb
  const by: readonly Piece[] = executor ? [', executed by ', { address: executor }, ...withAddress('for', actor)] : []
  const rest = [...pieces, ...by].map((piece) => write(piece, wording)).join('')
  return `${isSuccessful ? past : `Tried to ${base}`}${rest}`
}

const commonNames = createFunctionNames()

/** The bank module sorts coins by their denoms, so that `ibc/…` comes before the coin of the chain itself. */
export const ownFirst = ({ denom }: ActionAmount): number => (denom === null || denom.includes('/') ? 1 : 0)

function write(piece: Piece, wording: Wording): string {
  const { writeAmount = rawAmount, rankOf = ownFirst, nameOf, nameOfFunction = commonNames } = wording
  if (typeof piece === 'string') return piece
  if ('address' in piece) {
    const name = nameOf?.(piece.address)
    return name ? properName(name) : unnamedAddress(piece.address)
  }
  if ('id' in piece) return identifier(piece.id, 60)
  if ('called' in piece) return nameOfFunction(piece.called) ?? unnamed(piece.called)
  if ('quoted' in piece) return quoted(piece.quoted, 60)
  const { amounts, otherwise } = piece
  if (amounts.length === 0) return otherwise
  const more = amounts.length - namedAmounts
  const named = amounts
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .slice(0, namedAmounts)
    .map(writeAmount)
  return listOf(more > 0 ? [...named, `${more} more`] : named)
}

/** A function without a name: of a Move module with its place, or of an EVM contract. */
function unnamed(called: string): string {
  const [address = '', ...names] = called.split('::')
  return names.length > 0 ? `${identifier(address, 6)}::${names.join('::')}` : 'a function'
}

/** An address, in its middle cut. The recipient of a call has names of Move behind it. */
function unnamedAddress(address: string): string {
  const [first = '', ...names] = address.split('::')
  const isFunction = names.length > 0 && names.every((name) => /^\w{1,64}$/.test(name))
  return isFunction ? [identifier(first, 6), ...names].join('::') : identifier(address, 6)
}

/** A list in words: `a, b and c`. */
export const listOf = (items: readonly string[]): string =>
  items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`

/** An identifier, in its middle cut, if it cannot be taken for words. Any other text is in quotation marks. */
function identifier(id: string, head: number): string {
  return /^[\w.:()[\],#+/-]+$/.test(id) ? shortText(id, head, 6) : quoted(id, 40)
}

/** A name as it is if it cannot be taken for more of the sentence: capital words, none of them an address. */
const properName = (name: string): string =>
  /^\p{Lu}[\p{L}\p{N}]*( \p{Lu}[\p{L}\p{N}]*){0,3}$/u.test(name) && [...name].length <= 40 ? name : quoted(name, 40)

const quoted = (text: string, max: number): string => `“${cleanText(text.replace(/[“”"]/g, "'"), max)}”`

// Texts of chains can be of any length, and have characters that hide or reorder what stands around them.

/** Control, format (bidi marks among them), unassigned and private characters, and separators of lines. */
const hidden = /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Zl}\p{Zp}]+/gu

/**
 * A text of a chain that can stand in a line: without hidden characters, with at most two marks on a letter, on one
 * line, and cut to `max` characters.
 */
export function cleanText(text: string, max: number): string {
  // Four UTF-16 units hold a character and its marks. The rest is cut before the slower steps below.
  const plain = text
    .slice(0, 8 * max)
    .replace(/\s+/g, ' ')
    .replace(hidden, '')
    .replace(/(\p{M}{2})\p{M}+/gu, '$1')
    .trim()
  const characters = [...plain]
  if (characters.length <= max) return plain
  return `${characters.slice(0, max - 1).join('')}…`
}

/** A long identifier by its beginning and its end. The prefix of a bech32 address stays whole. */
export function shortText(text: string, head: number, tail: number): string {
  const clean = cleanText(text, 300)
  const prefix = /^[a-z]{1,20}1(?=[02-9ac-hj-np-z]{20})|^0x/.exec(clean)?.[0] ?? ''
  const characters = [...clean]
  if (characters.length <= prefix.length + head + tail + 1) return clean
  const start = characters.slice(0, prefix.length + head).join('')
  return `${start}…${characters.slice(-tail).join('')}`
}
