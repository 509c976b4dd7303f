import { isDeepStrictEqual } from 'node:util'
import { badInput } from '../upstream/error.ts'
import type { OpaquePosition } from './cursor.ts'
import { fetchPage, type Item, nonMonotonicPage, type PageResult, scanLimit, scanPage, takePage } from './page.ts'
import type { UpstreamList } from './source.ts'

/**
 * Reads a list whose page keys cannot be read. An upstream by another maker may send such keys.
 *
 * A key is only known to lead to the next page. So a record is found again by the key of its page and its index
 * there. The first page has no key, and new records come before it. Its records are found by the key of the second
 * page: they are before it, at index -1, -2 and so on.
 */
export async function paginateOpaque<T>(
  list: UpstreamList<T>,
  from: OpaquePosition | null,
  isForward: boolean,
  count: number,
): Promise<PageResult<T> | null> {
  if (from && from.isForward !== isForward) return paginateBack(list, from, count)
  const { key, index } = from ?? { key: null, index: -1 }
  const isBeforePage = from !== null && key !== null && index < -1
  const between = isBeforePage ? (await recordsBefore(list, from)).slice(index + 1) : []
  const first = between.filter(({ item }) => list.filter?.(item) !== false)
  if (first.length > count) return takePage(first, count)
  const start = { key, skip: Math.max(0, index + 1), isForward }
  const rest = await collect(list, { ...start, count: count + 1 - first.length })
  if (rest === null) return null
  const items = [...first, ...rest]
  if (items.length <= count || count === 0) return takePage(items, count)
  // A key belongs to the last record of its page. A second request with the exact size gives the key
  // of the last record that is returned.
  const exact = await collect(list, { ...start, count: count - first.length })
  const page = exact && [...first, ...exact]
  return page && { items: page, hasMore: true, last: page.at(-1)?.position ?? null }
}

/** Reads against the direction of the position, which an opaque key does not lead in: from the start. */
async function paginateBack<T>(list: UpstreamList<T>, from: OpaquePosition, count: number): Promise<PageResult<T>> {
  const { key, index, isForward } = from
  const beforePage = key === null ? [] : await recordsBefore(list, from)
  // The index counts also the records that the list does not accept.
  const unfiltered = { ...list, filter: undefined }
  const ofPage = index > 0 ? await collect(unfiltered, { key, skip: 0, count: index, isForward }) : []
  const before = index < 0 ? beforePage.slice(0, index) : [...beforePage, ...(ofPage ?? [])]
  const items = before.filter(({ item }) => list.filter?.(item) !== false)
  return takePage(items.toReversed(), count)
}

/** All records from the start of the list to the page of a position, accepted or not. */
async function recordsBefore<T>(list: UpstreamList<T>, { key, isForward }: OpaquePosition): Promise<Item<T>[]> {
  const unfiltered = { ...list, filter: undefined }
  const pageAt = (from: string | null, limit: number) => readPart(unfiltered, { key: from, skip: 0, limit, isForward })
  const [mark] = (await pageAt(key, 1))?.accepted ?? []
  const items: Item<T>[] = []
  let nextKey: string | null = null
  do {
    const page: Part<T> | null = await pageAt(nextKey, scanPage)
    if (page === null || page.length === 0) break
    const end = mark ? page.accepted.findIndex(({ item }) => isDeepStrictEqual(item, mark.item)) : -1
    items.push(...page.accepted.slice(0, end < 0 ? undefined : end))
    if (end >= 0) return items
    if (page.nextKey === nextKey) break
    nextKey = page.nextKey
  } while (nextKey !== null && items.length < scanLimit)
  // The place is the end of the list if no record follows.
  if (!mark && items.length < scanLimit) return items
  throw badInput(
    `This list can be read back for ${scanLimit} records from its start. To go further, use the opposite order.`,
  )
}

/** Up to `count` accepted records, beginning `skip` records into the page of `key`. Null if not served. */
async function collect<T>(
  list: UpstreamList<T>,
  start: { key: string | null; skip: number; count: number; isForward: boolean },
): Promise<Item<T>[] | null> {
  const { count, isForward } = start
  const items: Item<T>[] = []
  let { key, skip } = start
  const seenKeys = new Set(key === null ? [] : [key])
  let examined = 0
  while (items.length < count) {
    const limit = list.filter ? scanPage : skip + count - items.length
    const part = await readPart(list, { key, skip, limit, isForward })
    if (part === null) return null
    items.push(...part.accepted)
    examined += part.length
    const { nextKey } = part
    if (part.length === 0 || nextKey === null || examined >= scanLimit) break
    if (seenKeys.has(nextKey)) {
      throw nonMonotonicPage('The upstream returned the same page key twice.')
    }
    seenKeys.add(nextKey)
    skip = Math.max(0, skip - part.length)
    key = nextKey
  }
  return items.slice(0, count)
}

/** A page without what the list does not accept. */
interface Part<T> {
  readonly accepted: readonly Item<T>[]
  readonly length: number
  readonly nextKey: string | null
}

/** Reads the page of `key`. Null if the upstream does not serve the list. */
async function readPart<T>(
  list: UpstreamList<T>,
  start: { key: string | null; skip: number; limit: number; isForward: boolean },
): Promise<Part<T> | null> {
  const { key, skip, limit, isForward } = start
  const isReverse = list.isDescending === isForward
  const page = await fetchPage(list, { key: key ?? undefined, limit, isReverse })
  if (page === null) return null
  const { nextKey } = page
  const { length } = page.items
  if (key === null && nextKey !== null) list.keys(isReverse).observeCount(length, nextKey)
  const accepted: Item<T>[] = []
  page.items.forEach((item, index) => {
    if (index < skip || list.filter?.(item) === false) return
    // The last record of a page is just before the next page, which needs no skip to go on from.
    const isBeforeNext = nextKey !== null && (key === null || index === length - 1)
    const place = isBeforeNext ? { key: nextKey, index: index - length } : { key, index }
    accepted.push({ item, position: { kind: 'opaque', isForward, ...place } })
  })
  return { accepted, length, nextKey }
}
