import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Media } from '../../engine/media/media.ts'
import type { Metrics } from '../../engine/telemetry/metrics/metrics.ts'
import type { Feeds } from '../../engine/watch/feeds.ts'
import type { Poller } from '../../engine/watch/poller.ts'
import type { CacheStore } from '../../kit/cache/cache.ts'
import { openReply, type Reply, writeHead } from '../http/reply.ts'

/** Metrics in some text format. */
type MetricsText = Pick<Metrics, 'contentType' | 'text'>

/** A server for the metrics alone. */
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
export interface Measured {
  readonly admission: { readonly waiting: number }
  readonly unread: { readonly bytes: number }
  readonly sockets: { readonly size: number }
  readonly subscriptions: { readonly open: number }
  readonly poller: Pick<Poller, 'size' | 'listeners' | 'inFlight' | 'lateMs'>
  readonly feeds: Pick<Feeds, 'size' | 'listeners'>
  readonly cache: CacheStore
  readonly media?: Pick<Media, 'outcomes'> | undefined
}

/** Adds the metrics of what a server has open. */
export function addServerMetrics(metrics: Metrics, measured: Measured): void {
  const { admission, unread, sockets, subscriptions, poller, feeds, cache, media } = measured
  metrics.caches(cache)
  metrics.gauge('portolan_operations_waiting', 'Heavy operations that wait for others.', () => admission.waiting)
  metrics.gauge('portolan_answer_bytes_waiting', 'Bytes of answers that clients have not read yet.', () => unread.bytes)
  metrics.gauge('portolan_sockets', 'Open WebSockets.', () => sockets.size)
  metrics.gauge('portolan_subscriptions', 'Open subscriptions.', () => subscriptions.open)
  metrics.gauge('portolan_polls', 'Polled transfers and quotes.', () => poller.size)
  metrics.gauge('portolan_poll_listeners', 'Listeners of all polls.', () => poller.listeners)
  metrics.gauge('portolan_polls_in_flight', 'Poll requests in flight.', () => poller.inFlight)
  metrics.gauge(
    'portolan_poll_late_seconds',
    'Seconds that the poll has waited which waits longest for its turn.',
    () => poller.lateMs / 1000,
  )
  if (media) {
    metrics.collect({
      name: 'portolan_media_fetches_total',
      help: 'Metadata and pictures of NFTs that were fetched, by outcome.',
      kind: 'counter',
      label: 'outcome',
      read: () => media.outcomes,
    })
  }
  metrics.gauge('portolan_feeds', 'Open feeds.', () => feeds.size)
  metrics.gauge('portolan_feed_listeners', 'Listeners of all feeds.', () => feeds.listeners)
}
