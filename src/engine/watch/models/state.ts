import type { Model, ObservationContext, Search } from '../model.ts'
import type { StateRules, StateSource } from '../stateSource.ts'

/** The state of a target that is believed, when replicas of an upstream can be behind. */
export interface StableState<T> {
  /** Undefined until the target has been found. */
  readonly current?: { readonly value: T }
  /** What listeners have got in its place. */
  readonly unknown?: { readonly value: T; readonly search: Search }
  /** An older state that polls have found since, and how many of them in a row. */
  readonly contradiction?: { readonly value: T; readonly polls: number }
}

/** How many polls in a row must contradict the state before they are believed. */
const correctionPolls = 3

/** Maximum age in milliseconds of a peer's response that ends a watch, if the final state can still change. */
const freshMs = 2_000

/**
 * A state that changes until it is final. Listeners get each change. A state that is older than the one known is
 * believed once several polls in a row have found it, and never from a request outside of the polls.
 */
export function stateModel<T>(source: StateSource<T>): Model<StableState<T>, T, T> {
  return {
    initial: {},
    observe(state, value, context) {
      if (isUnconfirmed(source, value, context)) return { model: state, events: [] }
      const model = nextState(source, state, value, context.by !== 'query')
      if (model.current === state.current || !model.current) return { model, events: [] }
      return { model, events: [value], isEnd: source.isFinal(value) }
    },
    onMissing(state, search) {
      const { current, unknown } = state
      const nothingNew = { model: state, events: [] }
      if (current || !source.unknown) return nothingNew
      // The dates of a search stay, even if the clock of the system is set.
      const whole = { ...search, ...unknown?.search, isRegistered: search.isRegistered }
      const value = source.unknown(whole)
      if (unknown && source.equals(unknown.value, value)) return nothingNew
      return { model: { ...state, unknown: { value, search: whole } }, events: [value] }
    },
    // A rejection of a target that was found before is a fault of the moment.
    isFatal: ({ current }, error) => current === undefined && source.isFatal(error),
    rhythm({ current }, { startedAt, watchedSince, expectedMs }, { now, date }) {
      if (source.pace) return { kind: 'fixed', intervalMs: source.pace.intervalMs }
      if (current && source.isEnding?.(current.value)) return { kind: 'ends', ageMs: now - watchedSince, untilEndMs: 0 }
      const date0 = current && source.startOf?.(current.value)
      const start = date0 === undefined ? startedAt : Math.min(startedAt, date0 - date + now)
      return { kind: 'ends', ageMs: now - watchedSince, untilEndMs: start + expectedMs - now }
    },
  }
}

/** Whether a state would end the watch, although it may have changed since a peer has read it. */
const isUnconfirmed = <T>(
  { isFinal, isSettled }: StateRules<T>,
  value: T,
  { by, ageMs }: ObservationContext,
): boolean => by === 'peer' && ageMs >= freshMs && isFinal(value) && !isSettled(value)

function nextState<T>(
  { equals, isStale }: StateRules<T>,
  state: StableState<T>,
  value: T,
  isPoll: boolean,
): StableState<T> {
  const { current, contradiction } = state
  if (current && isStale(current.value, value)) {
    if (!isPoll) return state
    const isRepeated = contradiction && equals(contradiction.value, value)
    const polls = (isRepeated ? contradiction.polls : 0) + 1
    if (polls < correctionPolls) return { current, contradiction: { value, polls } }
  }
  return current && equals(current.value, value) ? { current } : { current: { value } }
}
