import { expect, test } from 'vitest'
import { createMemoryCacheStore } from '../../src/cache/cache.ts'
import { createPoller, type PollerOptions, type PollTarget } from '../../src/polling/poller.ts'
import { backoff, jitter, pollInterval } from '../../src/polling/schedule.ts'
import { GatewayError } from '../../src/upstream/error.ts'
import { UpstreamHttpError } from '../../src/upstream/upstreamError.ts'
import { type FakeClock, fakeClock } from '../support/fakeClock.ts'

const second = 1_000
const minute = 60 * second

/** Numbers that grow until 100, which is terminal. */
function setup(options: Partial<PollerOptions> & { clock?: FakeClock } = {}) {
  const clock = options.clock ?? fakeClock()
  const poller = createPoller({
    cache: createMemoryCacheStore(clock),
    random: () => 0.5,
    ...options,
    clock,
  })
  const looks: string[] = []
  const watched = (
    look: (signal: AbortSignal, turn: number) => Promise<number | null> | number | null,
    more: Partial<PollTarget<number>> = {},
  ): PollTarget<number> => {
    const key = more.key ?? 'key'
    let turn = 0
    return {
      key,
      fetch: async (signal) => {
        looks.push(key)
        turn += 1
        return look(signal, turn)
      },
      equals: (before, now) => before === now,
      isStale: (before, now) => now < before,
      isFinal: (state) => state >= 100,
      isIrreversible: (state) => state === 100,
      isFatal: (error) => error instanceof UpstreamHttpError && error.status === 400,
      ...more,
    }
  }
  return { clock, poller, looks, watched }
}

/** All that an iterator gives until it ends, and how it ended. */
function collect<T>(iterator: AsyncIterableIterator<T>) {
  const seen: T[] = []
  const got: { seen: T[]; end: unknown } = { seen, end: undefined }
  const run = async () => {
    for await (const value of iterator) seen.push(value)
    got.end = 'completed'
  }
  run().catch((error: unknown) => {
    got.end = error
  })
  return got
}

const codeOf = (error: unknown) => (error instanceof GatewayError ? error.code : error)

test('gives the state at once, then each change, and completes after the terminal state', async () => {
  const { clock, poller, watched } = setup()
  const states = [1, 1, 2, 2, 3, 100]
  const got = collect(poller.watch(watched((_signal, turn) => states[turn - 1] ?? 0)))
  await clock.advance(0)
  expect(got.seen).toEqual([1])
  await clock.advance(minute)
  expect(got).toEqual({ seen: [1, 2, 3, 100], end: 'completed' })
  expect([poller.size, poller.listeners, poller.inFlight]).toEqual([0, 0, 0])
})

test('a thousand listeners of one thing cost one look an interval, and all see the end', async () => {
  const { clock, poller, watched, looks } = setup()
  const all = Array.from({ length: 1000 }, () =>
    collect(poller.watch(watched(() => (clock.now() < 5 * second ? 1 : 100)))),
  )
  await clock.advance(0)
  expect(looks).toHaveLength(1)
  await clock.advance(4 * second)
  expect(looks).toHaveLength(5)
  expect([poller.size, poller.listeners]).toEqual([1, 1000])
  await clock.advance(2 * second)
  expect(looks).toHaveLength(6)
  for (const got of all) expect(got).toEqual({ seen: [1, 100], end: 'completed' })
})

