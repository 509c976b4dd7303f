import { once } from 'node:events'
import { createClient } from 'graphql-ws'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { fakeClock } from '../support/fakeClock.ts'
import { type Json, raw } from '../support/http.ts'
import { serve, type TestServer } from '../support/testServer.ts'

/** A WebSocket whose messages the test writes and reads one by one. */
async function connect({ url }: TestServer, options: { protocols?: string[]; origin?: string } = {}) {
  const { protocols = ['graphql-transport-ws'], origin } = options
  const socket = new WebSocket(url.replace('http', 'ws'), protocols, { ...(origin && { origin }) })
  const inbox: Json[] = []
  const waiters: ((message: Json) => void)[] = []
  socket.on('message', (data) => {
    const message = JSON.parse(String(data))
    const waiter = waiters.shift()
    if (waiter) waiter(message)
    else inbox.push(message)
  })
  await once(socket, 'open')
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  const next = (): Promise<Json> =>
    inbox.length > 0 ? Promise.resolve(inbox.shift()) : new Promise((resolve) => waiters.push(resolve))
  const send = (message: unknown) => socket.send(typeof message === 'string' ? message : JSON.stringify(message))
  const subscribe = (id: string, query: string, variables?: unknown) =>
    send({ id, type: 'subscribe', payload: { query, variables } })
  return { socket, closed, next, send, subscribe }
}

/** The same, after `connection_ack`. */
async function greet(server: TestServer) {
  const connection = await connect(server)
  connection.send({ type: 'connection_init' })
  expect(await connection.next()).toEqual({ type: 'connection_ack' })
  return connection
}

test('a graphql-ws client receives each event and the end', async () => {
  await using server = await serve()
  const client = createClient({ url: server.url.replace('http', 'ws'), webSocketImpl: WebSocket })
  const events = client.iterate({ query: 'subscription { ticks }' })
  const first = events.next()
  await server.stage.listening(1)
  server.stage.tick(1)
  expect(await first).toEqual({ done: false, value: { data: { ticks: 1 } } })
  const last = events.next()
  server.stage.end()
  expect(await last).toEqual({ done: true, value: undefined })
  await client.dispose()
})

test('each event of a subscription has a separate scope', async () => {
  await using server = await serve()
  const { subscribe, next } = await greet(server)
  subscribe('1', 'subscription { ticks }')
  await server.stage.listening(1)
  for (const tick of [1, 2]) {
    server.stage.tick(tick)
    expect(await next()).toEqual({ id: '1', type: 'next', payload: { data: { ticks: tick } } })
  }
  const [first, second] = server.stage.scopes
  expect(first).toBeDefined()
  expect(first).not.toBe(second)
  expect(first?.memory.get('key', () => 1)).toBe(1)
  expect(second?.memory.get('key', () => 2)).toBe(2)
})

test('a failed event is followed by the next one', async () => {
  await using server = await serve()
  const { subscribe, next } = await greet(server)
  subscribe('1', 'subscription { ticks }')
  await server.stage.listening(1)
  server.stage.tick(-1)
  expect((await next()).payload.errors[0].extensions).toEqual({
    code: 'BAD_USER_INPUT',
    reason: 'INVALID_ARGUMENT',
    requestId: expect.any(String),
  })
  server.stage.tick(1)
  expect((await next()).payload).toEqual({ data: { ticks: 1 } })
})

test('a source error ends only its stream, and its text is hidden', async () => {
  await using server = await serve()
  const { subscribe, next } = await greet(server)
  subscribe('1', 'subscription { ticks }')
  await server.stage.listening(1)
  server.stage.end(new Error('secret'))
  expect(await next()).toMatchObject({
    id: '1',
    type: 'error',
    payload: [{ message: 'Unexpected error.', extensions: { code: 'INTERNAL_SERVER_ERROR' } }],
  })
  subscribe('2', 'subscription { refuses }')
  expect(await next()).toMatchObject({
    id: '2',
    payload: { errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] },
  })
})

test('an invalid operation does not affect others on the socket', async () => {
  await using server = await serve()
  const { subscribe, send, next } = await greet(server)
  subscribe('live', 'subscription { ticks }')
  await server.stage.listening(1)
  const mistakes = {
    syntax: '{',
    tokens: `{ ${'hello '.repeat(3_000)}}`,
    field: '{ nothing }',
    none: 'fragment a on Query { hello }',
  }
  for (const [id, query] of Object.entries(mistakes)) {
    subscribe(id, query)
    const { type, payload } = await next()
    const errors = type === 'error' ? payload : payload.errors
    expect(errors[0].extensions.code).toMatch(/FAILED|COMPLEX|BAD_USER_INPUT/)
    expect(errors[0].extensions).not.toHaveProperty('http')
    if (type === 'next') expect((await next()).type).toBe('complete')
  }
  send({ id: 'name', type: 'subscribe', payload: { query: '{ hello }', operationName: 'X' } })
  expect((await next()).payload[0].extensions.code).toBe('BAD_USER_INPUT')
  server.stage.tick(7)
  expect(await next()).toEqual({ id: 'live', type: 'next', payload: { data: { ticks: 7 } } })
})

