import { describe, expect, test } from 'vitest'
import { GatewayError } from '../../../src/engine/upstream/error.ts'
import { defineTopic } from '../../../src/engine/watch/model.ts'
import type { StateSource } from '../../../src/engine/watch/stateSource.ts'
import {
  collect,
  expectWithin,
  fault,
  gapsOf,
  minute,
  numbers,
  type StateAnswer,
  second,
  stateWorld,
} from './stateWorld.ts'

describe('a watcher receives', () => {
  test.each<{ name: string; answers: StateAnswer[]; seen: number[] }>([
    {
      name: 'the state at once, each change, and the end',
      answers: [1, 1, 2, 2, 3, 100],
      seen: [1, 2, 3, 100],
    },
    {
      name: 'a correction that has held for three polls',
      answers: [5, 3, 3, 5, 3, 3, 3, 100],
      seen: [5, 3, 100],
    },
    {
      name: 'no refusal that comes between good answers',
      answers: [1, fault(400), 100],
      seen: [1, 100],
    },
  ])('$name', async ({ answers, seen }) => {
    const { clock, poller, watch } = stateWorld()
    const result = watch(answers)
    await clock.advance(0)
    expect(result.seen).toEqual(seen.slice(0, 1))
    await clock.advance(minute)
    expect(result).toEqual({ seen, end: 'completed' })
    expect([poller.size, poller.listeners, poller.inFlight]).toEqual([0, 0, 0])
  })

  test('the last state without a poll, if it joins later', async () => {
    const { clock, watch, sent } = stateWorld()
    const first = watch([7])
    await clock.advance(0)
    const later = watch([7])
    await clock.advance(0)
    expect([first.seen, later.seen, sent.length]).toEqual([[7], [7], 1])
  })

  test('the newest state and the end if it is slow, and does not delay others', async () => {
    const { clock, poller, watch, target } = stateWorld()
    const answers = (turn: number) => (turn < 50 ? turn : 100)
    const slow = poller.watch(target(answers))
    const first = slow.next()
    const quick = watch(answers)
    await clock.advance(10 * minute)
    expect([quick.end, quick.seen.length, (await first).value]).toEqual(['completed', 50, 1])
    expect(await slow.next()).toEqual({ value: 100, done: false })
    expect(await slow.next()).toEqual({ value: undefined, done: true })
  })

  test('the last state before the error, if it is slow', async () => {
    const { clock, poller, target } = stateWorld({ maxUnavailableMs: 0 })
    const iterator = poller.watch(target([1, 2, fault(400)]))
    const first = iterator.next()
    await clock.advance(minute)
    expect([poller.size, (await first).value]).toEqual([0, 1])
    expect((await iterator.next()).value).toBe(2)
    await expect(iterator.next()).rejects.toMatchObject({ code: 'UPSTREAM_REJECTED' })
  })

  test('states learned from other requests, without a poll', async () => {
    const { clock, poller, target, pollsIn } = stateWorld()
    const rules = target([1])
    const result = collect(poller.watch(rules))
    await clock.advance(30 * minute)
    poller.learn(rules, 'key', 7)
    poller.learn(rules, 'key', 3)
    poller.learn(rules, 'other key', 9)
    expect(await pollsIn(0)).toBe(0)
    expect(result.seen).toEqual([1, 7])
    poller.learn(rules, 'key', 100)
    expect(await pollsIn(0)).toBe(0)
    expect(result).toEqual({ seen: [1, 7, 100], end: 'completed' })
  })

  test('the state of its topic, if two topics share a key', async () => {
    const { clock, poller, watch } = stateWorld()
    const topic = defineTopic<number>('other numbers')
    const results = [watch([100]), watch([101], { topic })]
    await clock.advance(0)
    expect(results.map(({ seen }) => seen)).toEqual([[100], [101]])
    expect(poller.finalStates.get(numbers, 'key')).toBe(100)
    expect(poller.finalStates.get(topic, 'key')).toBeUndefined()
  })
})

