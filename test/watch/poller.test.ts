import { expect, test } from 'vitest'
import { createMemoryCacheStore } from '../../src/kit/cache/cache.ts'
import type { Signal } from '../../src/kit/clock/signal.ts'
import { GatewayError } from '../../src/upstream/error.ts'
import { UpstreamHttpError } from '../../src/upstream/upstreamError.ts'
import { backoff, intervalOf, jitter } from '../../src/watch/nextDelay.ts'
import { createPoller, type PollerOptions } from '../../src/watch/poller.ts'
import type { StateSource } from '../../src/watch/stateSource.ts'
import { defineTopic } from '../../src/watch/topic.ts'
import { type FakeClock, fakeClock } from '../support/fakeClock.ts'

const second = 1_000
const minute = 60 * second

const numbers = defineTopic<number>('numbers')

/** Polls of numbers that grow until 100, which is settled. 101 is final only; from 110 on, it is irreversible too. */
function setup(options: Partial<PollerOptions> & { clock?: FakeClock } = {}) {
  const clock = options.clock ?? fakeClock()
  const poller = createPoller({
    cache: createMemoryCacheStore(clock),
    random: () => 0.5,
    ...options,
    clock,
  })
  const requests: string[] = []
  const target = (
    respond: (signal: Signal, turn: number) => Promise<number | null> | number | null,
    more: Partial<StateSource<number>> = {},
  ): StateSource<number> => {
    const key = more.key ?? 'key'
    let turn = 0
    return {
      topic: numbers,
      key,
      fetch: async (signal) => {
        requests.push(key)
        turn += 1
        return respond(signal, turn)
      },
      equals: (before, now) => before === now,
      isStale: (before, now) => now < before,
      isFinal: (state) => state >= 100,
      isIrreversible: (state) => state === 100 || state >= 110,
      isSettled: (state) => state === 100,
      isFatal: (error) => error instanceof UpstreamHttpError && error.status === 400,
      messages: {
        timeout: 'The request timed out.',
        notFound: 'There is no such number.',
        stillPending: (deadlineMs) => `Pending after ${deadlineMs} ms.`,
      },
      ...more,
    }
  }
  return { clock, poller, requests, target }
}

/** What an iterator yields until it ends, and how it ended. */
function collect<T>(iterator: AsyncIterableIterator<T>) {
  const seen: T[] = []
  const result: { seen: T[]; end: unknown } = { seen, end: undefined }
  const run = async () => {
    for await (const value of iterator) seen.push(value)
    result.end = 'completed'
  }
  run().catch((error: unknown) => {
    result.end = error
  })
  return result
}

const codeOf = (error: unknown) => (error instanceof GatewayError ? error.code : error)

test('a listener gets the state at once, then each change, and completes after the final state', async () => {
  const { clock, poller, target } = setup()
  const states = [1, 1, 2, 2, 3, 100]
  const result = collect(poller.watch(target((_signal, turn) => states[turn - 1] ?? 0)))
  await clock.advance(0)
  expect(result.seen).toEqual([1])
  await clock.advance(minute)
  expect(result).toEqual({ seen: [1, 2, 3, 100], end: 'completed' })
  expect([poller.size, poller.listeners, poller.inFlight]).toEqual([0, 0, 0])
})

test('a thousand listeners of one target cost one request an interval, and all see the end', async () => {
  const { clock, poller, target, requests } = setup()
  const all = Array.from({ length: 1000 }, () =>
    collect(poller.watch(target(() => (clock.now() < 5 * second ? 1 : 100)))),
  )
  await clock.advance(0)
  expect(requests).toHaveLength(1)
  await clock.advance(4 * second)
  expect(requests).toHaveLength(5)
  expect([poller.size, poller.listeners]).toEqual([1, 1000])
  await clock.advance(2 * second)
  expect(requests).toHaveLength(6)
  for (const result of all) expect(result).toEqual({ seen: [1, 100], end: 'completed' })
})

