import type { Position } from './cursor.ts'
import { paginateKeyset } from './keyset.ts'
import { paginateOffset } from './offset.ts'
import { paginateOpaque } from './opaque.ts'
import type { PageResult, UpstreamList } from './source.ts'

/**
 * Walks `count` records of a list, from a place (exclusive) or from an end of the list, in list order
 * or against it. Asks for one record more than wanted, because an upstream's next key never tells
 * whether a record follows. Null when the upstream does not serve the list.
 */
export function paginate<T>(
  list: UpstreamList<T>,
  from: Position | null,
  isForward: boolean,
  count: number,
): Promise<PageResult<T> | null> {
  if (from?.at === 'page') return paginateOpaque(list, from, isForward, count)
  if (from ? from.at !== 'key' : list.family === 'offset') {
    return paginateOffset(list, from?.at === 'key' ? null : from, isForward, count)
  }
  return paginateKeyset(list, from?.at === 'key' ? from : null, isForward, count)
}
