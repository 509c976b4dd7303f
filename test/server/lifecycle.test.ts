import { once } from 'node:events'
import { createConnection } from 'node:net'
import { createClient as createSseClient } from 'graphql-sse'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createMetrics } from '../../src/engine/telemetry/metrics/metrics.ts'
import { createReadiness } from '../../src/engine/telemetry/readiness.ts'
import { createUpstreamHealth } from '../../src/engine/telemetry/upstreamHealth.ts'
import { GatewayError } from '../../src/engine/upstream/error.ts'
import type { Network } from '../../src/engine/upstream/network.ts'
import { UpstreamHttpError } from '../../src/engine/upstream/upstreamError.ts'
import { CacheStore } from '../../src/kit/cache/cache.ts'
import { fetchStatus } from '../../src/schema/indexer/chain.ts'
import { deferred } from '../support/deferred.ts'
import { fakeClock } from '../support/fakeClock.ts'
import { recordLog, startLoggedGateway } from '../support/gatewayLog.ts'
import { post } from '../support/http.ts'
import { fakeChain, networkOf, serve, type TestServer } from '../support/testServer.ts'

/** A WebSocket that subscribed to `ticks`, and the types of the messages it receives. */
async function watch({ url, stage }: TestServer) {
  const socket = new WebSocket(url.replace('http', 'ws'), 'graphql-transport-ws')
  const messages: unknown[] = []
  socket.on('message', (data) => messages.push(JSON.parse(String(data)).type))
  await once(socket, 'open')
  socket.send('{"type":"connection_init"}')
  await once(socket, 'message')
  socket.send('{"id":"1","type":"subscribe","payload":{"query":"subscription { ticks }"}}')
  await stage.listening(1)
  return { socket, messages, closed: once(socket, 'close') }
}

test('a closing server finishes queries, and does not complete subscriptions', async () => {
  await using server = await serve()
  const slow = post(server.url, { query: '{ slow }' })
  await server.stage.running(1)
  const { messages, closed } = await watch(server)
  const client = createSseClient({ url: server.url, retryAttempts: 0 })
  const events = client.iterate({ query: 'subscription { ticks }' })
  const event = events.next()
  event.catch(() => {})
  await server.stage.listening(2)

  const done = server.close()
  expect((await closed)[0]).toBe(1001)
  expect(messages).toEqual(['connection_ack'])
  await expect(event).rejects.toThrow()
  await server.stage.listening(0)
  await expect(fetch(server.url)).rejects.toThrow()
  server.stage.release()
  expect((await slow).body).toEqual({ data: { slow: 'done' } })
  await done
})

test('a client that disconnects during its body is not a server error', async () => {
  await using server = await serve()
  const socket = createConnection(Number(new URL(server.origin).port), '127.0.0.1')
  const head = ['POST /graphql HTTP/1.1', 'Host: x', 'Content-Type: application/json']
  socket.write([...head, 'Content-Length: 100', 'Expect: 100-continue', '', ''].join('\r\n'))
  await once(socket, 'data')
  socket.end('{"query":')
  await once(socket, 'close')
  await server.close()
  expect(server.log.map(({ msg }) => msg)).toEqual(['request'])
})

test('/ready of a closing server is 503', async () => {
  await using server = await serve({
    network: networkOf(fakeChain('a-1', async () => Object())),
  })
  expect((await fetch(`${server.origin}/ready`)).status).toBe(200)
  // One connection: a query that keeps it open, followed by a readiness check.
  const { hostname, port } = new URL(server.origin)
  const socket = createConnection(Number(port), hostname)
  socket.write('GET /graphql?query={slow} HTTP/1.1\r\nHost: x\r\n\r\n')
  await server.stage.running(1)
  const done = server.close()
  socket.write('GET /ready HTTP/1.1\r\nHost: x\r\n\r\n')
  server.stage.release()
  let answers = ''
  for await (const chunk of socket) answers += chunk
  expect(answers).toMatch(/^HTTP\/1.1 200 .*HTTP\/1.1 503 /s)
  await done
})

test('an operation beyond the grace period is cut off', async () => {
  const clock = fakeClock()
  await using server = await serve({ clock, grace: 8_000 })
  let isCut = false
  const slow = post(server.url, { query: '{ slow }' }).catch(() => {
    isCut = true
  })
  await server.stage.running(1)
  const closed = server.close()
  await clock.advance(7_999)
  expect(isCut).toBe(false)
  await clock.advance(1)
  await closed
  await slow
  expect(isCut).toBe(true)
})

test('during shutdownDelayMs, /ready is 503 and requests are served', async () => {
  const clock = fakeClock()
  await using server = await serve({
    clock,
    network: networkOf(fakeChain('a-1', async () => Object())),
    limits: { shutdownDelayMs: 5_000 },
  })
  const { socket, closed } = await watch(server)
  const done = server.close()
  await clock.advance(4_999)
  expect((await fetch(`${server.origin}/ready`)).status).toBe(503)
  const { body, headers } = await post(server.url, { query: '{ hello }' })
  expect(body).toEqual({ data: { hello: 'Hello, you!' } })
  expect(headers.get('connection')).toBe('close')
  expect(socket.readyState).toBe(WebSocket.OPEN)
  await clock.advance(1)
  expect((await closed)[0]).toBe(1001)
  await done
  await expect(fetch(server.url)).rejects.toThrow()
})

