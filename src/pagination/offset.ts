import type { Position } from './cursor.ts'
import { fetchPage, type Item, type PageResult, takePage, type UpstreamList } from './source.ts'

type IndexPlace = Extract<Position, { at: 'start' | 'end' }>

/**
 * Walks a list whose pages are cut by counting. Places count from the end they were reached from, so
 * walking back towards it is plain arithmetic.
 */
export async function paginateOffset<T>(
  list: UpstreamList<T>,
  from: IndexPlace | null,
  isForward: boolean,
  count: number,
): Promise<PageResult<T> | null> {
  const side = from?.at ?? (isForward ? 'start' : 'end')
  const isAway = isForward === (side === 'start')
  const isReverse = list.isDescending === (side === 'start')
  const index = from?.index ?? -1
  const first = isAway ? index + 1 : Math.max(0, index - count)
  const wanted = isAway ? count + 1 : Math.min(count, index)
  const rows: Item<T>[] = []
  while (rows.length < wanted) {
    const offset = first + rows.length
    const limit = wanted - rows.length
    const page = await fetchPage(list, { offset: offset || undefined, limit, isReverse })
    if (page === null) return null
    rows.push(
      ...page.items.map(
        (item, i): Item<T> => ({ item, position: { at: side, index: offset + i } }),
      ),
    )
    if (page.items.length === 0 || (page.items.length < limit && page.nextKey === null)) break
  }
  if (isAway) return takePage(rows, count)
  rows.reverse()
  return { rows, hasMore: first > 0, last: rows.at(-1)?.position ?? null }
}
