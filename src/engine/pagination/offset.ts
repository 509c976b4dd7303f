import type { OffsetPosition } from './cursor.ts'
import { fetchPage, type Item, type PageResult, takePage } from './page.ts'
import type { UpstreamList } from './source.ts'

/**
 * Reads a list whose pages are found by counting records.
 *
 * A position counts from the end of the list that the read started at. Reading away from that end
 * continues at the next index. Reading back towards it ends at index 0.
 */
export async function paginateOffset<T>(
  list: UpstreamList<T>,
  position: OffsetPosition | null,
  isForward: boolean,
  count: number,
): Promise<PageResult<T> | null> {
  const from = position?.from ?? (isForward ? 'start' : 'end')
  const isAway = isForward === (from === 'start')
  // The upstream counts from the same end as the position.
  const isReverse = list.isDescending === (from === 'start')
  const index = position?.index ?? -1
  const firstIndex = isAway ? index + 1 : Math.max(0, index - count)
  const wanted = isAway ? count + 1 : Math.min(count, index)
  const items: Item<T>[] = []
  while (items.length < wanted) {
    const offset = firstIndex + items.length
    const limit = wanted - items.length
    const page = await fetchPage(list, { offset: offset || undefined, limit, isReverse })
    if (page === null) return null
    items.push(
      ...page.items.map((item, i): Item<T> => ({ item, position: { kind: 'offset', from, index: offset + i } })),
    )
    if (page.items.length === 0 || (page.items.length < limit && page.nextKey === null)) break
  }
  if (isAway) return takePage(items, count)
  items.reverse()
  return { items, hasMore: firstIndex > 0, last: items.at(-1)?.position ?? null }
}
