import { bytesOf } from '../addresses/bytes.ts'
import type { Action, ActionAmount, ChainReference, Piece } from './action.ts'
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

/** A part of a sentence: its text, and what it names. Words name nothing. */
export interface SummaryPart {
  readonly text: string
  readonly names?: ChainReference | { readonly amount: ActionAmount }
}

/** A plain sentence about an action, such as `Delegated 12 INIT to initvaloper1qqqq…abcdef`. */
export const summaryOf = (action: Action, wording: Wording = {}): string =>
  writeAll(action, wording)
    .map((part) => (typeof part === 'string' ? part : part.text))
    .join('')

/** The sentence about an action in its parts, whose texts together are the sentence. Words between two names are one part. */
export function summaryParts(action: Action, wording: Wording = {}): readonly SummaryPart[] {
  const parts: SummaryPart[] = []
  let words = ''
  for (const part of writeAll(action, wording)) {
    if (typeof part === 'string') words += part
    else if (isNoAddress(part)) words += part.text
    else {
      if (words) parts.push({ text: words })
      parts.push(part)
      words = ''
    }
  }
  return words ? [...parts, { text: words }] : parts
}

/** Whether a part stands where an address should, and is none, such as a function of Move. Other chains have other forms. */
function isNoAddress({ names }: SummaryPart): boolean {
  if (names === undefined) return false
  if ('remoteAddress' in names) return !/^[0-9A-Za-z]{2,100}$/.test(names.remoteAddress)
  return 'address' in names && bytesOf(names.address) === null
}

function writeAll(
  { says: { verb, pieces }, isSuccessful, executor, actor }: Action,
  wording: Wording,
): readonly (string | SummaryPart)[] {
  const [past, base] = verb
  const by: readonly Piece[] = executor ? [', executed by ', { address: executor }, ...withAddress('for', actor)] : []
  return [isSuccessful ? past : `Tried to ${base}`, ...[...pieces, ...by].flatMap((piece) => write(piece, wording))]
}

const commonNames = createFunctionNames()

/** The bank module sorts coins by their denoms, so that `ibc/…` comes before the coin of the chain itself. */
export const ownFirst = ({ denom }: ActionAmount): number => (denom === null || denom.includes('/') ? 1 : 0)

/** A piece in words, or in parts if it names something. */
function write(piece: Piece, wording: Wording): string | SummaryPart | readonly (string | SummaryPart)[] {
  const { nameOf, nameOfFunction = commonNames } = wording
  if (typeof piece === 'string') return piece
  if ('amounts' in piece) return piece.amounts.length > 0 ? writeAmounts(piece.amounts, wording) : piece.otherwise
  if ('address' in piece) {
    const name = nameOf?.(piece.address)
    return { text: name ? properName(name) : unnamedAddress(piece.address), names: piece }
  }
  if ('remoteAddress' in piece) return { text: unnamedAddress(piece.remoteAddress), names: piece }
  if ('channel' in piece) return { text: identifier(piece.channel, 60), names: piece }
  if ('nft' in piece) return { text: `NFT ${identifier(piece.nft.tokenId, 60)}`, names: piece }
  if ('id' in piece) return identifier(piece.id, 60)
  if ('called' in piece) return nameOfFunction(piece.called) ?? unnamed(piece.called)
  return quoted(piece.quoted, 60)
}

/** The first of the amounts, and how many more there are. */
function writeAmounts(amounts: readonly ActionAmount[], { writeAmount = rawAmount, rankOf = ownFirst }: Wording) {
  const more = amounts.length - namedAmounts
  const named = amounts
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .slice(0, namedAmounts)
    .map((amount): SummaryPart => ({ text: writeAmount(amount), names: { amount } }))
  return listOf<SummaryPart | string>(more > 0 ? [...named, `${more} more`] : named)
}

/** A function without a name: of a Move module with its place, or of an EVM contract. */
function unnamed(called: string): string | readonly (string | SummaryPart)[] {
  const [address = '', ...names] = called.split('::')
  if (!areNames(names)) return 'a function'
  return [{ text: identifier(address, 6), names: { address } }, `::${names.join('::')}`]
}

/** Whether these are the names of a module and of a function in it. */
const areNames = (names: readonly string[]): boolean =>
  names.length === 2 && names.every((name) => /^\w{1,64}$/.test(name))

/** An address, in its middle cut. The recipient of a call has names of Move behind it. */
function unnamedAddress(address: string): string {
  const [first = '', ...names] = address.split('::')
  return areNames(names) ? [identifier(first, 6), ...names].join('::') : identifier(address, 6)
}

/** A list with the words between its items: `a, b and c`. */
export const listOf = <Item>(items: readonly Item[]): readonly (Item | string)[] =>
  items.flatMap((item, index) => [...(index === 0 ? [] : [index === items.length - 1 ? ' and ' : ', ']), item])

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
