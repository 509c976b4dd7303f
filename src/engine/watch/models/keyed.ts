import type { KeyedSource, NewRecords } from '../keyedSource.ts'
import type { Model, Observation } from '../model.ts'
import { intervalOf, type Rhythm } from '../nextDelay.ts'

/** The state of the end of a list. Times are those of the clock, in milliseconds. */
export interface KeyedState {
  /** The number of the newest record when the watch began. Undefined until it is known. */
  readonly start: bigint | undefined
  /** The number of the newest record known. */
  readonly newest: bigint
  /** The next page is read from this number on. */
  readonly end: bigint
  /** It has to be read up to this number, also without a new head. */
  readonly unreadTo: bigint | undefined
  /** Whether a listener resumes at an earlier place. The records before the newest one are then read, too. */
  readonly isContinued: boolean
  /** The newest head that was polled. */
  readonly head: bigint | undefined
  /** The number of polls of the heads since the start was known, up to two. */
  readonly polls: number
  /** The head of the last record read. */
  readonly readTo: bigint
  readonly due: DueHead | undefined
  /** When it last had new records, or was opened. */
  readonly grownAt: number
  /** When it was last read in its turn, and how long that was before the last answer. */
  readonly turnAt: number
  readonly turnLagMs: number
  /** Whether the next read belongs to the last turn: it reads on, or again after a fault. */
  readonly isSameTurn: boolean
  /** The size of the last page that was not the last one of the list, and how many before it had the same size. */
  readonly cut: { readonly size: number; readonly repeats: number }
}

/** A head that has brought records which were not read yet. */
interface DueHead {
  readonly head: bigint
  /** Whether a poll returned this head, and not only a later one. Its records are still to come. */
  readonly isCertain: boolean
  readonly since: number
  /** How many reads since then did not find its records. */
  readonly reads: number
}

/** What is found out about the end of a list. */
export type KeyedObservation<T> =
  | { readonly kind: 'start'; readonly number: bigint; readonly sentAt: number }
  | {
      readonly kind: 'page'
      readonly from: bigint
      readonly page: NewRecords<T>
      readonly sentAt: number
    }
  /** Nothing was read: the heads are polled for others, and have brought no records. */
  | { readonly kind: 'skipped' }
  /** The heads were polled. `found` is the newest new head that has records, or that no poll returned, so that it may have some. */
  | {
      readonly kind: 'head'
      readonly head: bigint | undefined
      readonly found: Pick<DueHead, 'head' | 'isCertain'> | undefined
    }
  /** A listener resumes at an earlier place. */
  | { readonly kind: 'continued' }

export type KeyedWatchEvent<T> =
  /** The records after this number are read next. */
  | { readonly kind: 'begun'; readonly number: bigint }
  | { readonly kind: 'read'; readonly page: NewRecords<T> }
  | { readonly kind: 'failed'; readonly error: unknown }

/** How many records before the newest one a resumed watch reads again, in case a replica that is behind lacked some. */
const overlap = 100n

/** After this many reads without a record, a head that no poll returned counts as one without records. */
const maxReads = 10

/** Fewer records are hardly all that a page can hold. What may follow them can wait for the next read. */
const smallPage = 10

/** Pages of equal size in a row that show that they are cut. */
const maxCuts = 3

/** Whether the list has to be read, also while other watches poll the heads. */
export const mustRead = ({ start, due, unreadTo, isSameTurn }: KeyedState): boolean =>
  start === undefined || due !== undefined || unreadTo !== undefined || isSameTurn

type Observed<T> = Observation<KeyedState, KeyedWatchEvent<T>>

/**
 * The end of a list that only grows.
 *
 * - With enough listeners for the full pace, it is read when a head brings records, and else not.
 * - With fewer listeners it is read at a reduced rate. If others have the heads polled, only after a head that brings
 *   records.
 */
export function keyedModel<T extends object, Head extends object>(
  { heads, headOf, isFatal }: Pick<KeyedSource<T, Head>, 'heads' | 'headOf' | 'isFatal'>,
  openedAt: number,
): Model<KeyedState, KeyedObservation<T>, KeyedWatchEvent<T>> {
  const { intervalMs: minMs, fullPaceListeners: fullRateAt = 1 } = heads
  const pace = { kind: 'endless', minMs, fullRateAt } as const
  return {
    initial: { ...initialState, grownAt: openedAt },
    observe(state, value, { now, demand }): Observed<T> {
      const intervalMs = intervalOf(pace, demand)
      switch (value.kind) {
        case 'start':
          return begun(inTurn(state, value.sentAt, intervalMs, now), value.number)
        case 'page': {
          if (value.from !== state.end) return { model: state, events: [], isUnfinished: true }
          const { page, sentAt } = value
          const turn = inTurn(state, sentAt, intervalMs, now)
          const last = page.records.at(-1)
          const read = withRecords(turn, last && { ...last, head: headOf(last.record) }, now)
          const events = [{ kind: 'read', page } as const]
          if (!last || page.isEnd) return { model: atEnd(read), events }
          return { ...cutPage(read, page.records.length, demand < fullRateAt), events }
        }
        case 'skipped':
          // A head can have brought records meanwhile.
          return { model: { ...state, turnLagMs: 0 }, events: [], isUnfinished: mustRead(state) }
        case 'continued': {
          const model = { ...state, isContinued: true }
          if (state.isContinued || state.start === undefined) return { model, events: [] }
          return rewound(model, state.end)
        }
        case 'head': {
          const model = withHead(state, value, now)
          const isTurn = demand >= fullRateAt || now >= state.turnAt + intervalMs
          return { model, events: [], isUnfinished: isTurn && mustRead(model) }
        }
      }
    },
    onFault: (state, error) => ({
      model: { ...state, isSameTurn: true },
      events: [{ kind: 'failed', error }],
    }),
    isFatal: (_state, error) => isFatal(error),
    rhythm: ({ turnLagMs }): Rhythm => ({ kind: 'pulled', minMs, fullRateAt, turnLagMs }),
  }
}

