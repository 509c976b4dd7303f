import type { Signal } from '../../kit/clock/signal.ts'
import type { SequenceSource } from './sequenceSource.ts'

/**
 * A list that only grows, with numbered records. A listener reads the records that have its key, such as the
 * transactions of a chain that name an account.
 */
export interface KeyedSource<T extends object, Head extends object> {
  /** Unique among all lists. Equal lists of the same upstream share all requests. */
  readonly key: string
  /** A new head of this feed can bring new records. With few listeners, the list is read without polling the heads. */
  readonly heads: SequenceSource<Head>
  readonly hasRecords: (head: Head) => boolean
  /** The position in `heads` that a record came with. Undefined if the record cannot be read. */
  readonly headOf: (record: T) => bigint | undefined
  /** The number of the newest record. 0 if there is none. */
  readonly newest: (signal: Signal) => Promise<bigint>
  /** The first records after a number, in order. */
  readonly after: (number: bigint, signal: Signal) => Promise<NewRecords<T>>
  /** The keys of a record. Called once for each. A record that cannot be read may have any key. */
  readonly keysOf: (record: T) => Keys
  /**
   * The first records after a place that have a key, in order. Null if the list has fewer records than were
   * delivered of it before, as at a replica that is behind.
   */
  readonly history: (key: string, after: ListOffset, signal: Signal) => Promise<KeyPage<T> | null>
  /** Whether no retry can succeed after this error. */
  readonly isFatal: (error: unknown) => boolean
  readonly timeoutMessage: string
}

export type Keys = ReadonlySet<string> | 'any'

/** A record and its number in the list. */
export interface Numbered<T> {
  readonly number: bigint
  readonly record: T
}

/** Some records of a list. */
export interface NewRecords<T> {
  readonly records: readonly Numbered<T>[]
  /** Whether the list has no records after them. If false, it may have some. */
  readonly isEnd: boolean
  /** Whether records before them were left out. Listeners then read the ones with their key. */
  readonly hasGap?: boolean
}

/** A place in the records of a key: after that many of them that come after a number of the list. */
export interface ListOffset {
  readonly number: bigint
  readonly skip: number
}

/** Some records of a key. */
export interface KeyPage<T> {
  /** Empty at the end of the list. */
  readonly records: readonly OffsetRecord<T>[]
  /** The place after the last of these records. */
  readonly end: ListOffset
}

/** A record, and the place after it. */
export interface OffsetRecord<T> {
  readonly place: ListOffset
  readonly record: T
}

/** An event of one list, for a listener. */
export type KeyedEvent<T> =
  | { readonly kind: 'record'; readonly record: T }
  /**
   * There was no new head for some time, or the reads fail again and again, with `error`. Sent once; records
   * follow.
   */
  | { readonly kind: 'late'; readonly head: bigint | undefined; readonly error?: unknown }
  /** Records before this event may be missing. Sent first, and only on request. */
  | { readonly kind: 'gap' }
  /** The list cannot be followed. Nothing more comes from it. */
  | { readonly kind: 'failed'; readonly error: unknown }
