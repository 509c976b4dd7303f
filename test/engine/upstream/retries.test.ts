import { errors } from 'undici'
import { expect, test } from 'vitest'
import { get, post } from '../../../src/engine/upstream/request.ts'
import type { UpstreamLoad } from '../../../src/engine/upstream/upstreamOptions.ts'
import { SignalSource } from '../../../src/kit/clock/signal.ts'
import {
  type Attempt,
  counting,
  errorOf,
  never,
  order,
  startClient,
  thing,
  value,
} from '../../support/upstreamClient.ts'

const down = (attempt: Attempt) => attempt.answer('', 503)
let targets = 0
/** A GET of a route of its own, so that no circuit opens. */
const separate = () => {
  targets += 1
  return get(`/${targets}`, value)
}

test.each<[string, (attempt: Attempt) => void, number, string]>([
  ['a 429', (it) => it.answer('', 429), 3, 'UPSTREAM_UNAVAILABLE'],
  ['a 502', (it) => it.answer('', 502), 3, 'UPSTREAM_UNAVAILABLE'],
  ['a 503', (it) => it.answer('', 503), 3, 'UPSTREAM_UNAVAILABLE'],
  ['a 504', (it) => it.answer('', 504), 3, 'UPSTREAM_UNAVAILABLE'],
  ['a broken connection', (it) => it.fail(new Error('127.0.0.1')), 3, 'UPSTREAM_UNAVAILABLE'],
  ['a redirect', (it) => it.answer('127.0.0.1', 302), 1, 'UPSTREAM_INVALID_RESPONSE'],
  ['a 400', (it) => it.answer('127.0.0.1', 400), 1, 'UPSTREAM_REJECTED'],
  ['a 500', (it) => it.answer('127.0.0.1', 500), 1, 'UPSTREAM_UNAVAILABLE'],
  ['a timeout', (it) => it.fail(new errors.HeadersTimeoutError()), 1, 'UPSTREAM_TIMEOUT'],
  ['no HTTP', (it) => it.fail(new errors.HTTPParserError()), 1, 'UPSTREAM_INVALID_RESPONSE'],
  ['no JSON', (it) => it.answer('127.0.0.1'), 1, 'UPSTREAM_INVALID_RESPONSE'],
  ['a 10 s pause', (it) => it.answer('', 503, { 'retry-after': '10' }), 3, 'UPSTREAM_UNAVAILABLE'],
  ['a longer one', (it) => it.answer('', 503, { 'retry-after': '11' }), 1, 'UPSTREAM_UNAVAILABLE'],
])('after %s, a GET is sent %i times and a POST once: %s', async (_, end, times, code) => {
  const retries: string[] = []
  const events = { onRetry: (service: string) => retries.push(service) }
  const { send, sent, clock } = startClient(end, { events })
  const failed = [errorOf(send(thing, never)), errorOf(send(order, never))]
  await clock.advance(60_000)
  for (const error of await Promise.all(failed)) {
    expect(error).toMatchObject({ code, service: 'evm-1' })
    expect(String(error)).not.toContain('127.0.0.1')
  }
  expect(sent.toSorted()).toEqual([...Array(times).fill('GET /thing'), 'POST /thing'])
  expect(retries).toEqual(Array(times - 1).fill('evm-1'))
})

test('a successful retry resolves the request', async () => {
  const { send } = startClient((it, count) => (count < 3 ? down(it) : counting(it, count)))
  expect(await send(thing, never)).toEqual({ value: 3 })
})

test.each<[string, string | undefined, number[]]>([
  ['by the number of the retry', undefined, [0, 100, 300]],
  ['for the time that the upstream names', '2', [0, 2_000, 4_000]],
  ['not at all if the upstream names none', '0', [0, 0, 0]],
])('a retry waits %s', async (_, pause, expected) => {
  const times: number[] = []
  const { send, clock } = startClient(
    (attempt) => {
      times.push(clock.now())
      attempt.answer('', 503, pause === undefined ? {} : { 'retry-after': pause })
    },
    { backoff: (retry) => retry * 100 },
  )
  const error = errorOf(send(thing, never))
  await clock.advance(10_000)
  expect([await error, times]).toMatchObject([{ status: 503 }, expected])
})

test('a caller that leaves during the backoff is rejected at once, without a retry', async () => {
  const { send, sent, clock } = startClient(down, { backoff: () => 1_000 })
  const leaving = new SignalSource()
  const left = errorOf(send(thing, leaving))
  await clock.advance(500)
  leaving.abort('left')
  expect(await left).toBe('left')
  await clock.advance(1_000)
  expect(sent).toHaveLength(1)
})