test('polls of a thousand targets keep within the concurrency, and all see the end', async () => {
  const { clock, poller, target } = setup({ concurrency: 32 })
  let most = 0
  const all = Array.from({ length: 1000 }, (_, index) =>
    collect(
      poller.watch(
        target(
          async (_signal, turn) => {
            most = Math.max(most, poller.inFlight)
            await new Promise<void>((done) => clock.after(50, done))
            return turn < 3 ? turn : 100
          },
          { key: `${index}` },
        ),
      ),
    ),
  )
  await clock.advance(minute)
  expect(most).toBe(32)
  for (const result of all) expect(result).toEqual({ seen: [1, 2, 100], end: 'completed' })
  expect(poller.size).toBe(0)
})

test('a late listener gets the last state at once, without a request', async () => {
  const { clock, poller, target, requests } = setup()
  const first = collect(poller.watch(target(() => 7)))
  await clock.advance(0)
  const second = collect(poller.watch(target(() => 7)))
  await new Promise((done) => setImmediate(done))
  expect(second.seen).toEqual([7])
  expect(requests).toHaveLength(1)
  expect(first.seen).toEqual([7])
})

test('a listener after the end gets the final state without a request, until it expires', async () => {
  const { clock, poller, target, requests } = setup({
    finalStateCache: { maxBytes: 100, ttlMs: minute },
  })
  collect(poller.watch(target(() => 100)))
  await clock.advance(0)
  const late = collect(poller.watch(target(() => 100)))
  await clock.advance(0)
  expect(late).toEqual({ seen: [100], end: 'completed' })
  expect(poller.finalState(numbers, 'key')).toBe(100)
  expect(requests).toHaveLength(1)
  await clock.advance(minute + 1)
  expect(poller.finalState(numbers, 'key')).toBeUndefined()
  collect(poller.watch(target(() => 100)))
  await clock.advance(0)
  expect(requests).toHaveLength(2)
})

test('a final state that can be undone is delivered but not kept', async () => {
  const { clock, poller, target, requests } = setup()
  const result = collect(poller.watch(target(() => 101)))
  await clock.advance(0)
  expect(result).toEqual({ seen: [101], end: 'completed' })
  collect(poller.watch(target(() => 101)))
  await clock.advance(0)
  expect(requests).toHaveLength(2)
})

test('the poll ends with its last listener, and its request is aborted', async () => {
  const { clock, poller, target, requests } = setup()
  let aborted = false
  const hanging = target((signal) => {
    signal.addEventListener('abort', () => {
      aborted = true
    })
    return new Promise<never>(() => {})
  })
  const [first, second] = [poller.watch(hanging), poller.watch(hanging)]
  void first.next()
  void second.next()
  await clock.advance(0)
  await first.return?.()
  expect([poller.size, aborted]).toEqual([1, false])
  await second.return?.()
  await clock.advance(minute)
  expect([poller.size, poller.listeners, poller.inFlight, aborted]).toEqual([0, 0, 0, true])
  expect(requests).toHaveLength(1)
})

test('an iterator that is never read starts nothing', async () => {
  const { clock, poller, target, requests } = setup()
  const iterator = poller.watch(target(() => 1))
  await clock.advance(minute)
  expect([requests.length, poller.size]).toEqual([0, 0])
  await iterator.return?.()
})

test('a slow listener gets the newest state and the end, and delays no other listener', async () => {
  const { clock, poller, target } = setup()
  const states = (_signal: Signal, turn: number) => (turn < 50 ? turn : 100)
  const slow = poller.watch(target(states))
  const first = slow.next()
  const quick = collect(poller.watch(target(states)))
  await clock.advance(10 * minute)
  expect(quick.end).toBe('completed')
  expect(quick.seen).toHaveLength(50)
  expect((await first).value).toBe(1)
  expect(await slow.next()).toEqual({ value: 100, done: false })
  expect(await slow.next()).toEqual({ value: undefined, done: true })
})

test('a poll that fails while its listener is slow delivers the last state, then the error', async () => {
  const { clock, poller, target } = setup({ maxUnavailableMs: 0 })
  const iterator = poller.watch(
    target((_signal, turn) => (turn < 3 ? turn : Promise.reject(fault(400)))),
  )
  const first = iterator.next()
  await clock.advance(minute)
  expect([poller.size, (await first).value]).toEqual([0, 1])
  expect((await iterator.next()).value).toBe(2)
  await expect(iterator.next()).rejects.toMatchObject({ code: 'UPSTREAM_REJECTED' })
})

