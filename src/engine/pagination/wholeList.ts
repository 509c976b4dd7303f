import { GatewayError } from '../upstream/error.ts'
import type { OffsetPosition, Position } from './cursor.ts'
import { paginateOffset } from './offset.ts'
import { fetchPage, type Item, type PageResult } from './page.ts'
import type { IsTied, ListWindow, UpstreamList } from './source.ts'

// Indexers cut offset lists by counting, and give records that are equal in the order of the list in no fixed
// order, so that two pages can have the same record, or miss one. A list that fits in one page of its upstream
// has neither fault: it is always read by the same request, and the pages are cut here.

/** Where lists are noted that do not fit in their window. */
export interface LongLists {
  has(): boolean
  add(): void
}

/**
 * All records of a list, in its order. Null if they do not fit in the window, or cannot be read
 * together. Undefined if the upstream does not serve the list.
 */
export async function readWindow<T>(
  list: Pick<UpstreamList<T>, 'fetchPage' | 'caps' | 'keys' | 'isDescending'>,
  { limit }: ListWindow,
  long: LongLists,
): Promise<readonly T[] | null | undefined> {
  if (long.has()) return null
  try {
    const page = await fetchPage(list, { limit, isReverse: list.isDescending })
    if (page === null) return undefined
    if (page.nextKey !== null) list.keys(list.isDescending).observeCount(page.items.length, page.nextKey)
    if (page.nextKey === null && page.items.length < limit) return page.items
  } catch (error) {
    // A response that is too large, or not readable as a whole. A page of the usual size may still work.
    if (!(error instanceof GatewayError && error.code === 'UPSTREAM_INVALID_RESPONSE')) throw error
  }
  long.add()
  return null
}

/** A page of a list that was read whole. */
export function pageOfWindow<T>(
  all: readonly T[],
  { anchor }: ListWindow,
  { isDescending, isForward, count }: { isDescending: boolean; isForward: boolean; count: number },
  position: Position | null,
): PageResult<T> | undefined {
  if (position !== null && position.kind !== 'offset') return undefined
  const { length } = all
  const from = (anchor === 'first') === isDescending ? 'end' : 'start'
  const startOf = ({ from, index }: OffsetPosition) => (from === 'start' ? index : length - 1 - index)
  const end = isForward ? -1 : length
  const at = Math.max(-1, Math.min(length, position ? startOf(position) : end))
  const itemAt = (i: number): Item<T>[] => {
    const item = all[i]
    if (item === undefined) return []
    return [{ item, position: { kind: 'offset', from, index: from === 'start' ? i : length - 1 - i } }]
  }
  const step = isForward ? 1 : -1
  const items = Array.from({ length: count }, (_, i) => at + step * (i + 1)).flatMap(itemAt)
  const next = at + step * (count + 1)
  return { items, hasMore: next >= 0 && next < length, last: items.at(-1)?.position ?? null }
}

// Equal records of an offset list have no fixed order at indexers, unless the list is read whole. If adjacent
// records differ, each position of the list has one record, however it is read. So a page is exact if no two adjacent
// records are equal, including those just outside of the page.

/**
 * Reads a page of an offset list with one record more at each end. Undefined if records are tied there, or if the
 * list has become shorter than the position: the list has then to be read whole. Null if the upstream does not
 * serve the list.
 */
export async function paginateUntied<T>(
  list: UpstreamList<T>,
  isTied: IsTied<T>,
  position: Position | null,
  isForward: boolean,
  count: number,
): Promise<PageResult<T> | null | undefined> {
  if (position !== null && position.kind !== 'offset') return undefined
  const isAway = position === null || isForward === (position.from === 'start')
  const width = count + (position === null ? 1 : 2)
  const around = await paginateOffset(list, widened(position, isAway), isForward, width)
  if (around === null) return null
  const { items, hasMore } = around
  const isCut = !isAway && items.length < Math.min(width, position.index + 1)
  if (isCut || items.some((item, i) => isTiedTo(items[i - 1], item))) return undefined
  const own = position === null ? items : items.filter((item) => indexOf(item) !== position.index)
  const page = own.slice(0, count)
  const last = page.at(-1)?.position ?? null
  return { items: page, hasMore: hasMore || own.length > count, last }

  function isTiedTo(before: Item<T> | undefined, { item }: Item<T>) {
    return before !== undefined && isTied(before.item, item)
  }
}

/** The position before another one, in the direction of the read. */
function widened(position: OffsetPosition | null, isAway: boolean): OffsetPosition | null {
  if (position === null || (isAway && position.index <= 0)) return null
  return { ...position, index: position.index + (isAway ? -1 : 1) }
}

const indexOf = <T>({ position }: Item<T>): number => (position.kind === 'offset' ? position.index : -1)
