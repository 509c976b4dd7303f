import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type KeyedObservation, keyedModel } from '../../../src/engine/watch/models/keyed.ts'
import type { WatchEvent } from '../../../src/engine/watch/watchState.ts'
import { runs } from '../../support/property.ts'
import { keyedWorld, recordsOf, type Tx } from './keyedWorld.ts'
import { type Action, join, play } from './playWatch.ts'
import { expectWithin, second } from './stateWorld.ts'

// The watch of the end of a list, driven by lists of events: there is no clock, no promise and no request here.

type Observed = KeyedObservation<Tx>

const never = Number.POSITIVE_INFINITY
const impossible = () => new Error('A list has no end.')
const watched = {
  model: keyedModel(keyedWorld().source, 0),
  rules: {
    ...{ maxUnavailableMs: never, deadlineMs: never, freshMs: never, isUrgent: false },
    ...{ firstMaxAgeMs: 0, notFound: impossible, tooLong: impossible },
  },
}

const numbers = fc.bigInt({ min: 0n, max: 300n })
const sentAt = fc.constant(0)
const answers: fc.Arbitrary<Observed> = fc.oneof(
  fc.record({ kind: fc.constant('start' as const), number: numbers, sentAt }),
  fc.record({
    kind: fc.constant('page' as const),
    from: numbers,
    page: fc
      .record({ first: numbers, size: fc.bigInt({ min: 0n, max: 12n }), isEnd: fc.boolean() })
      .map(({ first, size, isEnd }) => ({ records: recordsOf(first + 1n, first + size), isEnd })),
    sentAt,
  }),
  fc.constant<Observed>({ kind: 'skipped' }),
)
const signs: fc.Arbitrary<Observed> = fc.oneof(
  fc.constant<Observed>({ kind: 'continued' }),
  fc
    .record({ kind: fc.constant('head' as const), head: numbers, isCertain: fc.boolean() })
    .map(({ kind, head, isCertain }): Observed => ({ kind, head, found: { head, isCertain } })),
)
const answered = (value: Observed): WatchEvent<Observed> => ({ type: 'answered', value })
const faults: fc.Arbitrary<WatchEvent<Observed>> = fc
  .tuple(fc.constantFrom(0, 3 * second), fc.integer({ min: 0, max: 5 * second }))
  .map(([retryAfterMs, tookMs]) => ({
    type: 'failed',
    error: new Error('down'),
    retryAfterMs,
    tookMs,
  }))
const actions: fc.Arbitrary<Action<Observed>> = fc.oneof(
  fc.record({
    kind: fc.constant('answer' as const),
    event: fc.oneof(answers.map(answered), faults),
    isDone: fc.constant(false),
  }),
  signs.map((value): Action<Observed> => ({ kind: 'event', event: { type: 'learned', value } })),
  fc.record({
    kind: fc.constant('wait' as const),
    milliseconds: fc.integer({ min: 0, max: 10 * second }),
  }),
)

test('watch of a list: one read is in flight, and waits are at most ten seconds', () => {
  const property = fc.property(fc.array(actions, { maxLength: 60 }), (list) => {
    const { state, waits } = play(watched, [join(), ...list], () => 0.5)
    expect(state.phase).not.toBe('ended')
    for (const wait of waits) expectWithin(wait, 0, 10 * second)
  })
  fc.assert(property, { numRuns: runs(2_000) })
})

test('watch of a list: many listeners read new heads at once, except after faults', () => {
  const head = 1_000n
  const value: Observed = { kind: 'head', head, found: { head, isCertain: true } }
  const seen: Action<Observed> = { kind: 'event', event: { type: 'learned', value } }
  const property = fc.property(fc.array(actions, { maxLength: 60 }), (list) => {
    const five = join({ demand: 5 })
    const before = play(watched, [five, ...list], () => 0.5, { isPulled: true }).state
    const after = play(watched, [five, ...list, seen], () => 0.5, { isPulled: true }).state
    const isRead = before.phase === 'fetching' || before.faults === 0
    expect(after.phase).toBe(isRead ? 'fetching' : 'waiting')
  })
  fc.assert(property, { numRuns: runs(500) })
})
