import { randomBytes } from 'node:crypto'
import type { GraphQLSchema } from 'graphql'
import { pino } from 'pino'
import { createMemoryCacheStore } from './cache/cache.ts'
import { type Clock, systemClock } from './clock/clock.ts'
import { createTurns } from './clock/turns.ts'
import { type Limits, resolveLimits } from './config/limits/limits.ts'
import { type NetworkOptions, openNetwork } from './config/openNetwork.ts'
import { createFleet, fleetWaitMs, type RedisOptions } from './fleet/fleet.ts'
import type { SharedContext } from './graphql/builder.ts'
import { localBackplane } from './polling/backplane/backplane.ts'
import type { Readings, RunRead } from './polling/backplane/readings.ts'
import { createRunRead } from './polling/backplane/runRead.ts'
import { createSharedBackplane } from './polling/backplane/sharedBackplane.ts'
import { createFeeds } from './polling/feed.ts'
import { createPoller, type PollerOptions } from './polling/poller.ts'
import { fetchStatus } from './schema/indexer/chain.ts'
import { schema as portolanSchema } from './schema/schema.ts'
import type { ClientOptions } from './server/clients/clients.ts'
import { documentsRegion } from './server/execution/documents.ts'
import type { TrustedDocuments } from './server/execution/documentTexts.ts'
import { answersRegion } from './server/http/answers.ts'
import type { Log } from './server/observability/log.ts'
import { createMetrics, type Metrics } from './server/observability/metrics/metrics.ts'
import {
  type MetricsServer,
  startMetricsServer,
} from './server/observability/metrics/metricsServer.ts'
import { createUpstreamEvents } from './server/observability/metrics/upstreamMetrics.ts'
import { createReadiness } from './server/observability/readiness.ts'
import type { Tracing } from './server/observability/tracing/tracing.ts'
import { createUpstreamHealth } from './server/observability/upstreamHealth.ts'
import { type ServerOptions, startServer } from './server/server.ts'
import { madeKeyMessage } from './signing/madeKey.ts'
import { createRenewableSigner, createSigner } from './signing/signer.ts'
import type { UpstreamOptions } from './upstream/client.ts'
import { createDispatcher } from './upstream/httpAgent.ts'
import { packageVersion } from './version.ts'

export type { Limits } from './config/limits/limits.ts'
export type {
  ChainOptions,
  ListedChainOptions,
  NetworkOptions,
  ServiceOptions,
} from './config/openNetwork.ts'
export type { ClientOptions } from './server/clients/clients.ts'

/** What a gateway serves, and how. */
export interface GatewayOptions extends NetworkOptions, ClientOptions, TrustedDocuments {
  /** Address to listen on. Default: 127.0.0.1. */
  readonly host?: string
  /** Port to listen on. Default: 0, a free port. */
  readonly port?: number
  /** Port of its own for `/metrics`. 0 for a free port. Default: the port of the graph. */
  readonly metricsPort?: number | undefined
  /** Serve GraphiQL to browsers. Default: true. */
  readonly graphiql?: boolean
  /** Allow introspection. Default: true. */
  readonly introspection?: boolean
  /** Compile operations. If false, graphql-js runs all of them. Default: true. */
  readonly compileOperations?: boolean
  /** Origins whose web pages may use the graph. Default: all. */
  readonly allowedOrigins?: '*' | readonly string[]
  /**
   * Keys that sign cursors and route tokens, of at least 32 bytes. The first signs, all are accepted.
   * Replicas need the same. Default: a key that this gateway makes for itself.
   */
  readonly signingKeys?: readonly string[] | undefined
  /** A Redis that all gateways of a fleet share: watching then costs the upstreams as much as with one gateway. */
  readonly redis?: RedisOptions | undefined
  /** The network is simulated. Clients read it from `service.isSandbox` and a header. Default: false. */
  readonly isSandbox?: boolean
  /** Limits that differ from the defaults. */
  readonly limits?: Partial<Limits>
  /** A pino logger, or any object with its four methods. Default: nothing is logged. */
  readonly log?: Log
  /** Records a span for each operation and each upstream request. Closed with the gateway. */
  readonly tracing?: Tracing | undefined
}

/** Parts that tests replace to control time, chance and the graph. */
export interface GatewayInternals {
  readonly clock?: Clock
  /** Chance for retries and polls: from 0 up to, but not including, 1. */
  readonly random?: () => number
  readonly schema?: GraphQLSchema
  readonly poller?: Partial<PollerOptions>
  readonly upstream?: Pick<UpstreamOptions, 'backoff'>
  readonly server?: Pick<
    ServerOptions,
    'grace' | 'drain' | 'pingInterval' | 'directPath' | 'servesMetrics' | 'shareBudget'
  >
  /** Shares the requests of watching with other processes, which may ask this one to send some. */
  readonly readings?: (run: RunRead) => Readings
  /** Where the gateway counts. A worker answers for all workers with it. */
  readonly metrics?: Metrics
}

/** A running gateway. */
export interface Gateway extends AsyncDisposable {
  /** The URL of the GraphQL endpoint, for HTTP and WebSocket. */
  readonly url: string
  /** The URL of the metrics. */
  readonly metricsUrl: string
  /** What resolvers share, for code that runs operations in this process. */
  readonly shared: SharedContext
  /**
   * Replaces the chains, without an interruption. A chain whose options are the same keeps its client; open
   * subscriptions end with the client they began with. Throws if the chains are faulty, and changes nothing.
   */
  updateChains(options: Pick<NetworkOptions, 'chains' | 'listed' | 'defaultChain'>): void
  /** Stops listening, lets open operations finish for some seconds, then closes everything. */
  close(): Promise<void>
}

