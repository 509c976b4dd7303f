import { createServer } from 'node:http'
import type { GraphQLSchema } from 'graphql'
import type { Limits } from '../config/limits/limits.ts'
import type { SharedContext } from '../graphql/builder.ts'
import type { Clock } from '../kit/clock/clock.ts'
import type { McpEndpoint } from '../mcp/endpoint.ts'
import { createErrorLog } from '../telemetry/errorLog.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics/metrics.ts'
import type { Readiness } from '../telemetry/readiness.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import type { Tracing } from '../telemetry/tracing/tracing.ts'
import { createUpstreamHealth, type UpstreamHealth } from '../telemetry/upstreamHealth.ts'
import type { RefusingLimit } from '../upstream/error.ts'
import { type ClientOptions, createClients } from './clients/clients.ts'
import type { SharableBudget } from './execution/client.ts'
import { createCompiledExecutor } from './execution/compiled/compiledExecutor.ts'
import { createExecutor } from './execution/compiled/executor.ts'
import type { TrustedDocuments } from './execution/documents/documentTexts.ts'
import { createErrorFormatter } from './execution/formatError.ts'
import { createHeavyOperations } from './execution/pipeline/heavyOperations.ts'
import { createPipeline } from './execution/pipeline/pipeline.ts'
import { createWaitingAnswers } from './execution/pipeline/waitingAnswers.ts'
import { isOfGraphiql } from './graphiql/library.ts'
import { createGraphiql } from './graphiql/page.ts'
import { createConnectionQuota } from './http/connectionQuota.ts'
import { shareConnections } from './http/connectionShare.ts'
import type { AllowedOrigins } from './http/cors.ts'
import { createGraphqlHandler } from './http/graphqlHandler.ts'
import { type Listen, listenOn } from './http/listen.ts'
import { createMcpRoute } from './http/mcpRoute.ts'
import { createMediaRoute } from './http/mediaRoute.ts'
import { followConnections } from './http/openConnections.ts'
import { followRefusals } from './http/refusedConnections.ts'
import { createRequestListener } from './http/requestListener.ts'
import { createResponseCache } from './http/responseCache.ts'
import { createRoutes } from './http/routes.ts'
import { createSandboxRoute } from './http/sandboxRoute.ts'
import { createSchemaFile } from './http/schemaFile.ts'
import { endpoint } from './http/yoga.ts'
import { addServerMetrics } from './metrics/serverMetrics.ts'
import { createShutdown } from './shutdown.ts'
import { createPageTitles } from './static/pageTitles.ts'
import type { Pages, Site } from './static/site.ts'
import { createStaticRoutes, titledFileOfSite } from './static/staticRoutes.ts'
import { createSockets } from './ws/graphqlWs.ts'
import { createUpgrades } from './ws/upgrades.ts'

/** What a server serves, and how. */
export interface ServerOptions extends SharedContext, TrustedDocuments {
  readonly schema: GraphQLSchema
  readonly host: string
  /** 0 for a free port. */
  readonly port: number
  /** Gives the server its connections in the place of a port of its own. */
  readonly listen?: Listen | undefined
  readonly clock: Clock
  readonly log: Log
  /** What `/ready` reports. */
  readonly readiness: () => Promise<Readiness>
  /** Left out, operations are not traced. */
  readonly tracing?: Tracing | undefined
  readonly metrics?: Metrics
  /** Serve the metrics at `/metrics`. Default: true. */
  readonly servesMetrics?: boolean
  /** What requests to upstreams have shown. By default nothing is known. */
  readonly health?: UpstreamHealth
  readonly graphiql: boolean
  /** Pages and files at paths of their own. */
  readonly site?: Site | undefined
  /** Pages that are files of their own, such as the documentation. */
  readonly pages?: Pages | undefined
  /** Where the services of a sandbox are broken and mended. Left out, there is no route to it. */
  readonly sandboxControlUrl?: string | undefined
  readonly introspection: boolean
  /** Tools for agents. Left out, there are none. */
  readonly mcp?: McpEndpoint | undefined
  /** Run operations compiled. If false, graphql-js runs all of them. */
  readonly compileOperations: boolean
  readonly allowedOrigins: AllowedOrigins
  readonly clients?: ClientOptions | undefined
  /** Makes other processes count what clients spend here. */
  readonly shareBudget?: ((budget: SharableBudget) => SharableBudget) | undefined
  /** Milliseconds that open operations have to finish after the server starts to close. */
  readonly grace?: number
  /** Least milliseconds in which a closing server answers requests that were on their way. */
  readonly drain?: number
  /** Milliseconds between pings to each WebSocket. */
  readonly pingInterval?: number | undefined
  /** Whether plain requests skip yoga. Default: true. */
  readonly directPath?: boolean | undefined
  /** Whether all requests of a client reach this process. Default: true. */
  readonly sharesStreams?: boolean | undefined
}

/** A running server. */
export interface Server {
  /** The URL of the graph. */
  readonly url: string
  /**
   * Is not ready for the limit `shutdownDelayMs`, then stops listening. Lets open operations finish, and
   * cuts those that have not finished after the grace period. Connections without a request do not delay it.
   */
  close(): Promise<void>
}

