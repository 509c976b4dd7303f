import type { Page } from '../wire/decode.ts'
import type { PageQuery } from './page.ts'
import type { KeysetField } from './source.ts'

/** The page key that bounds a keyset list at a number. */
export const encodeKey = (field: KeysetField, value: bigint): string =>
  Buffer.from(`{"${field}":${value}}`).toString('base64')

/** The number in the page key of a keyset list. Undefined if the key has another form. */
export function decodeKey(field: KeysetField, key: string): bigint | undefined {
  const digits = numberIn[field].exec(decodeBase64(key))?.[1]
  return digits === undefined ? undefined : BigInt(digits)
}

const numberIn: Readonly<Record<KeysetField, RegExp>> = {
  height: /^\{"height":\s*(\d{1,19})\}$/,
  sequence: /^\{"sequence":\s*(\d{1,19})\}$/,
}

const decodeBase64 = (text: string): string => Buffer.from(text, 'base64').toString()

/** A list that only grows, after its newest record. Its records never change or leave. */
export interface AppendOnlyList {
  /** The number in its keys, which counts the records of the whole service without gaps. */
  readonly field: KeysetField
  /** The final number of records in the list, if it is known. */
  readonly size?: bigint | undefined
}

/**
 * Whether a page can never change: it has all records of the list, or as many as were requested from a
 * key, with consecutive numbers. A missing number could still be filled, and a short page can grow.
 */
export function isFinalPage(
  { field, size }: AppendOnlyList,
  { key, offset, limit }: PageQuery,
  { items: { length }, nextKey }: Page<unknown>,
): boolean {
  if (offset !== undefined) return false
  if (key === undefined) return size !== undefined && BigInt(length) === size
  const [first, last] = [decodeKey(field, key), nextKey === null ? null : decodeKey(field, nextKey)]
  if (length !== limit || first === undefined || last === undefined || last === null) return false
  const distance = first > last ? first - last : last - first
  return distance === BigInt(limit)
}