test('a thousand listeners of a thousand things keep within the cap, and all see the end', async () => {
  const { clock, poller, watched } = setup({ concurrency: 32 })
  let most = 0
  const all = Array.from({ length: 1000 }, (_, index) =>
    collect(
      poller.watch(
        watched(
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
  for (const got of all) expect(got).toEqual({ seen: [1, 2, 100], end: 'completed' })
  expect(poller.size).toBe(0)
})

test('a late listener has the last state at once, without a look', async () => {
  const { clock, poller, watched, looks } = setup()
  const first = collect(poller.watch(watched(() => 7)))
  await clock.advance(0)
  const second = collect(poller.watch(watched(() => 7)))
  await new Promise((done) => setImmediate(done))
  expect(second.seen).toEqual([7])
  expect(looks).toHaveLength(1)
  expect(first.seen).toEqual([7])
})

test('who comes after the end gets it without a look, until it is forgotten', async () => {
  const { clock, poller, watched, looks } = setup({
    finalStateCache: { maxEntries: 1, ttlMs: minute },
  })
  collect(poller.watch(watched(() => 100)))
  await clock.advance(0)
  const late = collect(poller.watch(watched(() => 100)))
  await clock.advance(0)
  expect(late).toEqual({ seen: [100], end: 'completed' })
  expect(poller.finalState('key')).toBe(100)
  expect(looks).toHaveLength(1)
  await clock.advance(minute + 1)
  expect(poller.finalState('key')).toBeUndefined()
  collect(poller.watch(watched(() => 100)))
  await clock.advance(0)
  expect(looks).toHaveLength(2)
})

test('an end that can be undone is told, but not kept', async () => {
  const { clock, poller, watched, looks } = setup()
  const got = collect(poller.watch(watched(() => 101)))
  await clock.advance(0)
  expect(got).toEqual({ seen: [101], end: 'completed' })
  collect(poller.watch(watched(() => 101)))
  await clock.advance(0)
  expect(looks).toHaveLength(2)
})

test('the poll ends with its last listener, even amid a look', async () => {
  const { clock, poller, watched, looks } = setup()
  let aborted = false
  const hanging = watched((signal) => {
    signal.addEventListener('abort', () => {
      aborted = true
    })
    return new Promise<never>(() => {})
  })
  const [one, other] = [poller.watch(hanging), poller.watch(hanging)]
  void one.next()
  void other.next()
  await clock.advance(0)
  await one.return?.()
  expect([poller.size, aborted]).toEqual([1, false])
  await other.return?.()
  await clock.advance(minute)
  expect([poller.size, poller.listeners, poller.inFlight, aborted]).toEqual([0, 0, 0, true])
  expect(looks).toHaveLength(1)
})

test('an iterator nobody reads starts nothing', async () => {
  const { clock, poller, watched, looks } = setup()
  const iterator = poller.watch(watched(() => 1))
  await clock.advance(minute)
  expect([looks.length, poller.size]).toEqual([0, 0])
  await iterator.return?.()
})

test('a listener who stops reading gets the newest state and the end, and holds up nobody', async () => {
  const { clock, poller, watched } = setup()
  const states = (_signal: AbortSignal, turn: number) => (turn < 50 ? turn : 100)
  const slow = poller.watch(watched(states))
  const first = slow.next()
  const quick = collect(poller.watch(watched(states)))
  await clock.advance(10 * minute)
  expect(quick.end).toBe('completed')
  expect(quick.seen).toHaveLength(50)
  expect((await first).value).toBe(1)
  expect(await slow.next()).toEqual({ value: 100, done: false })
  expect(await slow.next()).toEqual({ value: undefined, done: true })
})

test('a stream that fails while nobody reads it keeps its error for the reader', async () => {
  const { clock, poller, watched } = setup()
  const iterator = poller.watch(
    watched((_signal, turn) => (turn < 3 ? turn : Promise.reject(fault(400)))),
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
  garbage: () => Promise.reject(new GatewayError('UPSTREAM_INVALID_RESPONSE', 'garbage')),
  'an unreachable upstream': () => Promise.reject(new GatewayError('UPSTREAM_UNAVAILABLE', 'x')),
  'a hanging upstream': () => new Promise(() => {}),
  'an error of any kind': () => Promise.reject(new TypeError('x')),
}

for (const [name, fail] of Object.entries(faults)) {
  test(`rides out ${name}`, async () => {
    const { clock, poller, watched } = setup()
    const got = collect(
      poller.watch(
        watched((_signal, turn) => {
          if (turn === 1) return 1
          return clock.now() < minute ? fail() : 100
        }),
      ),
    )
    await clock.advance(50 * second)
    expect(got).toEqual({ seen: [1], end: undefined })
    await clock.advance(20 * second)
    expect(got).toEqual({ seen: [1, 100], end: 'completed' })
  })

  test(`a long row of ${name} ends the stream with an error`, async () => {
    const { clock, poller, watched, looks } = setup()
    const got = collect(poller.watch(watched((_signal, turn) => (turn === 1 ? 1 : fail()))))
    await clock.advance(9 * minute)
    expect(got.end).toBeUndefined()
    await clock.advance(2 * minute)
    expect(got.end).toBeInstanceOf(Error)
    expect(poller.size).toBe(0)
    expect(looks.length).toBeLessThan(100)
  })
}

test('one good answer ends a row of faults', async () => {
  const { clock, poller, watched } = setup()
  const got = collect(
    poller.watch(
      watched(() => {
        if (clock.now() > 30 * minute) return 100
        return clock.now() % (8 * minute) < minute ? 1 : (faults['an outage']?.() ?? null)
      }),
    ),
  )
  await clock.advance(31 * minute)
  expect(got).toEqual({ seen: [1, 100], end: 'completed' })
})

test('an error that no later look can mend ends the stream at once', async () => {
  const { clock, poller, watched } = setup()
  const got = collect(poller.watch(watched(() => Promise.reject(fault(400)))))
  await clock.advance(0)
  expect(codeOf(got.end)).toBe('UPSTREAM_REJECTED')
  expect(poller.size).toBe(0)
})

test('waits as long as a rate limit names', async () => {
  const { clock, poller, watched, looks } = setup()
  collect(poller.watch(watched(() => Promise.reject(fault(429, 7_000)))))
  await clock.advance(6_999)
  expect(looks).toHaveLength(1)
  await clock.advance(1)
  expect(looks).toHaveLength(2)
})

test('hanging things hold no others up for longer than a look may take', async () => {
  const { clock, poller, watched } = setup({ concurrency: 2, timeoutMs: 3 * second })
  for (const key of ['a', 'b']) {
    collect(poller.watch(watched(() => new Promise(() => {}), { key })))
  }
  const got = collect(poller.watch(watched(() => 100, { key: 'c' })))
  await clock.advance(2 * second)
  expect(got.seen).toEqual([])
  await clock.advance(second)
  expect(got).toEqual({ seen: [100], end: 'completed' })
})

test('passes over an answer from an earlier moment', async () => {
  const { clock, poller, watched } = setup()
  const states = [3, 2, 1, 3, 4, 100]
  const got = collect(poller.watch(watched((_signal, turn) => states[turn - 1] ?? 0)))
  await clock.advance(minute)
  expect(got).toEqual({ seen: [3, 4, 100], end: 'completed' })
})

test('registers what is unknown, again until it is taken, and once more when it is forgotten', async () => {
  const { clock, poller, watched, looks } = setup()
  const registrations: number[] = []
  let known = false
  const got = collect(
    poller.watch(
      watched(
        () => {
          const now = clock.now()
          if (now >= 20 * second && now < 21.5 * second) known = false
          if (now > 40 * second) return 100
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
  expect(got.seen).toEqual([1])
  await clock.advance(minute)
  expect(registrations).toHaveLength(4)
  expect(got).toEqual({ seen: [1, 100], end: 'completed' })
  expect(looks.length).toBeGreaterThan(10)
})

test('what never becomes known ends the stream with an error', async () => {
  const { clock, poller, watched } = setup()
  const got = collect(poller.watch(watched(() => null)))
  await clock.advance(9 * minute)
  expect(got.end).toBeUndefined()
  await clock.advance(2 * minute)
  expect(codeOf(got.end)).toBe('UPSTREAM_REJECTED')
})

test('what never ends ends the stream with an error at the deadline', async () => {
  const { clock, poller, watched, looks } = setup({ deadlineMs: 60 * minute })
  const got = collect(poller.watch(watched(() => 1)))
  await clock.advance(60 * minute - 1)
  expect(got.end).toBeUndefined()
  await clock.advance(2)
  expect(got.seen).toEqual([1])
  expect(codeOf(got.end)).toBe('UPSTREAM_TIMEOUT')
  expect(looks.length).toBeLessThan(400)
})

test('closing sends nothing more, and completes nothing', async () => {
  const { clock, poller, watched, looks } = setup()
  const got = collect(poller.watch(watched((_signal, turn) => turn)))
  await clock.advance(0)
  poller.close()
  await clock.advance(minute)
  expect(got).toEqual({ seen: [1], end: undefined })
  expect([looks.length, poller.size]).toEqual([1, 0])
  const late = collect(poller.watch(watched(() => 100)))
  await clock.advance(minute)
  expect(late).toEqual({ seen: [], end: undefined })
})

test('the pace slackens with age', () => {
  const at = (age: number) => pollInterval({ age, untilDue: undefined })
  expect([at(0), at(9_999), at(10_000), at(14_000), at(60_000)]).toEqual([
    1_000, 1_000, 1_000, 2_000, 5_000,
  ])
  expect([at(5 * minute), at(59 * minute), at(60 * minute)]).toEqual([15_000, 15_000, 60_000])
})

test('a known end makes the pace slow while it is far, and quick when it is due', () => {
  const at = (untilDue: number) => pollInterval({ age: 30 * minute, untilDue })
  expect([at(10 * minute), at(2 * minute), at(8_000), at(1_000)]).toEqual([
    60_000, 30_000, 2_000, 1_000,
  ])
  expect([at(-1_000), at(-14_000), at(-10 * minute)]).toEqual([1_000, 2_000, 15_000])
  expect(pollInterval({ age: 0, untilDue: 60 * minute })).toBe(1_000)
})

test('a watch told when the end is due looks rarely before', async () => {
  const { clock, poller, watched, looks } = setup()
  collect(poller.watch(watched(() => 1, { expectedMs: 60 * minute })))
  await clock.advance(10 * minute)
  expect(looks.length).toBeLessThan(25)
})

test('waits grow with the faults in a row, and are spread', () => {
  expect([1, 2, 3, 4, 5, 6, 60].map(backoff)).toEqual([
    500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000,
  ])
  expect([0, 0.5, 1].map((random) => jitter(1_000, () => random))).toEqual([750, 1_000, 1_250])
})