describe('final states', () => {
  test('are cached until they expire', async () => {
    const { clock, poller, watch, pollsIn } = stateWorld({
      finalStateCache: { maxBytes: 100, ttlMs: minute },
    })
    watch([100])
    await clock.advance(0)
    const late = watch([100])
    expect(await pollsIn(0)).toBe(0)
    expect(late).toEqual({ seen: [100], end: 'completed' })
    expect(poller.finalStates.get(numbers, 'key')).toBe(100)
    await clock.advance(minute + 1)
    expect(poller.finalStates.get(numbers, 'key')).toBeUndefined()
    watch([100])
    expect(await pollsIn(0)).toBe(1)
  })

  test('are not cached if they can be undone', async () => {
    const { clock, watch, pollsIn } = stateWorld()
    const result = watch([101])
    await clock.advance(0)
    expect(result).toEqual({ seen: [101], end: 'completed' })
    watch([101])
    expect(await pollsIn(0)).toBe(1)
  })

  test('are polled once more for late watchers if they can still change', async () => {
    const { clock, watch, sent } = stateWorld()
    let state = 110
    watch(() => state)
    await clock.advance(second)
    const soon = watch(() => state)
    await clock.advance(second)
    state = 111
    const before = sent.length
    const late = [watch(() => state), watch(() => state)]
    await clock.advance(0)
    expect(sent.length - before).toBe(1)
    expect(soon).toEqual({ seen: [110], end: 'completed' })
    for (const each of late) expect(each).toEqual({ seen: [111], end: 'completed' })
    await clock.advance(3 * second)
    const refused = watch([fault(503)])
    await clock.advance(0)
    expect(refused).toEqual({ seen: [111], end: 'completed' })
  })
})

describe('polls', () => {
  test('of one target are shared by a thousand watchers', async () => {
    const { clock, poller, watch, sent } = stateWorld()
    const all = Array.from({ length: 1000 }, () => watch(() => (clock.now() < 5 * second ? 1 : 100)))
    await clock.advance(4 * second)
    expect([poller.size, poller.listeners]).toEqual([1, 1000])
    await clock.advance(4 * second)
    for (const wait of gapsOf(sent.map(({ at }) => at))) expectWithin(wait, second / 2, 2 * second)
    for (const result of all) expect(result).toEqual({ seen: [1, 100], end: 'completed' })
  })

  test('of a thousand targets do not exceed the concurrency', async () => {
    const { clock, poller, watch } = stateWorld({ concurrency: 32 })
    let most = 0
    const all = Array.from({ length: 1000 }, (_, index) =>
      watch(
        async (turn) => {
          most = Math.max(most, poller.inFlight)
          await new Promise<void>((done) => clock.after(50, done))
          return turn < 3 ? turn : 100
        },
        { key: `${index}` },
      ),
    )
    await clock.advance(minute)
    expect([most, poller.size]).toEqual([32, 0])
    for (const result of all) expect(result).toEqual({ seen: [1, 2, 100], end: 'completed' })
  })

  test('come soon after an upstream that knew the target says nothing of it, and while the end is near', async () => {
    const { clock, watch, pollsIn } = stateWorld()
    let state: number | null = 1
    watch(() => state, { isEnding: (value) => value === 2 })
    await clock.advance(60 * minute)
    // A minute passes between two polls.
    state = null
    while ((await pollsIn(second)) === 0);
    expectWithin(await pollsIn(10 * second), 4, 8)
    state = 2
    await clock.advance(5 * second)
    expectWithin(await pollsIn(20 * second), 14, 28)
  })

  test('start with the first read, and are aborted when the last watcher leaves', async () => {
    const { clock, poller, target, sent } = stateWorld()
    let isAborted = false
    const hanging = target((_turn, signal) => {
      signal.addEventListener('abort', () => {
        isAborted = true
      })
      return 'hangs'
    })
    const [first, second] = [poller.watch(hanging), poller.watch(hanging)]
    await clock.advance(minute)
    expect([sent.length, poller.size]).toEqual([0, 0])
    void first.next()
    void second.next()
    await clock.advance(0)
    await first.return?.()
    expect([poller.size, isAborted]).toEqual([1, false])
    await second.return?.()
    await clock.advance(minute)
    expect([poller.size, poller.listeners, poller.inFlight, isAborted]).toEqual([0, 0, 0, true])
    expect(sent).toHaveLength(1)
  })

  test('leave no timer behind when the last watcher leaves', async () => {
    let delays = 0
    const random = () => {
      delays += 1
      return 0.5
    }
    const { clock, poller, target } = stateWorld({ random })
    const iterator = poller.watch(target([1, 'hangs']))
    await Promise.all([iterator.next(), clock.advance(second)])
    await iterator.return?.()
    const before = delays
    await clock.advance(minute)
    expect(delays).toBe(before)
  })

  test('stop at close, without completing watchers', async () => {
    const { clock, poller, watch, pollsIn } = stateWorld()
    const result = watch((turn) => turn)
    await clock.advance(0)
    poller.close()
    const late = watch([100])
    expect(await pollsIn(minute)).toBe(0)
    expect([result, late, poller.size]).toEqual([{ seen: [1], end: undefined }, { seen: [], end: undefined }, 0])
  })

  test('are sent at once for a watcher that finds an old state, but only once', async () => {
    const { clock, watch, pollsIn } = stateWorld()
    let state = 1
    const first = watch(() => state)
    await clock.advance(60 * minute)
    // A minute passes between two polls.
    while ((await pollsIn(second)) === 0);
    await clock.advance(20 * second)
    state = 2
    const late = Array.from({ length: 50 }, () => watch(() => state))
    expect(await pollsIn(0)).toBe(1)
    for (const { seen } of [first, ...late]) expect(seen).toEqual([1, 2])
    await clock.advance(second)
    watch(() => state)
    expect(await pollsIn(0)).toBeLessThanOrEqual(1)
  })
})

