import { getEventListeners } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createSocketServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { resolveLimits } from '../../src/config/limits/limits.ts'
import { createMemoryCacheStore } from '../../src/kit/cache/cache.ts'
import { atLeast, createUpstream, type UpstreamOptions } from '../../src/upstream/client.ts'
import type { Observation } from '../../src/upstream/events.ts'
import { createDispatcher } from '../../src/upstream/httpAgent.ts'
import { get, path, post } from '../../src/upstream/request.ts'
import { createRequestScope } from '../../src/upstream/requestScope.ts'
import { pageOf } from '../../src/wire/decode.ts'
import { deferred } from '../support/deferred.ts'
import { fakeClock } from '../support/fakeClock.ts'
import { scopeSources } from '../support/scopeSources.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()))
})

type Handler = (request: IncomingMessage, response: ServerResponse, count: number) => void

/** The only timeout in these tests is that of the client, on the clock that the test moves. */
const limits = resolveLimits({ upstreamTimeoutMs: 120_000 })

function openDispatcher() {
  const dispatcher = createDispatcher(limits)
  closers.push(() => dispatcher.destroy())
  return dispatcher
}

/** A client on a clock that stands still, of an upstream on loopback that runs `handle`. */
async function startUpstream(handle: Handler, options: Partial<UpstreamOptions> = {}) {
  const received: string[] = []
  const server = createServer((request, response) => {
    received.push(`${request.method} ${request.url}`)
    handle(request, response, received.length)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const dispatcher = openDispatcher()
  closers.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const clock = fakeClock()
  const cache = createMemoryCacheStore(clock)
  const upstream = createUpstream({
    service: 'evm-1',
    dispatcher,
    clock,
    cache,
    backoff: () => 0,
    ...options,
    url: `http://127.0.0.1:${port}${options.url ?? ''}`,
  })
  return { upstream, received, clock, cache }
}

const json = (response: ServerResponse, body: unknown, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

const never = new AbortController().signal
const sources = scopeSources()
const value = z.object({ value: z.number() })
const request = get('/thing', value)

test.each<[string, Handler, string]>([
  ['a reset', (request) => request.socket.resetAndDestroy(), 'UPSTREAM_UNAVAILABLE'],
  ['a closed socket', (request) => request.socket.destroy(), 'UPSTREAM_UNAVAILABLE'],
  [
    'bytes that are no HTTP',
    (request) => request.socket.end('hello\r\n\r\n'),
    'UPSTREAM_INVALID_RESPONSE',
  ],
  [
    'a body cut short',
    (request, response) => {
      response.writeHead(200, { 'content-length': 100 })
      response.write('{"value":', () => request.socket.destroy())
    },
    'UPSTREAM_INVALID_RESPONSE',
  ],
  [
    'a redirect',
    (_, response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
    'UPSTREAM_INVALID_RESPONSE',
  ],
  ['a page of HTML', (_, response) => response.end('<html>'), 'UPSTREAM_INVALID_RESPONSE'],
  ['an empty answer', (_, response) => response.writeHead(204).end(), 'UPSTREAM_INVALID_RESPONSE'],
  ['another shape', (_, response) => json(response, { value: 'x' }), 'UPSTREAM_INVALID_RESPONSE'],
  ['a 400', (_, response) => response.writeHead(400).end('bad height'), 'UPSTREAM_REJECTED'],
  ['a 500', (_, response) => response.writeHead(500).end('oh'), 'UPSTREAM_UNAVAILABLE'],
  ['a lasting 503', (_, response) => response.writeHead(503).end(), 'UPSTREAM_UNAVAILABLE'],
  ['a lasting 429', (_, response) => response.writeHead(429).end(), 'UPSTREAM_UNAVAILABLE'],
])('%s is a coded error that names the service and no more', async (_, handle, code) => {
  const { upstream } = await startUpstream(handle)
  const error = await upstream.send(request, never).catch((caught: unknown) => caught)
  expect(error).toMatchObject({ code, service: 'evm-1' })
  expect(String(error)).not.toMatch(/127\.0\.0\.1|bad height|html|169/)
})

test.each<[string, Handler]>([
  ['no response', () => {}],
  ['a body that stalls', (_, response) => response.writeHead(200).write('{"val')],
])('%s is a timeout, which names the service and no more', async (_, handle) => {
  const arrived = deferred<void>()
  const { upstream, clock } = await startUpstream((incoming, response, count) => {
    handle(incoming, response, count)
    arrived.resolve()
  })
  const result = upstream.send(request, never).catch((caught: unknown) => caught)
  await arrived.promise
  await clock.advance(5_000)
  expect(await result).toMatchObject({
    code: 'UPSTREAM_TIMEOUT',
    service: 'evm-1',
    message: 'The indexer of evm-1 timed out.',
  })
})

test('responses to heavy requests are read in turns, and no others are', async () => {
  const clients: string[] = []
  const turns = {
    run<T>(client: string, work: () => T) {
      clients.push(client)
      return work()
    },
    waiting: 0,
  }
  const { upstream } = await startUpstream((_, response) => json(response, { value: 1 }), { turns })
  await upstream.send(request, never, { client: 'a' })
  await upstream.send({ ...request, target: '/other' }, never, { client: 'b', isHeavy: true })
  expect(clients).toEqual(['b'])
})

test('an upstream that cannot be reached is unavailable', async () => {
  const clock = fakeClock()
  const upstream = createUpstream({
    service: 'evm-1',
    url: 'http://127.0.0.1:1',
    dispatcher: openDispatcher(),
    ...{ clock, cache: createMemoryCacheStore(clock) },
    backoff: () => 0,
  })
  await expect(upstream.send(request, never)).rejects.toMatchObject({
    code: 'UPSTREAM_UNAVAILABLE',
  })
})

test('a body that drips is ended by the total time, not by the time between bytes', async () => {
  let drip = () => {}
  const arrived = deferred<void>()
  const { upstream, clock } = await startUpstream(
    (_, response) => {
      drip = () => response.write(' ')
      response.writeHead(200)
      arrived.resolve()
    },
    { timeout: 3_000 },
  )
  let error: unknown
  const result = upstream.send(request, never).catch((caught: unknown) => {
    error = caught
  })
  await arrived.promise
  for (const milliseconds of [1_000, 1_000, 999]) {
    drip()
    await clock.advance(milliseconds)
  }
  expect(error).toBeUndefined()
  await clock.advance(1)
  await result
  expect(error).toMatchObject({ code: 'UPSTREAM_TIMEOUT' })
})

test('a body without end is cut off at the size that is read at most', async () => {
  const { upstream } = await startUpstream((request, response) => {
    const block = Buffer.alloc(1024 * 1024, 32)
    const pour = () => {
      while (!request.destroyed && response.write(block));
    }
    response.on('drain', pour)
    pour()
  })
  await expect(upstream.send(request, never)).rejects.toMatchObject({
    code: 'UPSTREAM_INVALID_RESPONSE',
  })
})

test('a GET is tried again on 502, 503, 504 and 429, at most twice', async () => {
  for (const status of [502, 503, 504, 429]) {
    const { upstream, received } = await startUpstream((_, response, count) =>
      count < 3 ? response.writeHead(status).end() : json(response, { value: 1 }),
    )
    expect(await upstream.send(request, never)).toEqual({ value: 1 })
    expect(received).toHaveLength(3)
  }
})

test('a 500 is not tried again, and a POST never is', async () => {
  const failing = await startUpstream((_, response) => response.writeHead(500).end())
  await expect(failing.upstream.send(request, never)).rejects.toThrow()
  expect(failing.received).toHaveLength(1)
  const busy = await startUpstream((_, response) => response.writeHead(503).end())
  await expect(busy.upstream.send(post('/thing', '{}', String), never)).rejects.toThrow()
  expect(busy.received).toEqual(['POST /thing'])
})

test('a POST does not wait for a retry, and its error has the time that the upstream names', async () => {
  const { upstream } = await startUpstream((_, response) =>
    response.writeHead(429, { 'retry-after': '2' }).end(),
  )
  await expect(upstream.send(post('/thing', '{}', String), never)).rejects.toMatchObject({
    status: 429,
    retryAfterMs: 2_000,
  })
})

test('a client stops sending to a route that has failed ten times', async () => {
  const { upstream, received, clock } = await startUpstream((_, response) =>
    response.writeHead(503).end(),
  )
  for (let i = 0; i < 20; i++) {
    await upstream.send(post('/thing', `${i}`, String), never).catch(() => {})
  }
  expect(received).toHaveLength(10)
  await upstream.send(get('/other', value), never).catch(() => {})
  expect(received.at(-1)).toBe('GET /other')
  await clock.advance(5_000)
  await upstream.send(post('/thing', '{}', String), never).catch(() => {})
  expect(received.at(-1)).toBe('POST /thing')
})

test('a 404 is null, unless it is an error for the call', async () => {
  const { upstream } = await startUpstream((_, response) =>
    json(response, { code: 5, message: 'tx not found', details: [] }, 404),
  )
  expect(await upstream.send(request, never)).toBeNull()
  const refused = { status: 404, bodyExcerpt: 'tx not found', code: 'UPSTREAM_REJECTED' }
  const track = post('/v2/tx/track', '{}', String)
  await expect(upstream.send(track, never)).rejects.toMatchObject(refused)
  const list = get('/list', value, { is404Error: true })
  await expect(upstream.send(list, never)).rejects.toMatchObject(refused)
})

test.each<[string, string, { bodyExcerpt: string; reason?: string }]>([
  ['plain text', 'bad height', { bodyExcerpt: 'bad height' }],
  [
    'a gRPC status',
    '{"code":3,"message":"too dear","details":[{"@type":"x","reason":"BAD_PRICE_ERROR"}]}',
    { bodyExcerpt: 'too dear', reason: 'BAD_PRICE_ERROR' },
  ],
  [
    'a validation list',
    '{"statusCode":400,"message":["a is empty","b is empty"],"error":"Bad Request"}',
    { bodyExcerpt: 'a is empty; b is empty' },
  ],
  ['an error_message', '{"error_message":"no","source":"x"}', { bodyExcerpt: 'no' }],
])('an error body is read as %s', async (_, body, expected) => {
  const { upstream } = await startUpstream((_request, response) =>
    response.writeHead(400).end(body),
  )
  await expect(upstream.send(request, never)).rejects.toMatchObject(expected)
})

test('equal requests in flight are sent once, and a caller that leaves affects no other', async () => {
  let respond = () => {}
  const arrived = deferred<void>()
  const { upstream, received } = await startUpstream((_, response) => {
    respond = () => json(response, { value: 7 })
    arrived.resolve()
  })
  const leaving = new AbortController()
  const first = upstream.send(request, leaving.signal)
  const others = [upstream.send(request, never), upstream.send(request, never)]
  await arrived.promise
  leaving.abort(new Error('left'))
  await expect(first).rejects.toThrow('left')
  respond()
  expect(await Promise.all(others)).toEqual([{ value: 7 }, { value: 7 }])
  expect(received).toHaveLength(1)
})

test('equal POSTs in flight are all sent', async () => {
  const { upstream, received } = await startUpstream((_, response) => response.end('"done"'))
  const once = post('/thing', '{}', String)
  await Promise.all([upstream.send(once, never), upstream.send(once, never)])
  expect(received).toEqual(['POST /thing', 'POST /thing'])
})

test('when the last caller leaves, the upstream request is aborted and has no outcome', async () => {
  const arrived = deferred<void>()
  const closed = deferred<void>()
  const observations: Observation[] = []
  const { upstream } = await startUpstream(
    (incoming) => {
      incoming.socket.on('close', () => closed.resolve())
      arrived.resolve()
    },
    { events: { onAttempt: (observation) => observations.push(observation) } },
  )
  const leaving = new AbortController()
  const result = upstream.send(request, leaving.signal)
  await arrived.promise
  leaving.abort(new Error('left'))
  await expect(result).rejects.toThrow('left')
  // The clock stands still, so nothing but the abort can close the connection.
  await closed.promise
  expect(observations).toEqual([])
})

test('a request that waits for its turn is not sent once its caller has left', async () => {
  const arrived = deferred<() => void>()
  const { upstream, received } = await startUpstream(
    (incoming, response) =>
      incoming.url === '/first'
        ? arrived.resolve(() => json(response, { value: 1 }))
        : json(response, { value: 2 }),
    { concurrency: 1 },
  )
  const first = upstream.send(get('/first', value), never)
  const respond = await arrived.promise
  const leaving = new AbortController()
  const left = upstream.send(get('/left', value), leaving.signal)
  const last = upstream.send(get('/last', value), never)
  leaving.abort(new Error('left'))
  await expect(left).rejects.toThrow('left')
  respond()
  expect(await Promise.all([first, last])).toEqual([{ value: 1 }, { value: 2 }])
  expect(received).toEqual(['GET /first', 'GET /last'])
})

/** An upstream with one slot, which a request of client `a` holds until `respond` is called. */
async function startBusyUpstream() {
  const arrived = deferred<() => void>()
  const { upstream, received } = await startUpstream(
    (_, response, count) =>
      count === 1
        ? arrived.resolve(() => json(response, { value: 1 }))
        : json(response, { value: count }),
    { concurrency: 1 },
  )
  const send = (path: string, client: string, signal: AbortSignal = never) =>
    upstream.send(get(path, value), signal, { client })
  const first = send('/first', 'a')
  const respond = await arrived.promise
  return { send, received, first, respond }
}

test('a request that two clients share goes with the client whose turn comes first', async () => {
  const { send, received, first, respond } = await startBusyUpstream()
  const requests = [send('/a1', 'a'), send('/a2', 'a'), send('/shared', 'a')]
  requests.push(send('/shared', 'b'), send('/b2', 'b'))
  respond()
  await Promise.all([first, ...requests])
  expect(received).toEqual(['GET /first', 'GET /a1', 'GET /shared', 'GET /a2', 'GET /b2'])
})

test('a shared request keeps the places of those who stay when others leave', async () => {
  const { send, received, first, respond } = await startBusyUpstream()
  const leaving = new AbortController()
  const left = send('/shared', 'a', leaving.signal)
  const a1 = send('/a1', 'a')
  const requests = [send('/b1', 'b'), send('/shared', 'b')]
  leaving.abort(new Error('left'))
  await expect(left).rejects.toThrow('left')
  respond()
  await Promise.all([first, a1, ...requests])
  expect(received).toEqual(['GET /first', 'GET /a1', 'GET /b1', 'GET /shared'])
})

test('a caller that leaves a shared request that is under way frees no slot', async () => {
  const arrived = deferred<() => void>()
  const { upstream, received } = await startUpstream(
    (_, response, count) =>
      count === 1
        ? arrived.resolve(() => json(response, { value: 1 }))
        : json(response, { value: 2 }),
    { concurrency: 1 },
  )
  const leaving = new AbortController()
  const left = upstream.send(request, leaving.signal, { client: 'a' })
  const stays = upstream.send(request, never, { client: 'b' })
  const next = upstream.send(get('/next', value), never, { client: 'b' })
  const respond = await arrived.promise
  leaving.abort(new Error('left'))
  await expect(left).rejects.toThrow('left')
  expect(received).toEqual(['GET /thing'])
  respond()
  expect(await Promise.all([stays, next])).toEqual([{ value: 1 }, { value: 2 }])
})

test('a slow request may take longer than others, and as long as they may at least', async () => {
  const { upstream, clock } = await startUpstream(() => {}, { timeout: 5_000, slowTimeout: 15_000 })
  const quick = upstream.send(request, never)
  const slow = upstream.send(post('/quote', '{}', String, { isSlow: true }), never)
  let slowEnd: unknown
  slow.catch((error: unknown) => {
    slowEnd = error
  })
  const late = { code: 'UPSTREAM_TIMEOUT' }
  const quickEnd = expect(quick).rejects.toMatchObject(late)
  await clock.advance(14_999)
  await quickEnd
  expect(slowEnd).toBeUndefined()
  await clock.advance(1)
  expect(slowEnd).toMatchObject(late)
})

test('the timeout of an attempt does not count the time before its turn', async () => {
  const arrived = [deferred<() => void>(), deferred<() => void>()]
  const { upstream, clock } = await startUpstream(
    (_, response, count) => arrived[count - 1]?.resolve(() => json(response, { value: count })),
    { concurrency: 1 },
  )
  const results = ['/a', '/b'].map((path) => upstream.send(get(path, value), never))
  for (const { promise } of arrived) {
    const respond = await promise
    await clock.advance(4_000)
    respond()
  }
  expect(await Promise.all(results)).toEqual([{ value: 1 }, { value: 2 }])
})

test('a request that is aborted before there is a connection is never sent', async () => {
  const { upstream, received } = await startUpstream((_, response) => json(response, { value: 1 }))
  const leaving = new AbortController()
  const left = upstream.send(get('/left', value), leaving.signal)
  leaving.abort(new Error('left'))
  await expect(left).rejects.toThrow('left')
  expect(await upstream.send(request, never)).toEqual({ value: 1 })
  expect(received).toEqual(['GET /thing'])
})

test('connections are used again after responses, and never after an abort', async () => {
  const ports: (number | undefined)[] = []
  const arrived = deferred<void>()
  const { upstream } = await startUpstream((incoming, response) => {
    ports.push(incoming.socket.remotePort)
    if (incoming.url === '/silent') arrived.resolve()
    else json(response, { value: 1 })
  })
  const sendTen = async () => {
    for (let count = 0; count < 10; count += 1) await upstream.send(get('/a', value), never)
    return new Set(ports.splice(0))
  }
  // A connection is free one turn of the event loop after its response, so that two take turns.
  expect((await sendTen()).size).toBeLessThanOrEqual(2)
  const leaving = new AbortController()
  const left = upstream.send(get('/silent', value), leaving.signal)
  await arrived.promise
  leaving.abort(new Error('left'))
  await expect(left).rejects.toThrow('left')
  const [aborted] = ports.splice(0)
  expect(await sendTen()).not.toContain(aborted)
})

test('a connection that closes after an informational response has not begun the response', async () => {
  const { upstream, received } = await startUpstream((incoming, response, count) => {
    if (count > 1) return json(response, { value: 1 })
    return response.writeEarlyHints({ link: '</a>; rel=preload' }, () => incoming.socket.destroy())
  })
  // So it is retried, as other failures to connect are.
  expect(await upstream.send(request, never)).toEqual({ value: 1 })
  expect(received).toHaveLength(2)
})

test('a body in several pieces is decoded as one, without a byte order mark', async () => {
  const body = Buffer.from('\uFEFF{"value":1,"name":"가"}')
  const { upstream } = await startUpstream((_, response) => {
    response.writeHead(200, { 'content-length': body.length })
    // The pieces are cut within a character.
    response.write(body.subarray(0, -3), () => response.end(body.subarray(-3)))
  })
  const named = get('/named', z.object({ name: z.string() }))
  expect(await upstream.send(named, never)).toEqual({ name: '가' })
})

test('a request that has ended leaves no listener on the signal of its caller', async () => {
  const { upstream } = await startUpstream((_, response) => response.end('"done"'))
  const { signal } = new AbortController()
  await upstream.send(post('/thing', '{}', String), signal)
  await upstream.send(get('/thing', z.string()), signal)
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('a final response is cached, and any other is requested again', async () => {
  const { upstream, received } = await startUpstream((_, response, count) =>
    json(response, { value: count }),
  )
  const fixed = get('/fixed', value, { isFinal: true })
  expect(await upstream.send(fixed, never)).toEqual({ value: 1 })
  expect(await upstream.send(fixed, never)).toEqual({ value: 1 })
  await upstream.send(request, never)
  await upstream.send(request, never)
  expect(received).toEqual(['GET /fixed', 'GET /thing', 'GET /thing'])
})

test('neither a missing record nor an error is cached', async () => {
  const { upstream } = await startUpstream((_, response, count) =>
    count < 3
      ? response.writeHead(count === 1 ? 404 : 500).end('tx not found')
      : json(response, { value: 1 }),
  )
  const fixed = get('/fixed', value, { isFinal: true })
  expect(await upstream.send(fixed, never)).toBeNull()
  await expect(upstream.send(fixed, never)).rejects.toThrow()
  expect(await upstream.send(fixed, never)).toEqual({ value: 1 })
})

test('a rule decides by the value whether a response is cached', async () => {
  const { upstream, received } = await startUpstream((_, response, count) =>
    json(response, { value: count }),
  )
  const fixed = get('/fixed', value, { isFinal: ({ value }) => value >= 2 })
  for (const expected of [1, 2, 2]) {
    expect(await upstream.send(fixed, never)).toEqual({ value: expected })
  }
  expect(received).toHaveLength(2)
})

test('a final response is requested again when its time is over', async () => {
  const { upstream, clock } = await startUpstream(
    (_, response, count) => json(response, { value: count }),
    { finalTtl: 1_000 },
  )
  const fixed = get('/fixed', value, { isFinal: true })
  await upstream.send(fixed, never)
  await clock.advance(1_000)
  expect(await upstream.send(fixed, never)).toEqual({ value: 1 })
  await clock.advance(1)
  expect(await upstream.send(fixed, never)).toEqual({ value: 2 })
})

test('without a time for final responses, none is cached', async () => {
  const { upstream, received } = await startUpstream(
    (_, response) => json(response, { value: 1 }),
    { finalTtl: 0 },
  )
  const fixed = get('/fixed', value, { isFinal: true })
  await upstream.send(fixed, never)
  await upstream.send(fixed, never)
  expect(received).toHaveLength(2)
})

test('a moving response is cached for its time, from when it was requested', async () => {
  const replies: ServerResponse[] = []
  const { upstream, clock, received } = await startUpstream(
    (_, response) => void replies.push(response),
    { movingTtl: 1_000 },
  )
  const answer = (count: number) => {
    const reply = replies.shift()
    if (reply) json(reply, { value: count })
  }
  const first = upstream.send(request, never)
  while (replies.length === 0) await new Promise((done) => setImmediate(done))
  await clock.advance(600)
  answer(1)
  await first
  await clock.advance(400)
  expect(await upstream.send(request, never)).toEqual({ value: 1 })
  await clock.advance(1)
  const second = upstream.send(request, never)
  while (replies.length === 0) await new Promise((done) => setImmediate(done))
  answer(2)
  expect(await second).toEqual({ value: 2 })
  expect(received).toHaveLength(2)
})

test('a marked request passes by what was answered before its mark', async () => {
  const caches: (string | undefined)[] = []
  const { upstream, received } = await startUpstream(
    ({ headers }, response, count) => {
      caches.push(headers['cache-control'])
      json(response, { value: count })
    },
    { movingTtl: 1_000 },
  )
  const fixed = get('/fixed', value, { isFinal: true })
  await upstream.send(request, never)
  await upstream.send(fixed, never)
  const at = atLeast(upstream, 'at 7')
  const [one, two] = await Promise.all([at.send(request, never), at.send(request, never)])
  expect([one, two]).toEqual([{ value: 3 }, { value: 3 }])
  expect(await at.send(request, never)).toEqual({ value: 3 })
  expect(await upstream.send(request, never)).toEqual({ value: 1 })
  // What never changes is right whenever it was read.
  expect(await at.send(fixed, never)).toEqual({ value: 2 })
  expect(received).toHaveLength(3)
  expect(caches).toEqual([undefined, undefined, 'no-cache'])
})

test('one operation reads with and without a mark', async () => {
  const { upstream } = await startUpstream((_, response, count) => json(response, { value: count }))
  const scope = createRequestScope(never, sources)
  expect(await scope.fetch(upstream, request)).toEqual({ value: 1 })
  expect(await scope.fetch(atLeast(upstream, 'at 7'), request)).toEqual({ value: 2 })
  expect(await scope.fetch(atLeast(upstream, 'at 7'), request)).toEqual({ value: 2 })
})

test('the cache counts more bytes than bodies and keys have, not their characters', async () => {
  const [ascii, korean] = ['가'.repeat(1_000), 'abc'.repeat(1_000)].map(
    (name) => `{"value":1,"name":"${name}"}`,
  )
  const { upstream, cache } = await startUpstream((request, response) =>
    response.end(request.url === '/ascii' ? ascii : korean),
  )
  const region = cache.open({ name: 'responses of evm-1', maxBytes: 1 })
  await upstream.send(get('/ascii', value, { isFinal: true }), never)
  const { bytes } = region
  expect(bytes).toBeGreaterThan(3_000 * 1.5)
  expect(bytes).toBeLessThan(3_000 * 2)
  await upstream.send(get('/latin', value, { isFinal: true }), never)
  expect(region.bytes).toBe(2 * bytes)
})

test('a scope is fresh for the shortest time of its responses', async () => {
  const { upstream, clock } = await startUpstream((_, response) => json(response, { value: 1 }), {
    finalTtl: 1_000,
  })
  const fixed = (path: string) => get(path, value, { isFinal: true })
  const scope = createRequestScope(never, sources)
  expect(scope.freshUntil).toBe(Number.POSITIVE_INFINITY)
  await scope.fetch(upstream, fixed('/a'))
  await clock.advance(400)
  const pending = scope.fetch(upstream, fixed('/b'))
  expect(scope.freshUntil).toBe(0)
  await pending
  expect(scope.freshUntil).toBe(1_000)

  const second = createRequestScope(never, sources)
  await second.fetch(upstream, fixed('/b'))
  expect(second.freshUntil).toBe(1_400)
  await second.fetch(upstream, fixed('/a'))
  expect(second.freshUntil).toBe(1_000)
})

test('a scope is not fresh after a moving response, a 404, an error or an upstream that says nothing', async () => {
  const { upstream } = await startUpstream(({ url }, response) => {
    if (url === '/missing') response.writeHead(404).end('tx not found')
    else if (url === '/broken') response.writeHead(400).end()
    else json(response, { value: 1 })
  })
  const silent = { service: 'evm-2', source: 'evm-2', send: async () => null }
  const tries = [
    [upstream, get('/moving', value)],
    [upstream, get('/missing', value, { isFinal: true })],
    [upstream, get('/broken', value, { isFinal: true })],
    [silent, get('/fixed', value, { isFinal: true })],
  ] as const
  for (const [from, call] of tries) {
    const scope = createRequestScope(never, sources)
    await scope.fetch(upstream, get('/fixed', value, { isFinal: true }))
    expect(scope.freshUntil).toBeGreaterThan(0)
    await scope.fetch(from, call).catch(() => null)
    expect(scope.freshUntil).toBe(0)
  }
})

test('no more responses are cached than the bytes allow', async () => {
  const { upstream, received } = await startUpstream(
    (_, response) => json(response, { value: 1 }),
    { cacheBytes: 700 },
  )
  // Beyond a sixteenth, a response is cached when it is asked for again.
  for (const path of ['/a', '/b', '/b', '/c', '/c', '/c', '/a']) {
    await upstream.send(get(path, value, { isFinal: true }), never)
  }
  expect(received).toEqual(['GET /a', 'GET /b', 'GET /b', 'GET /c', 'GET /c', 'GET /a'])
})

test('responses that are asked for once push out no others, and fill no more than a sixteenth', async () => {
  const { upstream, received } = await startUpstream(
    (_, response) => json(response, { value: 1 }),
    { cacheBytes: 4_000 },
  )
  const ask = (path: string) => upstream.send(get(path, value, { isFinal: true }), never)
  for (let i = 0; i < 100; i += 1) await ask(`/${i}`)
  received.length = 0
  await ask('/0')
  expect(received).toEqual([])
  await ask('/99')
  await ask('/99')
  expect(received).toEqual(['GET /99'])
})

test('upstreams that share a store do not share responses', async () => {
  const first = await startUpstream((_, response) => json(response, { value: 1 }))
  const second = await startUpstream((_, response) => json(response, { value: 2 }), {
    service: 'evm-2',
    cache: first.cache,
  })
  const fixed = get('/fixed', value, { isFinal: true })
  expect(await first.upstream.send(fixed, never)).toEqual({ value: 1 })
  expect(await second.upstream.send(fixed, never)).toEqual({ value: 2 })
})

test('one operation sends equal requests once', async () => {
  const { upstream, received } = await startUpstream((_, response) => json(response, { value: 1 }))
  const scope = createRequestScope(never, sources)
  await scope.fetch(upstream, request)
  await scope.fetch(upstream, request)
  expect(received).toHaveLength(1)
  await createRequestScope(never, sources).fetch(upstream, request)
  expect(received).toHaveLength(2)
})

const numbers = pageOf('numbers', z.object({ number: z.number() }))
const listed = [{ number: 1 }, { number: 2 }]

test('an operation that ends takes its pages with it, and no page of another one or of the cache', async () => {
  const { upstream, received } = await startUpstream((_, response) =>
    json(response, { numbers: listed, pagination: { next_key: null } }),
  )
  const [first, second, third] = [1, 2, 3].map(() => createRequestScope(never, sources))
  const pages = [first, second].map((scope) =>
    scope?.fetch(upstream, get('/numbers', numbers, { isFinal: true })),
  )
  const [mine, other] = await Promise.all(pages)
  expect(received).toEqual(['GET /numbers'])
  expect(mine?.items).toEqual(listed)

  first?.close()
  expect(() => mine?.items.length).toThrow(TypeError)
  expect(other?.items).toEqual(listed)
  second?.close()
  const cached = await third?.fetch(upstream, get('/numbers', numbers, { isFinal: true }))
  expect(cached?.items).toEqual(listed)
  expect(received).toEqual(['GET /numbers'])
})

test('an operation does not hold a page that it does not keep', async () => {
  const { upstream } = await startUpstream((_, response) =>
    json(response, { numbers: listed, pagination: { next_key: null } }),
  )
  const scope = createRequestScope(never, sources)
  const page = await scope.fetch(upstream, get('/numbers', numbers), { isKept: false })
  scope.close()
  expect(page?.items).toEqual(listed)
})

test('the path prefix of the base URL and the headers reach the upstream', async () => {
  const seen: IncomingMessage[] = []
  const { upstream, received } = await startUpstream(
    (request, response) => {
      seen.push(request)
      json(response, { value: 1 })
    },
    { url: '/chains/evm-1/', headers: { 'x-api-key': 'secret' } },
  )
  await upstream.send(
    get(path`/richlist/${'ibc/AB:c@d'}`, value, { query: { a: ['x', 'y'] } }),
    never,
  )
  await upstream.send(post('/thing', '{}', String), never)
  const headers = { accept: 'application/json', 'x-api-key': 'secret' }
  expect(seen[0]?.headers).toMatchObject(headers)
  expect(seen[0]?.headers).not.toHaveProperty('content-type')
  expect(seen[1]?.headers).toMatchObject({ ...headers, 'content-type': 'application/json' })
  expect(received).toEqual([
    'GET /chains/evm-1/richlist/ibc%2FAB:c@d?a=x&a=y',
    'POST /chains/evm-1/thing',
  ])
})

test('text beyond ASCII goes over the wire as raw UTF-8, as indexers never decode a path', async () => {
  // A bare socket, because Node's own parser refuses such bytes, and indexers do not.
  const lines: string[] = []
  const server = createSocketServer((socket) => {
    socket.once('data', (data) => {
      lines.push(data.toString().split('\r\n')[0] ?? '')
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 11\r\n\r\n{"value":1}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  closers.push(async () => {
    await new Promise((resolve) => server.close(resolve))
  })
  const clock = fakeClock()
  const upstream = createUpstream({
    service: 'x',
    url: `http://127.0.0.1:${port}`,
    dispatcher: openDispatcher(),
    ...{ clock, cache: createMemoryCacheStore(clock) },
  })
  await upstream.send(get(path`/by_name/${'가é'}`, value), never)
  expect(lines).toEqual(['GET /by_name/가é HTTP/1.1'])
})

test.each([
  '',
  '.',
  '..',
  'a/../b',
  'a//b',
  '/',
  'a\u0000b',
  'a\r\nX: y',
  '\ud800',
  'x'.repeat(2000),
])('a path piece that would change the route is refused: %j', (piece) => {
  expect(() => path`/thing/${piece}`).toThrow(expect.objectContaining({ code: 'BAD_USER_INPUT' }))
})

test.each(['a b', 'a?x=1', 'a#b', '100%', '%2e%2e', 'a\\b'])(
  'a path piece no indexer can be received for is an error, not another record: %j',
  (piece) => {
    expect(() => path`/thing/${piece}`).toThrow(
      expect.objectContaining({ code: 'UPSTREAM_REJECTED' }),
    )
  },
)

test('every attempt is observed once, with its outcome and its time', async () => {
  const observations: Observation[] = []
  const onAttempt = (observation: Observation) => void observations.push(observation)
  const events = { onAttempt }
  const good = await startUpstream(
    async (_, response) => {
      await good.clock.advance(250)
      json(response, { value: 1 })
    },
    { events },
  )
  await good.upstream.send(request, never)
  const silent = await startUpstream(() => silent.clock.advance(5_000), { events })
  await silent.upstream.send(request, never).catch(() => {})
  const cut = await startUpstream(
    (incoming, response) => {
      response.writeHead(200, { 'content-length': 100 })
      response.write('{', () => incoming.socket.destroy())
    },
    { events },
  )
  await cut.upstream.send(request, never).catch(() => {})
  const retried = await startUpstream(
    (_, response, count) =>
      count === 1 ? response.writeHead(503).end() : json(response, { value: 1 }),
    { events },
  )
  await retried.upstream.send(request, never)
  expect(observations).toEqual([
    { service: 'evm-1', outcome: '200', seconds: 0.25 },
    { service: 'evm-1', outcome: 'UPSTREAM_TIMEOUT', seconds: 5, cause: 'The request timed out.' },
    { service: 'evm-1', outcome: 'UPSTREAM_INVALID_RESPONSE', seconds: 0, cause: 'UND_ERR_SOCKET' },
    { service: 'evm-1', outcome: '503', seconds: 0 },
    { service: 'evm-1', outcome: '200', seconds: 0 },
  ])
})

test('two schemas of one path read each their own value, in flight and from the cache', async () => {
  const answer = deferred<void>()
  const { upstream, received } = await startUpstream(
    (_, response) => void answer.promise.then(() => json(response, { value: 1, name: 'one' })),
    { movingTtl: 60_000 },
  )
  const named = get('/thing', z.object({ name: z.string() }))
  const first = [upstream.send(request, never), upstream.send(named, never)]
  answer.resolve()
  expect(await Promise.all(first)).toEqual([{ value: 1 }, { name: 'one' }])
  expect(await upstream.send(named, never)).toEqual({ name: 'one' })
  expect(await upstream.send(request, never)).toEqual({ value: 1 })
  expect(received).toHaveLength(2)
})