const fault = (status: number, retryAfter?: number) =>
  new UpstreamHttpError('router', status, 'no', retryAfter)

const faults: Record<string, () => Promise<never>> = {
  'an outage': () => Promise.reject(fault(503)),
  'an internal error': () => Promise.reject(fault(500)),
  'a rate limit': () => Promise.reject(fault(429, 3_000)),
  'an invalid response': () =>
    Promise.reject(new GatewayError('UPSTREAM_INVALID_RESPONSE', 'garbage')),
  'an unreachable upstream': () => Promise.reject(new GatewayError('UPSTREAM_UNAVAILABLE', 'x')),
  'an upstream that hangs': () => new Promise(() => {}),
  'an error of any kind': () => Promise.reject(new TypeError('x')),
}

for (const [name, fail] of Object.entries(faults)) {
  test(`a poll survives ${name}`, async () => {
    const { clock, poller, target } = setup()
    const result = collect(
      poller.watch(
        target((_signal, turn) => {
          if (turn === 1) return 1
          return clock.now() < minute ? fail() : 100
        }),
      ),
    )
    await clock.advance(50 * second)
    expect(result).toEqual({ seen: [1], end: undefined })
    await clock.advance(20 * second)
    expect(result).toEqual({ seen: [1, 100], end: 'completed' })
  })

  test(`${name} that lasts ten minutes ends the poll with an error`, async () => {
    const { clock, poller, target, requests } = setup()
    const result = collect(poller.watch(target((_signal, turn) => (turn === 1 ? 1 : fail()))))
    await clock.advance(9 * minute)
    expect(result.end).toBeUndefined()
    await clock.advance(2 * minute)
    expect(result.end).toBeInstanceOf(Error)
    expect(poller.size).toBe(0)
    expect(requests.length).toBeLessThan(170)
  })
}

test('one good response resets the time that faults may last', async () => {
  const { clock, poller, target } = setup()
  const result = collect(
    poller.watch(
      target(() => {
        if (clock.now() > 30 * minute) return 100
        return clock.now() % (8 * minute) < minute ? 1 : (faults['an outage']?.() ?? null)
      }),
    ),
  )
  await clock.advance(31 * minute)
  expect(result).toEqual({ seen: [1, 100], end: 'completed' })
})

test('a fatal error ends the poll at once', async () => {
  const { clock, poller, target } = setup()
  const result = collect(poller.watch(target(() => Promise.reject(fault(400)))))
  await clock.advance(0)
  expect(codeOf(result.end)).toBe('UPSTREAM_REJECTED')
  expect(poller.size).toBe(0)
})

test('a poll waits as long as a rate limit asks for', async () => {
  const { clock, poller, target, requests } = setup()
  collect(poller.watch(target(() => Promise.reject(fault(429, 7_000)))))
  await clock.advance(6_999)
  expect(requests).toHaveLength(1)
  await clock.advance(1)
  expect(requests).toHaveLength(2)
})

test('requests that hang delay other polls until they are given up', async () => {
  const { clock, poller, target } = setup({ concurrency: 2, timeoutMs: 6 * second })
  for (const key of ['a', 'b']) {
    collect(poller.watch(target(() => new Promise(() => {}), { key })))
  }
  const result = collect(poller.watch(target(() => 100, { key: 'c' })))
  await clock.advance(5 * second)
  expect(result.seen).toEqual([])
  expect(poller.lateMs).toBe(5 * second)
  await clock.advance(second)
  expect(result).toEqual({ seen: [100], end: 'completed' })
  expect(poller.lateMs).toBe(0)
})

test('a stale response is ignored', async () => {
  const { clock, poller, target } = setup()
  const states = [3, 2, 1, 3, 4, 100]
  const result = collect(poller.watch(target((_signal, turn) => states[turn - 1] ?? 0)))
  await clock.advance(minute)
  expect(result).toEqual({ seen: [3, 4, 100], end: 'completed' })
})

