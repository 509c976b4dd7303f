import { isExpired } from '../../../pagination/sealed.ts'

/** Where a live list starts: after a place, at its newest record, or there with a gap before it. */
export interface Start<T> {
  readonly after?: T | undefined
  readonly isGap?: boolean
}

/**
 * Reads where a live list starts from the cursor of an event. One that was signed with a key that is gone cannot be
 * continued, which the first event then says: a client that sends it by itself would otherwise fail for ever.
 */
export function startAfter<T>(
  cursor: string | null | undefined,
  read: (cursor: string) => T,
): Start<T> {
  if (cursor == null) return {}
  try {
    return { after: read(cursor) }
  } catch (error) {
    if (isExpired(error)) return { isGap: true }
    throw error
  }
}
