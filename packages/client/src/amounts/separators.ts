/** How a language writes numbers. */
export interface Separators {
  readonly decimal: string
  readonly minus: string
  /** Its ten digits, from zero. */
  readonly digits: readonly string[]
  /** Whole digits in its own digits and groups. */
  readonly group: (whole: string) => string
}

const plain: Separators = {
  decimal: '.',
  minus: '-',
  digits: [...'0123456789'],
  group: (whole) => whole,
}

/** The separators of a language. Without one, those of JSON. */
export function separatorsOf(locale: string | undefined): Separators {
  if (locale === undefined) return plain
  const format = new Intl.NumberFormat(locale)
  const parts = format.formatToParts(-1.5)
  const partOf = (type: string) => parts.find((part) => part.type === type)?.value
  return {
    decimal: partOf('decimal') ?? '.',
    minus: partOf('minusSign') ?? '-',
    digits: [...'0123456789'].map((digit) => format.format(Number(digit))),
    group: (whole) => format.format(BigInt(whole)),
  }
}

/** Spaces and apostrophes that languages put between groups, as people type them. */
const typed = (text: string): string => text.replace(/\s/gu, ' ').replace(/\u2019/gu, "'")

/** Marks of the direction of writing, and all that may be a minus. */
const withoutMarks = (text: string): string => text.replace(/[\u061c\u200e\u200f]/gu, '').replace(/\u2212/gu, '-')

/** A number as JSON has it. Undefined if the language groups its digits in another way. */
export function plainOf(text: string, locale: string | undefined): string | undefined {
  const { decimal, digits, group } = separatorsOf(locale)
  const input = withoutMarks(typed(text.trim()))
  const unsigned = input.replace(/^-/, '')
  const [whole = '', fraction, ...more] = unsigned.split(decimal)
  if (more.length > 0) return undefined
  const asciiOf = (part: string) =>
    [...part].map((sign) => (digits.includes(sign) ? digits.indexOf(sign) : sign)).join('')
  const ascii = asciiOf(whole)
  const figures = ascii.replace(/\D/g, '')
  const isGrouped = figures !== ascii
  if (isGrouped) {
    if (figures === '') return undefined
    const expected = asciiOf(withoutMarks(typed(group(String(BigInt(figures))))))
    if (expected !== ascii) return undefined
  }
  const sign = unsigned === input ? '' : '-'
  return `${sign}${figures}${fraction === undefined ? '' : `.${asciiOf(fraction)}`}`
}
