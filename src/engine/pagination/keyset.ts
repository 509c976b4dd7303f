import type { Page } from '../wire/decode.ts'
import type { KeysetPosition, Position } from './cursor.ts'
import { decodeKey, encodeKey } from './keys.ts'
import { checkProgress, headOf, isBeyond, type KeysetStart, startAfter } from './keysetStart.ts'
import { paginateOpaque } from './opaque.ts'
import {
  fetchPage,
  type Item,
  isCountedPage,
  nonMonotonicPage,
  type PageResult,
  scanLimit,
  scanPage,
  takePage,
} from './page.ts'
import { isShortPage } from './pageCaps.ts'
import { paginateBeyond, undefinedIfRefused } from './refusedKeys.ts'
import type { KeysetField, UpstreamList } from './source.ts'

/*
 * Lists whose page keys bound their records: the key {"sequence":7} means "below 7" when the upstream
 * reads in descending order, and "above 7" in ascending order. The next key of a page holds the number
 * of its last record. The records themselves often do not show their numbers, so a record is named by
 * the key of its page and its distance to that key: (7, -1) is the record before the one of key 7.
 * That name stays right when records arrive at the head of the list.
 *
 * An example: ten records with the sequences 1 to 10, in descending order.
 *
 * One page forward, `first: 3`:
 *
 *   limit=4 reverse=true                    → 10 9 8 7, next_key eyJzZXF1ZW5jZSI6N30= ({"sequence":7})
 *
 * 4 records are requested, because the fourth shows that a next page exists. The page is 10 9 8. Their
 * positions are (7, -3), (7, -2) and (7, -1).
 *
 * The page after it, `first: 3, after: (7, -1)`: the record before the one of key 7 has a higher
 * sequence. Sequences can have gaps, so it may not be 8, but "below 8" begins with the record of key 7,
 * which is the next record.
 *
 *   key=eyJzZXF1ZW5jZSI6OH0= ({"sequence":8}) limit=4 reverse=true  → 7 6 5 4, and the page is 7 6 5
 *
 * One page back, `last: 2, before: (7, -1)`: the upstream reads in the other direction. The first
 * record above 7 is (7, -1) itself, so one record is skipped.
 *
 *   key=eyJzZXF1ZW5jZSI6N30= ({"sequence":7}) limit=4 reverse=false → 8 9 10, next_key {"sequence":10}
 *
 * 8 is dropped and the rest is turned round: the page is 10 9. This list has served a page of 4, so a
 * page of 3 is its end, and nothing precedes 10.
 *
 * A page of n records between two keys that are n apart has consecutive sequences, so each of its records
 * is named by its own: the page above, between the keys 8 and 4, has the positions (7, 0), (6, 0) and
 * (5, 0). A page after such a position costs one request.
 *
 * From a position further from its key, such as `after: (7, -2)`, two records are read back from 7:
 * limit=2 reverse=false gives 8 9, and the next key of that page is the key of the record itself.
 */

/**
 * Reads a list by keys that bound its records. A list whose first page shows keys of another form is
 * read as an opaque list.
 */
export async function paginateKeyset<T>(
  list: UpstreamList<T>,
  field: KeysetField,
  from: KeysetPosition | null,
  isForward: boolean,
  count: number,
): Promise<PageResult<T> | null> {
  const items: Item<T>[] = []
  const beginning = from ? startAfter(list, field, from, isForward) : headOf(list, list.isDescending === isForward)
  // Mostly there is nothing to wait for.
  const first: KeysetStart = beginning instanceof Promise ? await beginning : beginning
  let start = first
  let examined = 0
  for (;;) {
    const needed = start.skip + count + 1 - items.length
    const limit = list.filter && !list.stopAtUnmatchedPage ? scanPage : needed
    const isOwnKey = from !== null && start === first && list.keyOf && !list.range
    // The key of a record is made only if the upstream's own may have this form.
    if (isOwnKey && list.keys(list.isDescending === isForward).form() === 'opaque') {
      return paginateBeyond(list, start, isForward, count)
    }
    const reading = readPart(list, field, start, { limit, isForward })
    const part = await (isOwnKey ? reading.catch(undefinedIfRefused) : reading)
    if (part === null) return null
    if (part === undefined || (isOwnKey && part.isUnbounded)) return paginateBeyond(list, start, isForward, count)
    if (part.lastKey === undefined) {
      if (start.bound !== null || list.range) throw nonMonotonicPage('The upstream changed the form of its keys.')
      return paginateOpaque(list, null, isForward, count)
    }
    items.push(...part.accepted)
    examined += part.length

    const isUnmatched = part.length > start.skip && part.accepted.length === 0
    const hasEnded =
      part.lastKey === null ||
      part.isShort ||
      part.isPastRange ||
      (from === null && list.size !== undefined && examined >= list.size) ||
      (isUnmatched && list.stopAtUnmatchedPage === true)
    if (items.length > count || hasEnded) return takePage(items, count)
    if (list.filter && examined >= scanLimit && part.end) {
      return { items, hasMore: true, last: part.end }
    }
    start = {
      bound: part.lastKey,
      skip: Math.max(0, start.skip - part.length),
      reference: { key: part.lastKey, offset: 1 },
    }
  }
}

