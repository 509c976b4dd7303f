import { getEventListeners } from 'node:events'
import { type Dispatcher, errors } from 'undici'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { atLeast } from '../../../src/engine/upstream/client.ts'
import { get, path } from '../../../src/engine/upstream/request.ts'
import type { TracedRequest } from '../../../src/engine/upstream/requester.ts'
import { RequestScope } from '../../../src/engine/upstream/requestScope.ts'
import type { Observation } from '../../../src/engine/upstream/upstreamOptions.ts'
import { SignalSource } from '../../../src/kit/clock/signal.ts'
import { scopeSources } from '../../support/scopeSources.ts'
import {
  type Attempt,
  controllerOf,
  counting,
  errorOf,
  never,
  order,
  record,
  startClient,
  thing,
  value,
} from '../../support/upstreamClient.ts'

test('requests have the prefix, the headers of the service and the request id', async () => {
  const { upstream, send, sent, attempts } = startClient(counting, {
    ...{ url: 'http://indexer.test/chains/evm-1/', headers: { 'x-api-key': 'secret' } },
  })
  const list = get(path`/richlist/${'ibc/AB:c@d'}`, value, { query: { a: ['x', 'y'] } })
  await send(list, never, { client: 'a', requestId: 'id-1' })
  await send(order, never)
  await atLeast(upstream, 'at 7').send(thing, never)
  expect(sent).toEqual([
    'GET /chains/evm-1/richlist/ibc%2FAB:c@d?a=x&a=y',
    'POST /chains/evm-1/thing',
    'GET /chains/evm-1/thing',
  ])
  const [accept, key] = [
    ['accept', 'application/json'],
    ['x-api-key', 'secret'],
  ]
  expect(attempts.map(({ options }) => options)).toMatchObject([
    { headers: [...accept, ...key, 'x-request-id', 'id-1'], origin: 'http://indexer.test' },
    { headers: [...accept, 'content-type', 'application/json', ...key], body: '{}' },
    { headers: [...accept, ...key, 'cache-control', 'no-cache'], body: null },
  ])
})

test('each attempt is a trace span with the number of its retries', async () => {
  const spans: TracedRequest[] = []
  const outcomes: string[] = []
  const trace = {
    startRequest(request: TracedRequest) {
      spans.push(request)
      return { headers: { traceparent: '00' }, end: (each: string) => void outcomes.push(each) }
    },
  }
  const { send, attempts } = startClient((attempt, count) => {
    if (count < 3) attempt.answer('', 503)
    if (count === 3) attempt.answer({ value: 1 })
  })
  await send(get(path`/block/${7n}`, value), never, { client: 'a', trace })
  const traced = { service: 'evm-1', method: 'GET', route: '/block/*' }
  expect(spans).toEqual([0, 1, 2].map((retries) => ({ ...traced, retries })))
  expect(attempts[0]?.options.headers).toEqual(expect.arrayContaining(['traceparent', '00']))
  const leaving = new SignalSource()
  const left = send(thing, leaving, { client: 'a', trace })
  leaving.abort('left')
  await expect(left).rejects.toBe('left')
  expect(outcomes).toEqual(['503', '503', '200', 'CANCELLED'])
})

test.each([
  ['of HTML', '<html>', 200],
  ['that is empty', '', 204],
  ['of another shape', { value: 'bad' }, 200],
  ['of HTML for a 404', '<html>', 404],
])('a body %s is an error with the service and without the body', async (_, body, status) => {
  const { send } = startClient((attempt) => attempt.answer(body, status))
  const error = await errorOf(send(thing, never))
  expect(error).toMatchObject({ code: 'UPSTREAM_INVALID_RESPONSE', service: 'evm-1' })
  expect(String(error)).not.toMatch(/bad|html/)
})

test('an incomplete response is invalid and is not retried', async () => {
  const { send, sent } = startClient((attempt) => {
    attempt.begin()
    attempt.fail(new errors.SocketError())
  })
  expect(await errorOf(send(thing, never))).toMatchObject({ code: 'UPSTREAM_INVALID_RESPONSE' })
  expect(sent).toHaveLength(1)
})

test('the error of an unreadable body has its secrets redacted', async () => {
  const options = { headers: { authorization: 'Bearer secret-key' } }
  const { send } = startClient((attempt) => attempt.answer('{}'), options)
  const read = () => {
    throw new Error('a secret-key is no number')
  }
  expect(await errorOf(send({ ...thing, read }, never))).toMatchObject({
    ...{ code: 'UPSTREAM_INVALID_RESPONSE', cause: { message: 'a [redacted] is no number' } },
  })
})

