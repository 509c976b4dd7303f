import type { Upstream } from '../upstream/client.ts'
import { badInput, GatewayError, isUpstreamFault } from '../upstream/error.ts'
import type { Position } from './cursor.ts'
import { paginateKeyset } from './keyset.ts'
import {
  countingPages,
  isCountable,
  type ListContext,
  type ListOrder,
  type ListSource,
  listName,
  type Total,
  upstreamList,
} from './listPage.ts'
import { paginateOffset } from './offset.ts'
import { paginateOpaque } from './opaque.ts'
import { paginateRecords } from './records.ts'
import { pageOfWhole, type WholeList } from './run.ts'
import type { Item, PageResult, UpstreamList } from './source.ts'
import { paginateUntied } from './untied.ts'
import { type ListWindow, type LongLists, pageOfWindow, readWindow } from './window.ts'

/** Which page of a list to read. */
export interface ListPageRequest {
  readonly order: ListOrder
  readonly count: number
  /** Whether the page comes after `from`, or before it. */
  readonly isForward: boolean
  /** Not part of the page. Null reads from the start of the list, or backwards from its end. */
  readonly from: Position | null
  /** Called with the number of records, if the request for the page itself can count them. */
  readonly onTotal?: ((total: Total) => void) | undefined
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
export const fetchListPage = <T>(
  context: ListContext,
  upstream: Upstream,
  source: ListSource<T>,
  request: ListPageRequest,
): Promise<ListPage<T> | null> =>
  readPage(context, upstream, source, request).then(
    (result) => result && toListPage(context.scope.releaseAtEnd(result), request),
  )

/** A page from an end of a list that was read whole. */
export const listPageOfWhole = <T>(
  whole: WholeList<T>,
  { order, count, isForward }: Pick<ListPageRequest, 'order' | 'count' | 'isForward'>,
): ListPage<T> =>
  toListPage(pageOfWhole(whole, order === 'DESC', isForward, count), { isForward, from: null })

function toListPage<T>(
  { items, hasMore, last }: PageResult<T>,
  { isForward, from }: Pick<ListPageRequest, 'isForward' | 'from'>,
): ListPage<T> {
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

/** A page of a list. An error of its keys names the service, which the code that follows them does not know. */
function readPage<T>(
  context: ListContext,
  upstream: Upstream,
  source: ListSource<T>,
  request: ListPageRequest,
): Promise<PageResult<T> | null> {
  return readRecords(context, upstream, source, request).catch((error: unknown) => {
    if (!isUpstreamFault(error) || error.service !== undefined) throw error
    throw new GatewayError(error.code, error.message, { service: upstream.service, cause: error })
  })
}

function readRecords<T>(
  context: ListContext,
  upstream: Upstream,
  source: ListSource<T>,
  request: ListPageRequest,
): Promise<PageResult<T> | null> {
  if (source.size === 0n) return Promise.resolve(noRecords())
  const { count, isForward, from } = request
  if (source.range) {
    const list = listOf(context, upstream, source, request)
    return source
      .range()
      .then((range) => (range ? paginate({ ...list, range }, from, isForward, count) : noRecords()))
  }
  if (source.window && count > 0) {
    return readByWindow(context, upstream, source, source.window, request)
  }
  return paginate(listOf(context, upstream, source, request), from, isForward, count)
}

const noRecords = (): PageResult<never> => ({ items: [], hasMore: false, last: null })

/** Reads a page of a list that is read whole if it is short. */
async function readByWindow<T>(
  context: ListContext,
  upstream: Upstream,
  source: ListSource<T>,
  window: ListWindow,
  request: ListPageRequest,
): Promise<PageResult<T> | null> {
  const { order, count, isForward, from, onTotal } = request
  const list = listOf(context, upstream, source, request)
  const { isDescending } = list
  if (source.isTied && !longMark(context, upstream, source).has()) {
    const untied = await paginateUntied(list, source.isTied, from, isForward, count)
    if (untied !== undefined) return untied
  }
  // The whole list has the exact number, so that all who read it share a request without a count.
  const isExact = isCountable(source) && source.total === 'count'
  const all = await fetchWhole(context, upstream, source, order, isExact ? undefined : list)
  if (all === undefined) return null
  if (all && isExact) onTotal?.(BigInt(all.length))
  const page = all && pageOfWindow(all, window, { isDescending, isForward, count }, from)
  return page ?? paginate(list, from, isForward, count)
}

/** The list to read, whose first page is requested with the number of records if that is asked for. */
function listOf<T>(
  context: ListContext,
  upstream: Upstream,
  source: ListSource<T>,
  { order, from, onTotal }: ListPageRequest,
): UpstreamList<T> {
  const pages = upstreamList(context, upstream, source, order)
  const isAsked = onTotal !== undefined || source.isWrittenAtOnce === true
  const isCounted = isAsked && from === null && isCountable(source)
  const { fetchPage } = isCounted ? countingPages(context, upstream, source, pages, onTotal) : pages
  const { strategy, keyOf, size, isWrittenAtOnce, filter, stopAtUnmatchedPage } = source
  const { isDescending, caps } = pages
  const known = { strategy, keyOf, size, isWrittenAtOnce, filter, stopAtUnmatchedPage }
  return { isDescending, caps, fetchPage, ...known }
}

/** Lists that were too long for their windows a short time ago. */
const longLists = { name: 'long lists', maxEntries: 10_000, ttlMs: 10 * 60_000 }

/**
 * All records of a list with a window. Null if they are too many. Undefined if the upstream does not serve
 * the list. Read once in an operation.
 */
export async function fetchWhole<T>(
  context: ListContext,
  upstream: Upstream,
  source: ListSource<T>,
  order: ListOrder,
  pages = upstreamList(context, upstream, source, order),
): Promise<readonly T[] | null | undefined> {
  if (!source.window) return null
  return readWindow(pages, source.window, longMark(context, upstream, source))
}

/** Where it is noted that a list is too long for its window. */
function longMark<T>({ scope }: ListContext, upstream: Upstream, source: ListSource<T>): LongLists {
  const region = scope.hints.open<true>(longLists)
  const name = listName(upstream, source, 'ASC')
  return { has: () => region.get(name) === true, add: () => region.set(name, true) }
}

/** A page without records. */
export const emptyPage = (): ListPage<never> => ({
  items: [],
  hasNextPage: false,
  hasPreviousPage: false,
  start: null,
  end: null,
})

/**
 * Reads `count` records of a list from a position, which is not included, or from an end of the list.
 * Forward is list order, backward is against it. One record more than `count` is requested, because
 * an upstream's next key does not show whether a record follows. Null if the upstream does not serve
 * the list.
 */
export function paginate<T>(
  list: UpstreamList<T>,
  from: Position | null,
  isForward: boolean,
  count: number,
): Promise<PageResult<T> | null> {
  if (from === null) return paginateFromEnd(list, isForward, count)
  // A list that turned out not to have the keys of its strategy has positions of another kind.
  switch (from.kind) {
    case 'keyset':
      if (list.strategy.kind !== 'keyset')
        return Promise.reject(badInput('Invalid cursor.', 'INVALID_CURSOR'))
      return paginateKeyset(list, list.strategy.field, from, isForward, count)
    case 'offset':
      return paginateOffset(list, from, isForward, count)
    case 'record':
      if (list.strategy.kind !== 'record')
        return Promise.reject(badInput('Invalid cursor.', 'INVALID_CURSOR'))
      return paginateRecords(list, list.strategy.keyOf, from, isForward, count)
    case 'opaque':
      return paginateOpaque(inRange(list), from, isForward, count)
  }
}

/** The list with its range as a filter: an opaque key does not bound the records of a range. */
function inRange<T>(list: UpstreamList<T>): UpstreamList<T> {
  const { range, filter } = list
  return range ? { ...list, filter: (item) => range.has(item) && filter?.(item) !== false } : list
}

function paginateFromEnd<T>(
  list: UpstreamList<T>,
  isForward: boolean,
  count: number,
): Promise<PageResult<T> | null> {
  switch (list.strategy.kind) {
    case 'keyset':
      return paginateKeyset(list, list.strategy.field, null, isForward, count)
    case 'offset':
      return paginateOffset(list, null, isForward, count)
    case 'record':
      return paginateRecords(list, list.strategy.keyOf, null, isForward, count)
    case 'opaque':
      return paginateOpaque(list, null, isForward, count)
  }
}
