/** Numbers and times, in the time zone of the reader. */

/** That of the words of the pages: "3.258" between them would be another number where a point separates thousands. */
const locale = 'en-US'

const whole = new Intl.NumberFormat(locale)
const money = new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD' })
const digits = new Intl.NumberFormat(locale, { maximumFractionDigits: 20 })
const signedDigits = new Intl.NumberFormat(locale, { maximumFractionDigits: 20, signDisplay: 'exceptZero' })
const share = new Intl.NumberFormat(locale, {
  style: 'percent',
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
})
const dateTime = new Intl.DateTimeFormat(locale, {
  ...{ year: 'numeric', month: 'short', day: 'numeric' },
  ...{ hour: 'numeric', minute: '2-digit', second: '2-digit', timeZoneName: 'short' },
})

/** A whole number, or the exact digits of one. */
export const count = (value: number | string): string => whole.format(value as number)

/** A value in US dollars, of exact digits. Undefined without a value. */
export function dollars(value: string | null | undefined): string | undefined {
  if (value == null) return undefined
  const isTiny = Math.abs(Number(value)) < 0.01 && Number(value) !== 0
  if (isTiny) return `<${money.format(0.01)}`
  return joined(money.formatToParts(value as unknown as number))
}

/** The text of a number. The true minus sign is as wide as a plus sign. */
const joined = (parts: readonly Intl.NumberFormatPart[]): string =>
  parts.map(({ type, value }) => (type === 'minusSign' ? value.replace('-', '−') : value)).join('')

/** Digits of the fraction of an amount, unless more are needed for as many that are not zero. */
const usualDigits = 6

/** What is before and after the decimal sign. */
export interface DecimalParts {
  readonly whole: string
  readonly fraction: string
}

/**
 * The parts of an exact decimal, with thousands grouped: six digits of its fraction, or its first six digits. It is never
 * rounded, so that no amount is shown as more than it is, or as nothing.
 */
export function decimal(value: string, isSigned = false): DecimalParts {
  const parts = (isSigned ? signedUsual : usual).formatToParts(value as unknown as number)
  const at = parts.findIndex(({ type }) => type === 'decimal')
  return at < 0
    ? { whole: joined(parts), fraction: '' }
    : { whole: joined(parts.slice(0, at)), fraction: joined(parts.slice(at)) }
}

const cut = { roundingPriority: 'morePrecision', roundingMode: 'trunc' } as const
const usualForm = { maximumFractionDigits: usualDigits, maximumSignificantDigits: usualDigits, ...cut }
const usual = new Intl.NumberFormat(locale, usualForm)
const signedUsual = new Intl.NumberFormat(locale, { ...usualForm, signDisplay: 'exceptZero' })

const six = new Intl.NumberFormat(locale, { maximumSignificantDigits: 6, maximumFractionDigits: 0, ...cut })

/** An amount with six significant digits, or with all that stand before its decimal sign. It is never rounded up. */
export const brief = (value: string): string => six.format(value as unknown as number)

/** All digits of an exact decimal, with thousands grouped. */
export const exact = (value: string, isSigned = false): string =>
  joined((isSigned ? signedDigits : digits).formatToParts(value as unknown as number))

/** A share in percent. One below a hundredth of a percent is not shown as nothing. */
export function percent(value: string): string {
  const number = Number(value)
  if (number === 0 || Math.abs(number) >= 0.01) return share.format(number / 100)
  return number > 0 ? `<${share.format(0.0001)}` : `>${share.format(-0.0001)}`
}

/** A long text as titles have it: its start and its end. */
export const shortened = (value: string): string =>
  value.length > 20 ? `${value.slice(0, 8)}…${value.slice(-6)}` : value

/** The texts in the order of the numbers in them. */
export const byNumber = (a: string, b: string): number => a.localeCompare(b, locale, { numeric: true })

