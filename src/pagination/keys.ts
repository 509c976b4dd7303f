import type { KeysetField } from './source.ts'

/** The page key that bounds a keyset list at a number. */
export const encodeKey = (field: KeysetField, value: bigint): string =>
  Buffer.from(`{"${field}":${value}}`).toString('base64')

/** The number in the page key of a keyset list. Undefined if the key has another form. */
export function decodeKey(field: KeysetField, key: string): bigint | undefined {
  const digits = numberIn[field].exec(decodeBase64(key))?.[1]
  return digits === undefined ? undefined : BigInt(digits)
}

/** Whether a page key counts records, as those of an offset list do. */
export const isOffsetKey = (key: string): boolean => /^\d+$/.test(decodeBase64(key))

const numberIn: Readonly<Record<KeysetField, RegExp>> = {
  height: /^\{"height":\s*(\d{1,19})\}$/,
  sequence: /^\{"sequence":\s*(\d{1,19})\}$/,
}

const decodeBase64 = (text: string): string => Buffer.from(text, 'base64').toString()