test('the error of a POST has the Retry-After of the response', async () => {
  const { send } = startClient((attempt) => attempt.answer('', 429, { 'Retry-After': '2' }))
  expect(await errorOf(send(order, never))).toMatchObject({ status: 429, retryAfterMs: 2_000 })
})

test('a 404 is null for a record, and an error for a list or a POST', async () => {
  const { send } = startClient((attempt) => attempt.answer('{"code":5,"message":"no tx"}', 404))
  expect(await send(thing, never)).toBeNull()
  for (const request of [get('/list', value, { is404Error: true }), order]) {
    const error = await errorOf(send(request, never))
    expect(error).toMatchObject({ status: 404, bodyExcerpt: 'no tx', code: 'UPSTREAM_REJECTED' })
  }
})

test('a body in several chunks is decoded as one, without a byte order mark', async () => {
  const body = Buffer.from('\uFEFF{"name":"가"}')
  const { send } = startClient(({ begin, send, end }) => {
    begin()
    // The pieces are cut within a character.
    for (const piece of [body.subarray(0, -3), body.subarray(-3)]) send(piece)
    end()
  })
  expect(await send(get('/named', z.object({ name: z.string() })), never)).toEqual({ name: '가' })
})

test('a connection that closes after an informational response is retried', async () => {
  const { send } = startClient((attempt, count) => {
    if (count > 1) return attempt.answer({ value: 1 })
    attempt.begin(103)
    attempt.fail(new errors.SocketError())
  })
  // So it is retried, as other failures to connect are.
  expect(await send(thing, never)).toEqual({ value: 1 })
})

test('only responses to heavy requests go through the scheduler', async () => {
  const clients: string[] = []
  const scheduler = {
    run<T>(client: string, work: () => T) {
      clients.push(client)
      return work()
    },
    waiting: 0,
  }
  const { send } = startClient(counting, { scheduler })
  await send(thing, never, { client: 'a' })
  await send(thing, never, { client: 'b', isHeavy: true })
  expect(clients).toEqual(['b'])
})

test('two schemas of one path share a request, and each reads its value', async () => {
  const { send, attempts } = startClient()
  const named = get('/record', z.object({ name: z.string() }), { isFinal: true })
  const both = () => Promise.all([send(record, never), send(named, never)])
  const first = both()
  for (const attempt of attempts) attempt.answer({ value: 1, name: 'one' })
  expect([await first, await both()]).toEqual(Array(2).fill([{ value: 1 }, { name: 'one' }]))
  expect(attempts).toHaveLength(2)
})

const quote = { ...order, isSlow: true }

test.each([
  ['a request without a response', thing, () => {}, 5_000],
  ['a body that stalls', thing, (it: Attempt) => it.begin(), 5_000],
  ['a slow request', quote, () => {}, 15_000],
] as const)('%s times out once', async (_, request, respond, timeoutMs) => {
  const { send, attempts, clock } = startClient(respond)
  let error: unknown
  errorOf(send(request, never)).then((caught) => {
    error = caught
  })
  await clock.advance(timeoutMs - 1)
  // The bytes of a body that drips change nothing.
  attempts[0]?.send(Buffer.from(' '))
  expect(error).toBeUndefined()
  await clock.advance(1)
  const message = 'The indexer of evm-1 timed out.'
  const expected = { code: 'UPSTREAM_TIMEOUT', service: 'evm-1', message }
  expect(error).toMatchObject(expected)
  expect(attempts.map(({ abortReason }) => abortReason)).toEqual(['The request timed out.'])
  attempts[0]?.answer({ value: 1 })
  await clock.advance(60_000)
  expect(error).toMatchObject(expected)
})

test('the timeout of a slow request is at least the usual timeout', async () => {
  const { send, clock } = startClient(undefined, { timeout: 20_000 })
  let hasEnded = false
  const end = errorOf(send(quote, never)).finally(() => {
    hasEnded = true
  })
  await clock.advance(19_999)
  expect(hasEnded).toBe(false)
  await clock.advance(1)
  expect(await end).toMatchObject({ code: 'UPSTREAM_TIMEOUT' })
})

test('the timeout of a request does not include its time in the queue', async () => {
  const { send, attempts, clock } = startClient(undefined, { concurrency: 1 })
  const results = ['/a', '/b'].map((each) => send(get(each, value), never))
  for (const index of [0, 1]) {
    await clock.advance(4_000)
    attempts[index]?.answer({ value: index })
  }
  expect(await Promise.all(results)).toEqual([{ value: 0 }, { value: 1 }])
})

