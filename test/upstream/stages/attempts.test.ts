import { expect, test } from 'vitest'
import { createSingleFlight } from '../../../src/kit/cache/singleFlight.ts'
import { createSignal, type Signal } from '../../../src/kit/clock/signal.ts'
import { FairQueue } from '../../../src/kit/queue/fairQueue.ts'
import { createCircuits } from '../../../src/upstream/circuits.ts'
import { GatewayError } from '../../../src/upstream/error.ts'
import type { Requester } from '../../../src/upstream/requester.ts'
import { breaker } from '../../../src/upstream/stages/breaker.ts'
import { inOrder, type Result } from '../../../src/upstream/stages/call.ts'
import { createQueue } from '../../../src/upstream/stages/queue.ts'
import { createRetry } from '../../../src/upstream/stages/retry.ts'
import { UpstreamHttpError } from '../../../src/upstream/upstreamError.ts'
import { deferred } from '../../support/deferred.ts'
import { fakeClock } from '../../support/fakeClock.ts'
import { callOf, lastStage } from '../../support/upstreamCall.ts'

const route = '/blocks'
const requester: Requester = { client: 'a' }
const never = new AbortController().signal

/** A request as a test describes it. */
interface TestRequest {
  readonly route: string
  readonly method: 'GET' | 'POST'
  /** `requester` by default. */
  readonly requester?: Requester
  /** Aborts when the caller leaves. */
  readonly signal?: Signal
}
const get: TestRequest = { route, method: 'GET' }
const post: TestRequest = { route, method: 'POST' }
let routes = 0
/** A request of a route of its own, so that no circuit opens. */
const separate = (): TestRequest => {
  routes += 1
  return { ...get, route: `/${routes}` }
}

/** Bounds of the stages that a test chooses. */
interface TestOptions {
  readonly concurrency?: number
  readonly maxWaiting?: number
  readonly backoff?: (retry: number) => number
}

/** The stages that repeat, queue and refuse attempts, over attempts that are promises. */
function setup({ concurrency = 100, maxWaiting = 1_000, backoff = () => 0 }: TestOptions = {}) {
  const clock = fakeClock()
  const options = { service: 'evm-1', clock, events: {} }
  const slots = new FairQueue({ slots: concurrency, maxWaiting })
  const stages = [
    createRetry({ ...options, backoff }),
    createQueue({ ...options, slots }),
    breaker('evm-1', createCircuits(clock)),
  ]
  const flights = createSingleFlight<Requester>()
  const policy = <T>(attempt: () => Promise<T>, request: TestRequest) =>
    new Promise<T | null>((resolve, reject) => {
      const { requester: member = requester, signal = never } = request
      const caller = { member, signal, resolve: ({ value }: Result<T>) => resolve(value) }
      flights.run(undefined, { ...caller, reject }, (flight) => {
        const run = inOrder(stages, lastStage(attempt))
        run(callOf(flight, request), (outcome) => {
          if (!outcome) return
          if ('error' in outcome) flight.reject(outcome.error)
          else flight.resolve({ value: outcome.value?.value ?? null, freshUntil: 0 })
        })
      })
    })
  return { clock, policy }
}

/** An attempt that fails with each error in turn and then resolves, and how often it ran. */
function attempts(...errors: Error[]) {
  const attempt = Object.assign(
    async () => {
      const error = errors[attempt.count]
      attempt.count += 1
      if (error) throw error
      return 'done'
    },
    { count: 0 },
  )
  return attempt
}

const failure = (status = 503, retryAfter?: number) =>
  new UpstreamHttpError('evm-1', status, '', retryAfter)
const repeated = (count: number, error: Error = failure()) => Array<Error>(count).fill(error)
const done = async () => 'done'
const fail = async () => {
  throw failure()
}
/** The error of a promise that has to reject. */
const errorOf = (promise: Promise<unknown>) =>
  promise.then(
    () => Promise.reject(new Error('it resolved')),
    (error: unknown) => error,
  )

test('a transient error is retried twice at most', async () => {
  const { policy } = setup()
  const recovering = attempts(failure(), failure(429))
  expect([await policy(recovering, get), recovering.count]).toEqual(['done', 3])
  const failing = attempts(...repeated(3))
  expect([await errorOf(policy(failing, get)), failing.count]).toEqual([failure(), 3])
})

test('a request that is not repeatable is attempted once', async () => {
  const attempt = attempts(failure())
  await expect(setup().policy(attempt, post)).rejects.toThrow(failure())
  expect(attempt.count).toBe(1)
})

