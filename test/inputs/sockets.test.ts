import { once } from 'node:events'
import { createConnection } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { type FakeClock, fakeClock } from '../support/fakeClock.ts'
import { heapInUse } from '../support/heap.ts'
import { raw } from '../support/http.ts'
import { greetedSocket, openSocket, type SocketClient } from '../support/socketClient.ts'
import { serve, type TestServer } from '../support/testServer.ts'

// What a client gets wrong on a WebSocket or an event stream, numbered W1 to W25. The transfers of W26
// and W27 are in `watches.test.ts`.

let clock: FakeClock
let server: TestServer
/** The same with room for two operations a socket and three streams a client. */
let narrow: TestServer

beforeAll(async () => {
  clock = fakeClock()
  server = await serve({ clock, allowedOrigins: ['https://wallet.example'] })
  narrow = await serve({ limits: { maxOpenPerClient: 3 } })
})

const opened: { close(): unknown }[] = []

afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(opened.splice(0).map((socket) => socket.close()))
  expect(server.log.filter(({ level }) => Number(level) > 20)).toEqual([])
  server.log.length = 0
})

afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await narrow[Symbol.asyncDispose]()
})

/** Opens a socket, which is closed after the test. */
async function open(url = server.url): Promise<SocketClient> {
  const socket = await openSocket(url)
  if (typeof socket === 'number') throw new Error(`refused with status ${socket}`)
  opened.push(socket)
  return socket
}

async function greet(url = server.url): Promise<SocketClient> {
  const socket = await greetedSocket(url)
  opened.push(socket)
  return socket
}

const subscribe = (id: unknown, query: unknown, variables?: unknown) => ({
  ...{ id, type: 'subscribe' },
  payload: { query, variables },
})
const ticks = (id: string) => subscribe(id, 'subscription { ticks }')
const init = { type: 'connection_init' }
const ack = { type: 'connection_ack' }

/** Expects the socket to be served as before. */
async function expectServed(socket: SocketClient) {
  socket.send(subscribe('served', '{ hello }'))
  const id = 'served'
  expect(await socket.next()).toEqual({
    id,
    type: 'next',
    payload: { data: { hello: 'Hello, you!' } },
  })
  expect(await socket.next()).toEqual({ id, type: 'complete' })
}

/** What is sent after `connection_ack`, one by one on sockets of their own, and the code that closes each. */
const closes: Record<string, [code: number, messages: unknown[]]> = {
  'W4 a second connection_init': [4429, [init]],
  'W5 a message that is not of the protocol': [
    4400,
    [
      ...['hello', '[]', 'null', '{"type":"hello"}', '{}'],
      ...[subscribe(undefined, '{ hello }'), subscribe('', '{ hello }'), subscribe(7, '{ hello }')],
      ...[subscribe('1', 7), subscribe('1', undefined), subscribe('1', '{ hello }', 'x')],
    ],
  ],
  'W14 a message above the limit': [1009, ['x'.repeat(256 * 1024 + 1)]],
}

test.each(Object.entries(closes))('%s closes the socket', async (_, [code, messages]) => {
  for (const message of messages) {
    const socket = await greet()
    socket.sendText(typeof message === 'string' ? message : JSON.stringify(message))
    expect([message, await socket.next()]).toEqual([message, code])
  }
})

/** A masked frame of a client. The mask is zero, so the payload is readable. */
function frame(firstByte: number, payload: Buffer | string): Buffer {
  const bytes = Buffer.from(payload)
  return Buffer.concat([Buffer.from([firstByte, 0x80 | bytes.length, 0, 0, 0, 0]), bytes])
}
const longFrame = Buffer.from('81ff000001000000000000000000', 'hex')

const frames: [kind: string, code: number, bytes: Buffer][] = [
  ['200,000 fragments', 1008, Buffer.concat([frame(0x01, ' '), ...Array<Buffer>(200_000).fill(frame(0x00, ' '))])],
  ['no mask', 1002, Buffer.from([0x81, 0x01, 0x61])],
  ['an unknown opcode', 1002, frame(0x83, 'a')],
  ['bytes that are not UTF-8', 1007, frame(0x81, Buffer.from([0xff, 0xfe]))],
  ['a length of 2^40', 1009, longFrame],
  ['a fragmented ping', 1002, frame(0x09, 'a')],
  ['a close code that is never sent', 1002, frame(0x88, Buffer.from([1005 >> 8, 1005 & 255]))],
]

