import { GatewayError } from '../upstream/error.ts'
import { UpstreamHttpError } from '../upstream/upstreamError.ts'
import type { Page } from '../wire/decode.ts'
import { unreadable } from '../wire/optional.ts'
import type { Position } from './cursor.ts'
import type { ObservedPageLimits } from './pageCaps.ts'

/** One request for a page of an upstream list. `isReverse` means descending, as indexers name it. */
export interface PageQuery {
  readonly key?: string | undefined
  readonly offset?: number | undefined
  readonly limit: number
  readonly isReverse: boolean
}

/** A number of records. Null if it is unknown. */
export type Total = bigint | null | typeof unreadable

/**
 * The count in a page's `total`. Null for -1, which an indexer sends if counting took too long, and for a wrong 0 on a page that has
 * records.
 */
export const countOf = ({ total, items }: Page<unknown>): Total =>
  total === unreadable || (total !== null && total > (items.length > 0 ? 0n : -1n)) ? total : null

/** A record and its position. */
export interface Item<T> {
  readonly item: T
  readonly position: Position
  /** Which part of its record it is, from 0 in the order of the list, if the list has several items of one record. */
  readonly part?: number | undefined
}

/** Records in the direction of the read: backward reads give the last record first. */
export interface PageResult<T> {
  readonly items: readonly Item<T>[]
  /** True if a record follows in that direction, or may follow among records not yet examined. */
  readonly hasMore: boolean
  /** Where to continue: the last item, or the last record that the filter rejected. */
  readonly last: Position | null
}

/** Which page of a list to read. */
export interface ListPageRequest {
  readonly count: number
  /** Whether the page comes after `from`, or before it. */
  readonly isForward: boolean
  /** Not part of the page. Null reads from the start of the list, or backwards from its end. */
  readonly from: Position | null
  /** Called with the number of records, if the request for the page itself can count them. */
  readonly onTotal?: ((total: Total) => void) | undefined
}

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

/** The most records that one read examines when it filters them itself. */
export const scanLimit = 1000

/** Records requested in one page while filtering. */
export const scanPage = 100

/** Whether the first page of a list has all records that the upstream has counted with it. */
export const isCountedPage = ({ items: { length }, total }: Page<unknown>): boolean =>
  length > 0 && total === BigInt(length)

/** The first `count` items. An item beyond them shows that the list has more. */
export function takePage<T>(items: readonly Item<T>[], count: number): PageResult<T> {
  const taken = items.slice(0, count)
  return { items: taken, hasMore: items.length > count, last: taken.at(-1)?.position ?? null }
}

/** Fetches a page within the limit of the list, and notes the limit that the response shows. */
export function fetchPage<T>(
  {
    fetchPage: fetch,
    caps,
  }: {
    readonly fetchPage: (query: PageQuery) => Promise<Page<T> | null>
    readonly caps: ObservedPageLimits
  },
  query: PageQuery,
): Promise<Page<T> | null> {
  const allowed = Math.min(query.limit, caps.current().maxLimit)
  const attempt = (limit: number, triesLeft: number): Promise<Page<T> | null> =>
    fetch({ ...query, limit }).then(
      (page) => {
        // Learnt only from a page that is served: a refusal may quote text of the client's.
        if (limit < allowed) caps.lowerLimit(limit)
        if (page) caps.observe(page)
        return page
      },
      (error) => {
        const smaller =
          error instanceof UpstreamHttpError && error.status === 400 && nextSmallerLimit(limit, error.bodyExcerpt)
        if (!smaller || triesLeft === 0) throw error
        return attempt(smaller, triesLeft - 1)
      },
    )
  return attempt(allowed, maxSmallerLimits)
}

/** How many smaller limits are tried after a refusal. */
const maxSmallerLimits = 3

/** The limit to try after a refusal: the largest smaller number in its text, or a common one. */
function nextSmallerLimit(refused: number, text: string): number | undefined {
  const namesLimit = /limit|page.?size|too (many|large)/i.test(text)
  const named = namesLimit ? (text.match(/\d+/g) ?? []).map(Number) : []
  const common = namesLimit ? [100, 10, 1] : [100]
  const candidates = [...named.toSorted((a, b) => b - a), ...common]
  return candidates.find((limit) => limit > 0 && limit < refused)
}

/** The error for an upstream whose page keys do not lead through its list. */
export const nonMonotonicPage = (message: string): GatewayError =>
  new GatewayError('UPSTREAM_INVALID_RESPONSE', message)

/** A page without records. */
export const emptyPage = (): ListPage<never> => ({
  items: [],
  hasNextPage: false,
  hasPreviousPage: false,
  start: null,
  end: null,
})

/** The page that a read of a strategy gives, in list order. */
export function toListPage<T>(
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
