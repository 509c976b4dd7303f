import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defineTopic } from '../../../src/engine/watch/model.ts'
import { sequenceModel } from '../../../src/engine/watch/models/sequence.ts'
import type { SequenceSource, SequenceTop } from '../../../src/engine/watch/sequenceSource.ts'
import type { WatchEvent } from '../../../src/engine/watch/watchState.ts'
import { runs } from '../../support/property.ts'
import { type Action, join, play } from './playWatch.ts'
import { expectWithin, second } from './stateWorld.ts'

// The watch of a sequence, driven by lists of events: there is no clock, no promise and no request here.

interface Block {
  readonly height: bigint
  /** Milliseconds since 1970. */
  readonly time: number
}

type Top = SequenceTop<Block>

const source: SequenceSource<Block> = {
  topic: defineTopic<Block>('blocks'),
  key: 'chain',
  upstream: {},
  head: () => Promise.reject(new Error('The reducer sends nothing.')),
  range: () => Promise.reject(new Error('The reducer sends nothing.')),
  rangeSize: 10,
  positionOf: ({ height }) => height,
  timeOf: ({ time }) => time,
  intervalMs: second,
  fullPaceListeners: 5,
  lateAfterMs: 30 * second,
  isFatal: (error) => error instanceof RangeError,
  messages: { timeout: 'late', invalid: 'invalid' },
}

const impossible = () => new Error('A sequence has no end.')
const never = Number.POSITIVE_INFINITY
const watched = {
  model: sequenceModel(source),
  rules: {
    ...{ maxUnavailableMs: 600 * second, deadlineMs: never, freshMs: never, isUrgent: true },
    ...{ firstMaxAgeMs: 0.7 * second, notFound: impossible, tooLong: impossible },
  },
}

/** Ten blocks up to a height, of a chain that makes one every two seconds. */
const topAt = (height: number): Top => ({
  position: BigInt(height),
  records: Array.from({ length: Math.min(10, height + 1) }, (_, back) => ({
    height: BigInt(height - back),
    time: (height - back) * 2 * second,
  })),
})

const ages = fc.integer({ min: 0, max: 5 * second })
const tops = fc.integer({ min: 0, max: 1_000 }).map(topAt)
const answers: fc.Arbitrary<WatchEvent<Top>> = fc.record({
  type: fc.constant('answered' as const),
  value: tops,
  peerAgeMs: fc.option(ages, { nil: undefined }),
})
const faults: fc.Arbitrary<WatchEvent<Top>> = fc.record({
  type: fc.constant('failed' as const),
  error: fc.constantFrom<Error>(new Error('down'), new RangeError('refused')),
  retryAfterMs: fc.constantFrom(0, 3 * second),
  tookMs: ages,
})
const peers: fc.Arbitrary<WatchEvent<Top>> = fc.record({
  type: fc.constant('peerAnswered' as const),
  value: fc.option<Top>(tops, { nil: null }),
  ageMs: ages,
})
const peerFaults: fc.Arbitrary<WatchEvent<Top>> = fc.record({
  type: fc.constant('peerFailed' as const),
  ...{ error: fc.constant(new Error('down')), retryAfterMs: fc.constant(0), ageMs: ages },
})
const waits = fc.record({
  kind: fc.constant('wait' as const),
  milliseconds: fc.integer({ min: 0, max: 10 * second }),
})
const randoms = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

/** What happens while listeners of any demand come and go. One that needs no polls stays. */
const visits = (answer: fc.Arbitrary<WatchEvent<Top>>, event: fc.Arbitrary<WatchEvent<Top>>) => {
  const action: fc.Arbitrary<Action<Top>> = fc.oneof(
    fc.record({ kind: fc.constant('event' as const), event }),
    fc.record({ kind: fc.constant('answer' as const), event: answer, isDone: fc.constant(false) }),
    waits,
  )
  const visit = fc
    .tuple(fc.constantFrom(0, 1, 5), fc.array(action, { maxLength: 20 }))
    .map(([demand, list]): Action<Top>[] => [
      join({ demand }),
      ...list,
      { kind: 'event', event: { type: 'leave', demand } },
    ])
  return fc
    .array(fc.oneof(visit, fc.array(action, { maxLength: 3 })), { maxLength: 10 })
    .map((lists) => [join({ demand: 0 }), ...lists.flat()])
}

test('watch of a sequence: one request in flight, a timer for listeners, one end', () => {
  const list = visits(fc.oneof(answers, faults), fc.oneof(peers, peerFaults))
  const property = fc.property(list, randoms, (actions, random) => {
    const { ends } = play(watched, actions, () => random)
    expect(ends.length).toBeLessThanOrEqual(1)
  })
  fc.assert(property, { numRuns: runs(2_000) })
})

test('watch of a sequence: waits without faults are at most ten seconds', () => {
  const property = fc.property(visits(answers, peers), randoms, (actions, random) => {
    const { waits } = play(watched, actions, () => random)
    for (const wait of waits) expectWithin(wait, 0, 10 * second)
  })
  fc.assert(property, { numRuns: runs(1_000) })
})

test('a listener that joins never delays the next poll', () => {
  const property = fc.property(visits(answers, peers), randoms, (actions, random) => {
    const before = play(watched, [join(), ...actions], () => random).state
    const after = play(watched, [join(), ...actions, join({ demand: 5 })], () => random).state
    if (before.phase === 'waiting') expect(after.dueAt).toBeLessThanOrEqual(before.dueAt)
  })
  fc.assert(property, { numRuns: runs(500) })
})

test('heads from peers are all emitted, and the highest one is remembered', () => {
  const property = fc.property(
    fc.array(fc.record({ height: fc.integer({ min: 0, max: 1_000 }), ageMs: ages }), {
      minLength: 1,
      maxLength: 30,
    }),
    randoms,
    (heads, random) => {
      const list = heads.map(
        ({ height, ageMs }): Action<Top> => ({
          kind: 'event',
          event: { type: 'peerAnswered', value: topAt(height), ageMs },
        }),
      )
      const { emitted, state } = play(watched, [join(), ...list], () => random)
      expect(emitted).toEqual(heads.map(({ height }) => ({ kind: 'polled', top: topAt(height) })))
      expect(state.model.highest).toBe(BigInt(Math.max(...heads.map(({ height }) => height))))
      expect(state.model.head?.polls).toBe(heads.length)
    },
  )
  fc.assert(property, { numRuns: runs(300) })
})
