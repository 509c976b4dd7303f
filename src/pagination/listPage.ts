import type { Upstream } from '../upstream/client.ts'
import type { Position } from './cursor.ts'
import { paginate } from './paginate.ts'
import type { Item, PageResult } from './source.ts'
import { type ListContext, type ListOrder, type ListSource, upstreamList } from './upstreamList.ts'

/** Which page of a list to read. */
export interface ListPageRequest {
  readonly order: ListOrder
  readonly count: number
  /** Whether the page comes after `from`, or before it. */
  readonly isForward: boolean
  /** Not part of the page. Null reads from the start of the list, or backwards from its end. */
  readonly from: Position | null
}

/** A page of a list. */
export interface ListPage<T> {
  /** In list order, in both directions. */
  readonly items: readonly Item<T>[]
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
  /** Where the page before this one ends. */
  readonly start: Position | null
  /** Where the page after this one starts. */
  readonly end: Position | null
}

/** Reads a page of an upstream list. Null if the upstream does not serve the list. */
export async function fetchListPage<T>(
  context: ListContext,
  upstream: Upstream,
  source: ListSource<T>,
  { order, count, isForward, from }: ListPageRequest,
): Promise<ListPage<T> | null> {
  const list = { ...source, ...upstreamList(context, upstream, source, order) }
  const result = source.size === 0n ? empty : await paginate(list, from, isForward, count)
  if (result === null) return null
  const { items, hasMore, last } = result
  const first = items[0]?.position ?? last
  // Relay: a page read from a cursor has at least the record of that cursor on its other side.
  const hasCursor = from !== null
  return isForward
    ? { items, hasNextPage: hasMore, hasPreviousPage: hasCursor, start: first, end: last }
    : {
        items: items.toReversed(),
        hasNextPage: hasCursor,
        hasPreviousPage: hasMore,
        start: last,
        end: first,
      }
}

const empty: PageResult<never> = { items: [], hasMore: false, last: null }
