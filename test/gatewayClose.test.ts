import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Server, Socket } from 'node:net'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { defineTopic } from '../src/engine/watch/model.ts'
import { createGateway } from '../src/gateway.ts'

/** An indexer that knows nothing, and the connections that are open to it. */
async function startUpstream() {
  const open = new Set<Socket>()
  const server = createServer((_request, response) => void response.writeHead(404).end('{}'))
  server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return { open, url: `http://127.0.0.1:${port}`, [Symbol.dispose]: () => void server.close() }
}

interface Item {
  readonly number: bigint
}

test('close closes all parts of a gateway even if the trace export fails', async () => {
  using upstream = await startUpstream()
  const lines: string[] = []
  const gateway = await createGateway(
    {
      chains: [{ chainId: 'a-1', url: upstream.url }],
      metricsPort: 0,
      log: pino({}, { write: (line) => void lines.push(JSON.parse(line).msg) }),
      tracing: {
        startOperation: () => ({
          startRequest: () => ({ headers: {}, end() {} }),
          end() {},
        }),
        close: () => Promise.reject(new Error('no collector')),
      },
    },
    { server: { drain: 0 } },
  )
  const { poller, feeds } = gateway.shared
  const head = feeds.heads<Item>({
    ...{ topic: defineTopic<Item>('items'), key: 'a', upstream: {}, rangeSize: 10 },
    head: async () => ({ position: 1n }),
    range: async () => [],
    positionOf: ({ number }) => number,
    ...{ intervalMs: 1_000, lateAfterMs: 60_000, isFatal: () => false },
    messages: { timeout: '', invalid: '' },
  })
  await head.next()
  const watch = poller.watch<string>({
    ...{ topic: defineTopic<string>('states'), key: 'a', fetch: async () => 'PENDING' },
    ...{ equals: Object.is, isStale: () => false, isFinal: () => false, isFatal: () => false },
    ...{ isIrreversible: () => false, isSettled: () => false },
    messages: { timeout: '', notFound: '', stillPending: () => '' },
  })
  await watch.next()
  await fetch(new URL('/ready', gateway.url))
  expect(upstream.open.size).toBeGreaterThan(0)
  expect([poller.size, feeds.size]).toEqual([1, 1])
  expect((await fetch(gateway.metricsUrl)).status).toBe(200)

  await gateway.close()
  expect([poller.size, feeds.size]).toEqual([0, 0])
  await expect.poll(() => upstream.open.size).toBe(0)
  await expect(fetch(gateway.url)).rejects.toThrow('fetch failed')
  await expect(fetch(gateway.metricsUrl)).rejects.toThrow('fetch failed')
  expect(lines).toContain('traces lost')
})

/** Traces of a gateway, and what is open when it closes them. */
const tracesUntil = (close: () => Promise<void>) => ({
  startOperation: () => ({ startRequest: () => ({ headers: {}, end() {} }), end() {} }),
  close,
})

test('close closes parts in reverse order, and a second call waits', async () => {
  using upstream = await startUpstream()
  const ends: unknown[] = []
  const gateway = await createGateway(
    {
      chains: [{ chainId: 'a-1', url: upstream.url }],
      metricsPort: 0,
      tracing: tracesUntil(async () => {
        const served = [gateway.url, gateway.metricsUrl].map((url) => fetch(url).catch(() => 'gone'))
        ends.push(...(await Promise.all(served)))
      }),
    },
    { server: { drain: 0 } },
  )
  await fetch(new URL('/ready', gateway.url))
  const first = gateway.close().then(() => ends.push('first'))
  await gateway.close()
  await first
  // The traces, which are opened first, end last, and once.
  expect(ends).toEqual(['gone', 'gone', 'first'])
  expect(upstream.open.size).toBe(0)
})

test('a part that fails to start closes the parts before it', async () => {
  using upstream = await startUpstream()
  const ends: string[] = []
  let origin = ''
  const listen = async (server: Pick<Server, 'listen' | 'address'>) => {
    await once(server.listen(0, '127.0.0.1'), 'listening')
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    // The client of the network is in use.
    await (await fetch(`${origin}/ready`)).text()
    expect(upstream.open.size).toBeGreaterThan(0)
    throw new Error('no address')
  }
  const tracing = tracesUntil(async () => void ends.push('traces'))
  const chains = [{ chainId: 'a-1', url: upstream.url }]
  await expect(createGateway({ chains, tracing }, { server: { listen } })).rejects.toThrow(/^no address$/)
  expect(ends).toEqual(['traces'])
  await expect.poll(() => upstream.open.size).toBe(0)
  await expect(fetch(origin)).rejects.toThrow('fetch failed')
})

test('a limit out of bounds closes the tracer of the caller', async () => {
  const ends: string[] = []
  const tracing = tracesUntil(async () => void ends.push('traces'))
  const chains = [{ chainId: 'a-1', url: 'http://127.0.0.1:1' }]
  const limits = { maxCost: -1 }
  await expect(createGateway({ chains, tracing, limits })).rejects.toThrow(RangeError)
  expect(ends).toEqual(['traces'])
})
