import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stateModel } from '../../src/watch/models/state.ts'
import { nextDelay } from '../../src/watch/nextDelay.ts'
import type { StateSource } from '../../src/watch/stateSource.ts'
import { step } from '../../src/watch/step.ts'
import { defineTopic } from '../../src/watch/topic.ts'
import {
  type Effect,
  initialState,
  type WatchEvent,
  type Watched,
  type WatchState,
} from '../../src/watch/watchState.ts'
import { runs } from '../support/property.ts'

// The reducer of a watch, driven by lists of events: there is no clock, no promise and no request here.

const second = 1_000
const minute = 60 * second
const final = 1_000

const source: StateSource<number> = {
  topic: defineTopic<number>('numbers'),
  key: 'key',
  fetch: () => Promise.reject(new Error('The reducer sends nothing.')),
  equals: (before, now) => before === now,
  isStale: (before, now) => now < before,
  isFinal: (value) => value >= final,
  isIrreversible: () => false,
  isSettled: () => false,
  isFatal: (error) => error instanceof RangeError,
  messages: { timeout: 'late', notFound: 'none', stillPending: () => 'pending' },
}

const watched: Watched<ReturnType<typeof stateModel<number>>['initial'], number, number> = {
  model: stateModel(source),
  rules: {
    ...{ maxUnavailableMs: 10 * minute, deadlineMs: 60 * minute, freshMs: 2 * second },
    isUrgent: false,
    notFound: () => new Error('none'),
    tooLong: () => new Error('pending'),
  },
}

/** What happens next: an event, or the answer to what the watch has asked for. */
type Action =
  | { readonly kind: 'event'; readonly event: WatchEvent<number> }
  | { readonly kind: 'answer'; readonly event: WatchEvent<number>; readonly isDone: boolean }
  /** Time passes, and the timer runs out if it is due. */
  | { readonly kind: 'wait'; readonly milliseconds: number }

