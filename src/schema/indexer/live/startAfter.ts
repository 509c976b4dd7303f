import { isExpired, type Position } from '../../../engine/pagination/cursor.ts'
import type { ListOffset } from '../../../engine/watch/keyedSource.ts'

/** Where a live list starts: after a place, at its newest record, or there with a gap before it. */
export interface LiveStart<T> {
  readonly after?: T | undefined
  readonly isGap?: boolean
}

/**
 * Reads where a live list starts from the cursor of an event. One that was signed with a key that is gone cannot be
 * continued, which the first event then says: a client that sends it by itself would otherwise fail for ever.
 */
export function startAfter<T>(cursor: string | null | undefined, read: (cursor: string) => T): LiveStart<T> {
  if (cursor == null) return {}
  try {
    return { after: read(cursor) }
  } catch (error) {
    if (isExpired(error)) return { isGap: true }
    throw error
  }
}

/** The name that cursors of the live activity of an account are signed for. `key` is its address in hex, without 0x. */
export const activityName = (key: string): string => `activity of ${key}`

/**
 * The place in the live activity after the newest record of an account, by its position in the list that has the
 * newest first: that many records come after the one of the key. Undefined for a list without numbers.
 */
export function placeAfter(newest: Position | undefined): ListOffset | undefined {
  if (newest === undefined) return { number: 0n, skip: 0 }
  if (newest.kind !== 'keyset' || newest.offset > 0) return undefined
  return { number: newest.key, skip: -newest.offset }
}
