// Decimal numbers as texts: a JavaScript number would round them.

/** The most digits before the point, and after it: a 256-bit integer has 78. */
const maxDigits = 78

const decimal = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,4}))?$/i

/** A decimal number without its exponent and with all its digits. Undefined for any other text, or too many digits. */
export function plainDecimal(text: string): string | undefined {
  if (text.length > 3 * maxDigits) return undefined
  const [, sign, whole, fraction = '', exponent] = decimal.exec(text) ?? []
  if (sign === undefined || whole === undefined) return undefined
  if (exponent === undefined) {
    return whole.length > maxDigits || fraction.length > maxDigits ? undefined : text
  }
  const shift = Number(exponent)
  if (Math.abs(shift) > 2 * maxDigits) return isZero(whole + fraction) ? '0' : undefined
  const digits = shift > 0 ? whole + fraction.padEnd(shift, '0') : whole.padStart(1 - shift, '0') + fraction
  const point = shift > 0 ? whole.length + shift : Math.max(1, whole.length + shift)
  const before = digits.slice(0, point).replace(/^0+(?=\d)/, '')
  const after = digits.slice(point).replace(/0+$/, '')
  if (before.length > maxDigits || after.length > maxDigits) return undefined
  if (isZero(before + after)) return '0'
  return `${sign}${before}${after && `.${after}`}`
}

/** The digits of a whole number, however it is written. Undefined for any other text, or too many digits. */
export const wholeDigits = (text: string): string | undefined =>
  /^(-?\d+)(?:\.0+)?$/.exec(plainDecimal(text) ?? '')?.[1]

const isZero = (digits: string): boolean => /^0*$/.test(digits)
