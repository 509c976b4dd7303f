import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { addGauge, type Metrics } from '../../engine/telemetry/metrics/metrics.ts'
import type { MetricName } from '../../engine/telemetry/metrics/metricTable.ts'
import type { Feeds } from '../../engine/watch/feeds.ts'
import type { Poller } from '../../engine/watch/poller.ts'
import type { CacheStore } from '../../kit/cache/cache.ts'
import { openReply, type Reply, writeHead } from '../http/reply.ts'

/** Metrics in some text format. */
type MetricsText = Pick<Metrics, 'contentType' | 'text'>

/** A server that has only the metrics. */
export interface MetricsServer {
  readonly url: string
  close(): Promise<void>
}

export async function sendMetrics(metrics: MetricsText, reply: Reply): Promise<void> {
  const text = await metrics.text()
  writeHead(reply, 200, { 'content-type': metrics.contentType }).end(text)
}

/**
 * Serves `/metrics` on a port of its own, which need not be reachable from outside. 0 is a free port.
 * Rejects if the port cannot be used.
 */
export async function startMetricsServer(
  metrics: MetricsText,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    if (request.url?.split('?', 1)[0] !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    sendMetrics(metrics, openReply(request, response)).catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  // A server that listens on a port has an address of this kind.
  const { port: actual, address, family } = server.address() as AddressInfo
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${actual}/metrics`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

/** The open parts of a server, as its metrics show them. */
export interface MeasuredParts {
  readonly admission: { readonly waiting: number }
  readonly unread: { readonly bytes: number }
  readonly sockets: { readonly size: number }
  readonly subscriptions: { readonly open: number }
  readonly poller: Pick<Poller, 'size' | 'listeners' | 'inFlight' | 'lateMs'>
  readonly feeds: Pick<Feeds, 'size' | 'listeners'>
  readonly cache: CacheStore
}

/** Adds the metrics of what a server has open. */
export function addServerMetrics(metrics: Metrics, measured: MeasuredParts): void {
  const { admission, unread, sockets, subscriptions, poller, feeds, cache } = measured
  metrics.caches(cache)
  const gauge = (name: MetricName, read: () => number) => addGauge(metrics, name, read)
  gauge('portolan_operations_waiting', () => admission.waiting)
  gauge('portolan_answer_bytes_waiting', () => unread.bytes)
  gauge('portolan_sockets', () => sockets.size)
  gauge('portolan_subscriptions', () => subscriptions.open)
  gauge('portolan_polls', () => poller.size)
  gauge('portolan_poll_listeners', () => poller.listeners)
  gauge('portolan_polls_in_flight', () => poller.inFlight)
  gauge('portolan_poll_late_seconds', () => poller.lateMs / 1000)
  gauge('portolan_feeds', () => feeds.size)
  gauge('portolan_feed_listeners', () => feeds.listeners)
}
