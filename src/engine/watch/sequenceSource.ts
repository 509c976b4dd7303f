import type { Signal } from '../../kit/clock/signal.ts'
import type { Topic } from './model.ts'
import type { PeerObservation, PollOptions } from './peers.ts'

/**
 * A sequence that never ends, such as the blocks of a chain. Its records have consecutive positions:
 * one record at each whole number up to the head.
 */
export interface SequenceSource<T extends object> {
  readonly topic: Topic<T>
  /** Sources of one topic with equal keys and the same upstream share a feed. */
  readonly key: string
  /** The client of the source. It is compared by identity. */
  readonly upstream: object
  readonly head: (signal: Signal, options?: PollOptions) => Promise<SequenceTop<T>>
  /** Listens to the heads that other gateways see, as `Peers.follow`. */
  readonly follow?: (listener: (observation: PeerObservation<SequenceTop<T>>) => void) => () => void
  /** The records from `from` to `to`, both included, oldest first: at most `rangeSize` of them. */
  readonly range: (from: bigint, to: bigint, signal: Signal) => Promise<readonly Ranged<T>[]>
  /** The most records of one `range` request. */
  readonly rangeSize: number
  readonly positionOf: (record: T) => bigint
  /**
   * The time of a record in milliseconds since 1970, as its source says. With it, the head is requested when
   * the next record is due.
   */
  readonly timeOf?: (record: T) => number
  /** Milliseconds between two requests for the head, at least. */
  readonly intervalMs: number
  /**
   * How many listeners it takes for the head to be requested that often, by default 1. For fewer, the interval
   * is longer by as much, up to five seconds: with 5, it is five times as long for one listener.
   */
  readonly fullPaceListeners?: number | undefined
  /** Milliseconds without a new head until listeners get the event `late`. */
  readonly lateAfterMs: number
  /** Whether no retry can succeed after this error. */
  readonly isFatal: (error: unknown) => boolean
  /** Messages for clients when a feed fails. */
  readonly messages: {
    readonly timeout: string
    /** A response holds records that were not requested, or holds them out of order. */
    readonly invalid: string
  }
}

/** Stands in a range for a record that is there and cannot be read. */
export class UnreadableAt {
  readonly position: bigint

  constructor(position: bigint) {
    this.position = position
  }
}

/** The part of a range at one position. */
export type Ranged<T> = T | UnreadableAt

/** The demand of an urgent listener: enough to poll the head at the full rate. */
export const fullDemand = ({ fullPaceListeners = 1 }: Pick<SequenceSource<object>, 'fullPaceListeners'>): number =>
  fullPaceListeners

/** The newest position, and the newest records where the response has them. They save a `range` request. */
export interface SequenceTop<T> {
  readonly position: bigint
  /** The newest position of all, if the record there cannot be read. It moves the expected time of the next one. */
  readonly unreadable?: bigint
  readonly records?: readonly T[]
  /** Positions between these records whose own came with them, and cannot be read. They need no request either. */
  readonly unreadableBetween?: readonly bigint[]
}

/** An event of a sequence, for a listener. Only `record` and `missing` advance its position. */
export type RecordEvent<T> =
  /** Records up to `position` may be missing: the listener starts there. Sent first, and only on request. */
  | { readonly kind: 'gap'; readonly position: bigint; readonly head: bigint }
  | {
      readonly kind: 'record'
      readonly position: bigint
      readonly record: T
      /** The newest position of the source. */
      readonly head: bigint
    }
  /**
   * Records from `first` to `position` are missing although the head has passed them, or cannot be read. The stream
   * continues after them.
   */
  | {
      readonly kind: 'missing'
      readonly isUnreadable: boolean
      readonly first: bigint
      readonly position: bigint
      readonly head: bigint
    }
  /**
   * The head is below the listener's position, in two polls in a row: the source lost records, or
   * never had them. Sent once; records follow when the head passes the position again.
   */
  | { readonly kind: 'headBehind'; readonly position: bigint; readonly head: bigint }
  /**
   * The head has not moved for `lateAfterMs`, or the next records cannot be requested, with `error`. Sent once;
   * records follow.
   */
  | {
      readonly kind: 'late'
      readonly position: bigint
      readonly head: bigint
      readonly error?: unknown
    }
