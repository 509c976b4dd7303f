import type { Place } from './cursor.ts'
import { walkKeyset } from './keyset.ts'
import { walkOffset } from './offset.ts'
import { walkOpaque } from './opaque.ts'
import type { UpstreamList, Walked } from './source.ts'

/**
 * Walks `count` records of a list, from a place (exclusive) or from an end of the list, in list order
 * or against it. Asks for one record more than wanted, because an upstream's next key never tells
 * whether a record follows. Null when the upstream does not serve the list.
 */
export function walk<T>(
  list: UpstreamList<T>,
  from: Place | null,
  isForward: boolean,
  count: number,
): Promise<Walked<T> | null> {
  if (from?.at === 'page') return walkOpaque(list, from, isForward, count)
  if (from ? from.at !== 'key' : list.family === 'offset') {
    return walkOffset(list, from?.at === 'key' ? null : from, isForward, count)
  }
  return walkKeyset(list, from?.at === 'key' ? from : null, isForward, count)
}