/** A socket without the protocol on the client's side. `code` is the code that it is closed with. */
async function rawSocket(url: string): Promise<{ code: Promise<number> }> {
  const { hostname, port } = new URL(url)
  const socket = createConnection(Number(port), hostname).on('error', () => {})
  const head = ['GET /graphql HTTP/1.1', 'Host: x', 'Upgrade: websocket', 'Connection: Upgrade']
  head.push('Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==')
  head.push('Sec-WebSocket-Protocol: graphql-transport-ws', '', '')
  socket.write(head.join('\r\n'))
  const [answer] = await once(socket, 'data')
  if (!String(answer).startsWith('HTTP/1.1 101')) throw new Error(`refused: ${answer}`)
  const code = new Promise<number>((resolve) => {
    socket.on('data', (bytes) => {
      // A ping may come before it.
      const closeFrame = bytes.indexOf(0x88)
      if (closeFrame < 0) return
      socket.destroy()
      resolve(bytes.readUInt16BE(closeFrame + 2))
    })
  })
  return { code }
}

/** What else a client does, and what it must see. */
const rows: Record<string, () => Promise<void>> = {
  async 'W1 a client that never sends connection_init is dropped after 3 s'() {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const socket = await open()
    const code = socket.next()
    vi.advanceTimersByTime(2_999)
    socket.send({ type: 'ping' })
    expect(await code).toEqual({ type: 'pong' })
    vi.advanceTimersByTime(1)
    expect(await socket.next()).toBe(4408)
  },

  async 'W2 another protocol, or none, is refused'() {
    const url = server.url.replace('http', 'ws')
    const old = new WebSocket(url, 'graphql-ws')
    expect(String(await once(old, 'error'))).toMatch(/subprotocol/)
    const none = new WebSocket(url)
    expect((await once(none, 'close'))[0]).toBe(4406)
  },

  async 'W3 an operation before connection_init closes the socket'() {
    const socket = await open()
    socket.send(subscribe('1', '{ hello }'))
    expect(await socket.next()).toBe(4401)
  },

  async 'W6 an id in use closes the socket, and one that was used is free again'() {
    const socket = await greet()
    await expectServed(socket)
    await expectServed(socket)
    socket.send(ticks('1'))
    await server.stage.listening(1)
    socket.send(ticks('1'))
    expect(await socket.next()).toBe(4409)
  },

  async 'W6 an id that is used again at once belongs to the new operation'() {
    const socket = await greet()
    for (let n = 0; n < 50; n += 1) {
      socket.send(ticks('1'))
      socket.send({ id: '1', type: 'complete' })
    }
    socket.send(ticks('1'))
    await expectServed(socket)
    await server.stage.listening(1)
    server.stage.tick(7)
    expect(await socket.next()).toEqual({ id: '1', type: 'next', payload: { data: { ticks: 7 } } })
    socket.send({ id: '1', type: 'complete' })
    await server.stage.listening(0)
    await expectServed(socket)
  },

  async 'W7 the end of an unknown operation is ignored'() {
    const socket = await greet()
    socket.send({ id: 'nothing', type: 'complete' })
    await expectServed(socket)
  },

  async 'W8 a syntax error leaves the other operations of the socket'() {
    await expectOnlyThisFails('{', 'GRAPHQL_PARSE_FAILED')
  },

  async 'W9 too many tokens or values leave the other operations of the socket'() {
    await expectOnlyThisFails(`{ ${'hello '.repeat(2_001)}}`, 'GRAPHQL_PARSE_FAILED')
    await expectOnlyThisFails('{ items(first: 1000000) { hello } }', 'QUERY_TOO_COMPLEX')
  },

  async 'W10 a validation error leaves the other operations of the socket'() {
    await expectOnlyThisFails('{ nothing }', 'GRAPHQL_VALIDATION_FAILED')
  },

  async 'W11 an unexpected error is told without its text'() {
    const socket = await greet()
    const errors = [{ message: 'Unexpected error.', extensions: { code: 'INTERNAL_SERVER_ERROR' } }]
    socket.send(subscribe('1', '{ fail(kind: "ours") }'))
    expect(await socket.next()).toMatchObject({ id: '1', payload: { errors } })
    expect(await socket.next()).toEqual({ id: '1', type: 'complete' })
    socket.send(ticks('2'))
    await server.stage.listening(1)
    server.stage.end(new Error('secret'))
    expect(await socket.next()).toMatchObject({ id: '2', type: 'error', payload: errors })
    expect(server.log.filter(({ level }) => level === 50)).toHaveLength(2)
    server.log.length = 0
    await expectServed(socket)
  },

  async 'W12 odd ids work, and their operations end with the socket'() {
    const socket = await greet()
    const ids = ['__proto__', 'toString', 'constructor', 'x'.repeat(1_000)]
    for (const id of ids) socket.send(ticks(id))
    await server.stage.listening(ids.length)
    server.stage.tick(7)
    const got = [await socket.next(), await socket.next(), await socket.next(), await socket.next()]
    expect(got.map(({ id }) => id).sort()).toEqual([...ids].sort())
    await socket.close()
    await server.stage.listening(0)
  },

  async 'W13 a ping before connection_init is answered, and so are a thousand'() {
    const socket = await open()
    for (let n = 0; n < 1_000; n += 1) socket.send({ type: 'ping' })
    for (let n = 0; n < 1_000; n += 1) expect(await socket.next()).toEqual({ type: 'pong' })
    await expectServed(await greet())
  },

  async 'W15 a broken frame closes the socket, and is logged once'() {
    for (const [kind, code, bytes] of frames) {
      const socket = await greet()
      socket.sendBytes(bytes)
      expect([kind, await socket.next()]).toEqual([kind, code])
      const lines = server.log.splice(0).filter(({ msg }) => msg !== 'operation')
      expect([kind, lines.length]).toEqual([kind, 1])
    }
  },

  async 'W16 a binary message of JSON is read as text'() {
    const socket = await open()
    socket.sendText(Buffer.from(JSON.stringify(init)))
    expect(await socket.next()).toEqual(ack)
    await expectServed(socket)
  },

  async 'W17 one operation or socket more than the limit is refused'() {
    const socket = await greet(narrow.url)
    for (const id of ['1', '2']) socket.send(ticks(id))
    await narrow.stage.listening(2)
    socket.send(ticks('3'))
    expect(await socket.next()).toMatchObject({
      ...{ id: '3', type: 'error' },
      payload: [{ extensions: { code: 'RATE_LIMITED' } }],
    })
    expect(await openSocket(narrow.url)).toBe(429)
  },

  async 'W18 a web page of a foreign origin gets no socket'() {
    expect(await openSocket(server.url, { origin: 'https://evil.example' })).toBe(403)
    expect(await openSocket(server.url, { origin: 'null' })).toBe(403)
    const own = await openSocket(server.url, { origin: 'https://wallet.example' })
    if (typeof own === 'number') throw new Error(`refused with status ${own}`)
    opened.push(own)
  },

  async 'W19 there are no sockets at other paths'() {
    for (const path of ['/', '/nope', '/graphql/x', '/health', '/graphqlx']) {
      expect([path, await openSocket(`${server.origin}${path}`)]).toEqual([path, 404])
    }
  },

  async 'W20 a client that does not answer pings is dropped within 24 s'() {
    const deaf = new WebSocket(server.url.replace('http', 'ws'), 'graphql-transport-ws', {
      autoPong: false,
    })
    await once(deaf, 'open')
    const [pinged, dropped] = [once(deaf, 'ping'), once(deaf, 'close')]
    await clock.advance(12_000)
    await pinged
    await clock.advance(12_000)
    expect((await dropped)[0]).toBe(1006)
  },

  async 'W21 a client that stops reading delays nobody, and is dropped within 24 s'() {
    const stalled = new WebSocket(server.url.replace('http', 'ws'), 'graphql-transport-ws')
    await once(stalled, 'open')
    stalled.send(JSON.stringify(init))
    await once(stalled, 'message')
    stalled.send(JSON.stringify(ticks('1')))
    await server.stage.listening(1)
    stalled.pause()
    const healthy = await greet()
    healthy.send(ticks('1'))
    await server.stage.listening(2)
    for (let tick = 1; tick <= 2_000; tick += 1) {
      server.stage.tick(tick)
      expect((await healthy.next()).payload.data.ticks).toBe(tick)
    }
    await clock.advance(12_000)
    await expectServed(healthy)
    await clock.advance(12_000)
    await server.stage.listening(1)
    await expectServed(healthy)
    stalled.terminate()
  },

  // Both ends of each are files of this process, and many systems allow it 4,096.
  async 'W22 10,000 sockets without connection_init, a thousand at once, are all dropped after 3 s'() {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    await using wide = await serve({ limits: { maxOpenPerClient: 1_000 } })
    const before = heapInUse()
    for (let wave = 0; wave < 10; wave += 1) {
      const codes: Promise<number>[] = []
      while (codes.length < 1_000) {
        // Systems keep only some hundred connections that nobody has accepted yet.
        const some = await Promise.all(Array.from({ length: 200 }, () => rawSocket(wide.url)))
        codes.push(...some.map(({ code }) => code))
      }
      if (wave === 0) expect(await openSocket(wide.url)).toBe(429)
      vi.advanceTimersByTime(3_000)
      expect(new Set(await Promise.all(codes))).toEqual(new Set([4408]))
    }
    // Each has given its place back.
    await greet(wide.url)
    expect(heapInUse() - before).toBeLessThan(16 * 1024 * 1024)
  },

  async 'W23 subscriptions that end at once leave nothing behind'() {
    // A socket may send 500 messages a second, so five of them make the thousand subscriptions.
    const sockets = await Promise.all(Array.from({ length: 5 }, () => greet()))
    const second = async () => {
      for (const socket of sockets) {
        for (let n = 0; n < 200; n += 1) {
          socket.send(ticks(`${n}`))
          socket.send({ id: `${n}`, type: 'complete' })
        }
      }
      await clock.advance(1_000)
      for (const socket of sockets) await expectServed(socket)
      await server.stage.listening(0)
    }
    await second()
    const before = heapInUse()
    for (let round = 0; round < 4; round += 1) await second()
    expect(heapInUse() - before).toBeLessThan(8 * 1024 * 1024)
  },

  async 'W24 a query or mutation whose client leaves is aborted'() {
    const socket = await greet()
    socket.send(subscribe('1', '{ slow }'))
    await server.stage.running(1)
    const [signal] = server.stage.signals
    if (!signal) throw new Error('the query runs')
    const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', resolve))
    await socket.close()
    await aborted
  },

  async 'W25 an event stream ends with its connection, and one more than the limit is refused'() {
    const stream = 'GET /graphql?query=subscription%7Bticks%7D HTTP/1.1'
    const request = [stream, 'Host: x', 'Accept: text/event-stream', '', ''].join('\r\n')
    const { hostname, port } = new URL(narrow.url)
    const connect = () => createConnection(Number(port), hostname, () => {})
    await narrow.stage.listening(0)
    const streams = [connect(), connect(), connect()]
    for (const one of streams) one.write(request)
    await narrow.stage.listening(3)
    expect(await raw(narrow.origin, request.replace('\r\n', '\r\nConnection: close\r\n'))).toMatch(
      /^HTTP\/1.1 429 .*"code":"RATE_LIMITED"/s,
    )
    streams[0]?.end()
    await narrow.stage.listening(2)
    streams[1]?.destroy()
    await narrow.stage.listening(1)
    streams[2]?.destroy()
    await narrow.stage.listening(0)
  },

  async 'W25 a reader of events that stops delays nobody, and is dropped within 24 s'() {
    // Events of 100 KB, so that they soon fill what the system buffers.
    const query = `subscription { ${'x'.repeat(100_000)}: ticks }`
    const body = JSON.stringify({ query })
    const lines = ['POST /graphql HTTP/1.1', 'Host: x', 'Accept: text/event-stream']
    lines.push('Content-Type: application/json', `Content-Length: ${body.length}`, '', body)
    const { hostname, port } = new URL(server.url)
    const openStream = () => {
      const stream = createConnection(Number(port), hostname).on('error', () => {})
      opened.push({ close: () => stream.destroy() })
      stream.write(lines.join('\r\n'))
      return stream
    }
    // Nobody reads the first one.
    openStream()
    const reading = openStream()
    let last = ''
    reading.on('data', (chunk) => {
      last = `${last}${chunk}`.slice(-100)
    })
    const healthy = await greet()
    healthy.send(ticks('1'))
    await server.stage.listening(3)
    for (let tick = 1; tick <= 150; tick += 1) {
      server.stage.tick(tick)
      expect((await healthy.next()).payload.data.ticks).toBe(tick)
      while (!last.includes(`:${tick}}}`)) await once(reading, 'data')
    }
    await clock.advance(12_000)
    await server.stage.listening(3)
    await clock.advance(12_000)
    await server.stage.listening(2)
    await expectServed(healthy)
  },
}

// Node itself drops a reader of events after 50 s.
test.each(Object.entries(rows))('%s', (_, run) => run(), 40_000)

/** Sends an operation beside a subscription, and expects that it alone fails, with this code. */
async function expectOnlyThisFails(query: string, code: string) {
  const socket = await greet()
  socket.send(ticks('live'))
  await server.stage.listening(1)
  socket.send(subscribe('1', query))
  const { id, type, payload } = await socket.next()
  expect(id).toBe('1')
  expect((type === 'error' ? payload : payload.errors)[0].extensions.code).toBe(code)
  if (type === 'next') expect(await socket.next()).toEqual({ id: '1', type: 'complete' })
  server.stage.tick(7)
  const event = { id: 'live', type: 'next', payload: { data: { ticks: 7 } } }
  expect(await socket.next()).toEqual(event)
  await socket.close()
  await server.stage.listening(0)
}