test('an unknown target is registered until that succeeds, and once more when it is forgotten', async () => {
  const { clock, poller, target, requests } = setup()
  const registrations: number[] = []
  let known = false
  const result = collect(
    poller.watch(
      target(
        () => {
          const now = clock.now()
          if (now >= 20 * second && now < 21.5 * second) known = false
          if (now > 30 * second) return 100
          return known ? 1 : null
        },
        {
          onMissing: async () => {
            registrations.push(clock.now())
            known = registrations.length >= 3
            return known
          },
        },
      ),
    ),
  )
  await clock.advance(10 * second)
  expect(registrations).toEqual([0, second, 2 * second])
  expect(result.seen).toEqual([1])
  await clock.advance(minute)
  expect(registrations).toHaveLength(4)
  expect(result).toEqual({ seen: [1, 100], end: 'completed' })
  expect(requests.length).toBeGreaterThan(10)
})

test('a registration without effect is repeated after some seconds', async () => {
  const { clock, poller, target } = setup()
  const registrations: number[] = []
  const result = collect(
    poller.watch(
      target(() => (registrations.length < 3 ? null : 100), {
        onMissing: async () => registrations.push(clock.now()) > 0,
      }),
    ),
  )
  await clock.advance(minute)
  const [first = 0, ...others] = registrations
  expect(first).toBe(0)
  expect(others).toHaveLength(2)
  for (const [index, time] of others.entries()) {
    const wait = time - (registrations[index] ?? 0)
    expect(wait).toBeGreaterThanOrEqual(15 * second)
    expect(wait).toBeLessThan(22 * second)
  }
  expect(result).toEqual({ seen: [100], end: 'completed' })
})

test('a target that stays unknown ends the poll with an error', async () => {
  const { clock, poller, target } = setup()
  const result = collect(poller.watch(target(() => null)))
  await clock.advance(9 * minute)
  expect(result.end).toBeUndefined()
  await clock.advance(2 * minute)
  expect(result.end).toEqual(new GatewayError('UPSTREAM_REJECTED', 'There is no such number.'))
})

test('a target that never reaches a final state ends the poll with an error at the deadline', async () => {
  const { clock, poller, target, requests } = setup({ deadlineMs: 60 * minute })
  const result = collect(poller.watch(target(() => 1)))
  await clock.advance(60 * minute - 1)
  expect(result.end).toBeUndefined()
  await clock.advance(2)
  expect(result.seen).toEqual([1])
  expect(result.end).toEqual(new GatewayError('UPSTREAM_TIMEOUT', 'Pending after 3600000 ms.'))
  expect(requests.length).toBeLessThan(400)
})

test('close stops all polls, and completes no listener', async () => {
  const { clock, poller, target, requests } = setup()
  const result = collect(poller.watch(target((_signal, turn) => turn)))
  await clock.advance(0)
  poller.close()
  await clock.advance(minute)
  expect(result).toEqual({ seen: [1], end: undefined })
  expect([requests.length, poller.size]).toEqual([1, 0])
  const late = collect(poller.watch(target(() => 100)))
  await clock.advance(minute)
  expect(late).toEqual({ seen: [], end: undefined })
})

test('a target that is forgotten often is registered again at once, and then only polled', async () => {
  const { clock, poller, target } = setup()
  const registrations: number[] = []
  const states = [null, 1, null, 2, null, 3, null, 4]
  const result = collect(
    poller.watch(
      target((_signal, turn) => (turn > states.length ? 100 : (states[turn - 1] ?? null)), {
        onMissing: async () => {
          registrations.push(clock.now())
          return true
        },
      }),
    ),
  )
  await clock.advance(minute)
  expect(registrations).toEqual([0, second])
  expect(result).toEqual({ seen: [1, 2, 3, 4, 100], end: 'completed' })
})

test('a request that takes too long has the timeout message of its target', async () => {
  const { clock, poller, target } = setup({ maxUnavailableMs: second, timeoutMs: 2 * second })
  const result = collect(poller.watch(target(() => new Promise(() => {}))))
  await clock.advance(2 * second)
  expect(result.end).toEqual(new GatewayError('UPSTREAM_TIMEOUT', 'The request timed out.'))
})

