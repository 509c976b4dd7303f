import type { z } from 'zod'
import type { Upstream } from '../upstream/client.ts'
import { isUpstreamFault } from '../upstream/error.ts'
import { get, type Path, type Query } from '../upstream/request.ts'
import type { RequestScope } from '../upstream/requestScope.ts'
import { UpstreamHttpError } from '../upstream/upstreamError.ts'
import { type Page, UnreadableRecord } from '../wire/decode.ts'
import { unreadable } from '../wire/optional.ts'
import type { KeyRange } from './keyRange.ts'
import { decodeKey } from './keys.ts'
import { learntCaps } from './pageCaps.ts'
import { isCountedPage, type KeysetField, type PageQuery, type UpstreamList } from './source.ts'
import type { IsTied } from './untied.ts'
import type { ListWindow } from './window.ts'

/** The part of an operation's context that a list is read with. */
export interface ListContext {
  readonly scope: Pick<RequestScope, 'fetch' | 'hints' | 'releaseAtEnd' | 'memo'>
}

/** The order of a list. */
export type ListOrder = 'ASC' | 'DESC'

/** The endpoint of a list, and how its pages are read. */
export interface ListSource<T>
  extends Pick<
    UpstreamList<T>,
    'strategy' | 'keyOf' | 'size' | 'isWrittenAtOnce' | 'filter' | 'stopAtUnmatchedPage'
  > {
  readonly path: Path | string
  /** Filters that the upstream applies. Paging parameters are added for each request. */
  readonly query?: Query | undefined
  /** Tells apart lists with the same path and query: names the filter that the gateway applies. */
  readonly filterKey?: string | undefined
  readonly page: z.ZodType<Page<T>>
  /**
   * Whether the list only grows, after its newest record, and its records never change or leave. Its final
   * pages are then cached.
   */
  readonly isAppendOnly?: boolean | undefined
  /** How the list is read whole if it is short. For an offset list, whose pages can repeat or miss ties. */
  readonly window?: ListWindow | undefined
  /**
   * Whether two records are equal in the order of the list. A list with a window is then read whole only where
   * a page has such records. Positions count from the end of the list that the page was read from.
   */
  readonly isTied?: IsTied<T> | undefined
  /** The part of a keyset list that is listed, as it is found. Null if no record is in it. Left out, all of it. */
  readonly range?: (() => Promise<KeyRange<T> | null>) | undefined
  /**
   * Where the number of records comes from: the upstream's count, its estimate, nowhere, or another
   * request.
   */
  readonly total: 'count' | 'estimate' | 'none' | (() => Promise<Total>)
  /** Called with all records, oldest first, where one page shows that they are all. */
  readonly onWhole?: ((items: readonly T[]) => void) | undefined
  /** Whether the number that another request gives may be wrong. */
  readonly isTotalEstimate?: boolean | undefined
}

type PageSource<T> = Pick<
  ListSource<T>,
  'path' | 'query' | 'page' | 'size' | 'isAppendOnly' | 'isWrittenAtOnce'
> &
  Partial<Pick<ListSource<T>, 'strategy' | 'filter'>>

type Pages<T> = Pick<UpstreamList<T>, 'isDescending' | 'caps' | 'fetchPage'>

/** The pages of a list in one order. Equal pages are requested once in an operation. */
export const upstreamList = <T>(
  { scope }: ListContext,
  upstream: Upstream,
  source: PageSource<T>,
  order: ListOrder,
): Pages<T> => ({
  isDescending: order === 'DESC',
  caps: learntCaps(scope.hints, upstream.source, source.path, filterNames(source.query ?? {})),
  fetchPage: (query) =>
    // A read with a filter can examine hundreds of records for each record that it returns.
    scope.fetch(upstream, pageRequest(source, query, false), {
      isKept: !source.filter,
      isHeavy: source.filter !== undefined,
    }),
})

function pageRequest<T>(
  { path, query, page, strategy, size, isAppendOnly, isWrittenAtOnce }: PageSource<T>,
  pageQuery: PageQuery,
  isCounted: boolean,
) {
  const { key, offset, limit, isReverse } = pageQuery
  const isReadable = ({ items }: Page<T>) => !items.some((item) => item instanceof UnreadableRecord)
  const field = isAppendOnly && strategy?.kind === 'keyset' ? strategy.field : undefined
  return get(path, page, {
    // V8 takes microseconds to add properties after a spread.
    query: Object.assign({}, query, {
      'pagination.key': key,
      'pagination.offset': offset,
      'pagination.limit': limit,
      'pagination.reverse': isReverse,
      'pagination.count_total': isCounted,
    }),
    isFinal: isCounted
      ? isWrittenAtOnce === true && ((page) => isCountedPage(page) && isReadable(page))
      : field !== undefined &&
        ((page) => isFinalPage({ field, size }, pageQuery, page) && isReadable(page)),
  })
}