test('a query is aborted when the client completes it or disconnects', async () => {
  await using server = await serve()
  const { subscribe, send, socket, next } = await greet(server)
  subscribe('1', '{ slow }')
  subscribe('2', '{ slow }')
  await server.stage.running(2)
  const [first, second] = server.stage.signals
  send({ id: '1', type: 'complete' })
  subscribe('3', '{ hello }')
  expect(await next()).toMatchObject({ id: '3', type: 'next' })
  expect(first?.aborted).toBe(true)
  expect(second?.aborted).toBe(false)
  if (second) {
    const aborted = new Promise<void>((resolve) => second.addEventListener('abort', resolve))
    socket.terminate()
    await aborted
  }
})

test('the subscription source is closed when the client completes it or disconnects', async () => {
  await using server = await serve()
  const { subscribe, send, socket } = await greet(server)
  subscribe('1', 'subscription { ticks }')
  subscribe('__proto__', 'subscription { ticks }')
  await server.stage.listening(2)
  send({ id: '1', type: 'complete' })
  await server.stage.listening(1)
  socket.terminate()
  await server.stage.listening(0)
})

test('a subscription above maxOpenPerClient is refused until another one ends', async () => {
  await using server = await serve({ limits: { maxOpenPerClient: 3 } })
  const { subscribe, send, next } = await greet(server)
  subscribe('1', 'subscription { ticks }')
  subscribe('2', 'subscription { ticks }')
  await server.stage.listening(2)
  subscribe('3', 'subscription { ticks }')
  expect(await next()).toMatchObject({
    id: '3',
    type: 'error',
    payload: [{ extensions: { code: 'RATE_LIMITED' } }],
  })
  send({ id: '1', type: 'complete' })
  await server.stage.listening(1)
  subscribe('3', 'subscription { ticks }')
  await server.stage.listening(2)
})

test.each([
  ['an array', '[]', 4400],
  ['invalid JSON', 'hello', 4400],
  ['an unknown type', '{"type":"hello"}', 4400],
  ['an operation without an id', '{"type":"subscribe","payload":{"query":"{ hello }"}}', 4400],
  ['an operation without a query', '{"id":"1","type":"subscribe","payload":{}}', 4400],
  ['a second connection_init', '{"type":"connection_init"}', 4429],
  ['too long a message', 'x'.repeat(300_000), 1009],
])('%s closes the socket with a protocol code', async (_name, message, code) => {
  await using server = await serve()
  const { send, closed } = await greet(server)
  send(message)
  expect(await closed).toBe(code)
  expect(server.log.filter(({ level }) => Number(level) > 20)).toEqual([])
})

test('a duplicate operation id closes the socket, and is free once completed', async () => {
  await using server = await serve()
  const { subscribe, next, closed } = await greet(server)
  subscribe('1', '{ hello }')
  expect((await next()).type).toBe('next')
  expect((await next()).type).toBe('complete')
  subscribe('1', 'subscription { ticks }')
  await server.stage.listening(1)
  subscribe('1', 'subscription { ticks }')
  expect(await closed).toBe(4409)
})

test('an operation before connection_init closes the socket with 4401', async () => {
  await using server = await serve()
  const { subscribe, closed } = await connect(server)
  subscribe('1', '{ hello }')
  expect(await closed).toBe(4401)
})

test('subprotocols other than graphql-transport-ws are refused', async () => {
  await using server = await serve()
  const { closed } = await connect(server, { protocols: [] })
  expect(await closed).toBe(4406)
  await expect(connect(server, { protocols: ['graphql-ws'] })).rejects.toThrow('subprotocol')
})

test('a WebSocket from an origin outside allowedOrigins is refused', async () => {
  await using server = await serve({ allowedOrigins: ['https://a.example'] })
  const { socket } = await connect(server, { origin: 'https://a.example' })
  socket.close()
  await expect(connect(server, { origin: 'https://evil.example' })).rejects.toThrow('403')
  const { socket: notBrowser } = await connect(server)
  notBrowser.close()
})

test('WebSockets are accepted only at /graphql', async () => {
  await using server = await serve()
  const { origin } = server
  await expect(connect({ ...server, url: `${origin}/nope` })).rejects.toThrow('404')
  const upgrade = ['GET /graphql HTTP/1.1', 'Host: x', 'Connection: Upgrade', 'Upgrade: h2c', '', '']
  expect(await raw(origin, upgrade.join('\r\n'))).toMatch(/^HTTP\/1.1 400 /)
})

test('an invalid frame is logged once', async () => {
  await using server = await serve()
  const { socket, closed } = await greet(server)
  // A text frame that is not masked, as only servers may send one.
  Object(socket)._socket.write(Buffer.from([0x81, 0x01, 0x61]))
  expect(await closed).toBe(1002)
  expect(server.log.filter(({ msg }) => msg === 'invalid frame')).toHaveLength(1)
})

test('a client that does not answer pings is disconnected', async () => {
  const clock = fakeClock()
  await using server = await serve({ clock, pingInterval: 10_000 })
  const url = server.url.replace('http', 'ws')
  const deaf = new WebSocket(url, 'graphql-transport-ws', { autoPong: false })
  const alive = new WebSocket(url, 'graphql-transport-ws')
  await Promise.all([once(deaf, 'open'), once(alive, 'open')])
  const pinged = Promise.all([once(deaf, 'ping'), once(alive, 'ping')])
  await clock.advance(10_000)
  await pinged
  // The pong precedes the next message of the same socket.
  alive.send('{"type":"connection_init"}')
  await once(alive, 'message')
  const dropped = once(deaf, 'close')
  await clock.advance(10_000)
  const [code] = await dropped
  expect(code).toBe(1006)
  alive.send('{"type":"ping"}')
  await once(alive, 'message')
  alive.close()
})