test('a request that is aborted before the connection is never sent', async () => {
  const handlers: Dispatcher.DispatchHandler[] = []
  const dispatch = (_: unknown, handler: Dispatcher.DispatchHandler) => handlers.push(handler)
  const { send } = startClient(undefined, { dispatcher: { dispatch } as unknown as Dispatcher })
  const leaving = new SignalSource()
  const left = errorOf(send(thing, leaving))
  leaving.abort('left')
  expect(await left).toBe('left')
  const reasons: unknown[] = []
  handlers[0]?.onRequestStart?.(
    controllerOf((reason) => reasons.push(reason.message)),
    undefined,
  )
  expect(reasons).toEqual(['The request was cancelled.'])
})

test('a finished request leaves no abort listener on its signal', async () => {
  const { send } = startClient(counting)
  const { signal } = new AbortController()
  await send(order, signal)
  await send(thing, signal)
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('attempts are observed once with outcome and time, except cancelled ones', async () => {
  const observations: Observation[] = []
  const onAttempt = (observation: Observation) => void observations.push(observation)
  const { send, attempts, clock } = startClient(undefined, { events: { onAttempt } })
  const outcomes: [number, (attempt: Attempt | undefined) => void][] = [
    [250, (attempt) => attempt?.answer({ value: 1 })],
    [0, (attempt) => attempt?.answer('tx not found', 404)],
    [5_000, () => {}],
    [0, (attempt) => attempt?.fail(Object.assign(new Error('no'), { code: 'ECONNREFUSED' }))],
    // The retry of the one before.
    [0, (attempt) => attempt?.answer('', 500)],
  ]
  const service = 'evm-1'
  for (const [index, [milliseconds, end]] of outcomes.entries()) {
    if (index < 4) send(thing, never).catch(() => {})
    await clock.advance(milliseconds)
    end(attempts[index])
    await clock.advance(0)
  }
  const leaving = new SignalSource()
  const left = errorOf(send(thing, leaving))
  leaving.abort('left')
  expect([await left, attempts.at(-1)?.abortReason]).toEqual(['left', 'The request was cancelled.'])
  await clock.advance(60_000)
  expect(observations).toEqual([
    { service, outcome: '200', seconds: 0.25 },
    { service, outcome: '404', seconds: 0 },
    { service, outcome: 'UPSTREAM_TIMEOUT', seconds: 5, cause: 'The request timed out.' },
    { service, outcome: 'UPSTREAM_UNAVAILABLE', seconds: 0, cause: 'ECONNREFUSED' },
    { service, outcome: '500', seconds: 0 },
  ])
})

const budgetOf = (budget: { maxRequests: number; maxBytes: number }) =>
  new RequestScope(never, scopeSources(), { budget }).requester.budget

test('sent requests count in the budget of each caller, and cached ones do not', async () => {
  const { send, attempts } = startClient()
  const budgets = [1, 2].map(() => budgetOf({ maxRequests: 1, maxBytes: 11 }))
  for (const _ of ['sent', 'cached']) {
    const all = budgets.map((budget) => send(record, never, { client: 'a', budget }))
    attempts[0]?.answer('{"value":1}')
    expect(await Promise.all(all)).toEqual([{ value: 1 }, { value: 1 }])
    expect(budgets).toMatchObject(Array(2).fill({ requests: 1, bytes: 11, isExceeded: false }))
  }
})

test('requests are not sent once their operations have exceeded the byte budget', async () => {
  const { send, attempts, sent } = startClient(undefined, { concurrency: 1 })
  const [spent, other] = [1, 2].map(() => budgetOf({ maxRequests: 9, maxBytes: 10 }))
  const ask = (target: string, budget = spent) => send(get(target, value), never, { client: 'a', budget })
  const first = ask('/first')
  const refused = errorOf(ask('/refused'))
  const shared = [ask('/shared'), ask('/shared', other)]
  attempts[0]?.answer('{"value":1}')
  attempts[1]?.answer({ value: 2 })
  expect(await first).toEqual({ value: 1 })
  const limit = 'bytes_per_operation'
  expect(await refused).toMatchObject({ code: 'QUERY_TOO_COMPLEX', limit })
  expect(await Promise.all(shared)).toEqual([{ value: 2 }, { value: 2 }])
  expect(sent).toEqual(['GET /first', 'GET /shared'])
})
