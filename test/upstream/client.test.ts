import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createSocketServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { createMemoryCacheStore } from '../../src/cache/cache.ts'
import { systemClock } from '../../src/clock/clock.ts'
import { resolveLimits } from '../../src/config/limits.ts'
import {
  createUpstream,
  type Observation,
  type UpstreamOptions,
} from '../../src/upstream/client.ts'
import { createDispatcher } from '../../src/upstream/httpAgent.ts'
import { get, path, post } from '../../src/upstream/request.ts'
import { createRequestScope } from '../../src/upstream/requestScope.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()))
})

type Handler = (request: IncomingMessage, response: ServerResponse, count: number) => void

/** An upstream that answers as told, on loopback, and what it was asked. */
async function upstreamThat(handle: Handler, options: Partial<UpstreamOptions> = {}) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    handle(request, response, asked.length)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const dispatcher = createDispatcher(resolveLimits())
  closers.push(async () => {
    await dispatcher.destroy()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const upstream = createUpstream({
    service: 'evm-1',
    url: `http://127.0.0.1:${port}`,
    dispatcher,
    clock: systemClock,
    cache: createMemoryCacheStore(systemClock),
    backoff: () => 0,
    ...options,
    ...(options.url && { url: `http://127.0.0.1:${port}${options.url}` }),
  })
  return { upstream, asked }
}

const json = (response: ServerResponse, body: unknown, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

const never = new AbortController().signal
const value = z.object({ value: z.number() })
const call = get('/thing', value)

test.each<[string, Handler, string]>([
  ['a reset', (request) => request.socket.resetAndDestroy(), 'UPSTREAM_UNAVAILABLE'],
  ['a closed socket', (request) => request.socket.destroy(), 'UPSTREAM_UNAVAILABLE'],
  [
    'bytes that are no HTTP',
    (request) => request.socket.end('hello\r\n\r\n'),
    'UPSTREAM_INVALID_RESPONSE',
  ],
  ['no answer', () => {}, 'UPSTREAM_TIMEOUT'],
  [
    'a body that stalls',
    (_, response) => response.writeHead(200).write('{"val'),
    'UPSTREAM_TIMEOUT',
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
  const { upstream } = await upstreamThat(handle, { timeout: 100 })
  const error = await upstream.send(call, never).catch((caught: unknown) => caught)
  expect(error).toMatchObject({ code, service: 'evm-1' })
  expect(String(error)).not.toMatch(/127\.0\.0\.1|bad height|html|169/)
})

test('an upstream that cannot be reached is unavailable', async () => {
  const upstream = createUpstream({
    service: 'evm-1',
    url: 'http://127.0.0.1:1',
    dispatcher: createDispatcher(resolveLimits()),
    clock: systemClock,
    cache: createMemoryCacheStore(systemClock),
    backoff: () => 0,
  })
  await expect(upstream.send(call, never)).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' })
})

test('a body that drips is ended by the total time, not by the time between bytes', async () => {
  const { upstream } = await upstreamThat(
    (request, response) => {
      response.writeHead(200)
      const drip = setInterval(() => response.write(' '), 5)
      request.on('close', () => clearInterval(drip))
    },
    { timeout: 100 },
  )
  await expect(upstream.send(call, never)).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' })
})

test('a body without end is cut off at the size that is read at most', async () => {
  const { upstream } = await upstreamThat((request, response) => {
    const block = Buffer.alloc(1024 * 1024, 32)
    const pour = () => {
      while (!request.destroyed && response.write(block));
    }
    response.on('drain', pour)
    pour()
  })
  await expect(upstream.send(call, never)).rejects.toMatchObject({
    code: 'UPSTREAM_INVALID_RESPONSE',
  })
})

test('a GET is tried again on 502, 503, 504 and 429, at most twice', async () => {
  for (const status of [502, 503, 504, 429]) {
    const { upstream, asked } = await upstreamThat((_, response, count) =>
      count < 3 ? response.writeHead(status).end() : json(response, { value: 1 }),
    )
    expect(await upstream.send(call, never)).toEqual({ value: 1 })
    expect(asked).toHaveLength(3)
  }
})

test('a 500 is not tried again, and a POST never is', async () => {
  const failing = await upstreamThat((_, response) => response.writeHead(500).end())
  await expect(failing.upstream.send(call, never)).rejects.toThrow()
  expect(failing.asked).toHaveLength(1)
  const busy = await upstreamThat((_, response) => response.writeHead(503).end())
  await expect(busy.upstream.send(post('/thing', '{}', String), never)).rejects.toThrow()
  expect(busy.asked).toEqual(['POST /thing'])
})

test('retries cannot multiply an outage, and a dead upstream is soon left alone', async () => {
  const { upstream, asked } = await upstreamThat((_, response) => response.writeHead(503).end())
  for (let i = 0; i < 100; i++) {
    await upstream.send(get(`/thing/${i}`, value), never).catch(() => {})
  }
  expect(asked.length).toBeLessThan(25)
})

test('a 404 is null, unless the call reads it', async () => {
  const { upstream } = await upstreamThat((_, response) =>
    json(response, { code: 5, message: 'tx not found', details: [] }, 404),
  )
  expect(await upstream.send(call, never)).toBeNull()
  const strict = post('/v2/tx/track', '{}', String, { is404Error: true })
  await expect(upstream.send(strict, never)).rejects.toMatchObject({
    status: 404,
    bodyExcerpt: 'tx not found',
    code: 'UPSTREAM_REJECTED',
  })
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
  const { upstream } = await upstreamThat((_request, response) => response.writeHead(400).end(body))
  await expect(upstream.send(call, never)).rejects.toMatchObject(expected)
})

test('equal requests in flight are sent once, and one leaving caller hurts no other', async () => {
  let answer = () => {}
  const { upstream, asked } = await upstreamThat((_, response) => {
    answer = () => json(response, { value: 7 })
    arrived()
  })
  let arrived = () => {}
  const isThere = new Promise<void>((resolve) => {
    arrived = resolve
  })
  const leaving = new AbortController()
  const first = upstream.send(call, leaving.signal)
  const others = [upstream.send(call, never), upstream.send(call, never)]
  await isThere
  leaving.abort(new Error('left'))
  await expect(first).rejects.toThrow('left')
  answer()
  expect(await Promise.all(others)).toEqual([{ value: 7 }, { value: 7 }])
  expect(asked).toHaveLength(1)
})

test('when the last caller leaves, the upstream request is aborted', async () => {
  let gone = () => {}
  const isGone = new Promise<void>((resolve) => {
    gone = resolve
  })
  const leaving = new AbortController()
  const { upstream } = await upstreamThat((request) => {
    request.socket.on('close', gone)
    leaving.abort(new Error('left'))
  })
  await expect(upstream.send(call, leaving.signal)).rejects.toThrow('left')
  await isGone
})

test('an immutable answer is kept; any other is asked for again', async () => {
  const { upstream, asked } = await upstreamThat((_, response, count) =>
    json(response, { value: count }),
  )
  const fixed = get('/fixed', value, { isImmutable: true })
  expect(await upstream.send(fixed, never)).toEqual({ value: 1 })
  expect(await upstream.send(fixed, never)).toEqual({ value: 1 })
  await upstream.send(call, never)
  await upstream.send(call, never)
  expect(asked).toEqual(['GET /fixed', 'GET /thing', 'GET /thing'])
})

test('one operation sends equal requests once, however often it asks', async () => {
  const { upstream, asked } = await upstreamThat((_, response) => json(response, { value: 1 }))
  const scope = createRequestScope(never)
  await scope.fetch(upstream, call)
  await scope.fetch(upstream, call)
  expect(asked).toHaveLength(1)
  await createRequestScope(never).fetch(upstream, call)
  expect(asked).toHaveLength(2)
})

test('the path prefix of a base URL and its own headers reach the upstream', async () => {
  const seen: IncomingMessage[] = []
  const { upstream, asked } = await upstreamThat(
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
  expect(seen[0]?.headers['x-api-key']).toBe('secret')
  expect(asked[0]).toBe('GET /chains/evm-1/richlist/ibc%2FAB:c@d?a=x&a=y')
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
  const dispatcher = createDispatcher(resolveLimits())
  closers.push(async () => {
    await dispatcher.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  const upstream = createUpstream({
    service: 'x',
    url: `http://127.0.0.1:${port}`,
    dispatcher,
    clock: systemClock,
    cache: createMemoryCacheStore(systemClock),
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
  'a path piece no indexer can be asked for is an error, not another record: %j',
  (piece) => {
    expect(() => path`/thing/${piece}`).toThrow(
      expect.objectContaining({ code: 'UPSTREAM_REJECTED' }),
    )
  },
)

test('every request is observed once, with what became of it', async () => {
  const observations: Observation[] = []
  const observe = (one: Observation) => void observations.push(one)
  const good = await upstreamThat((_, response) => json(response, { value: 1 }), { observe })
  await good.upstream.send(call, never)
  const bad = await upstreamThat(() => {}, { observe, timeout: 50 })
  await bad.upstream.send(call, never).catch(() => {})
  const cut = await upstreamThat(
    (request, response) => {
      response.writeHead(200, { 'content-length': 100 })
      response.write('{', () => request.socket.destroy())
    },
    { observe },
  )
  await cut.upstream.send(call, never).catch(() => {})
  expect(observations.map(({ service, outcome }) => [service, outcome])).toEqual([
    ['evm-1', '200'],
    ['evm-1', 'UPSTREAM_TIMEOUT'],
    ['evm-1', 'UPSTREAM_INVALID_RESPONSE'],
  ])
})
