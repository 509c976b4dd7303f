import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defineTopic } from '../../../src/engine/watch/model.ts'
import { stateModel } from '../../../src/engine/watch/models/state.ts'
import { nextDelay } from '../../../src/engine/watch/nextDelay.ts'
import type { StateSource } from '../../../src/engine/watch/stateSource.ts'
import type { WatchDefinition, WatchEvent } from '../../../src/engine/watch/watchState.ts'
import { runs } from '../../support/property.ts'
import { type Action, join, play } from './playWatch.ts'
import { expectWithin, minute, second } from './stateWorld.ts'

// The reducer of a watch, driven by lists of events: there is no clock, no promise and no request here.

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

const definition: WatchDefinition<ReturnType<typeof stateModel<number>>['initial'], number, number> = {
  model: stateModel(source),
  rules: {
    ...{ maxUnavailableMs: 10 * minute, deadlineMs: 60 * minute, freshMs: 2 * second },
    firstMaxAgeMs: Number.POSITIVE_INFINITY,
    isUrgent: false,
    notFound: () => new Error('none'),
    tooLong: () => new Error('pending'),
  },
}

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
  fc.constant({ type: 'due' as const }),
)
const actions: fc.Arbitrary<Action<number>> = fc.oneof(
  fc.boolean().map((canRegister) => join({ canRegister })),
  fc.record({ kind: fc.constant('event' as const), event: events }),
  fc.record({ kind: fc.constant('answer' as const), event: answers, isDone: fc.boolean() }),
  fc.record({
    kind: fc.constant('wait' as const),
    milliseconds: fc.integer({ min: 0, max: 5 * minute }),
  }),
)
const leave: Action<number> = { kind: 'event', event: { type: 'leave', demand: 1 } }
/** Others come and go. The first listener stays. */
const visits = fc.array(actions, { maxLength: 8 }).map((list) => [join(), ...list, leave])
const randoms = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

test('watch of a state: one request in flight, a timer for listeners, one end', () => {
  const property = fc.property(
    fc
      .array(
        fc.oneof(
          visits,
          actions.map((action) => [action]),
        ),
        { minLength: 5, maxLength: 40 },
      )
      .map((lists) => lists.flat()),
    randoms,
    (list, random) => {
      const { waits, ends } = play(definition, [join(), ...list, leave], () => random)
      // The longest interval, or pause, is a minute. After a peer it is longer.
      for (const wait of waits) expectWithin(wait, 0, 3 * minute)
      expect(ends.length).toBeLessThanOrEqual(1)
    },
  )
  fc.assert(property, { numRuns: runs(2_000) })
})

test('states from peers and queries are not lost, doubled or undone, in any order', () => {
  const property = fc.property(
    fc.uniqueArray(values, { minLength: 1, maxLength: 30 }),
    fc.array(fc.constantFrom('self', 'peer', 'query'), { minLength: 30, maxLength: 30 }),
    randoms,
    (readings, by, random) => {
      const list = [...readings, final].flatMap((value, index): Action<number>[] => {
        const wait: Action<number> = { kind: 'wait', milliseconds: 15 * second }
        if (by[index] === 'peer') return [{ kind: 'event', event: { type: 'peerAnswered', value, ageMs: 0 } }]
        if (by[index] === 'query') return [{ kind: 'event', event: { type: 'learned', value } }]
        return [wait, { kind: 'answer', event: { type: 'answered', value }, isDone: false }]
      })
      const { emitted, ends } = play(definition, [join(), ...list], () => random)
      const newest = readings.filter((value, index) => value > Math.max(-1, ...readings.slice(0, index)))
      expect(emitted).toEqual([...newest, final])
      expect(ends).toEqual([{ type: 'end' }])
    },
  )
  fc.assert(property, { numRuns: runs(500) })
})

test('an old final state from a peer is polled again before it ends the watch', () => {
  const answer = (value: number, peerAgeMs?: number): Action<number> => ({
    kind: 'answer',
    event: { type: 'answered', value, peerAgeMs },
    isDone: false,
  })
  const old = play(definition, [join(), { kind: 'wait', milliseconds: 0 }, answer(final, 2 * second)], () => 0.5)
  // It is polled at once, and no response as old as that one answers the poll.
  expect([old.emitted, old.ends, old.waits]).toEqual([[], [], [0, 0]])
  expectWithin(old.state.maxAgeMs ?? 0, second, 2 * second - 1)
  const young = play(definition, [join(), { kind: 'wait', milliseconds: 0 }, answer(final, 2 * second - 1)], () => 0.5)
  expect([young.emitted, young.ends]).toEqual([[final], [{ type: 'end' }]])
})

test('the process that polled last polls next, since its peers wait longer', () => {
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

test('what nobody finds is said once for each step of the search, also from peers, until its bound', () => {
  const unknown = stateModel({
    ...source,
    unknown: ({ since, until, isRegistered }) => (isRegistered ? until : since) - 1,
  })
  const missing = { type: 'answered', value: null } as const
  const answer = (isDone: boolean): Action<number> => ({ kind: 'answer', event: missing, isDone })
  const wait = (milliseconds: number): Action<number> => ({ kind: 'wait', milliseconds })
  const peer: Action<number> = {
    kind: 'event',
    event: { type: 'peerAnswered', value: null, ageMs: 0 },
  }
  const search = { ...definition, model: unknown }
  const begun = [join({ canRegister: true }), wait(0), answer(false), answer(false)]
  // It is given to the upstream, which takes it at the second attempt, and then asked for.
  const registered = [...begun, wait(2 * second), answer(true), answer(false)]
  expect(play(search, begun, () => 0.5).emitted).toEqual([-1])
  const later = play(search, [...registered, wait(5 * second), answer(false)], () => 0.5)
  expect(later.emitted).toEqual([-1, 10 * minute - 1])
  const found: Action<number>[] = [
    wait(2 * second),
    { kind: 'answer', event: { type: 'answered', value: 7 }, isDone: true },
  ]
  expect(play(search, [...registered, ...found, peer], () => 0.5).emitted.at(-1)).toBe(7)
  // A gateway for which another one polls says it too, and ends at its own bound.
  const follower = [join(), wait(0), answer(false)]
  expect(play(search, follower, () => 0.5).emitted).toEqual([-1])
  expect(play(search, [join(), peer], () => 0.5).emitted).toEqual([-1])
  const polled = Array.from({ length: 1_201 }, () => [wait(second / 2), peer]).flat()
  const { emitted, ends } = play(search, [...follower, ...polled], () => 0.5)
  expect(emitted).toEqual([-1])
  expect(ends).toMatchObject([{ type: 'end', error: { error: { message: 'none' } } }])
})
