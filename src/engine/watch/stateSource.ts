import type { Signal } from '../../kit/clock/signal.ts'
import type { Search, Topic } from './model.ts'
import type { PeerObservation, PollOptions } from './peers.ts'

/** The meaning of the states of a topic. */
export interface StateRules<T> {
  readonly topic: Topic<T>
  readonly equals: (before: T, now: T) => boolean
  /**
   * Whether a response is older than the one before it. A stale response is ignored, unless the upstream
   * repeats it: then it is a correction.
   */
  readonly isStale: (before: T, now: T) => boolean
  readonly isFinal: (state: T) => boolean
  /** Whether nothing can undo a final state. It is then kept for late listeners. */
  readonly isIrreversible: (state: T) => boolean
  /** Whether nothing at all changes in a final state any more. */
  readonly isSettled: (state: T) => boolean
  /** Whether the end of a state that is not final is expected at any moment. By default it is expected when its source says. */
  readonly isEnding?: (state: T) => boolean
  /** When the thing that is watched began, in milliseconds since 1970. Undefined if it is not known. */
  readonly startOf?: (state: T) => number | undefined
}

/** A part of a state that can come after it, such as a transaction that an indexer does not have yet. */
export interface LatePart {
  /** What listeners wait for. */
  readonly kind: string
  /** Unique among the parts of a target. */
  readonly key: string
  /** Whether a poll of the target brings it. */
  readonly isPolled: boolean
}

/** What a state of a target can lack. */
export interface LatePartsSource<T> {
  /** The kinds that the listener waits for. */
  readonly kinds: ReadonlySet<string>
  /**
   * The parts of these kinds that the state lacks now. `ageMs` is for how many milliseconds its target has been watched. Its
   * promise never rejects.
   */
  readonly missing: (
    state: T,
    kinds: ReadonlySet<string>,
    ageMs: number,
    signal: Signal,
  ) => Promise<readonly LatePart[]>
}

/** What a request has told of a target: what the upstream knows of it, or the error. */
export type Reading<T> = { readonly value: T | null } | { readonly error: unknown }

/**
 * What a reading means with what is known from elsewhere, which takes no part of the time of the request. Rejects with an
 * error that stays one.
 */
export type Conclude<T> = (reading: Reading<T>, signal: Signal) => Promise<T | null>

/** Something that changes until it reaches a final state, and how to fetch its state. */
export interface StateSource<T> extends StateRules<T> {
  /** Targets of one topic with equal keys share a poll. */
  readonly key: string
  /** The key of the client that watches. Targets without one count as one client's. */
  readonly client?: string
  /** The state now; null while the upstream does not know the target. */
  readonly fetch: (signal: Signal, options?: PollOptions) => Promise<T | null>
  /** What a reading means with what else is known. By default it means what it says. */
  readonly conclude?: Conclude<T> | undefined
  /** Listens to what other gateways see of it, as `Peers.follow`. */
  readonly follow?: (listener: (observation: PeerObservation<T>) => void) => () => void
  /**
   * Makes the target known, before it is fetched. It is called once for all who watch the target, and again while it rejects
   * or resolves to false, which says that it is too early. Left out by those who only look.
   */
  readonly register?: ((signal: Signal, options: PollOptions) => Promise<boolean>) | undefined
  /**
   * What listeners get while the upstream does not know the target, and again when it is something else. They get nothing by
   * default. It is never compared with a state of the upstream.
   */
  readonly unknown?: ((search: Search) => T) | undefined
  /** Milliseconds from the start to the expected end, where known. */
  readonly expectedMs?: number | undefined
  /**
   * Milliseconds between two polls, and for each of them. By default, they follow from the age of the target and
   * from the time that the polls of all targets needed.
   */
  readonly pace?: { readonly intervalMs: number; readonly timeoutMs: number } | undefined
  /** What can come after a state, for a listener that waits for it. */
  readonly late?: LatePartsSource<T> | undefined
  /** Whether no retry can succeed after this error, unless the target has been found before. */
  readonly isFatal: (error: unknown) => boolean
  /** Messages for clients when a poll fails. */
  readonly messages: {
    readonly timeout: string
    readonly notFound: string
    readonly stillPending: (deadlineMs: number) => string
  }
}
