import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createGateway } from '../src/gateway.ts'
import { createMetrics } from '../src/telemetry/metrics/metrics.ts'
import { defineTopic } from '../src/watch/topic.ts'

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

test('a gateway that is closed has closed all its parts, though its traces are lost', async () => {
  using upstream = await startUpstream()
  const lines: string[] = []
  const metrics = createMetrics()
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
    { metrics, server: { drain: 0 } },
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
  // A worker still reads its own.
  expect(await metrics.text()).toContain('process_cpu_seconds_total')
})