/** A page without what the list does not accept. */
interface Part<T> {
  readonly accepted: readonly Item<T>[]
  readonly length: number
  readonly end: Position | undefined
  readonly nextKey: string | null
  /** The number in its next key. Undefined for a key of another form. */
  readonly lastKey: bigint | null | undefined
  /** Whether the key had no effect: it has a record that is not beyond it, or a next key of another form. */
  readonly isUnbounded: boolean
  /** Whether a record of it is beyond the range of the list, so that no other is in it. */
  readonly isPastRange: boolean
  /** Whether it has fewer records than the list would give. */
  readonly isShort: boolean
}

/**
 * Reads a page, and leaves behind the records that the list does not accept: what a read holds while it
 * waits for its next page, it holds in memory. Null if the upstream does not serve the list.
 */
function readPart<T>(
  list: UpstreamList<T>,
  field: KeysetField,
  start: KeysetStart,
  { limit, isForward }: Reading,
): Promise<Part<T> | null> {
  const isReverse = list.isDescending === isForward
  const key = start.bound === null ? undefined : encodeKey(field, start.bound)
  return fetchPage(list, { key, limit, isReverse }).then(
    (page) => page && cutPart(list, field, start, { limit, isForward }, page),
  )
}

/** The number of records to read, and the direction. */
interface Reading {
  readonly limit: number
  readonly isForward: boolean
}

function cutPart<T>(
  list: UpstreamList<T>,
  field: KeysetField,
  start: KeysetStart,
  { limit, isForward }: Reading,
  page: Page<T>,
): Part<T> {
  const isReverse = list.isDescending === isForward
  const { items, nextKey } = page
  const lastKey = nextKey === null ? null : decodeKey(field, nextKey)
  const { length } = items
  if (lastKey !== null) list.keys(isReverse).note(lastKey === undefined ? 'opaque' : 'bound')
  if (lastKey === undefined) {
    const none = { accepted: [], end: undefined, isPastRange: false, isShort: false }
    return { ...none, length, nextKey, lastKey, isUnbounded: true }
  }
  checkProgress(start.bound, lastKey, isReverse)
  const all = placeItems(list, items, start, lastKey, isForward)
  // The skipped records are between a key and the start of the read: they can be outside of the range.
  const past = list.range ? all.findIndex(({ item }, index) => index >= start.skip && !list.range?.has(item)) : -1
  const placed = past < 0 ? all : all.slice(0, past)
  return {
    isUnbounded: !items.every((item) => isBeyond(list, item, start.bound, isReverse)),
    isPastRange: past >= 0,
    accepted: placed.slice(start.skip).filter(({ item }) => list.filter?.(item) ?? true),
    length,
    end: placed.at(-1)?.position,
    nextKey,
    lastKey,
    isShort:
      isShortPage(list.caps.current(), page, limit) ||
      (start.bound === null && list.isWrittenAtOnce === true && isCountedPage(page)),
  }
}

/** The records of a page with their positions. */
function placeItems<T>(
  { keyOf }: UpstreamList<T>,
  items: readonly T[],
  { bound, reference }: KeysetStart,
  lastKey: bigint | null,
  isForward: boolean,
): Item<T>[] {
  // A step in the direction of the read, in list order.
  const step = isForward ? 1 : -1
  const keyAt = consecutiveKeys(items.length, bound, lastKey)
  const positionOf = (item: T, index: number): Position => {
    const key = keyOf?.(item)
    if (key !== undefined) return { kind: 'keyset', key, offset: 0 }
    if (keyAt) return { kind: 'keyset', key: keyAt(index), offset: 0 }
    const behind = items.length - 1 - index
    const ahead = index + (reference?.offset ?? 0)
    // The nearer key, since reading on from here passes the records between.
    if (lastKey !== null && (!reference || behind <= ahead)) {
      return { kind: 'keyset', key: lastKey, offset: -step * behind }
    }
    if (reference) return { kind: 'keyset', key: reference.key, offset: step * ahead }
    // The only page of a list, without any key.
    return { kind: 'opaque', key: null, index, isForward }
  }
  return items.map((item, index) => ({ item, position: positionOf(item, index) }))
}

/**
 * The number of each record of a page whose keys are as far apart as it has records: their numbers are
 * consecutive. Undefined for other pages.
 */
function consecutiveKeys(
  length: number,
  bound: bigint | null,
  lastKey: bigint | null,
): ((index: number) => bigint) | undefined {
  if (bound === null || lastKey === null) return undefined
  const isDown = lastKey < bound
  if ((isDown ? bound - lastKey : lastKey - bound) !== BigInt(length)) return undefined
  return (index) => bound + BigInt(isDown ? -1 - index : 1 + index)
}