describe('faults', () => {
  const faults: Record<string, StateAnswer> = {
    'an outage': fault(503),
    'an internal error': fault(500),
    'a rate limit': fault(429, 3_000),
    'an invalid response': new GatewayError('UPSTREAM_INVALID_RESPONSE', 'garbage'),
    'an unreachable upstream': new GatewayError('UPSTREAM_UNAVAILABLE', 'x'),
    'an upstream that hangs': 'hangs',
    'an error of any kind': new TypeError('x'),
  }

  test.each(Object.entries(faults))('%s is tolerated for ten minutes', async (_name, answer) => {
    const { clock, poller, watch, sent } = stateWorld()
    const survivor = watch((turn) => (turn === 1 ? 1 : clock.now() < minute ? answer : 100), {
      key: 'survivor',
    })
    const victim = watch([1, answer])
    await clock.advance(50 * second)
    expect(survivor).toEqual({ seen: [1], end: undefined })
    await clock.advance(20 * second)
    expect(survivor).toEqual({ seen: [1, 100], end: 'completed' })
    await clock.advance(8 * minute)
    expect(victim.end).toBeUndefined()
    await clock.advance(2 * minute)
    expect(victim.end).toBeInstanceOf(Error)
    expect(poller.size).toBe(0)
    expect(sent.filter(({ key }) => key === 'key').length).toBeLessThan(170)
  })

  test('are tolerated for longer if a good answer comes in between', async () => {
    const { clock, watch } = stateWorld()
    const result = watch(() => {
      if (clock.now() > 30 * minute) return 100
      return clock.now() % (8 * minute) < minute ? 1 : fault(503)
    })
    await clock.advance(31 * minute)
    expect(result).toEqual({ seen: [1, 100], end: 'completed' })
  })

  const timedOut = new GatewayError('UPSTREAM_TIMEOUT', 'The request timed out.')
  const unknown = new GatewayError('UPSTREAM_REJECTED', 'There is no such number.')
  const pending = new GatewayError('UPSTREAM_TIMEOUT', 'Pending after 3600000 ms.')

  test.each<[string, StateAnswer, object, { after: number; within: number; end: object; polls: number }]>([
    ['a fatal error', fault(400), {}, { after: 0, within: 0, end: fault(400), polls: 1 }],
    [
      'a target that stays unknown',
      null,
      { maxUnavailableMs: 10 * second },
      { after: 10 * second, within: 5 * second, end: unknown, polls: 20 },
    ],
    [
      'a request that takes too long',
      'hangs',
      { maxUnavailableMs: second, timeoutMs: 2 * second },
      { after: 2 * second, within: 0, end: timedOut, polls: 1 },
    ],
    [
      'a target that is not final at the deadline',
      1,
      { deadlineMs: 60 * minute },
      { after: 60 * minute, within: 0, end: pending, polls: 600 },
    ],
  ])('%s ends the watch with its error, not sooner', async (_name, answer, options, expected) => {
    const { clock, poller, watch, sent } = stateWorld(options)
    const result = watch([answer])
    if (expected.after > 0) await clock.advance(expected.after - 1)
    expect(result.end).toBeUndefined()
    await clock.advance(Math.min(expected.after, 1) + expected.within)
    expect(result.end).toEqual(expected.end)
    expect(poller.size).toBe(0)
    expect(sent.length).toBeLessThanOrEqual(expected.polls)
  })
})

