import { once } from 'node:events'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createConnectionQuota } from '../../src/server/http/connections.ts'
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
  await using server = await serve({ limits: { maxOpenPerClient: 2 } })
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
  await using server = await serve({ limits: { maxOpenPerClient: 1 } })
  expect(await open(server, one)).toBeInstanceOf(WebSocket)
  expect(await open(server, two)).toBe(429)
})

test('a local client without a proxy has the stream limit too', async () => {
  await using server = await serve({ limits: { maxOpenPerClient: 1 } })
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
