import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { connect, createServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { connectionMessage } from '../../src/workers/link.ts'
import { receiveConnections } from '../../src/workers/runWorker.ts'

const cleanup: (() => void)[] = []
afterEach(() => {
  for (const clean of cleanup.splice(0)) clean()
})

/** A server of a worker, and what the primary would give it. */
async function setUp(options: { readonly headersTimeout?: number } = {}) {
  const events: string[] = []
  const server = createHttpServer(
    { ...options, connectionsCheckingInterval: 10 },
    (request, response) => {
      events.push('request')
      request.resume().once('end', () => setImmediate(() => response.end('answer')))
    },
  )
  server.on('connection', () => events.push('connection'))
  const listeners = process.listeners('message')
  const origin = await receiveConnections('http://[::1]:4000', () => events.push('received'))(
    server,
  )
  const added = process.listeners('message').filter((listener) => !listeners.includes(listener))
  // As Node makes a connection of what another process has sent.
  const door = createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1')
  await once(door, 'listening')
  cleanup.push(() => {
    for (const listener of added) process.off('message', listener)
    server.close()
    door.close()
  })
  const give = (message: unknown, connection?: Socket) => {
    for (const listener of added) Reflect.apply(listener, process, [message, connection])
  }
  const dial = async () => {
    const { port } = Object(door.address())
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    const [connection] = await once(door, 'connection')
    cleanup.push(() => client.destroy())
    give(connectionMessage, connection.resume())
    return client
  }
  return { server, origin, events, give, dial }
}

test('a connection is reported before it is read, and other messages are none of it', async () => {
  const { origin, events, give, dial } = await setUp()
  expect(origin).toBe('http://[::1]:4000')
  give({ t: 'q', m: 'metrics' })
  expect(events).toEqual([])
  const client = await dial()
  expect(events).toEqual(['received', 'connection'])
  client.write('GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n')
  expect(await text(client)).toMatch(/^HTTP\/1\.1 200 .*answer/s)
  expect(events).toEqual(['received', 'connection', 'request'])
  // A connection that was closed on its way comes without one.
  give(connectionMessage)
  expect(events).toHaveLength(4)
})

test('a client that has sent all it will send still gets its answer', async () => {
  const { dial } = await setUp()
  const client = await dial()
  client.end('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\nconnection: close\r\n\r\na')
  expect(await text(client)).toMatch(/answer/)
})

test('requests whose headers do not come are ended, and so are idle connections', async () => {
  const { server, dial } = await setUp({ headersTimeout: 50 })
  const slow = await dial()
  slow.write('GET / HTTP/1.1\r\n')
  expect(await text(slow)).toMatch(/^HTTP\/1\.1 408 /)

  const idle = await dial()
  idle.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  await once(idle, 'data')
  server.closeIdleConnections()
  await once(idle.resume(), 'end')
})
