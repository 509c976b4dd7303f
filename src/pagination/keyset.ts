import type { Page } from '../upstream/decode.ts'
import { badInput } from '../upstream/error.ts'
import type { Position } from './cursor.ts'
import { paginateOffset } from './offset.ts'
import { paginateOpaque } from './opaque.ts'
import { isShortPage } from './pageCaps.ts'
import {
  fetchPage,
  type Item,
  nonMonotonicPage,
  type PageResult,
  scanLimit,
  scanPage,
  takePage,
  type UpstreamList,
} from './source.ts'

type KeyPlace = Extract<Position, { at: 'key' }>

/**
 * Walks a list whose pages are cut by keys that bound the records. A record without a key of its own is
 * named by the key of its page and its distance to it, which stays right while records arrive.
 */
export async function paginateKeyset<T>(
  list: UpstreamList<T>,
  from: KeyPlace | null,
  isForward: boolean,
  count: number,
): Promise<PageResult<T> | null> {
  const isReverse = list.isDescending === isForward
  const direction = isForward ? 1 : -1
  let { bound, skip, origin } = await resume(list, from, isForward)
  const rows: Item<T>[] = []
  let examined = 0
  for (;;) {
    const need = skip + count + 1 - rows.length
    const limit = list.filter && !list.stopAtUnmatchedPage ? scanPage : need
    const key = bound === null ? undefined : encodeKey(list, bound)
    const page = await fetchPage(list, { key, limit, isReverse })
    if (page === null) return null
    const last = page.nextKey === null ? null : decodeKey(list, page.nextKey)
    if (last === undefined) {
      // Not the keys of the indexer we know: counted ones, or opaque ones.
      if (bound !== null) throw nonMonotonicPage()
      return page.nextKey !== null && isDecimal(page.nextKey)
        ? paginateOffset(list, null, isForward, count)
        : paginateOpaque(list, null, isForward, count)
    }
    if (last !== null && bound !== null && (isReverse ? last >= bound : last <= bound)) {
      throw nonMonotonicPage()
    }
    const size = page.items.length
    const positionOf = (item: T, i: number): Position => {
      if (list.keyOf) return { at: 'key', key: list.keyOf(item), steps: 0 }
      if (last !== null) return { at: 'key', key: last, steps: -direction * (size - 1 - i) }
      if (origin) return { at: 'key', key: origin.key, steps: direction * (i + origin.steps) }
      return { at: 'page', key: null, index: i, isForward }
    }
    const accepted = page.items
      .map((item, i) => ({ item, position: positionOf(item, i) }))
      .slice(skip)
      .filter(({ item }) => list.filter?.(item) ?? true)
    rows.push(...accepted)
    examined += size
    const isForeign = size > skip && accepted.length === 0 && list.stopAtUnmatchedPage === true
    const hasEnded = isForeign || isLastPage(list, page, limit, from === null ? examined : null)
    const tail = page.items.at(-1)
    if (rows.length > count || hasEnded || last === null || tail === undefined) {
      return takePage(rows, count)
    }
    if (list.filter && examined >= scanLimit) {
      return { rows, hasMore: true, last: positionOf(tail, size - 1) }
    }
    bound = last
    skip = Math.max(0, skip - size)
    origin = { key: last, steps: 1 }
  }
}

/** Where a keyset walk starts: after a key, passing over so many records. */
interface Start {
  readonly bound: bigint | null
  readonly skip: number
  /** A record's key, and how many steps the first record of the page is beyond it. */
  readonly origin: { readonly key: bigint; readonly steps: number } | null
}

/** No cursor names a record further from its key than the longest page; one that does was made up. */
const maxSteps = 1000

async function resume<T>(
  list: UpstreamList<T>,
  from: KeyPlace | null,
  isForward: boolean,
): Promise<Start> {
  if (from === null) return { bound: null, skip: 0, origin: null }
  const { key, steps } = from
  if (Math.abs(steps) > maxSteps) throw badInput('The cursor is not one that this graph has given.')
  const isAhead = steps > 0 === isForward
  if (steps === 0 || isAhead) {
    return { bound: key, skip: Math.abs(steps), origin: { key, steps: 1 } }
  }
  const isReverse = list.isDescending === isForward
  if (Math.abs(steps) === 1) {
    // A keyset key is a bound, not a record: one beyond it lets the record itself in.
    return { bound: isReverse ? key + 1n : key - 1n, skip: 0, origin: { key, steps: 0 } }
  }
  const limit = Math.abs(steps)
  const page = await fetchPage(list, { key: encodeKey(list, key), limit, isReverse: !isReverse })
  // No key where the list ends that way: the record is the first one of this way.
  if (page && page.nextKey === null) return { bound: null, skip: 1, origin: null }
  const own = page?.nextKey ? decodeKey(list, page.nextKey) : undefined
  if (own === undefined) throw nonMonotonicPage()
  return { bound: own, skip: 0, origin: { key: own, steps: 1 } }
}

function isLastPage<T>(
  list: UpstreamList<T>,
  page: Page<T>,
  limit: number,
  examined: number | null,
): boolean {
  const isComplete = list.size !== undefined && examined !== null && examined >= list.size
  return isShortPage(list.caps.current(), page, limit) || isComplete
}

const isDecimal = (key: string): boolean => /^\d+$/.test(textOf(key))

const textOf = (key: string): string => Buffer.from(key, 'base64').toString()

function encodeKey<T>(list: UpstreamList<T>, value: bigint): string {
  const field = list.family === 'offset' ? 'sequence' : list.family.keyset
  return Buffer.from(`{"${field}":${value}}`).toString('base64')
}

/** The number in a keyset key; undefined when the key is of another making. */
function decodeKey<T>(list: UpstreamList<T>, key: string): bigint | undefined {
  const field = list.family === 'offset' ? 'sequence' : list.family.keyset
  const digits = new RegExp(`^\\{"${field}":\\s*(\\d+)\\}$`).exec(textOf(key))?.[1]
  return digits === undefined ? undefined : BigInt(digits)
}