/** Serves the graph over HTTP, server-sent events and WebSocket. Rejects if the port cannot be used. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { schema, cache, poller, feeds, limits, turns, media } = options
  const { clock, log, metrics, health = createUpstreamHealth(options) } = options
  const { allowedOrigins, grace = 8_000, drain = 100, servesMetrics = true, site } = options
  const subscriptions = { open: 0 }
  const telemetry: Telemetry = {
    onOperation(event) {
      metrics?.onOperation(event)
      log.debug(event, 'operation')
    },
    onSubscription() {
      subscriptions.open += 1
      return () => {
        subscriptions.open -= 1
      }
    },
  }
  const onRefusal = (limit: RefusingLimit) => metrics?.onRefusal(limit)
  const formatError = createErrorFormatter(createErrorLog({ log, clock, health }), {
    hideSuggestions: !options.introspection,
    onRefusal,
  })
  const graphqlJs = createExecutor(schema)
  const executor = options.compileOperations
    ? createCompiledExecutor({
        schema,
        fallback: graphqlJs,
        onFallback: (reason) => metrics?.onFallback(reason),
      })
    : graphqlJs
  const { identify, budget: ownBudget, isProxy } = createClients(options.clients ?? {}, options)
  const budget = options.shareBudget?.(ownBudget) ?? ownBudget
  const heavy = createHeavyOperations(clock)
  const waiting = createWaitingAnswers(limits)
  const run = { heavy, waiting, executor, telemetry, formatError, budget }
  const pipeline = createPipeline({ ...options, ...run })
  const quota = createConnectionQuota(limits.maxStreamsPerClient)
  const answers = createResponseCache({ ...{ cache, clock, network: options.network }, ...limits })
  const graphiql = options.graphiql
    ? createGraphiql(pipeline, { clock, isSandbox: options.service.isSandbox })
    : undefined
  const titles = site && createPageTitles({ site, cache, clock, pipeline })
  const { pages } = options
  const files = createStaticRoutes(
    { identify, budget, hasFolder: pages?.has, lostPage: site?.page },
    (path, request) =>
      graphiql && isOfGraphiql(path)
        ? graphiql.fileAt(path)
        : (pages?.fileAt(path) ??
          (titles && titledFileOfSite(site, titles, { path, request, identify }))),
  )
  const graph = createGraphqlHandler({
    ...{ ...options, ...limits, pipeline, formatError, quota, identify, answers, waiting },
    ...{ graphiql, files, onRefusal },
  })
  const sockets = createSockets({
    ...{ schema, pipeline, formatError, clock, log, identify, turns, waiting, onRefusal },
    maxSubscriptions: limits.maxSubscriptions,
    maxPayload: limits.maxRequestBytes,
    messagesPerSecond: limits.maxMessagesPerSecond,
    pingInterval: options.pingInterval,
  })
  if (metrics)
    addServerMetrics(metrics, {
      heavy,
      waiting,
      sockets,
      subscriptions,
      poller,
      feeds,
      cache,
      media,
    })

  const isDraining = () => shutdown.isDraining
  const hasSchemaFile = options.introspection && !options.trustedDocumentsOnly
  const handle = createRoutes({
    allowedOrigins,
    graph: graph.handle,
    schemaFile: hasSchemaFile
      ? createSchemaFile({ schema, allowedOrigins, identify, budget })
      : undefined,
    mcp:
      options.mcp &&
      createMcpRoute({
        ...{ pipeline, identify, quota, waiting, clock, endpoint: options.mcp },
        foreignPipeline: createPipeline({ ...options, ...run, limits: foreignLimits(limits) }),
        maxRequestBytes: limits.maxRequestBytes,
      }),
    media: media && createMediaRoute({ media, allowedOrigins, identify, budget, waiting }),
    metrics: servesMetrics ? metrics : undefined,
    sandbox: createSandboxRoute(options.sandboxControlUrl, identify),
    files,
    readiness: options.readiness,
    isDraining,
  })
  const server = createServer(
    // Drop slow senders.
    { headersTimeout: 10_000, requestTimeout: 12_000, connectionsCheckingInterval: 2_500 },
    createRequestListener({
      ...{ handle, clock, log, isDraining, isSandbox: options.service.isSandbox },
      onEnd(request, response) {
        connections.forget(request, response)
        shutdown.onResponseEnd()
      },
    }),
  )
  // Drop clients that stop reading, but not those that wait. Node allows one more timeout period.
  server.timeout = Math.max(25_000, limits.timeoutMs + 5_000)
  const connections = followConnections(server)
  const { maxConnections } = limits
  shareConnections(server, { maxConnections, isProxy, connections, onRefusal })
  followRefusals(server, onRefusal)

  const shutdown = createShutdown({
    ...{ server, connections, sockets, graph, clock },
    drainMs: Math.max(limits.shutdownDelayMs, drain),
    graceMs: grace,
  })
  server.on(
    'upgrade',
    createUpgrades({
      ...{ path: endpoint, allowedOrigins, identify, quota, sockets, onRefusal },
      isClosing: () => shutdown.isClosing,
    }),
  )

  const { port, host, listen = listenOn(port, host) } = options
  try {
    return { url: `${await listen(server)}${endpoint}`, close: shutdown.run }
  } catch (error) {
    // Their pings would keep the process from ending.
    sockets.drain()
    throw error
  }
}

/** The limits of queries that agents write: a quarter of what a client may ask for. */
const foreignLimits = (limits: Limits): Limits => ({
  ...limits,
  maxCost: Math.ceil(limits.maxCost / 4),
})