test('a caller that has already left is rejected, and nothing is sent', async () => {
  const { send, sent } = startClient(counting)
  const leaving = new SignalSource()
  leaving.abort('left')
  expect([await errorOf(send(thing, leaving)), sent]).toEqual(['left', []])
})

test('a caller whose deadline is before the retry gets the error at once', async () => {
  const { send, clock } = startClient((attempt, count) =>
    count < 3 ? attempt.answer('', 503, { 'retry-after': '2' }) : attempt.answer({ value: count }),
  )
  const ask = async (due?: number) => {
    const [outcome] = await Promise.allSettled([send(thing, new SignalSource(due))])
    return [clock.now(), outcome?.status === 'rejected' ? outcome.reason.status : outcome?.value]
  }
  expect(await ask(2_000)).toEqual([0, 503])
  const asked = [ask(2_001), ask(500), ask()]
  await clock.advance(2_000)
  expect(await Promise.all(asked)).toEqual([
    [2_000, { value: 3 }],
    [0, 503],
    [2_000, { value: 3 }],
  ])
})

test('at most one request in five is a retry over time', async () => {
  const { send, sent } = startClient((it, count) => (it.line === 'GET /thing' ? counting(it, count) : down(it)))
  const retriesOf = async (pairs: number) => {
    sent.length = 0
    for (let pair = 0; pair < pairs; pair += 1) {
      await errorOf(send(separate(), never))
      await send(thing, never)
    }
    return sent.length - 2 * pairs
  }
  // The ten retries saved at the start are spent first.
  expect(await retriesOf(10)).toBeGreaterThan(4)
  expect([await retriesOf(50), await retriesOf(50)]).toEqual([20, 20])
})

test('at most ten retries are saved up for a burst of failures', async () => {
  const { send, attempts } = startClient((it, count) => count <= 200 && counting(it, count), {
    concurrency: 100,
  })
  for (let request = 0; request < 200; request += 1) await send(thing, never)
  for (let request = 0; request < 40; request += 1) errorOf(send(separate(), never))
  for (const attempt of attempts.slice(200)) down(attempt)
  expect(attempts).toHaveLength(200 + 40 + 10)
})

test('POST requests add to the retry budget', async () => {
  const { send, sent } = startClient((it) => (it.line === 'POST /thing' ? it.answer('1') : down(it)))
  /** Retries of a GET that fails. */
  const retries = async () => {
    const before = sent.length
    await errorOf(send(separate(), never))
    return sent.length - before - 1
  }
  let all = 0
  for (let count = await retries(); count > 0; count = await retries()) all += count
  // Ten were saved up, and the requests so far earned one. None is spent before it is earned.
  expect(all).toBe(11)
  for (let request = 0; request < 4; request += 1) await send(order, never)
  expect(await retries()).toBe(1)
})

/** What becomes of an attempt. */
const outcomes = {
  success: (it: Attempt) => it.answer({ value: 1 }),
  failure: (it: Attempt) => it.answer('', 503, { 'retry-after': '11' }),
  rejection: (it: Attempt) => it.answer('', 400),
  fault: (it: Attempt) => it.answer('', 500),
  invalid: (it: Attempt) => it.answer('<html>'),
  gatewayTimeout: (it: Attempt) => it.answer('', 504, { 'retry-after': '11' }),
  timeout: (it: Attempt) => it.fail(new errors.HeadersTimeoutError()),
  unreachable: (it: Attempt) => it.fail(new errors.SocketError()),
}
type Outcome = keyof typeof outcomes

/** A client whose attempts of some routes end as the test says. Those of other routes wait. */
function startBreaking() {
  const opened: UpstreamLoad[] = []
  const onOpen = (_: string, load: UpstreamLoad) => opened.push(load)
  const { send, attempts, clock } = startClient(undefined, { events: { onOpen } })
  /** Makes attempts of one client with this outcome. Returns how many of them were sent. */
  const attempt = (client: string, count: number, outcome: Outcome, route = '/thing') => {
    const before = attempts.length
    for (let i = 0; i < count; i += 1) {
      const sent = attempts.length
      send(post(route, '{}', String), never, { client }).catch(() => {})
      const last = attempts[sent]
      if (last) outcomes[outcome](last)
    }
    return attempts.length - before
  }
  /** Sends a request that stays under way. Its caller can leave. Undefined if it is refused. */
  const begin = (route = '/thing') => {
    const before = attempts.length
    const caller = new SignalSource()
    send(post(route, '{}', String), caller, { client: 'reader' }).catch(() => {})
    const sent = attempts[before]
    return sent && { attempt: sent, leave: () => caller.abort('left') }
  }
  const isOpen = (route?: string) => {
    const begun = begin(route)
    begun?.leave()
    return begun === undefined
  }
  return {
    send,
    attempts,
    clock,
    attempt,
    begin,
    isOpen,
    openCircuits: () => opened[0]?.openCircuits,
  }
}

