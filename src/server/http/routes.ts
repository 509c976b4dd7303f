import type { IncomingMessage } from 'node:http'
import type { Metrics } from '../observability/metrics/metrics.ts'
import { sendMetrics } from '../observability/metrics/metricsServer.ts'
import type { Readiness } from '../observability/readiness.ts'
import { type Reply, writeHead } from './reply.ts'
import { pathOf, sendError, sendJson, validateRequest } from './requestGuards.ts'
import { schemaPath } from './schemaFile.ts'
import { endpoint } from './yoga.ts'

/** Answers a request. */
export type Handler = (request: IncomingMessage, reply: Reply) => Promise<void> | void

/** What a server has at its paths. */
export interface RoutesOptions {
  /** Handles the requests to the graph. */
  readonly graph: Handler
  /** Serves the schema in SDL. Left out, it is not served. */
  readonly schemaFile?: Handler | undefined
  /** What `/metrics` shows. Left out, it is not served. */
  readonly metrics?: Pick<Metrics, 'contentType' | 'text'> | undefined
  /** What `/ready` reports. */
  readonly readiness: () => Promise<Readiness>
  /** Whether the server is about to close. It is not ready then. */
  readonly isDraining: () => boolean
}

/** A handler of all requests, by their path. It refuses those that are faulty or to another path. */
export function createRoutes(options: RoutesOptions): Handler {
  const { graph, schemaFile, metrics, readiness, isDraining } = options
  const routes: Record<string, Handler | undefined> = {
    [endpoint]: graph,
    '/': (_request, reply) => void writeHead(reply, 302, { location: endpoint }).end(),
    '/health': (_request, reply) => sendJson(reply, 200, { status: 'ok' }),
    async '/ready'(_request, reply) {
      if (isDraining()) return sendJson(reply, 503, { status: 'shutting down' })
      const { isReady, ...reports } = await readiness()
      const status = isReady ? 'ready' : 'not ready'
      sendJson(reply, isReady ? 200 : 503, { status, ...reports })
    },
    [schemaPath]: schemaFile,
    '/metrics': metrics && ((_request, reply) => sendMetrics(metrics, reply)),
  }
  return (request, reply) => {
    const invalid = validateRequest(request)
    if (invalid) return sendError(reply, invalid)
    const route = routes[pathOf(request)]
    if (route) return route(request, reply)
    const message = `Not found. The graph is at ${endpoint}.`
    return sendError(reply, { status: 404, message })
  }
}