test.each([
  ['a 500', failure(500)],
  ['a 400', failure(400)],
  ['a timeout', new GatewayError('UPSTREAM_TIMEOUT', 'late')],
  ['an invalid response', new GatewayError('UPSTREAM_INVALID_RESPONSE', 'invalid')],
])('%s is not retried', async (_, error) => {
  const attempt = attempts(error)
  expect(await errorOf(setup().policy(attempt, get))).toBe(error)
  expect(attempt.count).toBe(1)
})

test.each<[string, number | undefined, number[]]>([
  ['by the number of the retry', undefined, [0, 100, 300]],
  ['for the time that the upstream names', 2_000, [0, 2_000, 4_000]],
  ['not at all if the upstream names none', 0, [0, 0, 0]],
])('a retry waits %s', async (_, retryAfter, expected) => {
  const { clock, policy } = setup({ backoff: (retry) => retry * 100 })
  const attempt = attempts(...repeated(2, failure(503, retryAfter)))
  const times: number[] = []
  const result = policy(() => {
    times.push(clock.now())
    return attempt()
  }, get)
  await clock.advance(10_000)
  expect([await result, times]).toEqual(['done', expected])
})

test('a caller that leaves during the wait is rejected at once, and nothing is retried for it', async () => {
  const { clock, policy } = setup({ backoff: () => 1_000 })
  const attempt = attempts(failure())
  const leaving = createSignal()
  const result = errorOf(policy(attempt, { ...get, signal: leaving }))
  await clock.advance(500)
  leaving.abort(new Error('left'))
  expect(await result).toEqual(new Error('left'))
  await clock.advance(1_000)
  expect(attempt.count).toBe(1)
})

test('a caller that has left is rejected with its reason, without an attempt', async () => {
  const attempt = attempts()
  const leaving = createSignal()
  leaving.abort(new Error('left'))
  await expect(setup().policy(attempt, { ...get, signal: leaving })).rejects.toThrow('left')
  expect(attempt.count).toBe(0)
})

test('over time, at most one request in five is a retry', async () => {
  const { policy } = setup()
  const run = async (pairs: number) => {
    let retries = 0
    for (let pair = 0; pair < pairs; pair += 1) {
      const attempt = attempts(...repeated(3))
      await errorOf(policy(attempt, separate()))
      retries += attempt.count - 1
      await policy(done, get)
    }
    return retries
  }
  // The ten retries saved at the start are spent first.
  expect(await run(10)).toBeGreaterThan(4)
  expect(await run(50)).toBe(20)
  expect(await run(50)).toBe(20)
})

test('no more than ten retries are saved up, and a burst of failures shares them', async () => {
  const { policy } = setup()
  for (let request = 0; request < 200; request += 1) await policy(done, get)
  const burst = Array.from({ length: 40 }, () => attempts(...repeated(3)))
  await Promise.allSettled(burst.map((attempt) => policy(attempt, separate())))
  const retries = burst.map(({ count }) => count - 1)
  expect(retries.reduce((sum, count) => sum + count, 0)).toBe(10)
})

test('a request that cannot be retried earns budget like any other', async () => {
  const { policy } = setup()
  const isRetried = () => policy(attempts(failure()), separate()).catch(() => false)
  let retries = 0
  while (await isRetried()) retries += 1
  // Ten were saved up, and the requests so far earned two. None is spent before it is earned.
  expect(retries).toBe(12)
  for (let request = 0; request < 4; request += 1) await policy(done, post)
  expect(await isRetried()).toBe('done')
})

test('a route whose attempts fail is refused without an attempt, and other routes are not', async () => {
  const { policy } = setup()
  for (let request = 0; request < 10; request += 1) await errorOf(policy(fail, post))
  const attempt = attempts()
  expect(await errorOf(policy(attempt, get))).toMatchObject({
    code: 'UPSTREAM_UNAVAILABLE',
    service: 'evm-1',
    message: 'The indexer of evm-1 is temporarily unavailable (circuit open).',
  })
  expect(attempt.count).toBe(0)
  expect(await policy(done, separate())).toBe('done')
})

test.each([
  ['a rejected request', new UpstreamHttpError('evm-1', 400, '')],
  ['a 500', new UpstreamHttpError('evm-1', 500, '')],
  ['an invalid response', new GatewayError('UPSTREAM_INVALID_RESPONSE', 'invalid')],
])('%s closes no route', async (_, error) => {
  const { policy } = setup()
  for (const reason of repeated(20, error)) await errorOf(policy(attempts(reason), post))
  expect(await policy(done, get)).toBe('done')
})

