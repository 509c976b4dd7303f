import type { RecordPosition } from './cursor.ts'
import { paginateOffset } from './offset.ts'
import { fetchPage, type Item, type PageResult, takePage } from './page.ts'
import { isShortPage } from './pageCaps.ts'
import { undefinedIfRefused } from './refusedKeys.ts'
import type { RecordKeyOf, UpstreamList } from './source.ts'

// Some offset lists also take a key that names a record: their page then begins after that record, wherever it
// is now. Pages that follow each other then neither repeat nor miss a record, also while others arrive or leave.

/** The longest key of a record that a cursor holds, in bytes. */
const maxKeyBytes = 2000

/**
 * Reads an offset list by the keys of its records. The first page is found by counting, and so is each page
 * of an upstream that does not take such keys.
 */
export async function paginateRecords<T>(
  list: UpstreamList<T>,
  keyOf: RecordKeyOf<T>,
  position: RecordPosition | null,
  isForward: boolean,
  count: number,
): Promise<PageResult<T> | null> {
  if (position) {
    const page = await readBeyond(list, keyOf, position, isForward, count)
    if (page !== undefined) return page
  }
  const { from, index } = position ?? {}
  const at = from !== undefined && index !== undefined ? { kind: 'offset' as const, from, index } : null
  const counted = await paginateOffset(list, at, isForward, count)
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

/** The records beyond a position. Undefined if the upstream refuses or ignores the key of a record. */
async function readBeyond<T>(
  list: UpstreamList<T>,
  keyOf: RecordKeyOf<T>,
  { from, index, key }: RecordPosition,
  isForward: boolean,
  count: number,
): Promise<PageResult<T> | null | undefined> {
  const isReverse = list.isDescending === isForward
  const step = isForward === (from === 'start') ? 1 : -1
  const items: Item<T>[] = []
  for (let bound = encode(key); ; ) {
    const limit = count + 1 - items.length
    const page = await fetchPage(list, { key: bound, limit, isReverse }).catch(undefinedIfRefused)
    if (page === undefined || page === null) return page
    const isRecordKey = page.nextKey !== null && decode(page.nextKey).startsWith('{')
    if (page.items.length > 0 && !isRecordKey) return undefined
    const placed = page.items.map((item, i): Item<T> => {
      const place = Math.max(0, index + step * (items.length + i + 1))
      return withKey({ item, position: { kind: 'offset', from, index: place } }, keyOf)
    })
    items.push(...placed)
    if (items.length > count || isShortPage(list.caps.current(), page, limit)) {
      return takePage(items, count)
    }
    bound = page.nextKey ?? bound
  }
}

const encode = (text: string): string => Buffer.from(text).toString('base64')
const decode = (key: string): string => Buffer.from(key, 'base64').toString().trimStart()