/**
 * Starts a gateway. This is the only place where its parts are put together.
 * @throws RangeError if a limit is out of bounds, or a signing key is too short.
 * @throws Error if there is no chain, a URL is invalid, or the port cannot be used.
 */
export async function createGateway(
  options: GatewayOptions,
  internals: GatewayInternals = {},
): Promise<Gateway> {
  const limits = resolveLimits(options.limits)
  const { clock = systemClock, random = Math.random, schema = portolanSchema } = internals
  const { log = pino({ level: 'silent' }), signingKeys } = options
  const { redis } = options
  const madeKey = signingKeys ? undefined : createRenewableSigner(randomBytes(32))
  const signer = madeKey ?? createSigner(signingKeys ?? [])
  if (madeKey) log.info(redis ? sharedKeyMessage : madeKeyMessage)
  const { metrics = createMetrics({ version: packageVersion() }) } = internals
  const health = createUpstreamHealth({ log, clock })
  const cache = createMemoryCacheStore(clock)
  const dispatcher = createDispatcher(limits)
  const turns = createTurns(clock)
  // Nobody waits for these but clients whose own lists are long.
  const heavyTurns = createTurns(clock, { rest: 3 })
  const routerRequests = options.router?.maxRequests ?? limits.maxRouterRequests
  const caps = {
    router: Math.max(1, Math.min(limits.maxPolls, Math.floor(routerRequests / 2))),
    indexers: limits.maxPolls,
  }
  const { cacheTtlMs } = limits
  const fleet =
    redis && createFleet({ redis, caps, clock, random, cacheTtlMs, log, metrics, signer: madeKey })
  const poller = createPoller({
    cache,
    clock,
    random,
    ...(redis && { fleetWaitMs }),
    concurrency: caps.router,
    maxTargetsPerClient: limits.maxWatchedPerClient,
    maxTargets: limits.maxWatched,
    ...internals.poller,
  })
  const feeds = createFeeds({
    ...{ clock, random, concurrency: caps.indexers },
    ...(redis && { fleetWaitMs }),
  })
  const host = options.host ?? '127.0.0.1'
  let metricsServer: MetricsServer | undefined
  let cancelDrop = () => {}
  const stop = async () => {
    cancelDrop()
    await metricsServer?.close()
    await options.tracing
      ?.close()
      .catch((error: unknown) => log.warn({ err: error }, 'traces lost'))
    poller.close()
    feeds.close()
    await fleet?.close()
    await dispatcher.destroy()
  }
  try {
    const network = openNetwork(options, limits, {
      dispatcher,
      clock,
      cache,
      turns: heavyTurns,
      events: createUpstreamEvents(metrics, health),
      records: fleet?.records,
      ...internals.upstream,
    })
    const service = { version: packageVersion(), isSandbox: options.isSandbox ?? false }
    await fleet?.open(network)
    // Redis serves the processes of one machine as it serves those of several.
    const readings = redis ? undefined : internals.readings?.(createRunRead(network, clock))
    const alone = readings ? createSharedBackplane(readings) : localBackplane
    const backplane = fleet?.backplane ?? alone
    const shared = { service, network, clock, cache, poller, feeds, backplane, limits, signer }
    if (options.metricsPort !== undefined) {
      metricsServer = await startMetricsServer(metrics, { host, port: options.metricsPort })
    }
    const readiness = createReadiness(network, { cache, clock, health, fetchStatus })
    const server = await startServer({
      ...shared,
      ...internals.server,
      shareBudget(own) {
        const ofMachine = internals.server?.shareBudget?.(own) ?? own
        return fleet?.shareBudget(own, ofMachine) ?? ofMachine
      },
      schema,
      clock,
      turns,
      log,
      metrics,
      servesMetrics: internals.server?.servesMetrics ?? !metricsServer,
      tracing: options.tracing,
      health,
      readiness: async () => ({ ...(await readiness()), fleet: fleet?.report() }),
      host,
      port: options.port ?? 0,
      // Its queries are not among the trusted documents.
      graphiql: (options.graphiql ?? true) && !options.trustedDocumentsOnly,
      introspection: options.introspection ?? true,
      compileOperations: options.compileOperations ?? true,
      allowedOrigins: options.allowedOrigins ?? '*',
      clients: options,
      trustedDocuments: options.trustedDocuments,
      trustedDocumentsOnly: options.trustedDocumentsOnly,
    })
    const close = async () => {
      await server.close()
      await stop()
    }
    const metricsUrl = metricsServer?.url ?? new URL('/metrics', server.url).href
    const updateChains: Gateway['updateChains'] = (next) => {
      if (!network.update(next)) return
      // Costs and answers depend on the chains, also those of operations that are under way.
      const drop = () => {
        for (const name of [documentsRegion, answersRegion]) cache.regions.get(name)?.clear()
      }
      drop()
      cancelDrop()
      cancelDrop = clock.after(limits.timeoutMs, drop)
    }
    return {
      ...{ url: server.url, metricsUrl, shared, updateChains, close },
      [Symbol.asyncDispose]: close,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

const sharedKeyMessage =
  'No SIGNING_KEYS: cursors and route tokens are signed with a key that the gateways of the fleet share through Redis. They are invalid once all of them and Redis have restarted.'
