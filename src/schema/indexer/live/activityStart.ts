import type { Position } from '../../../pagination/cursor.ts'
import type { ListOffset } from '../../../watch/keyedSource.ts'

/** The name that cursors of the live activity of an account are signed for. `key` is its address in hex, without 0x. */
export const activityName = (key: string): string => `activity of ${key}`

/**
 * The place in the live activity after the newest record of an account, by its position in the list that has the
 * newest first: so many records come after the one of the key. Undefined for a list without numbers.
 */
export function placeAfter(newest: Position | undefined): ListOffset | undefined {
  if (newest === undefined) return { number: 0n, skip: 0 }
  if (newest.kind !== 'keyset' || newest.offset > 0) return undefined
  return { number: newest.key, skip: -newest.offset }
}
