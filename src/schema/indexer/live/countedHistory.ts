import type { KeyPage, ListOffset } from '../../../watch/keyedSource.ts'

/**
 * The records of a key after a place, of which no one knows the numbers: they are named by how many of them come
 * after the number of the place. `newest` is the number of the newest record of the list, from before `later` was
 * read: all records of the key after the place's number. Null if there are fewer than were delivered before.
 */
export function countedHistory<T>(
  { number, skip }: ListOffset,
  newest: bigint,
  later: readonly T[],
): KeyPage<T> | null {
  if (later.length < skip) return null
  return {
    records: later
      .slice(skip)
      .map((record, index) => ({ record, place: { number, skip: skip + index + 1 } })),
    end: { number: newest > number ? newest : number, skip: 0 },
  }
}
