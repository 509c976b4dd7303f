import type { IncomingMessage } from 'node:http'
import type { Metrics } from '../../engine/telemetry/metrics/metrics.ts'
import type { Readiness } from '../../engine/telemetry/readiness.ts'
import { wantsPage } from '../graphiql/page.ts'
import { endpoint } from '../http/fetchClasses.ts'
import { sendError } from '../http/httpError.ts'
import { type Handler, sendJson, writeHead } from '../http/reply.ts'
import { allowOrigins, pathOf, plainPath, refuseFaulty } from '../http/requestGuards.ts'
import type { TransportServices } from '../http/transportServices.ts'
import { type Exchange, type RequestStep, way } from '../http/way.ts'
import { sendMetrics } from '../metrics/serverMetrics.ts'
import { moveTo, type StaticRoutes } from '../static/staticRoutes.ts'
import { mcpPath } from './mcpRoute.ts'
import { sandboxPath } from './sandboxRoute.ts'
import { schemaPath } from './schemaFile.ts'

/** The paths that are also served with a slash too many. */
const publicPaths: ReadonlySet<string> = new Set([endpoint, schemaPath, mcpPath])

/** The handlers of a server by their paths. */
/** What is answered without the graph. */
export interface RoutesOptions extends Pick<TransportServices, 'allowedOrigins'> {
  /** Reads the report of `/ready`. */
  readonly readiness: () => Promise<Readiness>
  readonly metrics?: Metrics | undefined
  /** Serve the metrics at `/metrics`. Default: true. */
  readonly servesMetrics?: boolean | undefined
}

export interface PathHandlers {
  readonly graph: Handler
  /** Serves the schema in SDL. Left out, it is not served. */
  readonly schemaFile?: Handler | undefined
  /** Serves tools for agents. Left out, there are none. */
  readonly mcp?: Handler | undefined
  /** Breaks and mends the services of a sandbox. Left out, nobody can. */
  readonly sandbox?: Handler | undefined
  /** The files at all other paths. */
  readonly files: Pick<StaticRoutes, 'find' | 'findLost'>
}

/**
 * A handler of all requests, by their path. It refuses faulty requests, and requests to other paths. A server that is
 * about to close is not ready.
 */
export function createRoutes(
  { allowedOrigins, readiness, metrics, servesMetrics = true }: RoutesOptions,
  state: { readonly isDraining: boolean },
  { graph, schemaFile, mcp, sandbox, files }: PathHandlers,
): Handler {
  const routes: Record<string, Handler | undefined> = {
    [endpoint]: graph,
    '/health': (_request, reply) => sendJson(reply, 200, { status: 'ok' }),
    async '/ready'(_request, reply) {
      if (state.isDraining) return sendJson(reply, 503, { status: 'shutting down' })
      const { isReady, ...reports } = await readiness()
      const status = isReady ? 'ready' : 'not ready'
      sendJson(reply, isReady ? 200 : 503, { status, ...reports })
    },
    [schemaPath]: schemaFile,
    [mcpPath]: mcp,
    [sandboxPath]: sandbox,
    '/metrics': servesMetrics && metrics ? (_request, reply) => sendMetrics(metrics, reply) : undefined,
  }
  const ownPaths = Object.keys(routes)
  /** Whether a path is one of the server, on or off, or below one. Programs use these, and expect no page. */
  const isOfServer = (path: string) => ownPaths.some((own) => path === own || path.startsWith(`${own}/`))
  /** Proxies keep probes and metrics from the public by their exact paths, so that no other path may lead to them. */
  const findPublic = (request: IncomingMessage, path: string): Handler | undefined => {
    const route = publicPaths.has(path) ? routes[path] : undefined
    // GraphiQL reads its own address.
    if (route) return wantsPage(request) ? moveTo(path) : route
    return files.find(request)
  }
  /** Leads a request to the handler of its path. */
  const takeRoute: RequestStep<Exchange> = (exchange, next) => {
    const { request, reply } = exchange
    const path = pathOf(request)
    const route = routes[path] ?? findPublic(request, plainPath(path))
    return route ? route(request, reply) : next(exchange)
  }
  const leadToGraph: RequestStep<Exchange> = (exchange, next) => {
    if (plainPath(pathOf(exchange.request)) !== '/') return next(exchange)
    writeHead(exchange.reply, 302, { location: endpoint }).end()
  }
  /** Sends the page for browsers at unknown paths. */
  const sendLostPage: RequestStep<Exchange> = (exchange, next) => {
    const { request, reply } = exchange
    const lost = isOfServer(plainPath(pathOf(request))) ? undefined : files.findLost(request)
    return lost ? lost(request, reply) : next(exchange)
  }
  const notFound = { status: 404, message: `Not found. The graph is at ${endpoint}.` }
  return way()
    .step(refuseFaulty(allowedOrigins))
    .step(takeRoute)
    .step(leadToGraph)
    .step(sendLostPage)
    .step(allowOrigins(allowedOrigins))
    .end(({ reply }) => sendError(reply, notFound))
}
