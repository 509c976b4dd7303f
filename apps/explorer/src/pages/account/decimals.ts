/** The exact sum of decimals. Undefined if one of them is unknown, or without any. */
export function addDecimals(values: readonly (string | null | undefined)[]): string | undefined {
  if (values.length === 0) return undefined
  let digits = 0
  const parts: (readonly [sign: string, whole: string, fraction: string])[] = []
  for (const value of values) {
    const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(value ?? '') ?? []
    if (whole === '') return undefined
    digits = Math.max(digits, fraction.length)
    parts.push([sign, whole, fraction])
  }
  const sum = parts.reduce(
    (all, [sign, whole, fraction]) => all + BigInt(sign + whole + fraction.padEnd(digits, '0')),
    0n,
  )
  const text = `${sum < 0n ? -sum : sum}`.padStart(digits + 1, '0')
  const fraction = text.slice(text.length - digits).replace(/0+$/, '')
  return `${sum < 0n ? '-' : ''}${text.slice(0, text.length - digits)}${digits > 0 && fraction ? `.${fraction}` : ''}`
}
