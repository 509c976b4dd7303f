import { GatewayError } from '../upstream/error.ts'
import type { OffsetPosition, Position } from './cursor.ts'
import { fetchPage, type Item, type PageResult, type UpstreamList } from './source.ts'

// Indexers cut offset lists by counting, and give records that are equal in the order of the list in no fixed
// order, so that two pages can have the same record, or miss one. A list that fits in one page of its upstream
// has neither fault: it is always read by the same request, and the pages are cut here.

/** How a list that fits in one page of its upstream is read whole. */
export interface ListWindow {
  /** The most records that are read together. */
  readonly limit: number
  /**
   * The end of the ascending list that positions count from. They stay good when records arrive at the
   * other end.
   */
  readonly anchor: 'first' | 'last'
}

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
  list: Pick<UpstreamList<T>, 'fetchPage' | 'caps' | 'isDescending'>,
  { limit }: ListWindow,
  long: LongLists,
): Promise<readonly T[] | null | undefined> {
  if (long.has()) return null
  try {
    const page = await fetchPage(list, { limit, isReverse: list.isDescending })
    if (page === null) return undefined
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
  const startOf = ({ from, index }: OffsetPosition) =>
    from === 'start' ? index : length - 1 - index
  const end = isForward ? -1 : length
  const at = Math.max(-1, Math.min(length, position ? startOf(position) : end))
  const itemAt = (i: number): Item<T>[] => {
    const item = all[i]
    if (item === undefined) return []
    return [
      { item, position: { kind: 'offset', from, index: from === 'start' ? i : length - 1 - i } },
    ]
  }
  const step = isForward ? 1 : -1
  const items = Array.from({ length: count }, (_, i) => at + step * (i + 1)).flatMap(itemAt)
  const next = at + step * (count + 1)
  return {
    items,
    hasMore: next >= 0 && next < length,
    last: items.at(-1)?.position ?? null,
  }
}
