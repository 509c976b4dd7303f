import { GatewayError } from '../upstream/error.ts'
import { UpstreamHttpError } from '../upstream/upstreamError.ts'
import type { Page } from '../wire/decode.ts'
import type { Position } from './cursor.ts'
import type { KeyRange } from './keyRange.ts'
import type { LearntCaps } from './pageCaps.ts'

/** One request for a page of an upstream list. `isReverse` means descending, as indexers name it. */
export interface PageQuery {
  readonly key?: string | undefined
  readonly offset?: number | undefined
  readonly limit: number
  readonly isReverse: boolean
}

/** The key of a record as JSON text. Undefined if it has none, or cannot be read. */
export type RecordKeyOf<T> = (item: T) => string | undefined

/** The number in the keys of a keyset list. */
export type KeysetField = 'height' | 'sequence'

/**
 * How the pages of a list are found.
 *
 * - `keyset`: by a key that bounds the records and holds a number. If the keys of the first page have
 *   another form, the list is read as an offset or opaque list.
 * - `offset`: by counting the records.
 * - `record`: by the key of a record, which the record itself holds, where the upstream takes it, and else by
 *   counting. `keyOf` of the strategy gives it as JSON text.
 * - `opaque`: by keys that only the upstream can read.
 */
export type Strategy<T = never> =
  | { readonly kind: 'keyset'; readonly field: KeysetField }
  | { readonly kind: 'offset' }
  | { readonly kind: 'record'; readonly keyOf: RecordKeyOf<T> }
  | { readonly kind: 'opaque' }

/** An upstream list in one order. */
export interface UpstreamList<T> {
  readonly isDescending: boolean
  /** Null if the upstream does not serve this list. */
  readonly fetchPage: (query: PageQuery) => Promise<Page<T> | null>
  readonly caps: LearntCaps
  readonly strategy: Strategy<T>
  /** The key of a record, if the record itself holds it and can be read. */
  readonly keyOf?: ((item: T) => bigint | undefined) | undefined
  /** The number of records in the list, if it is known before the list is read. */
  readonly size?: bigint | undefined
  /**
   * Whether all records of the list were written together, and the upstream counts them with the first page: a
   * page that has as many is the whole list, for good.
   */
  readonly isWrittenAtOnce?: boolean | undefined
  /** Keeps only these records. One read examines at most `scanLimit` records. */
  readonly filter?: ((item: T) => boolean) | undefined
  /** The part of a keyset list that is read. Left out, all of it. */
  readonly range?: KeyRange<T> | undefined
  /** True if no accepted record follows a page without one. */
  readonly stopAtUnmatchedPage?: boolean | undefined
}

/** A record and its position. */
export interface Item<T> {
  readonly item: T
  readonly position: Position
}

/** Records in the direction of the read: backward reads give the last record first. */
export interface PageResult<T> {
  readonly items: readonly Item<T>[]
  /** True if a record follows in that direction, or may follow among records not yet examined. */
  readonly hasMore: boolean
  /** Where to continue: the last item, or the last record that the filter rejected. */
  readonly last: Position | null
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
  { fetchPage: fetch, caps }: Pick<UpstreamList<T>, 'fetchPage' | 'caps'>,
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
          error instanceof UpstreamHttpError &&
          error.status === 400 &&
          nextSmallerLimit(limit, error.bodyExcerpt)
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
