import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Metrics } from '../../telemetry/metrics/metrics.ts'
import { openReply, type Reply, writeHead } from '../http/reply.ts'

/** Metrics in some text format. */
type MetricsText = Pick<Metrics, 'contentType' | 'text'>

/** A server for the metrics alone. */
export interface MetricsServer {
  readonly url: string
  close(): Promise<void>
}

/** Sends the metrics as a response. */
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
