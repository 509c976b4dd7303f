import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Metrics } from '../observability/metrics/metrics.ts'
import { sendMetrics } from '../observability/metrics/metricsServer.ts'
import type { Readiness } from '../observability/readiness.ts'
import { pathOf, sendError, sendJson, validateRequest } from './requestGuards.ts'
import { schemaPath } from './schemaFile.ts'
import { endpoint } from './yoga.ts'

/** Answers a request. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void

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
    '/': (_request, response) => void response.writeHead(302, { location: endpoint }).end(),
    '/health': (_request, response) => sendJson(response, 200, { status: 'ok' }),
    async '/ready'(_request, response) {
      if (isDraining()) return sendJson(response, 503, { status: 'shutting down' })
      const { isReady, ...reports } = await readiness()
      const status = isReady ? 'ready' : 'not ready'
      sendJson(response, isReady ? 200 : 503, { status, ...reports })
    },
    [schemaPath]: schemaFile,
    '/metrics': metrics && ((_request, response) => sendMetrics(metrics, response)),
  }
  return (request, response) => {
    const invalid = validateRequest(request)
    if (invalid) return sendError(response, invalid)
    const route = routes[pathOf(request)]
    if (route) return route(request, response)
    const message = `Not found. The graph is at ${endpoint}.`
    return sendError(response, { status: 404, message })
  }
}