/** Lists whose records take their upstream too long to count, so that a page must not wait for it. */
const slowCounts = { name: 'slow counts', maxEntries: 10_000, ttlMs: 10 * 60_000 }

/** Whether the upstream itself counts the records of the list. */
export const isCountable = <T>({ size, total }: ListSource<T>): boolean =>
  size === undefined && (total === 'count' || total === 'estimate')

/**
 * The pages of a list. The first one is requested with the number of records, unless the list was slow to count
 * before or that request fails.
 */
export function countingPages<T>(
  { scope }: ListContext,
  upstream: Upstream,
  source: ListSource<T>,
  { fetchPage }: Pages<T>,
  onTotal?: (total: Total) => void,
): Pick<Pages<T>, 'fetchPage'> {
  const slow = scope.hints.open<true>(slowCounts)
  const name = listName(upstream, source, 'ASC')
  return {
    async fetchPage(query) {
      const isFirst = query.key === undefined && query.offset === undefined
      if (!isFirst || slow.get(name)) return fetchPage(query)
      try {
        const page = await scope.fetch(upstream, pageRequest(source, query, true))
        // It has waited for a count that the upstream gave up.
        if (page?.total === -1n) slow.set(name, true)
        if (page) onTotal?.(countOf(page))
        return page
      } catch (error) {
        if (!isFault(error)) throw error
        slow.set(name, true)
        return fetchPage(query)
      }
    },
  }
}

/** Whether the upstream failed. A refused limit is not a matter of the count. */
const isFault = (error: unknown): boolean =>
  isUpstreamFault(error) && !(error instanceof UpstreamHttpError && error.status === 400)

const filterNames = (query: Query): string[] =>
  Object.keys(query).filter((name) => query[name] !== undefined)

/** The name of a list in one order. A cursor is valid for lists of the same name. */
export function listName<T>(upstream: Upstream, source: ListSource<T>, order: ListOrder): string {
  const { target } = get(source.path, source.page, { query: source.query ?? {} })
  return `${upstream.service} ${target} ${source.filterKey ?? ''} ${order}`
}

/**
 * The number of records in a list. Null if the upstream cannot count them, undefined if it does not serve
 * the list.
 */
export async function countList<T>(
  { scope }: ListContext,
  upstream: Upstream,
  { path, query, page, size, total }: ListSource<T>,
): Promise<Total | undefined> {
  if (size !== undefined) return size
  if (typeof total === 'function') return total()
  if (total === 'none') return null
  const counted = { ...query, 'pagination.limit': 1, 'pagination.count_total': true }
  const firstPage = await scope.fetch(upstream, get(path, page, { query: counted }))
  return firstPage ? countOf(firstPage) : undefined
}

/** A number of records. Null if it is unknown. */
export type Total = bigint | null | typeof unreadable

/** The count in a page's `total`. Null for -1, which is sent after a timeout, and for 0 beside a record. */
export const countOf = ({ total, items }: Page<unknown>): Total =>
  total === unreadable || (total !== null && total > (items.length > 0 ? 0n : -1n)) ? total : null

/** A list that only grows, after its newest record. Its records never change or leave. */
export interface AppendOnlyList {
  /** The number in its keys, which counts the records of the whole service without gaps. */
  readonly field: KeysetField
  /** The final number of records in the list, if it is known. */
  readonly size?: bigint | undefined
}

/**
 * Whether a page can never change: it has all records of the list, or as many as were requested from a
 * key, with consecutive numbers. A missing number could still be filled, and a short page can grow.
 */
export function isFinalPage(
  { field, size }: AppendOnlyList,
  { key, offset, limit }: PageQuery,
  { items: { length }, nextKey }: Page<unknown>,
): boolean {
  if (offset !== undefined) return false
  if (key === undefined) return size !== undefined && BigInt(length) === size
  const [first, last] = [decodeKey(field, key), nextKey === null ? null : decodeKey(field, nextKey)]
  if (length !== limit || first === undefined || last === undefined || last === null) return false
  const distance = first > last ? first - last : last - first
  return distance === BigInt(limit)
}
