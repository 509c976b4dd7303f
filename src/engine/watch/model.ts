import type { Rhythm } from './nextDelay.ts'

/** Names what the keys of a poll or a feed stand for, and carries the type of its values. */
export interface Topic<T> {
  /** Unique within the process. Equal keys of two topics are two things. */
  readonly name: string
  /** Never set. It lets TypeScript distinguish topics of different values. */
  readonly values?: T
}

/** Declares a topic. Each is declared once, as a constant. */
export const defineTopic = <T>(name: string): Topic<T> => ({ name })

/** A moment of a watch. */
export interface Now {
  /** Milliseconds since an arbitrary start. */
  readonly now: number
  /** The date, in milliseconds since 1970. */
  readonly date: number
  /** From 0 up to, but not including, 1. */
  readonly random: number
}

/** Where an observation comes from. */
export interface ObservationContext extends Now {
  /** A poll of this process, another gateway, or a request outside of the polls. */
  readonly by: 'self' | 'peer' | 'query'
  /** Milliseconds since it was read. */
  readonly ageMs: number
  /** How many listeners it is polled for, as they count. */
  readonly demand: number
}

/** What an observation changes. */
export interface Observation<M, E> {
  readonly model: M
  readonly events: readonly E[]
  /** Whether nothing follows. */
  readonly isEnd?: boolean
  /** Whether more is to be read at once. */
  readonly isUnfinished?: boolean
}

/** The search for a target that the upstream does not know yet. Times are dates, in milliseconds since 1970. */
export interface Search {
  readonly since: number
  /** When the watch ends with an error, unless it is found before. */
  readonly until: number
  /** Whether the upstream has agreed to look for it. */
  readonly isRegistered: boolean
}

/** How long a watch has lasted, and what its listeners need. Times are those of the clock, in milliseconds. */
export interface WatchFacts {
  readonly startedAt: number
  /** When the first gateway of the fleet began to watch it. */
  readonly watchedSince: number
  /** When the last observation was read. */
  readonly polledAt: number
  /** Milliseconds from the start to the expected end. Infinity if it is not known. */
  readonly expectedMs: number
}

/** All that differs between one kind of watch and another. Its functions are pure. */
export interface Model<M, O, E> {
  readonly initial: M
  observe(model: M, value: O, context: ObservationContext): Observation<M, E>
  /** What a poll that has failed changes. Nothing by default. */
  onFault?(model: M, error: unknown): Observation<M, E>
  /** What a poll that has found nothing changes. Nothing by default. */
  onMissing?(model: M, search: Search): Observation<M, E>
  /** Whether no retry can succeed after this error. */
  isFatal(model: M, error: unknown): boolean
  /** The time between two polls. */
  rhythm(model: M, facts: WatchFacts, moment: Now): Rhythm
  /** The model when somebody waits again after nobody did. By default it stays. */
  resume?(model: M, now: number): M
}

/** The bounds of a watch. Times are in milliseconds. */
export interface WatchRules {
  /** How long it may fail, or find nothing. Then it ends with an error. */
  readonly maxUnavailableMs: number
  /** How long it may last. */
  readonly deadlineMs: number
  /** Maximum age of an observation for a new listener. An older one is followed by a poll at once. */
  readonly freshMs: number
  /** Maximum age of a peer's response that is used in place of the first poll. */
  readonly firstMaxAgeMs: number
  /** Whether all of its polls go before other polls. If not, only polls that a listener has just asked for do. */
  readonly isUrgent: boolean
  /** The error of a watch that has found nothing for too long. */
  readonly notFound: () => Error
  readonly tooLong: () => Error
}

const impossible = () => new Error('It has no end, and is always found.')

/** The bounds of a watch of something that has no end. */
export const endlessRules: WatchRules = {
  maxUnavailableMs: Number.POSITIVE_INFINITY,
  deadlineMs: Number.POSITIVE_INFINITY,
  freshMs: Number.POSITIVE_INFINITY,
  firstMaxAgeMs: 0,
  isUrgent: false,
  notFound: impossible,
  tooLong: impossible,
}
