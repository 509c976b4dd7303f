import type { Requester } from '../upstream/requester.ts'
import type { Model, WatchFacts, WatchRules } from './model.ts'

/** The state of a watch. Times are those of the clock, in milliseconds. */
export interface WatchState<M> extends WatchFacts {
  readonly model: M
  /** `idle` while nobody needs it to be polled. One request is in flight while it is `fetching`. */
  readonly phase: 'idle' | 'waiting' | 'fetching' | 'ended'
  readonly listeners: number
  /** How many listeners they count for. */
  readonly demand: number
  /** Whether it was ever found. */
  readonly isFound: boolean
  /** When it was found last, or the watch began. */
  readonly foundAt: number
  /** When it is polled next, if there is demand. */
  readonly dueAt: number
  /** Maximum age of a peer's response that is used in place of the next poll. By default, a part of the interval. */
  readonly maxAgeMs?: number | undefined
  /** Whether the last observation asks for another one at once. */
  readonly isUnfinished: boolean
  /** The polls in a row that have failed. */
  readonly faults: number
  readonly client: string
  /** The client that the next poll is for. */
  readonly owner: Requester
  /** Whether the upstream has taken it when it was registered last. */
  readonly isRegistered: boolean
  /** When it was registered. */
  readonly registeredAt: number
  /** When it is to be registered. Infinity if it is, or if nobody can register it. */
  readonly registerAt: number
  /** Why the upstream will not take it. */
  readonly refusal?: { readonly error: unknown }
}

/** What happens to a watch. Times are in milliseconds. */
export type WatchEvent<O> =
  | { readonly type: 'join'; readonly join: Subscriber }
  | { readonly type: 'leave'; readonly demand: number }
  /** The timer has run out. */
  | { readonly type: 'due' }
  /** The answer to a `fetch`. Null if the upstream does not know the target. */
  | { readonly type: 'answered'; readonly value: O | null; readonly peerAgeMs?: number | undefined }
  /** The answer to a `register`. */
  | { readonly type: 'registered'; readonly isDone: boolean; readonly peerAgeMs?: number | undefined }
  /** A `register` has failed. */
  | { readonly type: 'notRegistered'; readonly error: unknown }
  /** A `fetch` has failed. */
  | {
      readonly type: 'failed'
      readonly error: unknown
      readonly retryAfterMs: number
      readonly tookMs: number
    }
  /** A peer has read it, although nobody here has asked. */
  | { readonly type: 'peerAnswered'; readonly value: O | null; readonly ageMs: number }
  | {
      readonly type: 'peerFailed'
      readonly error: unknown
      readonly retryAfterMs: number
      readonly ageMs: number
    }
  /** For how long the gateways have polled it. */
  | { readonly type: 'series'; readonly seriesMs: number }
  /** A request outside of the polls has read it. */
  | { readonly type: 'learned'; readonly value: O }
  | { readonly type: 'closed' }

/** A listener that joins. */
export interface Subscriber {
  /** How many listeners it counts for. 0 for one that needs no polls. */
  readonly demand: number
  readonly client: string
  readonly canRegister: boolean
  /** Milliseconds from the start of the target to its expected end. Infinity if it is not known. */
  readonly expectedMs: number
}

/** What a watch does. */
export type Effect<E> =
  | { readonly type: 'fetch'; readonly maxAgeMs: number; readonly owner: Requester }
  /** Makes the target known upstream: again, if it was lost. */
  | { readonly type: 'register'; readonly owner: Requester; readonly isAgain: boolean }
  /** Replaces the timer. Null for none. */
  | { readonly type: 'timer'; readonly inMs: number | null }
  | { readonly type: 'emit'; readonly event: E }
  /** Nothing is sent from then on. Listeners are not told. */
  | { readonly type: 'stop' }
  /** The same, and listeners are told: of the error, or else that the last event was the end. */
  | { readonly type: 'end'; readonly error?: { readonly error: unknown } }

/** What a watch is made of. */
export interface WatchDefinition<M, O, E> {
  readonly model: Model<M, O, E>
  readonly rules: WatchRules
}

/** A watch after an event, and what it does. */
export type Transition<M, E> = readonly [WatchState<M>, readonly Effect<E>[]]

const never = Number.POSITIVE_INFINITY

/** A watch that nobody has joined yet. */
export const initialState = <M>(model: M, now: number): WatchState<M> => ({
  model,
  phase: 'idle',
  listeners: 0,
  demand: 0,
  isFound: false,
  isRegistered: false,
  registeredAt: now,
  isUnfinished: false,
  faults: 0,
  startedAt: now,
  watchedSince: now,
  polledAt: now,
  foundAt: now,
  dueAt: now,
  expectedMs: never,
  registerAt: never,
  client: '',
  owner: { client: '' },
})