/** An amount in the smallest unit as an exact decimal, for `exact`. */
export function scaled(amount: string, decimals: number): string {
  const digits = amount.replace('-', '').padStart(decimals + 1, '0')
  const sign = amount.startsWith('-') ? '-' : ''
  const end = digits.length - decimals
  const fraction = digits.slice(end).replace(/0+$/, '')
  return `${sign}${digits.slice(0, end)}${fraction && `.${fraction}`}`
}

/** A decimal with its point moved to the left, by a negative number to the right. For `exact`. */
export function scaledDecimal(value: string, decimals: number): string {
  const [whole = '', fraction = ''] = value.split('.')
  const moved = fraction.length + decimals
  return scaled(whole + fraction + '0'.repeat(Math.max(0, -moved)), Math.max(0, moved))
}

/** The local time, with its zone. */
export const localTime = (time: string): string => dateTime.format(new Date(time))

/** Digits as ISO 8601 has them, which Swedish dates are. */
const isoDate = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium' })

/** The local date and time in few characters, such as `2026-11-28 14:03:22`. */
export const localDate = (time: string): string => isoDate.format(new Date(time))

/** The time in UTC, for a tooltip. */
export const utcTime = (time: string): string => `${time.replace('T', ' ').replace(/Z$/, '')} UTC`

/** The time zone of the reader at a time, as times are shown with it. Summer time has another name. */
export const zoneName = (time?: string): string =>
  dateTime.formatToParts(time ? new Date(time) : undefined).find(({ type }) => type === 'timeZoneName')?.value ?? ''

/** A time in UTC to the minute where it has no seconds, such as `2026-11-29T05:00Z`. A time without a zone is local. Empty for other texts. */
export function utcOf(time: string): string {
  const date = new Date(time)
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().replace(/(:00)?\.\d+Z$/, 'Z')
}

/** A time as a field for local times has it, such as `2026-11-29T00:00`. While a year is typed, it has zeros before it. */
export const fieldTime = (time: string): string =>
  time === '' ? '' : localDate(time).padStart(19, '0').replace(' ', 'T').replace(/:00$/, '')

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const
const present = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
const relative = new Intl.RelativeTimeFormat(locale, { style: 'narrow', numeric: 'always' })

const unitOf = (seconds: number) => units.find(([, size]) => Math.abs(seconds) >= size) ?? units[3]

/** How many seconds ago a time was, in whole units of the one that `ago` shows. Never more than it is. Negative for a time to come. */
export function ageOf(time: string, now: number): number {
  const seconds = (now - Date.parse(time)) / 1000
  // The clocks of a chain and of a reader differ.
  if (Math.abs(seconds) < 2) return 0
  const [, size] = unitOf(seconds)
  return Math.trunc(seconds / size) * size
}

/** An age in words. */
export function ago(age: number): string {
  if (age === 0) return present.format(0, 'second')
  const [unit, size] = unitOf(age)
  return relative.format(-age / size, unit)
}

/** A duration in words of the locale. */
export function duration(seconds: number): string {
  const unit = seconds < 90 ? 'second' : seconds < 5_400 ? 'minute' : 'hour'
  const size = { second: 1, minute: 60, hour: 3_600 }[unit]
  const digits = { maximumFractionDigits: unit === 'second' ? 1 : 0 }
  const style = { style: 'unit', unit, unitDisplay: 'short', ...digits } as const
  return new Intl.NumberFormat(locale, style).format(seconds / size)
}

/** Bytes in a unit that fits. */
export const bytes = (value: number): string =>
  new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: value < 1_000 ? 'byte' : value < 1_000_000 ? 'kilobyte' : 'megabyte',
    unitDisplay: value < 1_000 ? 'long' : 'short',
    maximumFractionDigits: 1,
  }).format(value / (value < 1_000 ? 1 : value < 1_000_000 ? 1_000 : 1_000_000))

/** The last part of a type URL, such as `Send` of `/cosmos.bank.v1beta1.MsgSend`. */
export const shortType = (typeUrl: string): string => typeUrl.split(/[./]/).at(-1)?.replace(/^Msg/, '') || typeUrl
