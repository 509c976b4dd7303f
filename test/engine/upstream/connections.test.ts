import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Server } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { resolveLimits } from '../../../src/engine/limits/limits.ts'
import { createDispatcher } from '../../../src/engine/upstream/exchange.ts'
import { get, path } from '../../../src/engine/upstream/request.ts'
import { SignalSource } from '../../../src/kit/clock/signal.ts'
import { deferred } from '../../support/deferred.ts'
import { errorOf, never, startClient, thing, value } from '../../support/upstreamClient.ts'

// What only real connections show. What an upstream does wrong is in `test/contract/inputs/upstreams.test.ts`.

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** A client that is connected to a server on loopback. */
async function connect(server: Server) {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const dispatcher = createDispatcher(resolveLimits({}))
  closers.push(
    () => dispatcher.destroy(),
    () => new Promise((resolve) => server.close(resolve)),
  )
  const { port } = server.address() as AddressInfo
  return startClient(undefined, { dispatcher, url: `http://127.0.0.1:${port}` }).send
}

const connectTo = (listener: RequestListener) => connect(createServer(listener))

test('connections are reused after responses, but not after an abort', async () => {
  const ports: (number | undefined)[] = []
  const arrived = deferred<void>()
  const closed = deferred<void>()
  const send = await connectTo(({ socket, url }, response) => {
    ports.push(socket.remotePort)
    if (url !== '/silent') return response.end('{"value":1}')
    socket.on('close', () => closed.resolve())
    return arrived.resolve()
  })
  const sendTen = async () => {
    for (let count = 0; count < 10; count += 1) await send(thing, never)
    return new Set(ports.splice(0))
  }
  // A connection is free one turn of the event loop after its response, so that two take turns.
  expect((await sendTen()).size).toBeLessThanOrEqual(2)
  const leaving = new SignalSource()
  const left = errorOf(send(get('/silent', value), leaving))
  await arrived.promise
  leaving.abort('left')
  expect(await left).toBe('left')
  // The clock stands still, so nothing but the abort can close the connection.
  await closed.promise
  const [aborted] = ports.splice(0)
  expect(await sendTen()).not.toContain(aborted)
})

test('an endless body is cut off at the maximum size', async () => {
  const send = await connectTo((request, response) => {
    const block = Buffer.alloc(1024 * 1024, 32)
    const pour = () => {
      while (!request.destroyed && response.write(block));
    }
    response.on('drain', pour)
    pour()
  })
  expect(await errorOf(send(thing, never))).toMatchObject({ code: 'UPSTREAM_INVALID_RESPONSE' })
})

test('non-ASCII paths are sent as raw UTF-8, since indexers do not decode them', async () => {
  // A bare socket, because Node's own parser refuses such bytes, and indexers do not.
  const lines: string[] = []
  const server = createSocketServer((socket) => {
    socket.once('data', (data) => {
      lines.push(data.toString().split('\r\n')[0] ?? '')
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 11\r\n\r\n{"value":1}')
    })
  })
  const send = await connect(server)
  await send(get(path`/by_name/${'가é'}`, value), never)
  expect(lines).toEqual(['GET /by_name/가é HTTP/1.1'])
})

test('text beyond ASCII is percent-encoded for a server that refuses raw UTF-8, as that of Node does', async () => {
  const urls: (string | undefined)[] = []
  const send = await connectTo(({ url }, response) => {
    urls.push(url)
    response.end('{"value":1}')
  })
  await send(get(path`/by_name/${'가é'}`, value), never)
  expect(urls).toEqual(['/by_name/%EA%B0%80%C3%A9'])
})
