import { once } from 'node:events'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createConnectionQuota } from '../../src/server/http/connections.ts'
import { createThrottle } from '../../src/server/ws/throttle.ts'
import { fakeClock } from '../support/fakeClock.ts'
import { serve, type TestServer } from '../support/testServer.ts'

const first = '203.0.113.1'
const second = '203.0.113.2'

/** Opens a WebSocket through a proxy. Returns it, or the status it was refused with. */
async function open({ url }: TestServer, forwardedFor: string) {
  const socket = new WebSocket(url.replace('http', 'ws'), 'graphql-transport-ws', {
    headers: { 'x-forwarded-for': forwardedFor },
  })
  return new Promise<WebSocket | number>((resolve) => {
    socket.once('open', () => resolve(socket))
    socket.once('error', () => {})
    socket.once('unexpected-response', (_request, { statusCode = 0 }) => resolve(statusCode))
  })
}

const stream = ({ url }: TestServer, forwardedFor: string) =>
  fetch(`${url}?query=subscription{ticks}`, {
    headers: { accept: 'text/event-stream', 'x-forwarded-for': forwardedFor },
  })

test('sockets and streams of one client share its slots, and free them on close', async () => {
  await using server = await serve({ limits: { maxStreamsPerClient: 2 } })
  const socket = await open(server, first)
  const events = await stream(server, first)
  expect(events.status).toBe(200)
  expect(await open(server, first)).toBe(429)
  const refused = await stream(server, first)
  expect(refused.status).toBe(429)
  expect(await refused.json()).toMatchObject({ errors: [{ extensions: { code: 'RATE_LIMITED' } }] })
  await server.stage.listening(1)
  expect(await open(server, second)).toBeInstanceOf(WebSocket)

  await events.body?.cancel()
  await server.stage.listening(0)
  const again = await stream(server, first)
  expect(again.status).toBe(200)
  expect(await open(server, first)).toBe(429)

  if (socket instanceof WebSocket) {
    socket.terminate()
    await once(socket, 'close')
  }
  expect(await open(server, first)).toBeInstanceOf(WebSocket)
})

test.each([
  ['an address that the client itself claims', `198.51.100.1, ${first}`, `198.51.100.2, ${first}`],
  ['another port', `${first}:1001`, `${first}:1002`],
  ['another address of an IPv6 network of 64 bits', '2001:db8::1', '2001:db8::2:3:4'],
  ['another text that is not an address', 'anything', 'anything else'],
  ['IPv4 in IPv6', first, `::ffff:${first}`],
  ['a private address', '192.168.1.9', '192.168.1.9'],
])('%s counts as the same client', async (_claim, one, two) => {
  await using server = await serve({ limits: { maxStreamsPerClient: 1 } })
  expect(await open(server, one)).toBeInstanceOf(WebSocket)
  expect(await open(server, two)).toBe(429)
})

test('a local client without a proxy has the stream limit too', async () => {
  await using server = await serve({ limits: { maxStreamsPerClient: 1 } })
  const socket = () => new WebSocket(server.url.replace('http', 'ws'), 'graphql-transport-ws')
  await once(socket(), 'open')
  const [, { statusCode }] = await once(
    socket().on('error', () => {}),
    'unexpected-response',
  )
  expect(statusCode).toBe(429)
})

test('a released slot can be acquired again', () => {
  const quota = createConnectionQuota(1)
  const release = quota.acquire('a')
  expect(quota.acquire('a')).toBeUndefined()
  release?.()
  expect(quota.acquire('a')).toBeDefined()
})

test('the quota forgets clients without slots', () => {
  const quota = createConnectionQuota(2)
  const releases = ['a', 'a', 'b'].map((client) => quota.acquire(client))
  expect(quota.clients).toBe(2)
  for (const release of releases) release?.()
  expect(quota.clients).toBe(0)
})

test('the throttle handles a limited number of messages per second, in order', async () => {
  const clock = fakeClock()
  const calls: string[] = []
  const handled: number[] = []
  const socket = { pause: () => calls.push('pause'), resume: () => calls.push('resume') }
  const throttle = createThrottle(socket, 3, clock)
  const send = (...numbers: number[]) => {
    for (const number of numbers) throttle(() => handled.push(number))
  }
  send(1, 2)
  expect(calls).toEqual([])
  await clock.advance(400)
  send(3, 4, 5, 6, 7, 8)
  expect(calls).toEqual(['pause'])
  await clock.advance(599)
  expect(handled).toEqual([1, 2, 3])
  await clock.advance(1)
  expect(handled).toEqual([1, 2, 3, 4, 5, 6])
  await clock.advance(1_000)
  expect(handled).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  expect(calls).toEqual(['pause', 'resume', 'pause', 'resume'])
  send(9)
  expect(handled.at(-1)).toBe(9)
  await clock.advance(1_000)
  send(10, 11)
  expect(calls).toHaveLength(6)
  expect(handled).toHaveLength(11)
})

test('thousands of messages in one packet are answered at the rate limit', async () => {
  const clock = fakeClock()
  await using server = await serve({ clock, limits: { maxMessagesPerSecond: 100 } })
  const socket = new WebSocket(server.url.replace('http', 'ws'), 'graphql-transport-ws')
  const answers: string[] = []
  let resolve = () => {}
  socket.on('message', (data) => {
    answers.push(String(data))
    resolve()
  })
  const received = async (count: number) => {
    while (answers.length < count) {
      await new Promise<void>((done) => {
        resolve = done
      })
    }
  }
  await once(socket, 'open')
  for (let ping = 0; ping < 2_000; ping += 1) socket.send('{"type":"ping"}')
  await received(100)
  // The answer to a query over HTTP shows that the server has read what has arrived.
  await fetch(`${server.origin}/health`)
  expect(answers).toHaveLength(100)
  await clock.advance(1_000)
  await received(200)
  await fetch(`${server.origin}/health`)
  expect(answers).toHaveLength(200)
  socket.terminate()
  // A paused socket is found to be closed when it is read again.
  await clock.advance(60_000)
})