type Attempts = Parameters<ReturnType<typeof startBreaking>['attempt']>
const by = (...attempts: Attempts) => attempts

test.each<[string, boolean, ...Attempts[]]>([
  ['half of ten attempts fail', true, by('a', 5, 'success'), by('a', 5, 'failure')],
  ['fewer than half fail', false, by('a', 6, 'success'), by('a', 5, 'failure')],
  ['nine fail', false, by('a', 9, 'failure')],
  ['the attempts of two clients fail', true, by('a', 5, 'failure'), by('b', 5, 'failure')],
  ['nine fail and many are late', false, by('a', 9, 'failure'), by('b', 99, 'timeout')],
  ['a client asks for what is rejected', false, by('a', 99, 'rejection')],
  ['a client asks for what the upstream fails at', false, by('a', 99, 'fault')],
  ['a client asks for what is invalid', false, by('a', 99, 'invalid')],
  ['a client asks for what takes too long', false, by('a', 99, 'timeout')],
  ['a proxy gives up what takes too long', false, by('a', 99, 'gatewayTimeout')],
])('the circuit of a route opens when %s: %s', (_, expected, ...steps) => {
  const { attempt, isOpen, openCircuits } = startBreaking()
  for (const step of steps) attempt(...step)
  expect([isOpen(), isOpen('/other'), openCircuits()]).toEqual([expected, false, expected ? 1 : 0])
})

test('a request to an open circuit is refused, and is not retried', async () => {
  const { attempt, send, attempts } = startBreaking()
  expect(attempt('a', 20, 'failure')).toBe(10)
  expect(await errorOf(send(thing, never))).toMatchObject({
    ...{ code: 'UPSTREAM_UNAVAILABLE', service: 'evm-1' },
    message: 'The indexer of evm-1 is temporarily unavailable (circuit open).',
  })
  expect(attempts).toHaveLength(10)
})

test('the circuit breaker forgets attempts after ten seconds', async () => {
  const { clock, attempt, isOpen } = startBreaking()
  attempt('a', 9, 'failure')
  await clock.advance(10_000)
  attempt('a', 9, 'failure')
  expect(isOpen()).toBe(false)
  await clock.advance(4_999)
  attempt('a', 1, 'failure')
  expect(isOpen()).toBe(true)
})

test('an unreachable upstream opens all routes, and one successful probe closes them', async () => {
  const { clock, attempt, begin, isOpen, openCircuits } = startBreaking()
  for (const route of ['/a', '/b', '/c', '/d', '/e']) attempt('a', 2, 'unreachable', route)
  expect([isOpen('/f'), openCircuits()]).toEqual([true, 1])
  await clock.advance(5_000)
  const probe = begin('/a')
  expect(isOpen('/f')).toBe(true)
  probe?.attempt.answer('1')
  expect([isOpen('/f'), openCircuits()]).toEqual([false, 0])
})

test('a failed probe opens a route for five more seconds, and an abandoned one does not', async () => {
  const { clock, attempt, begin, isOpen } = startBreaking()
  attempt('a', 10, 'failure')
  await clock.advance(4_999)
  expect(isOpen()).toBe(true)
  await clock.advance(1)
  begin()?.leave()
  const probe = begin()
  expect(isOpen()).toBe(true)
  probe?.attempt.answer('', 503, { 'retry-after': '11' })
  await clock.advance(4_999)
  expect(isOpen()).toBe(true)
  await clock.advance(1)
  expect(isOpen()).toBe(false)
  begin()?.attempt.answer('1')
  expect([begin(), begin()]).not.toContain(undefined)
})

test('attempts that started before a circuit opened do not close it', () => {
  const { attempt, begin, isOpen } = startBreaking()
  const early = begin()
  attempt('a', 10, 'failure')
  early?.attempt.answer('1')
  expect(isOpen()).toBe(true)
})
