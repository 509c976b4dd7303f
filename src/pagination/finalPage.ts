import type { Page } from '../wire/decode.ts'
import { decodeKey } from './keys.ts'
import type { KeysetField, PageQuery } from './source.ts'

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