test('a target may be unavailable for exactly as long as the options say', async () => {
  const { clock, poller, target, requests } = setup({ maxUnavailableMs: 2 * second })
  const result = collect(poller.watch(target(() => null)))
  await clock.advance(2 * second - 1)
  expect(result.end).toBeUndefined()
  await clock.advance(1)
  expect(codeOf(result.end)).toBe('UPSTREAM_REJECTED')
  expect(requests).toHaveLength(3)
})

test('equal keys of two topics are two targets', async () => {
  const { clock, poller, target } = setup()
  const topic = defineTopic<number>('other numbers')
  const results = [target(() => 100), target(() => 101, { topic })].map((each) =>
    collect(poller.watch(each)),
  )
  await clock.advance(0)
  expect(results.map(({ seen }) => seen)).toEqual([[100], [101]])
  expect([poller.finalState(numbers, 'key'), poller.finalState(topic, 'key')]).toEqual([
    100,
    undefined,
  ])
})

test('nothing is scheduled after the last listener leaves', async () => {
  let delays = 0
  const random = () => {
    delays += 1
    return 0.5
  }
  const { clock, poller, target } = setup({ random })
  const iterator = poller.watch(target((_signal, turn) => (turn === 1 ? 1 : new Promise(() => {}))))
  await Promise.all([iterator.next(), clock.advance(second)])
  await iterator.return?.()
  const before = delays
  await clock.advance(minute)
  expect(delays).toBe(before)
})

test('the age of a poll counts from its start', async () => {
  const { clock, poller, target, requests } = setup()
  await clock.advance(60 * minute)
  collect(poller.watch(target(() => 1)))
  await clock.advance(5 * second)
  expect(requests).toHaveLength(6)
})

test('a poll is quick again when its end is due', async () => {
  const { clock, poller, target, requests } = setup()
  await clock.advance(60 * minute)
  collect(poller.watch(target(() => 1, { expectedMs: 40 * minute })))
  await clock.advance(30 * minute)
  requests.splice(0)
  await clock.advance(4 * minute)
  expect(requests.length).toBeLessThan(20)
  await clock.advance(6 * minute)
  requests.splice(0)
  await clock.advance(10 * second)
  expect(requests.length).toBeGreaterThanOrEqual(9)
})

test('a pause ends after its time', async () => {
  const { clock, poller } = setup()
  let isOver = false
  void poller.pause(second, new AbortController().signal).then(() => {
    isOver = true
  })
  await clock.advance(second - 1)
  expect(isOver).toBe(false)
  await clock.advance(1)
  expect(isOver).toBe(true)
})

/** Milliseconds between two polls of a target of that age, in milliseconds. */
const pollInterval = ({ age, untilDue }: { age: number; untilDue: number }) =>
  intervalOf({ kind: 'ends', ageMs: age, untilEndMs: untilDue }, 1)

const never = Number.POSITIVE_INFINITY

test('the interval grows with age', () => {
  const at = (age: number) => pollInterval({ age, untilDue: never })
  expect([at(0), at(9_999), at(10_000), at(14_000), at(60_000)]).toEqual([
    1_000, 1_000, 1_000, 2_000, 4_000,
  ])
  expect([at(10 * minute), at(59 * minute), at(60 * minute)]).toEqual([15_000, 15_000, 60_000])
})

test('a known end makes the interval short around the time when it is due', () => {
  const at = (untilDue: number) => pollInterval({ age: 30 * minute, untilDue })
  expect([at(10 * minute), at(5 * minute + 9_000), at(5 * minute), at(8_000), at(1_000)]).toEqual([
    15_000, 9_000, 4_000, 2_000, 1_000,
  ])
  expect([at(-1_000), at(-14_000), at(-4 * minute), at(-6 * minute)]).toEqual([
    1_000, 2_000, 4_000, 15_000,
  ])
})

