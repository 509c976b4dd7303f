import { badInput } from '../upstream/error.ts'
import type { Position } from './cursor.ts'
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

type PagePlace = Extract<Position, { at: 'page' }>

/**
 * Walks a list whose keys cannot be read, as another maker of the same API may send them. A key is
 * then worth only what the upstream makes of it: the page after the one it came with.
 */
export async function paginateOpaque<T>(
  list: UpstreamList<T>,
  from: PagePlace | null,
  isForward: boolean,
  count: number,
): Promise<PageResult<T> | null> {
  if (from && from.isForward !== isForward) {
    if (from.key !== null) {
      throw badInput(
        'The pages of this list lead one way only; to walk back, ask for the opposite order.',
      )
    }
    const before = await collectOpaque(list, null, 0, from.index, from.isForward)
    const rows = before?.rows.toReversed() ?? []
    return { ...takePage(rows, count), hasMore: rows.length > count }
  }
  const key = from?.key ?? null
  const skip = from ? from.index + 1 : 0
  const peeked = await collectOpaque(list, key, skip, count + 1, isForward)
  if (peeked === null) return null
  if (peeked.rows.length <= count || count === 0) return takePage(peeked.rows, count)
  // A page's key belongs to its last record, so the page is cut again exactly where it has to end.
  const exact = await collectOpaque(list, key, skip, count, isForward)
  return exact && { rows: exact.rows, hasMore: true, last: exact.rows.at(-1)?.position ?? null }
}

async function collectOpaque<T>(
  list: UpstreamList<T>,
  start: string | null,
  skip: number,
  count: number,
  isForward: boolean,
): Promise<{ rows: Item<T>[] } | null> {
  const isReverse = list.isDescending === isForward
  const rows: Item<T>[] = []
  const seen = new Set<string>()
  let key = start
  let pass = skip
  let examined = 0
  while (rows.length < count) {
    const limit = list.filter ? scanPage : pass + count - rows.length
    const page = await fetchPage(list, { key: key ?? undefined, limit, isReverse })
    if (page === null) return null
    const { items, nextKey } = page
    items.slice(pass).forEach((item, i) => {
      if (list.filter?.(item) === false) return
      const index = pass + i
      const isTail = index === items.length - 1 && nextKey !== null
      const place = isTail ? { key: nextKey, index: -1 } : { key, index }
      rows.push({ item, position: { at: 'page', isForward, ...place } })
    })
    examined += items.length
    if (items.length === 0 || nextKey === null || examined >= scanLimit) break
    if (seen.has(nextKey)) throw nonMonotonicPage()
    seen.add(nextKey)
    pass = Math.max(0, pass - items.length)
    key = nextKey
  }
  return { rows: rows.slice(0, count) }
}
