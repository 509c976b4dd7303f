import type { Page } from '../upstream/decode.ts'
import { GatewayError } from '../upstream/error.ts'
import { UpstreamHttpError } from '../upstream/upstreamError.ts'
import type { Position } from './cursor.ts'
import type { LearntCaps } from './pageCaps.ts'

/** One page asked of an upstream list. `isReverse` is the indexers' word for descending. */
export interface PageQuery {
  readonly key?: string | undefined
  readonly offset?: number | undefined
  readonly limit: number
  readonly isReverse: boolean
}

/** An upstream list in one order. */
export interface UpstreamList<T> {
  readonly isDescending: boolean
  /** Null when the upstream does not serve this list. */
  readonly fetchPage: (query: PageQuery) => Promise<Page<T> | null>
  readonly caps: LearntCaps
  /** How the first page is cut: by a key that bounds the records, or by counting them. */
  readonly family: { readonly keyset: 'height' | 'sequence' } | 'offset'
  /** The key of a record, where the record itself holds it. */
  readonly keyOf?: (item: T) => bigint
  /** How many records the list holds, where that is known beforehand. */
  readonly size?: bigint | undefined
  /** Keeps only these records; the others are passed over, at most `scanLimit` a walk. */
  readonly filter?: ((item: T) => boolean) | undefined
  /** True when a page with no accepted record shows that none will follow. */
  readonly stopAtUnmatchedPage?: boolean | undefined
}

/** A record and where it stands. */
export interface Item<T> {
  readonly item: T
  readonly position: Position
}

/** Records in the order walked. */
export interface PageResult<T> {
  readonly rows: readonly Item<T>[]
  /** True when a record follows in the direction walked, or may follow what was passed over. */
  readonly hasMore: boolean
  /** Where to go on from: the last row, or the last record passed over. */
  readonly last: Position | null
}

/** The most records one walk examines when it has to filter them itself. */
export const scanLimit = 1000

/** Records asked for at once while filtering. */
export const scanPage = 100

/** The rows asked for, out of rows that may hold one more. */
export function takePage<T>(rows: readonly Item<T>[], count: number): PageResult<T> {
  const kept = rows.slice(0, count)
  return { rows: kept, hasMore: rows.length > count, last: kept.at(-1)?.position ?? null }
}

/** Fetches a page no larger than the list allows, and learns from the response what it allows. */
export async function fetchPage<T>(
  { fetchPage: fetch, caps }: Pick<UpstreamList<T>, 'fetchPage' | 'caps'>,
  query: PageQuery,
): Promise<Page<T> | null> {
  const allowed = Math.min(query.limit, caps.current().maxLimit)
  for (let limit = allowed, tries = 1; ; tries += 1) {
    try {
      const page = await fetch({ ...query, limit })
      // Learnt only from a page that is served: a refusal may quote text of the client's.
      if (limit < allowed) caps.lowerLimit(limit)
      if (page) caps.observe(page)
      return page
    } catch (error) {
      const smaller =
        error instanceof UpstreamHttpError &&
        error.status === 400 &&
        nextSmallerLimit(limit, error.bodyExcerpt)
      if (!smaller || tries === 4) throw error
      limit = smaller
    }
  }
}

/** A limit to try after one was refused: the largest smaller number named, or the next common one. */
function nextSmallerLimit(limit: number, said: string): number | undefined {
  const isNamed = /limit|page.?size|too (many|large)/i.test(said)
  const named = isNamed ? (said.match(/\d+/g) ?? []).map(Number) : []
  const common = isNamed ? [100, 10, 1] : [100]
  return [...named.toSorted((a, b) => b - a), ...common].find((one) => one > 0 && one < limit)
}

/** The error for an upstream whose pages lead in a circle, or back. */
export const nonMonotonicPage = (): GatewayError =>
  new GatewayError(
    'UPSTREAM_INVALID_RESPONSE',
    'An upstream list does not move on from page to page.',
  )