test('no estimate makes a poll slower than five seconds in its first ten minutes, or around its end', () => {
  const slowest = (wait: number) => jitter(wait, 1)
  for (const expectedMs of [0, 30, 300, 1_200, 2_000_000_000].map((seconds) => seconds * second)) {
    for (let age = 0; age < 60 * minute; age += second) {
      const untilDue = expectedMs - age
      const wait = slowest(pollInterval({ age, untilDue }))
      if (age < 10 * minute || Math.abs(untilDue) < 5 * minute) {
        expect(wait).toBeLessThanOrEqual(5 * second)
      }
    }
  }
})

test('the smallest estimate counts, whoever gives it', async () => {
  const { clock, poller, target, requests } = setup()
  collect(poller.watch(target(() => 1, { expectedMs: 2_000_000_000 * second })))
  await clock.advance(60 * minute)
  collect(poller.watch(target(() => 1, { expectedMs: 62 * minute })))
  await clock.advance(2 * minute - second)
  requests.splice(0)
  await clock.advance(10 * second)
  expect(requests.length).toBeGreaterThanOrEqual(9)
})

test('an estimate counts from the start of the target, where a state tells it', async () => {
  const { clock, poller, target, requests } = setup()
  await clock.advance(60 * minute)
  // The target began an hour ago, and should end 70 minutes after that.
  collect(
    poller.watch(
      target(() => 1, { expectedMs: 70 * minute, startOf: () => clock.date() - clock.now() }),
    ),
  )
  await clock.advance(10 * minute)
  requests.splice(0)
  await clock.advance(10 * second)
  expect(requests.length).toBeGreaterThanOrEqual(9)
})

test('a new listener of an old state makes the poll look at once, but not every one of them', async () => {
  const { clock, poller, target, requests } = setup()
  let state = 1
  const first = collect(poller.watch(target(() => state)))
  await clock.advance(60 * minute)
  // A minute passes between two looks. Wait for the next one.
  const looks = requests.length
  while (requests.length === looks) await clock.advance(second)
  await clock.advance(20 * second)
  const before = looks + 1
  state = 2
  const late = Array.from({ length: 50 }, () => collect(poller.watch(target(() => state))))
  await clock.advance(0)
  expect(requests.length).toBe(before + 1)
  expect([first.seen, late[0]?.seen, late[49]?.seen]).toEqual([
    [1, 2],
    [1, 2],
    [1, 2],
  ])
  await clock.advance(second)
  collect(poller.watch(target(() => state)))
  await clock.advance(0)
  expect(requests.length).toBeLessThanOrEqual(before + 2)
})

test('what another request finds reaches the listeners, and an end completes them', async () => {
  const { clock, poller, target, requests } = setup()
  const rules = target(() => 1)
  const result = collect(poller.watch(rules))
  await clock.advance(30 * minute)
  requests.splice(0)
  poller.learn(rules, 'key', 7)
  poller.learn(rules, 'key', 3)
  poller.learn(rules, 'other key', 9)
  await clock.advance(0)
  expect(result.seen).toEqual([1, 7])
  poller.learn(rules, 'key', 100)
  await clock.advance(0)
  expect(result).toEqual({ seen: [1, 7, 100], end: 'completed' })
  expect(requests).toEqual([])
})

test('a correction is passed on when it has held for three looks', async () => {
  const { clock, poller, target } = setup()
  const states = [5, 3, 3, 5, 3, 3, 3, 100]
  const result = collect(poller.watch(target((_signal, turn) => states[turn - 1] ?? 0)))
  await clock.advance(minute)
  expect(result).toEqual({ seen: [5, 3, 100], end: 'completed' })
})

test('an end that can still change is looked at once more for those who come late', async () => {
  const { clock, poller, target, requests } = setup()
  let state = 110
  collect(poller.watch(target(() => state)))
  await clock.advance(second)
  const soon = collect(poller.watch(target(() => state)))
  await clock.advance(second)
  state = 111
  requests.splice(0)
  const late = [0, 1].map(() => collect(poller.watch(target(() => state))))
  await clock.advance(0)
  expect(soon).toEqual({ seen: [110], end: 'completed' })
  for (const each of late) expect(each).toEqual({ seen: [111], end: 'completed' })
  expect(requests).toHaveLength(1)
  await clock.advance(3 * second)
  const refused = collect(poller.watch(target(() => Promise.reject(fault(503)))))
  await clock.advance(0)
  expect(refused).toEqual({ seen: [111], end: 'completed' })
})

