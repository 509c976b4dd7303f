import { isDeepStrictEqual } from 'node:util'
import { UpstreamHttpError } from '../upstream/upstreamError.ts'
import type { Page } from '../wire/decode.ts'
import type { OffsetPosition, OpaquePosition } from './cursor.ts'
import type { LearntKeys } from './keyForms.ts'
import { paginateOpaque } from './opaque.ts'
import { fetchPage, type Item, nonMonotonicPage, type PageResult, takePage } from './page.ts'
import type { UpstreamList } from './source.ts'

/**
 * Reads a list whose pages are found by counting records, if its pages show no keys, or keys that may count records. A list with
 * other keys is read by these, also from a position that was counted before that was known.
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
  const keys = list.keys(isReverse)
  const readByKeys = () => paginateOpaque(list, position && asOpaque(position), isForward, count)
  if (keys.form() === 'opaque') return readByKeys()

  const index = position?.index ?? -1
  const firstIndex = isAway ? index + 1 : Math.max(0, index - count)
  const wanted = isAway ? count + 1 : Math.min(count, index)
  const items: Item<T>[] = []
  let before: Page<T> | undefined
  while (items.length < wanted) {
    const offset = firstIndex + items.length
    const limit = wanted - items.length
    const page = await fetchPage(list, { ...placeOf(keys, offset), limit, isReverse }).catch((error: unknown) => {
      if (offset === 0 || !isRefusal(error)) throw error
      return undefined
    })
    if (page === undefined) {
      // An upstream that refuses to count may still take its own keys.
      keys.note('opaque')
      return readByKeys()
    }
    if (page === null) return null
    const { length } = page.items
    if (page.nextKey !== null) {
      keys.observeCount(offset + length, page.nextKey)
      if (keys.form() === 'opaque') return readByKeys()
    }
    // One record can come twice, where several are equal in the order of the list.
    if (before && length > 1 && isDeepStrictEqual(page.items, before.items)) {
      throw nonMonotonicPage('The upstream returned the same page twice.')
    }
    before = page
    const next =
      page.nextKey !== null && keys.form() === undefined ? { next: { key: page.nextKey, at: offset + length } } : {}
    items.push(
      ...page.items.map(
        (item, i): Item<T> => ({ item, position: { kind: 'offset', from, index: offset + i, ...next } }),
      ),
    )
    if (length === 0 || (length < limit && page.nextKey === null)) break
  }
  if (isAway) return takePage(items, count)
  items.reverse()
  return { items, hasMore: firstIndex > 0, last: items.at(-1)?.position ?? null }
}

const isRefusal = (error: unknown): boolean => error instanceof UpstreamHttpError && [400, 422].includes(error.status)

/** What a request begins with to skip records: a key, where the upstream's own count records. */
function placeOf(keys: LearntKeys, offset: number) {
  if (offset === 0) return {}
  return keys.form() === 'count' ? { key: keys.ofCount(offset) } : { offset }
}

/** The same position by a key that its page has shown, or else by its place on the first page, however long that is. */
export const asOpaque = ({ from, index, next }: Pick<OffsetPosition, 'from' | 'index' | 'next'>): OpaquePosition => ({
  kind: 'opaque',
  key: next?.key ?? null,
  index: index - (next?.at ?? 0),
  isForward: from === 'start',
})
