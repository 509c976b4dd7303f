import { createServer } from 'node:http'
import { AsyncDisposableStack } from '@whatwg-node/disposablestack'
import { systemClock } from '../kit/clock/clock.ts'
import type { KeyOptions } from './clients/clients.ts'
import { isOfGraphiql } from './graphiql/html.ts'
import { createGraphiql } from './graphiql/page.ts'
import { followConnections, followRefusals, shareConnections } from './http/connections.ts'
import { endpoint } from './http/fetchClasses.ts'
import { listenOn } from './http/listen.ts'
import { createRequestListener, IncomingRequest } from './http/requestListener.ts'
import { addServerMetrics } from './metrics/serverMetrics.ts'
import { Pipeline } from './operation/pipeline.ts'
import { createGraphqlHandler } from './routes/graphqlHandler.ts'
import { createMcpRoute } from './routes/mcpRoute.ts'
import { createMissingRecords } from './routes/missingRecords.ts'
import { createRoutes } from './routes/routes.ts'
import { createSandboxRoute } from './routes/sandboxRoute.ts'
import { createSchemaFile } from './routes/schemaFile.ts'
import { openServices, type ServerOptions, type Services } from './services.ts'
import { type ClosingState, createShutdown, type Handlers } from './shutdown.ts'
import { lostPage } from './static/plainPage.ts'
import { createStaticRoutes, fileOfSite } from './static/staticRoutes.ts'
import { createSockets, createUpgrades } from './ws/graphqlWs.ts'

export interface Server {
  readonly url: string
  /** Replaces the keys and the limits of clients. Operations under way go on. */
  replaceKeys(options: KeyOptions): void
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
  const { host, port, metrics, internals } = options
  const { listen = listenOn(port, host) } = internals

  const state: ClosingState = { isDraining: false, isClosing: false }
  const services = openServices(options)
  const { onRefusal, shared } = services
  const { limits } = shared
  const handlers = createHandlers(services, state)
  const { handle, onUpgrade, sockets } = handlers
  if (metrics) addServerMetrics(metrics, { ...shared, ...services, sockets })

  const server = createServer(
    { ...senderTimeouts, IncomingMessage: IncomingRequest },
    createRequestListener(services, state, handle, (request, response) => {
      connections.forget(request, response)
      shutdown.onResponseEnd()
    }),
  )
  stack.defer(() => {
    server.close()
    server.closeAllConnections()
  })
  // Drops clients that stop reading, but no client that waits for an answer. Node allows one more period. It counts real time,
  // so it drops nobody where a test keeps the time.
  server.timeout = shared.clock === systemClock ? Math.max(25_000, limits.timeoutMs + 5_000) : 0
  const connections = followConnections(server)
  shareConnections(server, connections, { ...services, limits })
  followRefusals(server, onRefusal)
  server.on('upgrade', onUpgrade)

  const shutdown = createShutdown(services, state, server, connections, handlers)
  const origin = await listen(server)
  // From here, the shutdown ends all of them in time.
  stack.move()
  return { url: `${origin}${endpoint}`, close: shutdown.run, replaceKeys: services.replaceKeys }
}

/** Creates the handlers of a server. They read the state when a request comes. */
function createHandlers(services: Services, state: Readonly<ClosingState>): Handlers {
  const { introspection, trustedDocumentsOnly, sites, internals } = services
  const pipeline = new Pipeline(services)
  const { graphiql, files } = createSites(services, pipeline)
  const graph = createGraphqlHandler(services, pipeline, files, graphiql)
  const sockets = createSockets(services, pipeline)
  const hasSchemaFile = introspection && !trustedDocumentsOnly
  const handle = createRoutes({ ...services, servesMetrics: internals.servesMetrics }, state, {
    files,
    graph: graph.handle,
    schemaFile: hasSchemaFile ? createSchemaFile(services) : undefined,
    mcp: sites.mcp && createMcpRoute(services, pipeline, sites.mcp),
    sandbox: createSandboxRoute(sites.sandboxControlUrl, services.identify),
  })
  const onUpgrade = createUpgrades(services, sockets, () => state.isClosing)
  return { handle, onUpgrade, sockets, graph }
}

/** Creates the pages of a server: GraphiQL, and the files of its sites. */
function createSites(services: Services, pipeline: Pipeline) {
  const { graphiql: hasGraphiql, site, pages } = services.sites
  const graphiql = hasGraphiql ? createGraphiql({ ...services.shared, sites: services.sites }) : undefined
  const files = createStaticRoutes(services, {
    hasFolder: pages?.has,
    lostPage: site?.page ?? lostPage(),
    isMissing: site && createMissingRecords(site.records, pipeline, services),
    fileAt: (path, request) =>
      graphiql && isOfGraphiql(path)
        ? graphiql.fileAt(path)
        : (pages?.fileAt(path) ?? (site && fileOfSite(site, path, request))),
  })
  return { graphiql, files }
}
