import type { Page } from '../wire/decode.ts'
import { decodeKey, encodeKey } from './keys.ts'
import { type Item, type ListPage, type ListPageRequest, type PageQuery, toListPage } from './page.ts'
import type { KeysetField, ListOrder } from './source.ts'

// A run is a part of a keyset list whose records have consecutive numbers. Such a part is recognized by
// its page: n different numbers below the key that it was requested with, down to the key that it
// ended with, are consecutive if these keys are n apart. The number of each record is then known, which
// the record itself does not show.

/** Where a run starts and how far it goes. */
export interface RunRequest<T> {
  /** The run starts with the record below this number. */
  readonly bound: bigint
  /** The most records to read. */
  readonly count: number
  /** Whether a record lies beyond the records of interest, so that the run can end with it. */
  readonly isEnd: (item: T) => boolean
}

/** The most records requested at once, so that no response keeps others waiting for long. */
const maxRunPage = 500

/** Consecutive records in descending order of their numbers. */
interface Run<T> {
  readonly items: readonly T[]
  /** Whether the list has no records below the run. */
  readonly isEndOfList: boolean
}

/**
 * Reads consecutive records in descending order: the first has the number `bound - 1`. Ends early where
 * records may be missing between two numbers.
 */
export async function readRun<T>(
  list: { fetch(query: PageQuery): Promise<Page<T> | null> },
  field: KeysetField,
  { bound, count, isEnd }: RunRequest<T>,
): Promise<Run<T>> {
  // A list that is filled after a wait would be held by what waited.
  let items: readonly T[] = []
  for (let below = bound; items.length < count; ) {
    const limit = Math.min(count - items.length, maxRunPage)
    const query = { key: encodeKey(field, below), limit, isReverse: true }
    const page = await list.fetch(query)
    if (page?.items.length === 0) return { items, isEndOfList: true }
    const last = page?.items.at(-1)
    if (!page || last === undefined || page.nextKey === null) break
    const lastKey = decodeKey(field, page.nextKey)
    if (lastKey === undefined || below - lastKey !== BigInt(page.items.length)) break
    items = items.length === 0 ? page.items : [...items, ...page.items]
    if (isEnd(last)) break
    below = lastKey
  }
  return { items, isEndOfList: false }
}

/** All records of a list, which were read as a part of another one. */
export interface WholeList<T> {
  /** In descending order of their numbers, which are consecutive. */
  readonly items: readonly T[]
  readonly firstKey: bigint
}

/** A whole list that was read as a part of another one, and the number that it is named by. */
export interface Group<T> extends WholeList<T> {
  readonly name: bigint
}

/**
 * The records of a run by the list they belong to. Only a record of the next list, or the end, shows that
 * a list is whole, so the last one is left out, and so are those beside a record without a name. Empty if
 * the names do not descend, since a list may then have other parts.
 */
export function groupRun<T>(
  { items, isEndOfList }: Run<T>,
  bound: bigint,
  nameOf: (item: T) => bigint | undefined,
): Group<T>[] {
  const groups: { name: bigint; items: T[]; firstKey: bigint; isDoubtful: boolean }[] = []
  let isAfterDoubt = false
  for (const [i, item] of items.entries()) {
    const name = nameOf(item)
    const group = groups.at(-1)
    if (name === undefined) {
      if (group) group.isDoubtful = true
      isAfterDoubt = true
      continue
    }
    const firstKey = bound - 1n - BigInt(i)
    if (group?.name === name) group.items.push(item)
    else if (group && name > group.name) return []
    else groups.push({ name, items: [item], firstKey, isDoubtful: isAfterDoubt })
    isAfterDoubt = false
  }
  const ended = isEndOfList && !isAfterDoubt ? groups : groups.slice(0, -1)
  return ended.filter(({ isDoubtful }) => !isDoubtful)
}

/** A page from an end of a whole list, with the positions that the pages of its upstream give. */
export function pageOfWhole<T>(
  { items, firstKey }: WholeList<T>,
  order: ListOrder,
  { count, isForward }: Pick<ListPageRequest, 'count' | 'isForward'>,
): ListPage<T> {
  const isReverse = (order === 'DESC') === isForward
  const ordered = isReverse ? items : items.toReversed()
  // One record more than the page shows that a next page exists, and its key names the records before it.
  const read = Math.min(count + 1, items.length)
  const steps = BigInt(isReverse ? read - 1 : items.length - read)
  const key = firstKey - steps
  const step = isForward ? 1 : -1
  const taken = ordered.slice(0, count).map((item, index): Item<T> => {
    const behind = read - 1 - index
    return { item, position: { kind: 'keyset', key, offset: behind === 0 ? 0 : -step * behind } }
  })
  const last = taken.at(-1)?.position ?? null
  const page = { items: taken, hasMore: items.length > count, last }
  return toListPage(page, { isForward, from: null })
}