test('timeouts of two clients close a route, and timeouts of one client never do', async () => {
  const late = new GatewayError('UPSTREAM_TIMEOUT', 'late')
  for (const [clients, isClosed] of [
    [['a', 'b'], true],
    [['a', 'a'], false],
  ] as const) {
    const { policy } = setup()
    for (let request = 0; request < 10; request += 1) {
      const requester = { client: clients[request % 2] ?? '' }
      await errorOf(policy(attempts(late), { ...post, requester }))
    }
    const attempt = attempts()
    await policy(attempt, get).catch(() => {})
    expect(attempt.count).toBe(isClosed ? 0 : 1)
  }
})

test('an upstream that cannot be reached is refused on all routes', async () => {
  const { policy } = setup()
  const unreachable = new GatewayError('UPSTREAM_UNAVAILABLE', 'unreachable')
  for (let request = 0; request < 10; request += 1) {
    await errorOf(policy(attempts(unreachable), { ...separate(), method: 'POST' }))
  }
  const attempt = attempts()
  await errorOf(policy(attempt, separate()))
  expect(attempt.count).toBe(0)
})

test('a probe whose caller leaves neither closes nor opens a circuit', async () => {
  const { clock, policy } = setup()
  for (let request = 0; request < 10; request += 1) await errorOf(policy(fail, post))
  await clock.advance(5_000)
  const leaving = createSignal()
  const probe = errorOf(policy(pending(), { ...get, signal: leaving }))
  leaving.abort(new Error('left'))
  await probe
  // The next request is the probe. While it is under way, all others are refused.
  const running = pending()
  const next = policy(running, get)
  const refused = attempts()
  await errorOf(policy(refused, get))
  expect([running.count, refused.count]).toEqual([1, 0])
  running.end()
  expect(await next).toBe('done')
  expect(await policy(done, get)).toBe('done')
})

/** An attempt that stays under way until the test ends all of them. */
function pending() {
  const { promise, resolve } = deferred<string>()
  const attempt = Object.assign(
    () => {
      attempt.count += 1
      return promise
    },
    { count: 0, end: () => resolve('done') },
  )
  return attempt
}

test('requests beyond the concurrency wait, and are refused only when too many wait', async () => {
  const { policy } = setup({ concurrency: 2, maxWaiting: 16 })
  const attempt = pending()
  const accepted = Array.from({ length: 18 }, () => policy(attempt, get))
  expect(await errorOf(policy(attempt, get))).toMatchObject({
    code: 'UPSTREAM_UNAVAILABLE',
    service: 'evm-1',
    message: 'The indexer of evm-1 has too many requests waiting.',
  })
  expect(attempt.count).toBe(2)
  attempt.end()
  await Promise.all(accepted)
  expect(attempt.count).toBe(18)
})

test('a refusal by the full queue is not retried', async () => {
  const { policy, clock } = setup({ concurrency: 1, maxWaiting: 1 })
  const [first, second] = [pending(), pending()]
  const accepted = [policy(first, get), policy(second, get)]
  const refused = attempts()
  await errorOf(policy(refused, get))
  first.end()
  second.end()
  await Promise.all(accepted)
  await clock.advance(10_000)
  expect(refused.count).toBe(0)
})

test('a request that is cancelled while it waits rejects at once, with the reason', async () => {
  const { policy } = setup({ concurrency: 1 })
  const running = pending()
  const first = policy(running, get)
  const waiting = attempts()
  const leaving = createSignal()
  const result = errorOf(policy(waiting, { ...get, signal: leaving }))
  const last = policy(attempts(), get)
  leaving.abort(new Error('late'))
  expect(await result).toEqual(new Error('late'))
  running.end()
  expect(await Promise.all([first, last])).toEqual(['done', 'done'])
  expect(waiting.count).toBe(0)
})

test('requests of a client that left keep no slot from the requests of others', async () => {
  const { policy } = setup({ concurrency: 32 })
  const left = Array.from({ length: 288 }, createSignal)
  const errors = left.map((signal) => errorOf(policy(pending(), { ...get, signal })))
  for (const signal of left) signal.abort(new Error('left'))
  const live = Array.from({ length: 64 }, () =>
    policy(done, { ...get, requester: { client: 'a' } }),
  )
  expect(await Promise.all(live)).toEqual(Array(64).fill('done'))
  expect(await Promise.all(errors)).toEqual(Array(288).fill(new Error('left')))
})

test('the requests of one operation do not go before those of another', async () => {
  const { policy } = setup({ concurrency: 1 })
  const order: string[] = []
  const request = (name: string, from: Requester) =>
    policy(async () => void order.push(name), { ...get, requester: from })
  const other: Requester = { client: 'a' }
  const requests = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6'].map((name) => request(name, requester))
  requests.push(request('b1', other), request('b2', other))
  await Promise.all(requests)
  expect(order).toEqual(['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'a6'])
})