/** A connection that sends a text and nothing more. */
async function connectTo({ origin }: TestServer, text: string) {
  const socket = createConnection(Number(new URL(origin).port), '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  let isClosed = false
  socket.once('close', () => {
    isClosed = true
  })
  if (text) socket.write(text)
  return { socket, isClosed: () => isClosed, closed: once(socket, 'close') }
}

test('connections without a complete request do not delay shutdown', async () => {
  const clock = fakeClock()
  await using server = await serve({ clock, grace: 8_000 })
  const silent = await connectTo(server, '')
  const halfHead = await connectTo(server, 'POST /graphql HTTP/1.1\r\nHost: x\r\n')
  const head = 'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
  const halfBody = await connectTo(server, `${head}Content-Length: 50\r\n\r\n{"query"`)
  // The server has read all of them once it has answered a request that was sent later.
  await post(server.url, { query: '{ hello }' })
  const slow = post(server.url, { query: '{ slow }' })
  await server.stage.running(1)
  const done = server.close()
  await clock.advance(499)
  expect([silent, halfHead, halfBody].map(({ isClosed }) => isClosed())).not.toContain(true)
  await clock.advance(1)
  await Promise.all([silent.closed, halfHead.closed])
  expect(halfBody.isClosed()).toBe(false)
  await clock.advance(1_500)
  await halfBody.closed
  server.stage.release()
  expect((await slow).body).toEqual({ data: { slow: 'done' } })
  await clock.advance(100)
  await done
})

/** A readiness check with a clock of its own. */
function readinessOf(network: Network) {
  const clock = fakeClock()
  const health = createUpstreamHealth({ clock, log: recordLog().log })
  const cache = new CacheStore(clock)
  const check = createReadiness(network, { cache, clock, health, fetchStatus })
  return { clock, check, health, isReady: async () => (await check()).isReady }
}

test('the server is ready if one indexer answers', async () => {
  const dead = fakeChain('dead-1', () => Promise.reject(new Error('gone')))
  const absent = fakeChain('absent-1', async () => null)
  const alive = fakeChain('alive-1', async () => Object())
  expect(await readinessOf(networkOf(dead, absent, alive)).isReady()).toBe(true)
  expect(await readinessOf(networkOf(dead, absent)).isReady()).toBe(false)
})

test('an indexer that takes more than two seconds is not ready', async () => {
  const { clock, isReady } = readinessOf(networkOf(fakeChain('a-1', () => new Promise(() => {}))))
  let result: boolean | undefined
  const check = isReady().then((value) => {
    result = value
  })
  await clock.advance(1_999)
  expect(result).toBeUndefined()
  await clock.advance(1)
  await check
  expect(result).toBe(false)
})

test('indexers are probed for readiness at most every five seconds', async () => {
  let probes = 0
  const chain = fakeChain('a-1', async () => {
    probes += 1
    return Object()
  })
  const { clock, isReady } = readinessOf(networkOf(chain))
  await Promise.all([isReady(), isReady()])
  await clock.advance(5_000)
  await isReady()
  expect(probes).toBe(1)
  await clock.advance(1)
  await isReady()
  expect(probes).toBe(2)
})

test('/ready lists each upstream with status, height and last fault', async () => {
  let height = 7n
  const alive = fakeChain('alive-1', async () => Object({ height }))
  const dead = fakeChain('dead-1', () => Promise.reject(new Error('secret')))
  const hung = fakeChain('hung-1', () => new Promise(() => {}))
  const { check, clock, health } = readinessOf(networkOf(alive, dead, hung))
  health.onAttempt({ service: 'dead-1', outcome: 'UPSTREAM_UNAVAILABLE', seconds: 0 })
  /** It waits for half a second for the upstream that hangs. */
  const report = async () => {
    const checked = check()
    await clock.advance(500)
    return checked
  }
  expect(await report()).toMatchObject({
    isReady: true,
    services: [
      { service: 'alive-1', status: 'up', seconds: 1, height: '7', heightSeconds: 1 },
      {
        service: 'dead-1',
        status: 'down',
        lastFault: { code: 'UPSTREAM_UNAVAILABLE', secondsAgo: 0.5 },
      },
      { service: 'hung-1', status: 'unknown' },
    ],
  })
  await clock.advance(20_000)
  await report()
  height = 8n
  await clock.advance(9_500)
  expect(await report()).toMatchObject({
    services: [
      { status: 'up', seconds: 31, height: '8', heightSeconds: 1 },
      { status: 'down', seconds: 31 },
      { status: 'down', seconds: 29, lastFault: { code: 'UPSTREAM_TIMEOUT' } },
    ],
  })
})

test('the first report has what each upstream answers within half a second', async () => {
  const alive = fakeChain('alive-1', async () => Object({ height: 7n }))
  const answer = deferred<void>()
  const slow = fakeChain('slow-1', async () => {
    await answer.promise
    return Object({ height: 8n })
  })
  const { check, clock } = readinessOf(networkOf(alive, slow))
  const first = check()
  await clock.advance(499)
  answer.resolve()
  const { services } = await first
  expect(services).toMatchObject([
    { service: 'alive-1', status: 'up', height: '7' },
    { service: 'slow-1', status: 'up', height: '8' },
  ])
})

test('the last fault is the later one of a probe and of other requests', async () => {
  const failed = fakeChain('a-1', () => Promise.reject(new UpstreamHttpError('a-1', 500, 'no')))
  const { check, clock, health } = readinessOf(networkOf(failed))
  const faultOf = async () => (await check()).services[0]?.lastFault
  health.onAttempt({ service: 'a-1', outcome: '503', seconds: 0 })
  await clock.advance(1_000)
  expect(await faultOf()).toEqual({ code: '500', secondsAgo: 0 })
  await clock.advance(1_000)
  health.onAttempt({ service: 'a-1', outcome: 'UPSTREAM_TIMEOUT', seconds: 0 })
  expect(await faultOf()).toEqual({ code: 'UPSTREAM_TIMEOUT', secondsAgo: 0 })
})

test.each([
  ['status 500', 500, 'no', '500'],
  ['no JSON', 200, '<html>', 'UPSTREAM_INVALID_RESPONSE'],
  ['JSON of another shape', 200, '[1]', 'UPSTREAM_INVALID_RESPONSE'],
  ['no status', 404, '{"code":5,"message":"not found"}', 'UPSTREAM_REJECTED'],
])('/ready has the last fault of an indexer that answers with %s', async (_what, status, text, code) => {
  await using world = await startLoggedGateway((_request, response) => void response.writeHead(status).end(text))
  const response = await fetch(new URL('/ready', world.gateway.url))
  expect([response.status, await response.json()]).toMatchObject([
    503,
    { services: [{ status: 'down', lastFault: { code } }] },
  ])
})

test('the server is ready if only the router answers, even with an error', async () => {
  const dead = fakeChain('dead-1', () => Promise.reject(new Error('gone')))
  const answers = [
    () => Promise.resolve(null),
    () => Promise.reject(new GatewayError('UPSTREAM_REJECTED', 'No.')),
    () => Promise.reject(new GatewayError('UPSTREAM_UNAVAILABLE', 'No.')),
  ]
  const ready = await Promise.all(
    answers.map((send) =>
      readinessOf({
        ...networkOf(dead),
        router: { service: 'router', source: 'router', send },
      }).isReady(),
    ),
  )
  expect(ready).toEqual([true, true, false])
})

test('without an indexer, /health is 200 and /ready is 503', async () => {
  const dead = fakeChain('dead-1', () => Promise.reject(new Error('secret')))
  await using server = await serve({ network: networkOf(dead) })
  expect((await fetch(`${server.origin}/health`)).status).toBe(200)
  const ready = await fetch(`${server.origin}/ready`)
  expect(ready.status).toBe(503)
  const text = await ready.text()
  expect(text).not.toContain('secret')
  expect(JSON.parse(text)).toMatchObject({
    status: 'not ready',
    services: [{ service: 'dead-1', status: 'down' }],
  })
})

test('metrics count operations, upstream requests, sockets and subscriptions', async () => {
  const metrics = createMetrics()
  metrics.onAttempt({ service: 'a-1', outcome: '200', seconds: 0.1 })
  await using server = await serve({ metrics })
  await post(server.url, { query: '{ hello }' })
  await post(server.url, { query: '{ fail(kind: "input") }' })
  await post(server.url, { query: '{' })
  const { socket } = await watch(server)
  const read = async () => (await fetch(`${server.origin}/metrics`)).text()
  const text = await read()
  for (const line of [
    'portolan_operation_duration_seconds_count{type="query",outcome="ok"} 1',
    'portolan_operation_duration_seconds_count{type="query",outcome="BAD_USER_INPUT"} 1',
    'portolan_operation_duration_seconds_count{type="none",outcome="GRAPHQL_PARSE_FAILED"} 1',
    'portolan_operation_duration_seconds_count{type="subscription",outcome="ok"} 1',
    'portolan_upstream_request_duration_seconds_count{service="a-1",outcome="200"} 1',
    'portolan_operations_waiting 0',
    'portolan_sockets 1',
    'portolan_subscriptions 1',
    'portolan_polls 0',
  ]) {
    expect(text).toContain(`${line}\n`)
  }
  socket.terminate()
  await server.stage.listening(0)
  expect(await read()).toContain('portolan_subscriptions 0\n')
})
