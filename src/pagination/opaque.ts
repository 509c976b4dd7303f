import { badInput } from '../upstream/error.ts'
import type { OpaquePosition } from './cursor.ts'
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

/**
 * Reads a list whose page keys cannot be read. An upstream by another maker may send such keys.
 *
 * All that is known of a key is that it leads to the page after the one it came with. A record is
 * therefore found again by the key of its page and its index there, and only in the direction in which
 * the page was read.
 */
export async function paginateOpaque<T>(
  list: UpstreamList<T>,
  from: OpaquePosition | null,
  isForward: boolean,
  count: number,
): Promise<PageResult<T> | null> {
  if (from && from.isForward !== isForward) return paginateBack(list, from, count)
  const key = from?.key ?? null
  const skip = from ? from.index + 1 : 0
  const items = await collect(list, { key, skip, count: count + 1, isForward })
  if (items === null) return null
  if (items.length <= count || count === 0) return takePage(items, count)
  // A key belongs to the last record of its page. A second request with the exact size gives the key
  // of the last record that is returned.
  const page = await collect(list, { key, skip, count, isForward })
  return page && { items: page, hasMore: true, last: page.at(-1)?.position ?? null }
}

/** Reads against the direction of the position. Only the first page has a known start to read from. */
async function paginateBack<T>(
  list: UpstreamList<T>,
  from: OpaquePosition,
  count: number,
): Promise<PageResult<T>> {
  if (from.key !== null) {
    throw badInput('This list has pages in one direction only. To go back, use the opposite order.')
  }
  const { index, isForward } = from
  const before = await collect(list, { key: null, skip: 0, count: index, isForward })
  return takePage(before?.toReversed() ?? [], count)
}

/** Up to `count` accepted records from the page of `key` on, after `skip` records. Null if not served. */
async function collect<T>(
  list: UpstreamList<T>,
  start: { key: string | null; skip: number; count: number; isForward: boolean },
): Promise<Item<T>[] | null> {
  const { count, isForward } = start
  const items: Item<T>[] = []
  const seenKeys = new Set<string>()
  let { key, skip } = start
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

/** What a read needs of a page. It leaves behind the records that the list does not accept. */
interface Part<T> {
  readonly accepted: readonly Item<T>[]
  /** The number of records of the page. */
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
  const accepted: Item<T>[] = []
  page.items.forEach((item, index) => {
    if (index < skip || list.filter?.(item) === false) return
    // The last record of a page is just before the next page, which needs no skip to go on from.
    const isLast = index === length - 1 && nextKey !== null
    const place = isLast ? { key: nextKey, index: -1 } : { key, index }
    accepted.push({ item, position: { kind: 'opaque', isForward, ...place } })
  })
  return { accepted, length, nextKey }
}
