import { formatAmount } from '@portolan/client/amounts'
import type { Fact } from './fact.ts'

/** Decimal places of a value in dollars. Small rewards have less than a cent, so that cents would lose them. */
const places = 8

const sizeOf = (value: bigint): bigint => (value < 0n ? -value : value)

/**
 * What an amount was worth in dollars, without its sign and rounded once. The value of a change is in proportion to its
 * amount, of which a fact can be a part. Null if it is not known, or too small to be told.
 */
export function toWorth({ amount, change }: Fact): string | null {
  const all = sizeOf(BigInt(change.amount))
  if (change.usdValueAtTime === null || all === 0n) return null
  const [whole = '', fraction = ''] = change.usdValueAtTime.split('.')
  const dividend = sizeOf(BigInt(whole + fraction) * amount) * 10n ** BigInt(places)
  const divisor = all * 10n ** BigInt(fraction.length)
  const units = (2n * dividend + divisor) / (2n * divisor)
  return units === 0n ? null : formatAmount(units, places)
}
