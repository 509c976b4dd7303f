// Exact calculation with decimal texts that have no exponent, such as `-0.50`.

/** A decimal number as a count of units. A unit is 1 in the last of `places` decimal places. */
interface Scaled {
  readonly units: bigint
  readonly places: number
}

function parseScaled(value: string): Scaled {
  const [whole = '', fraction = ''] = value.split('.')
  return { units: BigInt(`${whole}${fraction}`), places: fraction.length }
}

function decimalText({ units, places }: Scaled): string {
  const digits = String(units < 0n ? -units : units).padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places)
  const sign = units < 0n ? '-' : ''
  return places === 0 ? `${sign}${whole}` : `${sign}${whole}.${digits.slice(-places)}`
}

const withoutEndingZeros = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text)

/** The exact sum of decimal numbers, with the most decimal places of any of them. */
export function sumDecimals(values: readonly string[]): string {
  const all = values.map(parseScaled)
  const places = Math.max(0, ...all.map((value) => value.places))
  const units = all.reduce((sum, value) => sum + value.units * 10n ** BigInt(places - value.places), 0n)
  return decimalText({ units, places })
}

/** The exact product of two decimal numbers, without zeros at its end. */
export function decimalProduct(left: string, right: string): string {
  const [a, b] = [parseScaled(left), parseScaled(right)]
  return withoutEndingZeros(decimalText({ units: a.units * b.units, places: a.places + b.places }))
}

/** The most decimal places that an asset can have: 10^77 is the largest unit in 256 bits. */
const maxDecimals = 77

/**
 * An amount in base units as a decimal number of whole units, without zeros at its end. Null for a number
 * of decimal places that no asset can have.
 */
export function inWholeUnits(amount: bigint, decimals: number): string | null {
  if (decimals < 0 || decimals > maxDecimals) return null
  return withoutEndingZeros(decimalText({ units: amount, places: decimals }))
}

/**
 * The share of a part in a whole in percent, from 0 to 100, rounded down to 16 decimal places and without zeros at its
 * end. Null for a share of nothing.
 */
export function toPercent(part: bigint, whole: bigint): string | null {
  if (whole <= 0n) return null
  return withoutEndingZeros(decimalText({ units: (part * 10n ** 18n) / whole, places: 16 }))
}
