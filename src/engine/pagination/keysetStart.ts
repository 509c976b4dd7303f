import { badInput } from '../upstream/error.ts'
import type { KeysetPosition } from './cursor.ts'
import { decodeKey, encodeKey } from './keys.ts'
import { fetchPage, nonMonotonicPage } from './page.ts'
import type { KeysetField, UpstreamList } from './source.ts'

/** Where the next page starts. */
export interface KeysetStart {
  /** The number of the key to send. Null for the first page of the list in this direction. */
  readonly bound: bigint | null
  /** Records to drop from the start of the page. */
  readonly skip: number
  /** A key, and how many records the first record of the page is beyond it. Null if none is known. */
  readonly reference: { readonly key: bigint; readonly offset: 0 | 1 } | null
}

/** The start of a list, or of its range, in the direction of the read. */
export function headOf<T>({ range }: Pick<UpstreamList<T>, 'range'>, isReverse: boolean): KeysetStart {
  const key = isReverse ? range?.below : range?.above
  if (key === undefined) return { bound: null, skip: 0, reference: null }
  return { bound: key, skip: 0, reference: { key, offset: 1 } }
}

/** The largest distance of a record to its key: the longest page. A larger one is not from a cursor of ours. */
const maxOffset = 1000

/** The start of the page after a position, in the direction of the read. */
export function startAfter<T>(
  list: UpstreamList<T>,
  field: KeysetField,
  { key, offset }: KeysetPosition,
  isForward: boolean,
): KeysetStart | Promise<KeysetStart> {
  const distance = Math.abs(offset)
  if (distance > maxOffset) throw badInput('Invalid cursor.', 'INVALID_CURSOR')
  const isReverse = list.isDescending === isForward
  const isBeyondKey = offset > 0 === isForward
  if (distance === 0 || isBeyondKey) {
    // Reading on from the key passes the records up to this one.
    return { bound: key, skip: distance, reference: { key, offset: 1 } }
  }
  if (distance === 1) {
    // The next record is the one of the key. A bound one further includes it.
    return { bound: isReverse ? key + 1n : key - 1n, skip: 0, reference: { key, offset: 0 } }
  }
  return readBack(list, field, { key, distance }, isReverse)
}

/**
 * The start of the page after a record that is before the one of a key: the next key of a page that ends at
 * this record is the key of the record. A cap may cut that page.
 */
async function readBack<T>(
  list: UpstreamList<T>,
  field: KeysetField,
  { key, distance }: { readonly key: bigint; readonly distance: number },
  isReverse: boolean,
): Promise<KeysetStart> {
  for (let [from, left] = [key, distance]; ; ) {
    const query = { key: encodeKey(field, from), limit: left, isReverse: !isReverse }
    const page = await fetchPage(list, query)
    if (page && (page.nextKey === null || page.items.length === 0)) {
      // Some upstreams send no key at the end of a list. This record is then the first in this direction.
      if (page.items.length >= left) return { ...headOf(list, isReverse), skip: 1 }
      // There is no such record: the position names the place before the first one, which is that of `from`.
      if (from === key) return headOf(list, isReverse)
      return {
        bound: isReverse ? from + 1n : from - 1n,
        skip: 0,
        reference: { key: from, offset: 0 },
      }
    }
    const lastKey = page?.nextKey ? decodeKey(field, page.nextKey) : undefined
    if (!page || lastKey === undefined) {
      throw nonMonotonicPage('The upstream changed the form of its keys.')
    }
    checkProgress(from, lastKey, !isReverse)
    left -= page.items.length
    if (left <= 0) return { bound: lastKey, skip: 0, reference: { key: lastKey, offset: 1 } }
    from = lastKey
  }
}

/** Throws unless the key of a page lies beyond the key that the page was requested with. */
export function checkProgress(bound: bigint | null, lastKey: bigint | null, isReverse: boolean): void {
  if (bound === null || lastKey === null) return
  if (bound === lastKey) throw nonMonotonicPage('The upstream returned the same page key twice.')
  const isOutOfOrder = isReverse ? lastKey > bound : lastKey < bound
  if (isOutOfOrder) {
    throw nonMonotonicPage('The upstream returned its page keys out of order.')
  }
}

/** Whether a record is beyond a bound, as far as the record itself shows it. */
export function isBeyond<T>({ keyOf }: UpstreamList<T>, item: T, bound: bigint | null, isReverse: boolean): boolean {
  const key = keyOf?.(item)
  return key === undefined || bound === null || (isReverse ? key < bound : key > bound)
}
