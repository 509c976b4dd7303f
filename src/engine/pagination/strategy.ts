import { badInput } from '../upstream/error.ts'
import type { Position } from './cursor.ts'
import { paginateKeyset } from './keyset.ts'
import { paginateOffset } from './offset.ts'
import { paginateOpaque } from './opaque.ts'
import type { PageResult } from './page.ts'
import { paginateRecords } from './records.ts'
import type { UpstreamList } from './source.ts'

/**
 * Reads `count` records of a list from a position, which is not included, or from an end of the list.
 * Forward is list order, backward is against it. One record more than `count` is requested, because
 * an upstream's next key does not show whether a record follows. Null if the upstream does not serve
 * the list.
 */
export function paginate<T>(
  list: UpstreamList<T>,
  from: Position | null,
  isForward: boolean,
  count: number,
): Promise<PageResult<T> | null> {
  if (from === null) return paginateFromEnd(list, isForward, count)
  // A list that turned out not to have the keys of its strategy has positions of another kind.
  switch (from.kind) {
    case 'keyset':
      if (list.strategy.kind !== 'keyset') return Promise.reject(badInput('Invalid cursor.', 'INVALID_CURSOR'))
      return paginateKeyset(list, list.strategy.field, from, isForward, count)
    case 'offset':
      return paginateOffset(list, from, isForward, count)
    case 'record':
      if (list.strategy.kind !== 'record') return Promise.reject(badInput('Invalid cursor.', 'INVALID_CURSOR'))
      return paginateRecords(list, list.strategy.keyOf, from, isForward, count)
    case 'opaque':
      return paginateOpaque(inRange(list), from, isForward, count)
  }
}

/** The list with its range as a filter: an opaque key does not bound the records of a range. */
function inRange<T>(list: UpstreamList<T>): UpstreamList<T> {
  const { range, filter } = list
  return range ? { ...list, filter: (item) => range.has(item) && filter?.(item) !== false } : list
}

function paginateFromEnd<T>(list: UpstreamList<T>, isForward: boolean, count: number): Promise<PageResult<T> | null> {
  switch (list.strategy.kind) {
    case 'keyset':
      return paginateKeyset(list, list.strategy.field, null, isForward, count)
    case 'offset':
      return paginateOffset(list, null, isForward, count)
    case 'record':
      return paginateRecords(list, list.strategy.keyOf, null, isForward, count)
    case 'opaque':
      return paginateOpaque(list, null, isForward, count)
  }
}