/** The state once records were read, of which this is the last one, with its head if that can be read. */
function withRecords(
  state: KeyedState,
  last: { readonly number: bigint; readonly head: bigint | undefined } | undefined,
  now: number,
): KeyedState {
  if (!last) return state
  const { number, head } = last
  return {
    ...state,
    end: number > state.end ? number : state.end,
    newest: number > state.newest ? number : state.newest,
    grownAt: now,
    readTo: head !== undefined && head > state.readTo ? head : state.readTo,
    // The head may have brought this record, whose height cannot be read.
    due: state.due && head === undefined ? { ...state.due, isCertain: false } : state.due,
  }
}

/** The state after the last page of the list. */
function atEnd(state: KeyedState): KeyedState {
  const isBehind = state.unreadTo !== undefined && state.end < state.unreadTo
  return { ...state, unreadTo: isBehind ? state.unreadTo : undefined, due: stillDue(state) }
}

/** The state after a page of this many records that was not the last one, and whether more is to be read at once. */
function cutPage(
  state: KeyedState,
  size: number,
  isReduced: boolean,
): { readonly model: KeyedState; readonly isUnfinished: boolean } {
  const repeats = size === state.cut.size ? state.cut.repeats + 1 : 0
  const isLikelyWhole = size < smallPage && repeats < maxCuts
  const mayWait = isReduced && state.unreadTo === undefined
  const isUnfinished = !(isLikelyWhole && mayWait)
  return { model: { ...state, cut: { size, repeats }, isSameTurn: isUnfinished }, isUnfinished }
}

/** The state after an own read that was sent at a time. A read that failed does not move the later turns. */
function inTurn(state: KeyedState, sentAt: number, intervalMs: number, now: number): KeyedState {
  const turnAt = state.isSameTurn
    ? state.turnAt + Math.floor((sentAt - state.turnAt) / intervalMs) * intervalMs
    : sentAt
  return { ...state, turnAt, turnLagMs: now - turnAt, isSameTurn: false }
}

/** The state once the number of the newest record is known. */
function begun<T>(state: KeyedState, number: bigint): Observed<T> {
  const model = { ...state, start: number, newest: number, end: number }
  if (!state.isContinued) return { model, events: [{ kind: 'begun', number }] }
  // The newest record may be unreadable, so that no read reaches it.
  return rewound({ ...model, isSameTurn: true }, 0n)
}

/** The state after a poll of the heads. */
function withHead<T>(
  state: KeyedState,
  { head, found }: Extract<KeyedObservation<T>, { kind: 'head' }>,
  now: number,
): KeyedState {
  if (head === undefined) return state
  const polls = state.start === undefined ? 0 : Math.min(2, state.polls + 1)
  if (state.head !== undefined && head <= state.head) return { ...state, polls }
  // What the first of these polls saw, and what came before the second, may have its records before the start.
  const isAfterStart = state.polls === 2 || state.readTo >= 0n
  const since = state.due?.isCertain ? state.due.since : now
  const due = found && { ...found, isCertain: found.isCertain && isAfterStart, since, reads: 0 }
  return { ...state, head, polls, due: due ?? state.due }
}

const initialState: KeyedState = {
  start: undefined,
  newest: 0n,
  end: 0n,
  unreadTo: undefined,
  isContinued: false,
  head: undefined,
  polls: 0,
  readTo: -1n,
  due: undefined,
  grownAt: 0,
  turnAt: 0,
  turnLagMs: 0,
  isSameTurn: false,
  cut: { size: 0, repeats: 0 },
}

/** Has the records before the last one read again, and those up to `unreadTo` at once. */
function rewound<T>(state: KeyedState, unreadTo: bigint): Observed<T> {
  const end = state.end > overlap ? state.end - overlap : 0n
  const model = { ...state, end, unreadTo }
  return { model, events: [{ kind: 'begun', number: end }], isUnfinished: true }
}

/** The head whose records are still to come after all that is new was read. */
function stillDue({ due, readTo }: KeyedState): DueHead | undefined {
  if (!due || readTo >= due.head) return undefined
  const reads = due.reads + 1
  // Another replica can have the head before this one has its records.
  return due.isCertain || reads < maxReads ? { ...due, reads } : undefined
}
