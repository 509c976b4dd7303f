import { plainOf, separatorsOf } from './amounts/separators.ts'

/** How an amount is written. */
export interface FormatOptions {
  /** The language of its digits and separators, such as `de`. Default: plain digits with a point. */
  readonly locale?: string | undefined
  /** The most decimal places. The rest is cut off, never rounded up. Default: all. */
  readonly maxPlaces?: number | undefined
  /** The fewest decimal places, filled with zeros. Default: 0. */
  readonly minPlaces?: number | undefined
}

/** The most decimal places that an asset can have: the EVM keeps them in one byte. */
const maxDecimals = 255

function checkDecimals(decimals: number): void {
  const isPossible = Number.isInteger(decimals) && decimals >= 0 && decimals <= maxDecimals
  if (!isPossible) throw new RangeError(`An asset cannot have ${decimals} decimal places.`)
}

/**
 * An amount in base units as whole units, exactly. What is too small for `maxPlaces` but not zero is written as less
 * than the smallest amount that fits, such as `<0.01`.
 * @throws RangeError if no asset can have that many decimal places. SyntaxError if the amount is no integer.
 */
export function formatAmount(amount: bigint | string, decimals: number, options: FormatOptions = {}): string {
  checkDecimals(decimals)
  const value = BigInt(amount)
  const digits = String(value < 0n ? -value : value).padStart(decimals + 1, '0')
  const end = digits.length - decimals
  return written(value < 0n, digits.slice(0, end), digits.slice(end), options)
}

/**
 * A decimal number, such as a price or a value in dollars of the graph, as an amount is written.
 * @throws SyntaxError if the text is no decimal number.
 */
export function formatDecimal(value: string, options: FormatOptions = {}): string {
  const [, sign, whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d*))?$/.exec(value) ?? []
  if (whole === '') throw new SyntaxError(`Not a decimal number: ${value}`)
  return written(sign === '-', String(BigInt(whole)), fraction, options)
}

function written(
  isNegative: boolean,
  whole: string,
  fraction: string,
  { locale, maxPlaces = maxDecimals, minPlaces = 0 }: FormatOptions,
): string {
  const { decimal, minus, digits, group } = separatorsOf(locale)
  const kept = fraction.slice(0, maxPlaces)
  const isCutToZero = /[1-9]/.test(fraction) && !/[1-9]/.test(whole + kept)
  const places = isCutToZero
    ? kept.replace(/.$/, '1')
    : kept.replace(/0+$/, '').padEnd(Math.min(minPlaces, maxPlaces), '0')
  const units = isCutToZero && places === '' ? '1' : whole
  const isZero = !/[1-9]/.test(units + places)
  const localized = (text: string) => text.replace(/\d/g, (digit) => digits[Number(digit)] ?? digit)
  const text = `${group(units)}${places && `${decimal}${localized(places)}`}`
  const mark = isCutToZero ? (isNegative ? '>' : '<') : ''
  return `${mark}${isNegative && !isZero ? minus : ''}${text}`
}

/** How an amount was written. */
export interface ParseOptions {
  /** The language whose separators it has. Default: a point, and no groups. */
  readonly locale?: string | undefined
}

/**
 * The base units of an amount in whole units, as a person writes it. Exact for any number of digits.
 * @throws RangeError if it has more decimal places than the asset, or no asset can have that many.
 * SyntaxError if it is no number of that language: groups of digits have to be where the language has them.
 */
export function parseAmount(text: string, decimals: number, options: ParseOptions = {}): bigint {
  checkDecimals(decimals)
  const plain = plainOf(text, options.locale)
  const [, sign, whole = '', fraction = ''] = /^(-?)(\d*)(?:\.(\d*))?$/.exec(plain ?? '') ?? []
  if (whole + fraction === '') throw new SyntaxError(`Not an amount: ${text}`)
  if (fraction.replace(/0+$/, '').length > decimals) {
    throw new RangeError(`The asset has only ${decimals} decimal places: ${text}`)
  }
  const value = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
  return sign ? -value : value
}
