/** The exact sum of decimal numbers without exponents, with the most decimal places of any of them. */
export function sumOf(values: readonly string[]): string {
  const placesOf = (value: string) => value.split('.')[1]?.length ?? 0
  const places = Math.max(0, ...values.map(placesOf))
  const units = values.reduce(
    (sum, value) => sum + BigInt(value.replace('.', '') + '0'.repeat(places - placesOf(value))),
    0n,
  )
  const digits = String(units < 0n ? -units : units).padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places)
  const sign = units < 0n ? '-' : ''
  return places === 0 ? `${sign}${whole}` : `${sign}${whole}.${digits.slice(-places)}`
}