test('what a source concludes takes no part of the time of its requests', async () => {
  const { clock, watch, sent } = stateWorld({ timeoutMs: 20 * second })
  const conclude: StateSource<number>['conclude'] = async (reading) => {
    await new Promise<void>((done) => clock.after(3 * second, done))
    if ('error' in reading) throw reading.error
    return reading.value
  }
  const result = watch([1, 'hangs', 100], { conclude })
  await clock.advance(minute)
  const [, hanging = 0, next = 0] = sent.map(({ at }) => at)
  // An answer took no time, so one that hangs is given up after two seconds.
  expect(next - hanging).toBeLessThan(8 * second)
  expect(result).toEqual({ seen: [1, 100], end: 'completed' })
})

test('a fault from which a source concludes a state is no fault', async () => {
  const { clock, watch } = stateWorld()
  const conclude: StateSource<number>['conclude'] = async (reading) => ('error' in reading ? 100 : reading.value)
  const result = watch([1, fault(400)], { conclude })
  await clock.advance(minute)
  expect(result).toEqual({ seen: [1, 100], end: 'completed' })
})

describe('an unknown target', () => {
  test.each<{ name: string; answers: StateAnswer[]; isRepeated: boolean; seen: number[] }>([
    {
      name: 'is registered again and again while that has no effect, but not soon',
      answers: [...Array<null>(40).fill(null), 100],
      isRepeated: true,
      seen: [100],
    },
    {
      name: 'is registered once, also if a replica of the upstream does not know it yet',
      answers: [null, 1, null, 2, null, 3, null, 4, 100],
      isRepeated: false,
      seen: [1, 2, 3, 4, 100],
    },
  ])('$name', async ({ answers, isRepeated, seen }) => {
    const { clock, watch, sent } = stateWorld()
    const registrations: number[] = []
    const register = async () => registrations.push(clock.now()) > 0
    const result = watch(answers, { register })
    await clock.advance(4 * minute)
    expect(result).toEqual({ seen, end: 'completed' })
    // A state that was found is not registered and requested once more.
    expect(sent).toHaveLength(answers.length)
    expect([registrations[0], registrations.length > 1]).toEqual([0, isRepeated])
    for (const wait of gapsOf(registrations)) expectWithin(wait, 10 * second, 30 * second)
  })

  test('is registered at each poll until that succeeds', async () => {
    const { clock, watch, sent } = stateWorld()
    const registrations: number[] = []
    const isKnown = () => registrations.length >= 3
    const result = watch(() => (isKnown() ? 1 : null), {
      register: async () => {
        registrations.push(clock.now())
        return isKnown()
      },
    })
    await clock.advance(10 * second)
    expect(registrations).toEqual(sent.slice(0, 3).map(({ at }) => at))
    expect(result.seen).toEqual([1])
  })
})