test('a refusal between good answers does not end a poll', async () => {
  const { clock, poller, target } = setup()
  const result = collect(
    poller.watch(
      target((_signal, turn) => (turn === 2 ? Promise.reject(fault(400)) : turn < 3 ? 1 : 100)),
    ),
  )
  await clock.advance(minute)
  expect(result).toEqual({ seen: [1, 100], end: 'completed' })
})

/** A target whose requests take what `tookMs` says now, and the times at which they were sent. */
function slowTarget(
  { clock, target }: ReturnType<typeof setup>,
  tookMs: () => number,
  key = 'slow',
) {
  const sent: number[] = []
  const slow = target(
    () =>
      new Promise<number>((resolve) => {
        sent.push(clock.now())
        clock.after(tookMs(), () => resolve(sent.length))
      }),
    { key },
  )
  return { slow, sent }
}

test('a slow upstream is asked once for each answer, from the first request on', async () => {
  const world = setup({ timeoutMs: 14 * second })
  const { slow, sent } = slowTarget(world, () => 6 * second)
  const result = collect(world.poller.watch(slow))
  await world.clock.advance(6 * second)
  expect(result.seen).toEqual([1])
  expect(sent).toEqual([0])
  await world.clock.advance(25 * second)
  expect(result.seen.length).toBe(4)
  expect(sent.length - result.seen.length).toBeLessThanOrEqual(1)
})

test('where an upstream is quick, a request that hangs is soon sent again', async () => {
  const world = setup({ timeoutMs: 14 * second })
  const { clock, poller, target } = world
  const quick = slowTarget(world, () => 100, 'quick')
  collect(poller.watch(quick.slow))
  await clock.advance(100)
  const sent: number[] = []
  collect(
    poller.watch(
      target(
        () => {
          sent.push(clock.now())
          return new Promise(() => {})
        },
        { key: 'hanging' },
      ),
    ),
  )
  await clock.advance(2_000)
  expect(sent).toEqual([100, 2_100])
})

test('connections that hang now and then leave the others as little time as before', async () => {
  const world = setup({ timeoutMs: 14 * second })
  const { clock, poller, target } = world
  collect(poller.watch(slowTarget(world, () => 100, 'quick').slow))
  await clock.advance(100)
  const sent: number[] = []
  const hangs = (key: string, from: number) =>
    target(
      () => {
        sent.push(clock.now())
        return clock.now() < from ? 1 : new Promise<number>(() => {})
      },
      { key },
    )
  collect(poller.watch(hangs('first', 0)))
  await clock.advance(20 * second)
  sent.length = 0
  collect(poller.watch(hangs('second', 0)))
  const began = clock.now()
  await clock.advance(2 * second)
  expect(sent.filter((at) => at === began || at === began + 2_000)).toEqual([began, began + 2_000])
})

test('an upstream that becomes slow costs each poll at most one request that is given up', async () => {
  const world = setup({ timeoutMs: 14 * second })
  let tookMs = 100
  const { slow, sent } = slowTarget(world, () => tookMs)
  const result = collect(world.poller.watch(slow))
  await world.clock.advance(100)
  tookMs = 4.5 * second
  await world.clock.advance(30 * second)
  expect(result.seen.length).toBeGreaterThanOrEqual(4)
  // The first one, the one that was given up, and one for each answer, the last of which may be under way.
  expect(sent.length).toBeLessThanOrEqual(result.seen.length + 2)
})

test('the retry delay doubles with each fault in a row, and is jittered', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 60].map(backoff)).toEqual([
    500, 1_000, 2_000, 2_000, 2_000, 2_000, 4_000, 4_000,
  ])
  expect([0, 0.5, 1].map((random) => jitter(1_000, random))).toEqual([750, 1_000, 1_250])
})

