import type { KeyPage, Place } from '../../../polling/tailSource.ts'

/**
 * The records of a key after a place, of which no one knows the numbers: they are named by how many of them come
 * after the number of the place. `newest` gives the number of the newest record of the list, and `later` then the
 * records of the key after the number, so that all up to `newest` are among them. Null if there are fewer than were
 * delivered before.
 */
export async function countedHistory<T>(
  { number, skip }: Place,
  newest: () => Promise<bigint>,
  later: () => Promise<readonly T[]>,
): Promise<KeyPage<T> | null> {
  const end = await newest()
  const records = await later()
  if (records.length < skip) return null
  return {
    records: records
      .slice(skip)
      .map((record, index) => ({ record, place: { number, skip: skip + index + 1 } })),
    end: { number: end > number ? end : number, skip: 0 },
  }
}