describe('the interval of polls', () => {
  test.each<{ name: string; expected: number[]; startOf?: 'hourAgo'; after: number }>([
    { name: 'counts from the start of the watch', expected: [40], after: 40 },
    { name: 'that is the shortest counts', expected: [2e9, 42], after: 42 },
    {
      name: 'counts from the start of the target, where a state tells it',
      expected: [70],
      startOf: 'hourAgo',
      after: 10,
    },
  ])('an estimate of the end $name', async ({ expected, startOf, after }) => {
    const { clock, watch, pollsIn } = stateWorld()
    await clock.advance(60 * minute)
    for (const minutes of expected)
      watch([1], {
        expectedMs: minutes * minute,
        ...(startOf && { startOf: () => clock.date() - clock.now() }),
      })
    // An estimate never makes a young target wait.
    expect(await pollsIn(5 * second)).toBeGreaterThan(3)
    await clock.advance(after * minute - 10 * second)
    const atTheEnd = await pollsIn(10 * second)
    expect(atTheEnd).toBeGreaterThan(5)
    await clock.advance(20 * minute)
    expect(await pollsIn(10 * second)).toBeLessThan(atTheEnd / 2)
  })

  test('a pause ends after its time', async () => {
    const { clock, poller } = stateWorld()
    let isOver = false
    void poller.pause(second, new AbortController().signal).then(() => {
      isOver = true
    })
    await clock.advance(second - 1)
    expect(isOver).toBe(false)
    await clock.advance(1)
    expect(isOver).toBe(true)
  })
})

describe('slow upstreams', () => {
  /** A world, and the answers that come after what `tookMs` says then. */
  const slowWorld = (options = {}) => {
    const world = stateWorld({ timeoutMs: 14 * second, ...options })
    const slow = (tookMs: () => number) => (turn: number) =>
      new Promise<number>((resolve) => {
        world.clock.after(tookMs(), () => resolve(turn))
      })
    const timesOf = (wanted: string) => world.sent.filter(({ key }) => key === wanted).map(({ at }) => at)
    return { ...world, slow, timesOf }
  }

  test('get one request per answer, from the first one on', async () => {
    const { clock, watch, slow, sent } = slowWorld()
    const { seen } = watch(slow(() => 6 * second))
    await clock.advance(6 * second)
    expect([seen, sent.length]).toEqual([[1], 1])
    await clock.advance(25 * second)
    expect(seen.length).toBeGreaterThanOrEqual(3)
    expect(sent.length - seen.length).toBeLessThanOrEqual(1)
  })

  test('that become slow cost each poll at most one abandoned request', async () => {
    const { clock, watch, slow, sent } = slowWorld()
    let tookMs = 100
    const { seen } = watch(slow(() => tookMs))
    await clock.advance(100)
    tookMs = 4.5 * second
    await clock.advance(30 * second)
    expect(seen.length).toBeGreaterThanOrEqual(4)
    // The first one, the one that was given up, and one for each answer, the last of which may be under way.
    expect(sent.length).toBeLessThanOrEqual(seen.length + 2)
  })

  test('are retried soon if a request hangs while others are quick', async () => {
    const { clock, watch, slow, timesOf } = slowWorld()
    watch(
      slow(() => 100),
      { key: 'quick' },
    )
    await clock.advance(100)
    watch(['hangs'], { key: 'first' })
    await clock.advance(20 * second)
    const began = clock.now()
    watch(['hangs'], { key: 'second' })
    await clock.advance(7 * second)
    expect(timesOf('first')[0]).toBe(100)
    expect(timesOf('second')[0]).toBe(began)
    // Half of the time of a request, at most.
    for (const key of ['first', 'second']) expectWithin(gapsOf(timesOf(key))[0] ?? 0, second, 7 * second)
  })

  test('delay other polls until requests that hang time out', async () => {
    const { clock, poller, watch } = slowWorld({ concurrency: 2, timeoutMs: 6 * second })
    for (const key of ['a', 'b']) watch(['hangs'], { key })
    const result = watch([100], { key: 'c' })
    await clock.advance(5 * second)
    expect([result.seen, poller.lateMs]).toEqual([[], 5 * second])
    await clock.advance(second)
    expect(result).toEqual({ seen: [100], end: 'completed' })
    expect(poller.lateMs).toBe(0)
  })
})