test('what one poll learns of a rate limit, all polls wait for', async () => {
  const { clock, poller, target } = setup()
  const sent: [string, number][] = []
  const follow = (key: string, fetch: () => Promise<number>) =>
    collect(
      poller.watch(
        target(
          () => {
            sent.push([key, clock.now()])
            return fetch()
          },
          { key },
        ),
      ),
    )
  follow('limited', () => Promise.reject(fault(429, 20_000)))
  await clock.advance(0)
  follow('other', async () => 1)
  await clock.advance(4_999)
  expect(sent).toEqual([['limited', 0]])
  await clock.advance(1)
  // One finds out whether the others still have to wait.
  expect(sent).toEqual([
    ['limited', 0],
    ['other', 5_000],
  ])
  await clock.advance(20_000)
  expect(new Set(sent.map(([key]) => key))).toEqual(new Set(['limited', 'other']))
  // An hour is no reason to be blind for longer than a minute.
  follow('hour', () => Promise.reject(fault(503, 3_600_000)))
  await clock.advance(60_000)
  const before = sent.length
  await clock.advance(60_000)
  expect(sent.length).toBeGreaterThan(before)
})

test('while the upstream asks for a pause, one poll in ten seconds is sent, and all go on once one is answered', async () => {
  const { clock, poller, target } = setup()
  const sent: number[] = []
  let isLimited = false
  const seen = Array.from({ length: 20 }, (_, key) =>
    collect(
      poller.watch(
        target(
          () => {
            sent.push(clock.now())
            return isLimited ? Promise.reject(fault(429, 3_600_000)) : clock.now() / 1e6
          },
          { key: `${key}` },
        ),
      ),
    ),
  )
  await clock.advance(5 * second)
  isLimited = true
  await clock.advance(10 * second)
  sent.length = 0
  await clock.advance(30 * second)
  expect(sent.length).toBeGreaterThanOrEqual(2)
  expect(sent.length).toBeLessThanOrEqual(4)
  isLimited = false
  await clock.advance(20 * second)
  const before = seen.map(({ seen }) => seen.length)
  await clock.advance(10 * second)
  for (const [index, one] of seen.entries())
    expect(one.seen.length).toBeGreaterThan(before[index] ?? 0)
})

test('one answer of many that asks for a pause of a day holds up nobody for long', async () => {
  let seed = 1
  // Polls that are not all sent at one moment.
  const random = () => {
    seed = (seed * 16_807) % 2_147_483_647
    return seed / 2_147_483_647
  }
  const { clock, poller, target } = setup({ random })
  let count = 0
  const all = Array.from({ length: 100 }, (_, key) =>
    collect(
      poller.watch(
        target(
          () =>
            new Promise((resolve, reject) => {
              count += 1
              const isMistaken = count % 20 === 0
              clock.after(300, () =>
                isMistaken ? reject(fault(429, 86_400_000)) : resolve(clock.now() / 1e6),
              )
            }),
          { key: `${key}` },
        ),
      ),
    ),
  )
  await clock.advance(60 * second)
  for (const { seen } of all) {
    const gaps = seen.slice(1).map((at, index) => at - (seen[index] ?? 0))
    expect(Math.max(...gaps) * 1e6).toBeLessThan(10 * second)
    expect(seen.length).toBeGreaterThan(8)
  }
})

test('a poll of a pause that fails without word of a limit is sent again within seconds', async () => {
  const { clock, poller, target } = setup()
  const sent: number[] = []
  const fail = { now: (): Error | undefined => undefined }
  collect(
    poller.watch(
      target(() => {
        sent.push(clock.now())
        const error = fail.now()
        return error ? Promise.reject(error) : clock.now() / 1e6
      }),
    ),
  )
  fail.now = () => fault(429, 86_400_000)
  while (sent.length < 2) await clock.advance(100)
  fail.now = () => fault(500)
  while (sent.length < 4) await clock.advance(100)
  const [, limited = 0, probed = 0, again = 0] = sent
  expect(probed - limited).toBeGreaterThanOrEqual(5 * second)
  expect(again - probed).toBeGreaterThanOrEqual(second)
  expect(again - probed).toBeLessThanOrEqual(3 * second)
})
