import { expect } from 'vitest'
import { step } from '../../../src/engine/watch/step.ts'
import {
  type Effect,
  initialState,
  type WatchDefinition,
  type WatchEvent,
} from '../../../src/engine/watch/watchState.ts'

/** What happens next: an event, or the answer to what the watch has asked for. */
export type Action<O> =
  | { readonly kind: 'event'; readonly event: WatchEvent<O> }
  | { readonly kind: 'answer'; readonly event: WatchEvent<O>; readonly isDone: boolean }
  /** Time passes, and the timer runs out if it is due. */
  | { readonly kind: 'wait'; readonly milliseconds: number }

/** Runs the actions, and checks after each what always holds. A watch that `isPulled` needs no timer. */
export function play<M, O, E>(
  definition: WatchDefinition<M, O, E>,
  actions: readonly Action<O>[],
  random: () => number,
  { isPulled = false } = {},
) {
  let now = 0
  let state = initialState(definition.model.initial, now)
  let timerAt: number | undefined
  let inFlight: 'fetch' | 'register' | undefined
  let isOver = false
  const emitted: E[] = []
  const waits: number[] = []
  const ends: Effect<E>[] = []

  const run = (effect: Effect<E>) => {
    expect(isOver).toBe(false)
    if (effect.type === 'fetch' || effect.type === 'register') {
      expect(inFlight).toBeUndefined()
      inFlight = effect.type
    } else if (effect.type === 'timer') {
      if (effect.inMs !== null) waits.push(effect.inMs)
      timerAt = effect.inMs === null ? undefined : now + effect.inMs
    } else if (effect.type === 'emit') emitted.push(effect.event)
    else {
      ends.push(effect)
      isOver = true
    }
  }
  const dispatch = (event: WatchEvent<O>) => {
    const [next, effects] = step(definition, state, event, { now, date: now, random: random() })
    state = next
    for (const effect of effects) run(effect)
    // Nobody is forgotten: a listener with demand has a timer, or a request in flight.
    if (state.demand > 0 && !isOver && !isPulled) expect([timerAt, inFlight]).not.toEqual([undefined, undefined])
    // Nothing is polled for nobody.
    if (state.demand === 0) expect(timerAt === undefined || isOver).toBe(true)
  }
  for (const action of actions) {
    if (action.kind === 'event') {
      dispatch(action.event)
    } else if (action.kind === 'answer') {
      const asked = inFlight
      inFlight = undefined
      if (asked === undefined || isOver) continue
      const { event, isDone } = action
      const isRefused = asked === 'register' && event.type === 'answered'
      dispatch(isRefused ? { type: 'registered', isDone } : event)
    } else {
      now += action.milliseconds
      if (timerAt === undefined || timerAt > now || isOver) continue
      timerAt = undefined
      dispatch({ type: 'due' })
    }
  }
  return { emitted, waits, ends, state }
}

/** A listener that joins. */
export const join = (more: object = {}): Action<never> => ({
  kind: 'event',
  event: {
    type: 'join',
    join: {
      ...{ demand: 1, client: 'a', canRegister: false, expectedMs: Number.POSITIVE_INFINITY },
      ...more,
    },
  },
})