/** Runs the actions, and checks after each what always holds. */
function play(actions: readonly Action[], random: () => number) {
  let now = 0
  let state: WatchState<(typeof watched)['model']['initial']> = initialState(
    watched.model.initial,
    now,
  )
  let timerAt: number | undefined
  let inFlight: 'fetch' | 'register' | undefined
  let isOver = false
  const emitted: number[] = []
  const waits: number[] = []
  const ends: Effect<number>[] = []

  const run = (effect: Effect<number>) => {
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
  const dispatch = (event: WatchEvent<number>) => {
    const [next, effects] = step(watched, state, event, { now, date: now, random: random() })
    state = next
    for (const effect of effects) run(effect)
    // Nobody is forgotten: somebody who listens has a timer, or a request in flight.
    if (state.listeners > 0 && !isOver)
      expect([timerAt, inFlight]).not.toEqual([undefined, undefined])
    if (state.listeners === 0) expect(inFlight === undefined || isOver).toBe(true)
  }
  for (const action of actions) {
    if (action.kind === 'event') {
      if (action.event.type !== 'leave' || state.listeners > 0) dispatch(action.event)
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

const join = (more: object = {}): Action => ({
  kind: 'event',
  event: {
    type: 'join',
    join: {
      ...{ demand: 1, client: 'a', canRegister: false, expectedMs: Number.POSITIVE_INFINITY },
      ...more,
    },
  },
})

const ages = fc.integer({ min: 0, max: 20 * second })
const values = fc.integer({ min: 0, max: final - 1 })
const errors = fc.constantFrom<Error>(new Error('down'), new RangeError('refused'))
const retryAfter = fc.constantFrom(0, 0, 3 * second, minute)
const answers: fc.Arbitrary<WatchEvent<number>> = fc.oneof(
  fc.record({
    type: fc.constant('answered' as const),
    value: fc.option(fc.oneof(values, fc.constant(final))),
    peerAgeMs: fc.option(ages, { nil: undefined }),
  }),
  fc.record({
    type: fc.constant('failed' as const),
    ...{ error: errors, retryAfterMs: retryAfter, tookMs: ages },
  }),
)
const events: fc.Arbitrary<WatchEvent<number>> = fc.oneof(
  fc.record({ type: fc.constant('peerAnswered' as const), value: fc.option(values), ageMs: ages }),
  fc.record({
    type: fc.constant('peerFailed' as const),
    ...{ error: errors, retryAfterMs: retryAfter, ageMs: ages },
  }),
  fc.record({ type: fc.constant('learned' as const), value: values }),
  fc.record({ type: fc.constant('series' as const), seriesMs: ages }),
  fc.constant({ type: 'leave' as const, demand: 1 }),
  fc.constant({ type: 'due' as const }),
)
const actions: fc.Arbitrary<Action> = fc.oneof(
  fc.boolean().map((canRegister) => join({ canRegister })),
  fc.record({ kind: fc.constant('event' as const), event: events }),
  fc.record({ kind: fc.constant('answer' as const), event: answers, isDone: fc.boolean() }),
  fc.record({
    kind: fc.constant('wait' as const),
    milliseconds: fc.integer({ min: 0, max: 5 * minute }),
  }),
)
const randoms = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

test('whatever happens, one request is in flight, nobody is forgotten, and nothing follows the end', () => {
  const property = fc.property(
    fc.array(actions, { minLength: 5, maxLength: 60 }),
    randoms,
    (list, random) => {
      const { waits, ends } = play([join(), ...list], () => random)
      for (const wait of waits) {
        expect(wait).toBeGreaterThanOrEqual(0)
        // The longest interval, or pause, after a peer.
        expect(wait).toBeLessThanOrEqual(minute * 1.55)
      }
      expect(ends.length).toBeLessThanOrEqual(1)
    },
  )
  fc.assert(property, { numRuns: runs(2_000) })
})

test('in whatever order peers deliver their readings, no state is lost, doubled or undone', () => {
  const property = fc.property(
    fc.uniqueArray(values, { minLength: 1, maxLength: 30 }),
    fc.array(fc.constantFrom('self', 'peer', 'query'), { minLength: 30, maxLength: 30 }),
    randoms,
    (readings, by, random) => {
      const list = [...readings, final].flatMap((value, index): Action[] => {
        const wait: Action = { kind: 'wait', milliseconds: 7 * second }
        if (by[index] === 'peer')
          return [{ kind: 'event', event: { type: 'peerAnswered', value, ageMs: 0 } }]
        if (by[index] === 'query') return [{ kind: 'event', event: { type: 'learned', value } }]
        return [wait, { kind: 'answer', event: { type: 'answered', value }, isDone: false }]
      })
      const { emitted, ends } = play([join(), ...list], () => random)
      const newest = readings.filter(
        (value, index) => value > Math.max(-1, ...readings.slice(0, index)),
      )
      expect(emitted).toEqual([...newest, final])
      expect(ends).toEqual([{ type: 'end' }])
    },
  )
  fc.assert(property, { numRuns: runs(500) })
})

test('a final state that a peer has read long ago ends nothing before it is polled again', () => {
  const answer = (value: number, peerAgeMs?: number): Action => ({
    kind: 'answer',
    event: { type: 'answered', value, peerAgeMs },
    isDone: false,
  })
  const old = play(
    [join(), { kind: 'wait', milliseconds: 0 }, answer(final, 2 * second)],
    () => 0.5,
  )
  // It is polled at once, and no response as old as that one answers the poll.
  expect([old.emitted, old.ends, old.waits]).toEqual([[], [], [0, 0]])
  expect(old.state.maxAgeMs).toBeLessThan(2 * second)
  const young = play(
    [join(), { kind: 'wait', milliseconds: 0 }, answer(final, 2 * second - 1)],
    () => 0.5,
  )
  expect([young.emitted, young.ends]).toEqual([[final], [{ type: 'end' }]])
})

test('who polled last polls next: the waits of its peers are longer, whatever chance says', () => {
  const property = fc.property(
    randoms,
    randoms,
    fc.integer({ min: 0, max: 120 * minute }),
    fc.integer({ min: 0, max: 500 }),
    (mine, theirs, ageMs, readMs) => {
      const rhythm = { kind: 'ends', ageMs, untilEndMs: Number.POSITIVE_INFINITY } as const
      const own = nextDelay({ rhythm, faults: 0 }, 1, mine)
      const peer = nextDelay({ rhythm, faults: 0, peerAgeMs: readMs }, 1, theirs)
      expect(peer + readMs).toBeGreaterThan(own)
    },
  )
  fc.assert(property, { numRuns: runs(500) })
})
