import type { z } from 'zod'
import type { Path, Query } from '../upstream/request.ts'
import type { Page } from '../wire/decode.ts'
import type { LearntKeys } from './keyForms.ts'
import type { PageQuery, Total } from './page.ts'
import type { ObservedPageLimits } from './pageCaps.ts'

/** The key of a record as JSON text. Undefined if it has none, or cannot be read. */
export type RecordKeyOf<T> = (item: T) => string | undefined

/** The number in the keys of a keyset list. */
export type KeysetField = 'height' | 'sequence'

/**
 * How the pages of a list are found.
 *
 * - `keyset`: by a key that bounds the records and holds a number. If the keys of the first page have
 *   another form, the list is read as an opaque list.
 * - `offset`: by counting the records, if its pages show no keys or keys that count, and else as an opaque list.
 * - `record`: the same, and a place is found again by the key of its record, which `keyOf` of the strategy gives.
 * - `opaque`: by keys that only the upstream can read.
 */
export type Strategy<T = never> =
  | { readonly kind: 'keyset'; readonly field: KeysetField }
  | { readonly kind: 'offset' }
  | { readonly kind: 'record'; readonly keyOf: RecordKeyOf<T> }
  | { readonly kind: 'opaque' }

/** The part of a keyset list that is read. */
export interface KeyRange<T> {
  /** Records have greater keys than this. */
  readonly above: bigint
  /** Records have smaller keys than this. Undefined up to the newest. */
  readonly below: bigint | undefined
  /** Whether a record is in the range: the records of some lists do not show their keys. */
  readonly has: (item: T) => boolean
}

/** What a strategy reads the pages of a list with, in one order. */
export interface UpstreamList<T> {
  readonly isDescending: boolean
  /** Null if the upstream does not serve this list. */
  readonly fetchPage: (query: PageQuery) => Promise<Page<T> | null>
  readonly caps: ObservedPageLimits
  /** What the keys of its pages are, in a direction of the upstream. */
  readonly keys: (isReverse: boolean) => LearntKeys
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

/** How a list that fits in one page of its upstream is read whole. */
export interface ListWindow {
  /** The most records that are read together. */
  readonly limit: number
  /**
   * The end of the ascending list that positions count from. They stay good when records arrive at the
   * other end.
   */
  readonly anchor: 'first' | 'last'
}

/** Whether two records are equal in the order of their list. */
export type IsTied<T> = (a: T, b: T) => boolean

export type ListOrder = 'ASC' | 'DESC'

/** A filter that the upstream is asked to apply. */
export interface AskedFilter<T> {
  /** Asks for it. */
  readonly query: Query
  /** Whether a record belongs to the filtered list. */
  readonly isMatch: (item: T) => boolean
  /** A filter that some of the records match and others do not. Undefined if all are alike. */
  readonly probeOf: (items: readonly T[]) => Omit<AskedFilter<T>, 'probeOf'> | undefined
}

/** The endpoint of a list, and how its pages are read. */
export interface ListSource<T>
  extends Pick<UpstreamList<T>, 'strategy' | 'keyOf' | 'size' | 'isWrittenAtOnce' | 'filter' | 'stopAtUnmatchedPage'> {
  readonly path: Path | string
  /** Filters that the upstream applies. Paging parameters are added for each request. */
  readonly query?: Query | undefined
  /** A filter that the upstream may apply, or else the gateway. */
  readonly asked?: AskedFilter<T> | undefined
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