describe('a rate limit', () => {
  test('is waited for as long as Retry-After says', async () => {
    const { watch, pollsIn } = stateWorld()
    watch([fault(429, 7_000)])
    expect([await pollsIn(6_999), await pollsIn(1)]).toEqual([1, 1])
  })

  test('delays the polls of all targets, and one of them probes whether it still holds', async () => {
    const { clock, watch, sent, pollsIn } = stateWorld()
    watch([fault(429, 20_000)], { key: 'limited' })
    await clock.advance(0)
    watch([1], { key: 'other' })
    await clock.advance(2 * second)
    expect(sent).toEqual([{ key: 'limited', at: 0 }])
    await clock.advance(8 * second)
    expect(sent[1]?.key).toBe('other')
    await clock.advance(20 * second)
    expect(new Set(sent.map(({ key }) => key)).size).toBe(2)
    // An hour is no reason to be blind for longer than a minute.
    watch([fault(503, 3_600_000)], { key: 'hour' })
    await clock.advance(minute)
    expect(await pollsIn(minute)).toBeGreaterThan(0)
  })

  test('of an hour allows one poll in ten seconds, and all once one succeeds', async () => {
    const { clock, watch, pollsIn } = stateWorld()
    let isLimited = false
    const all = Array.from({ length: 20 }, (_, key) =>
      watch(() => (isLimited ? fault(429, 3_600_000) : clock.now() / 1e6), { key: `${key}` }),
    )
    await clock.advance(5 * second)
    isLimited = true
    await clock.advance(10 * second)
    expectWithin(await pollsIn(30 * second), 2, 4)
    isLimited = false
    await clock.advance(20 * second)
    const before = all.map(({ seen }) => seen.length)
    await clock.advance(10 * second)
    for (const [index, { seen }] of all.entries()) expect(seen.length).toBeGreaterThan(before[index] ?? 0)
  })

  test('of a day in one answer of twenty does not delay polls for long', async () => {
    let seed = 1
    // Polls that are not all sent at one moment.
    const random = () => {
      seed = (seed * 16_807) % 2_147_483_647
      return seed / 2_147_483_647
    }
    const { clock, watch, sent } = stateWorld({ random })
    const all = Array.from({ length: 100 }, (_, key) =>
      watch(
        async () => {
          const isMistaken = sent.length % 20 === 0
          await new Promise<void>((done) => clock.after(300, done))
          if (isMistaken) throw fault(429, 86_400_000)
          return clock.now() / 1e6
        },
        { key: `${key}` },
      ),
    )
    await clock.advance(minute)
    for (const { seen } of all) {
      const gaps = seen.slice(1).map((at, index) => at - (seen[index] ?? 0))
      expect(Math.max(...gaps) * 1e6).toBeLessThan(10 * second)
      expect(seen.length).toBeGreaterThan(8)
    }
  })

  test('is probed again within seconds after a probe that failed otherwise', async () => {
    const { clock, watch, sent } = stateWorld()
    const answer = { now: undefined as Error | undefined }
    watch(() => answer.now ?? clock.now() / 1e6)
    answer.now = fault(429, 86_400_000)
    while (sent.length < 2) await clock.advance(100)
    answer.now = fault(500)
    while (sent.length < 4) await clock.advance(100)
    const [, limited = 0, probed = 0, again = 0] = sent.map(({ at }) => at)
    expect(probed - limited).toBeGreaterThanOrEqual(5 * second)
    expectWithin(again - probed, second, 3 * second)
  })
})
