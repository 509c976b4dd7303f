import type { OffsetPosition, Position } from './cursor.ts'
import { paginateOffset } from './offset.ts'
import type { Item, PageResult, UpstreamList } from './source.ts'

// Equal records of an offset list have no fixed order at indexers, unless the list is read whole. If adjacent
// records differ, each position of the list has one record, however it is read. So a page is exact if no two adjacent
// records are equal, including those just outside of the page.

/** Whether two records are equal in the order of their list. */
export type IsTied<T> = (a: T, b: T) => boolean

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

const indexOf = <T>({ position }: Item<T>): number =>
  position.kind === 'offset' ? position.index : -1
