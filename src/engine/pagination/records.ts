import type { OffsetPosition, RecordPosition } from './cursor.ts'
import { asOpaque, paginateOffset } from './offset.ts'
import { paginateOpaque } from './opaque.ts'
import type { Item, PageResult } from './page.ts'
import type { RecordKeyOf, UpstreamList } from './source.ts'

// In a list that is found by counting, a record has another place once others have come or gone before it. Where a record
// has a key of its own, a page begins with the record before it, which shows whether the place is still the same. If it is
// not, the record is searched for around it. Pages that follow each other then neither repeat nor miss a record.

/** The longest key of a record that a cursor holds, in bytes. */
const maxKeyBytes = 2000

/** How far from its place a record is searched for, in records. */
const searched = [20, 400]

/** Reads a list that is found by counting, and finds a position again by the key of its record. */
export async function paginateRecords<T>(
  list: UpstreamList<T>,
  keyOf: RecordKeyOf<T>,
  position: RecordPosition | null,
  isForward: boolean,
  count: number,
): Promise<PageResult<T> | null> {
  const page = position ? await readBeyond(list, keyOf, position, isForward, count) : undefined
  if (page === null) return null
  const counted = page ?? (await paginateOffset(list, null, isForward, count))
  if (counted === null) return null
  const items = counted.items.map((item) => withKey(item, keyOf))
  return { ...counted, items, last: items.at(-1)?.position ?? counted.last }
}

/** The item with its key in its position, if a cursor can hold the key. */
function withKey<T>({ item, position }: Item<T>, keyOf: RecordKeyOf<T>): Item<T> {
  const key = keyOf(item)
  const isUsable = key !== undefined && Buffer.byteLength(key) <= maxKeyBytes
  if (position.kind !== 'offset' || !isUsable) return { item, position }
  return { item, position: { ...position, kind: 'record', key } }
}

/** The records beyond a position. */
async function readBeyond<T>(
  list: UpstreamList<T>,
  keyOf: RecordKeyOf<T>,
  { from, index, key, next }: RecordPosition,
  isForward: boolean,
  count: number,
): Promise<PageResult<T> | null> {
  const isAway = isForward === (from === 'start')
  const keys = list.keys(list.isDescending === (from === 'start'))
  const readByKeys = () => paginateOpaque(list, asOpaque({ from, index, ...(next && { next }) }), isForward, count)
  if (keys.form() === 'opaque') return readByKeys()
  const at = (place: number): OffsetPosition => ({ kind: 'offset', from, index: place, ...(next && { next }) })
  // Away from index 0, the record itself is the first of the list.
  const around = isAway && index === 0 ? null : at(index + (isAway ? -1 : 1))
  const page = await paginateOffset(list, around, isForward, count + 1)
  if (page === null) return null
  const [first, ...others] = page.items
  if (first && keyOf(first.item) === key)
    return { ...page, items: others, last: others.at(-1)?.position ?? first.position }
  if (keys.form() === 'opaque') return readByKeys()
  // Without the record, those after it have moved by one.
  const place = (await findPlace(list, keyOf, { from, index, key })) ?? index - (isAway ? 1 : 0)
  return paginateOffset(list, place < 0 ? null : at(place), isForward, count)
}

/** Where a record is now. Undefined if it is not near its place. */
async function findPlace<T>(
  list: UpstreamList<T>,
  keyOf: RecordKeyOf<T>,
  { from, index, key }: Omit<RecordPosition, 'kind'>,
): Promise<number | undefined> {
  for (const distance of searched) {
    const before = index - distance - 1
    const position = before < 0 ? null : ({ kind: 'offset', from, index: before } as const)
    const page = await paginateOffset(list, position, from === 'start', 2 * distance + 1)
    const found = page?.items.find(({ item }) => keyOf(item) === key)?.position
    if (found?.kind === 'offset') return found.index
    if (!page?.hasMore && before < 0) return undefined
  }
  return undefined
}
