import { createServer } from 'node:http'
import { AsyncDisposableStack } from '@whatwg-node/disposablestack'
import { isOfGraphiql } from './graphiql/library.ts'
import { createGraphiql } from './graphiql/page.ts'
import {
  createConnectionQuota,
  followConnections,
  followRefusals,
  shareConnections,
} from './http/connections.ts'
import { createGraphqlHandler, type GraphqlHandler } from './http/graphqlHandler.ts'
import { IncomingRequest } from './http/incomingRequest.ts'
import { listenOn } from './http/listen.ts'
import { createMcpRoute } from './http/mcpRoute.ts'
import { createMediaRoute } from './http/mediaRoute.ts'
import type { Handler } from './http/reply.ts'
import { createRequestListener } from './http/requestListener.ts'
import { createResponseCache } from './http/responseCache.ts'
import { createRoutes } from './http/routes.ts'
import { createSandboxRoute } from './http/sandboxRoute.ts'
import { createSchemaFile } from './http/schemaFile.ts'
import { endpoint } from './http/yoga.ts'
import { addServerMetrics } from './metrics/serverMetrics.ts'
import { type Operations, openOperations } from './operations.ts'
import type { ServerOptions } from './serverOptions.ts'
import { type ClosingState, createShutdown } from './shutdown.ts'
import { createPageTitles } from './static/pageTitles.ts'
import { lostPage } from './static/plainPage.ts'
import { createStaticRoutes, titledFileOfSite } from './static/staticRoutes.ts'
import { createSockets, type Sockets } from './ws/graphqlWs.ts'
import { createUpgrades } from './ws/upgrades.ts'

/** A running server. */
export interface Server {
  readonly url: string
  /**
   * Is not ready for the limit `shutdownDelayMs`, then stops listening. Open operations may finish during the
   * grace period, and are cut after it. Connections without a request do not delay it.
   */
  close(): Promise<void>
}

/** Drops slow senders. Times are in milliseconds. */
const senderTimeouts = {
  headersTimeout: 10_000,
  requestTimeout: 12_000,
  connectionsCheckingInterval: 2_500,
}

/** Serves the graph over HTTP, server-sent events and WebSocket. Rejects if the port cannot be used. */
export async function startServer(options: ServerOptions): Promise<Server> {
  await using stack = new AsyncDisposableStack()
  const { address, shared, telemetry, internals = {} } = options
  const { clock, limits } = shared
  const { log, metrics } = telemetry
  const { grace = 8_000, drain = 100, listen = listenOn(address.port, address.host) } = internals

  const state: ClosingState = { isDraining: false, isClosing: false }
  const operations = openOperations(options)
  const { onRefusal, isProxy } = operations
  const { handle, onUpgrade, sockets, graph } = createHandlers(options, operations, state)
  // Their pings would keep the process from ending.
  stack.defer(sockets.drain)
  if (metrics) addServerMetrics(metrics, { ...shared, ...operations, sockets })

  const server = createServer(
    { ...senderTimeouts, IncomingMessage: IncomingRequest },
    createRequestListener({
      ...{ handle, clock, log, isSandbox: shared.service.isSandbox },
      isDraining: () => state.isDraining,
      onEnd(request, response) {
        connections.forget(request, response)
        shutdown.onResponseEnd()
      },
    }),
  )
  stack.defer(() => {
    server.close()
    server.closeAllConnections()
  })
  // Drops clients that stop reading, but no client that waits for an answer. Node allows one more period.
  server.timeout = Math.max(25_000, limits.timeoutMs + 5_000)
  const connections = followConnections(server)
  shareConnections(server, {
    ...{ isProxy, connections, onRefusal, maxConnections: limits.maxConnections },
  })
  followRefusals(server, onRefusal)
  server.on('upgrade', onUpgrade)

  const shutdown = createShutdown({
    ...{ server, connections, sockets, graph, clock, state },
    drainMs: Math.max(limits.shutdownDelayMs, drain),
    graceMs: grace,
  })
  const origin = await listen(server)
  // From here, the shutdown ends all of them in time.
  stack.move()
  return { url: `${origin}${endpoint}`, close: shutdown.run }
}

/** The handlers of all requests, WebSockets and streams. */
export interface Handlers {
  readonly handle: Handler
  /** Handles requests that become WebSockets. */
  readonly onUpgrade: ReturnType<typeof createUpgrades>
  readonly sockets: Sockets
  readonly graph: Pick<GraphqlHandler, 'terminateStreams'>
}

/** Creates the handlers of a server. They read the state when a request comes. */
function createHandlers(
  options: ServerOptions,
  operations: Operations,
  state: Readonly<ClosingState>,
): Handlers {
  const { shared, graph: served, access, telemetry, sites, internals = {} } = options
  const { limits, clock } = shared
  const { allowedOrigins } = access
  const { identify, budget, waiting } = operations
  const quota = createConnectionQuota(limits.maxStreamsPerClient)
  const { graphiql, files } = createSites(options, operations)
  const graph = createGraphqlHandler({
    ...{ ...operations, ...internals, ...limits, allowedOrigins, quota, graphiql, files, clock },
    turns: shared.turns,
    answers: createResponseCache({ ...shared, ...limits }),
  })
  const sockets = createSockets({
    ...{ ...operations, schema: served.schema, clock, turns: shared.turns, log: telemetry.log },
    maxSubscriptions: limits.maxSubscriptions,
    maxPayload: limits.maxRequestBytes,
    messagesPerSecond: limits.maxMessagesPerSecond,
    pingInterval: internals.pingInterval,
  })
  const hasSchemaFile = served.introspection && !served.trustedDocumentsOnly
  const handle = createRoutes({
    ...{ allowedOrigins, files, graph: graph.handle, readiness: telemetry.readiness },
    schemaFile: hasSchemaFile
      ? createSchemaFile({ schema: served.schema, allowedOrigins, identify, budget })
      : undefined,
    mcp:
      sites.mcp &&
      createMcpRoute({
        ...{ ...operations, quota, clock, turns: shared.turns },
        maxRequestBytes: limits.maxRequestBytes,
        ...{ endpoint: sites.mcp, foreignPipeline: operations.openForeignPipeline() },
      }),
    media:
      shared.media &&
      createMediaRoute({ media: shared.media, allowedOrigins, identify, budget, waiting }),
    metrics: (internals.servesMetrics ?? true) ? telemetry.metrics : undefined,
    sandbox: createSandboxRoute(sites.sandboxControlUrl, identify),
    isDraining: () => state.isDraining,
  })
  const onUpgrade = createUpgrades({
    ...{ path: endpoint, allowedOrigins, identify, quota, sockets },
    onRefusal: operations.onRefusal,
    isClosing: () => state.isClosing,
  })
  return { handle, onUpgrade, sockets, graph }
}

/** Creates the pages of a server: GraphiQL, and the files of its sites. */
function createSites({ shared, sites }: ServerOptions, { pipeline, identify, budget }: Operations) {
  const { clock, cache, service } = shared
  const { site, pages } = sites
  const graphiql = sites.graphiql
    ? createGraphiql(pipeline, { clock, isSandbox: service.isSandbox })
    : undefined
  const titles = site && createPageTitles({ site, cache, clock, pipeline })
  const files = createStaticRoutes(
    { identify, budget, hasFolder: pages?.has, lostPage: site?.page ?? lostPage() },
    (path, request) =>
      graphiql && isOfGraphiql(path)
        ? graphiql.fileAt(path)
        : (pages?.fileAt(path) ??
          (titles && titledFileOfSite(site, titles, { path, request, identify }))),
  )
  return { graphiql, files }
}
