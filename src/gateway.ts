import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { readDocs, readExplorer } from './builtSites.ts'
import { type Limits, resolveLimits } from './config/limits/limits.ts'
import { openNetwork } from './config/openNetwork.ts'
import { createFleet, fleetWaitMs } from './fleet/fleet.ts'
import type { Gateway, GatewayInternals, GatewayOptions } from './gatewayOptions.ts'
import { createMemoryCacheStore } from './kit/cache/cache.ts'
import { systemClock } from './kit/clock/clock.ts'
import { createTurns } from './kit/clock/turns.ts'
import { openMcp } from './mcp/openMcp.ts'
import { openNftMedia } from './nftMedia.ts'
import { fetchStatus } from './schema/indexer/chain.ts'
import { schema as portolanSchema } from './schema/schema.ts'
import { type MetricsServer, startMetricsServer } from './server/metrics/metricsServer.ts'
import { startServer } from './server/server.ts'
import { keysOf, madeKeyMessage, sandboxKeyMessage } from './signing/madeKey.ts'
import { createRenewableSigner, createSigner } from './signing/signer.ts'
import { subgraphOf } from './subgraph/subgraph.ts'
import { createMetrics } from './telemetry/metrics/metrics.ts'
import { createUpstreamEvents } from './telemetry/metrics/upstreamMetrics.ts'
import { createReadiness } from './telemetry/readiness.ts'
import { createUpstreamHealth } from './telemetry/upstreamHealth.ts'
import { createDispatcher } from './upstream/httpAgent.ts'
import { packageVersion } from './version.ts'
import { localBackplane } from './watch/backplane/backplane.ts'
import { createRunRead } from './watch/backplane/runRead.ts'
import { createSharedBackplane } from './watch/backplane/sharedBackplane.ts'
import { createFeeds } from './watch/feed.ts'
import { createPoller } from './watch/poller.ts'

export type { Limits } from './config/limits/limits.ts'
export type {
  ChainOptions,
  ListedChainOptions,
  NetworkOptions,
  ServiceOptions,
} from './config/networkOptions.ts'
export type { Gateway, GatewayInternals, GatewayOptions } from './gatewayOptions.ts'
export type { ClientOptions } from './server/clients/clients.ts'

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
  const {
    clock = systemClock,
    random = Math.random,
    schema: ownSchema = portolanSchema,
  } = internals
  const schema = options.federation ? subgraphOf(ownSchema, limits) : ownSchema
  const { log = pino({ level: 'silent' }) } = options
  const signingKeys = keysOf(options)
  const { redis } = options
  const madeKey = signingKeys ? undefined : createRenewableSigner(randomBytes(32))
  const signer = madeKey ?? createSigner(signingKeys ?? [])
  if (madeKey) log.info(redis ? sharedKeyMessage : madeKeyMessage)
  else if (!options.signingKeys) log.info(sandboxKeyMessage)
  const { metrics = createMetrics({ version: packageVersion() }) } = internals
  const health = createUpstreamHealth({ log, clock })
  const cache = createMemoryCacheStore(clock)
  const dispatcher = createDispatcher(limits)
  const turns = createTurns(clock)
  // Nobody waits for these but clients whose own lists are long.
  const heavyTurns = createTurns(clock, { rest: 3 })
  const caps = pollCaps(options, limits)
  const { cacheTtlMs } = limits
  const fleet =
    redis && createFleet({ redis, caps, clock, random, cacheTtlMs, log, metrics, signer: madeKey })
  const poller = createPoller({
    cache,
    clock,
    random,
    canBeginAnew: options.isSandbox ?? false,
    ...(redis && { fleetWaitMs }),
    concurrency: caps.router,
    timeoutMs: pollTimeout(options, limits),
    maxTargetsPerClient: limits.maxWatchedPerClient,
    maxTargets: limits.maxWatched,
    ...internals.poller,
  })
  const feeds = createFeeds({
    ...{ clock, random, concurrency: caps.indexers },
    onStuck: (list, error) => log.warn({ err: error, list }, 'a live list cannot be read'),
    ...(redis && { fleetWaitMs }),
  })
  const host = options.host ?? '127.0.0.1'
  let metricsServer: MetricsServer | undefined
  const stop = async () => {
    await metricsServer?.close()
    await options.tracing
      ?.close()
      .catch((error: unknown) => log.warn({ err: error }, 'traces lost'))
    poller.close()
    feeds.close()
    await fleet?.close()
    await dispatcher.destroy()
    // Those of a worker are read until it ends.
    if (!internals.metrics) metrics.close()
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
    const media = await openNftMedia(options, {
      ...{ limits, clock, cache, signer },
      connect: internals.media,
    })
    const shared = {
      service,
      network,
      clock,
      cache,
      poller,
      feeds,
      backplane,
      limits,
      turns,
      signer,
      media,
    }
    if (options.metricsPort !== undefined) {
      metricsServer = await startMetricsServer(metrics, { host, port: options.metricsPort })
    }
    const { allowedOrigins = '*' } = options
    const mcp = options.mcp
      ? await openMcp({
          version: packageVersion(),
          schema,
          hasQuery: options.mcpQuery ?? false,
          hosts: options.mcpHosts ?? [],
          // All origins is right for the graph, whose answers are public, but not for tools that act for somebody.
          originHosts:
            allowedOrigins === '*' ? [] : allowedOrigins.map((origin) => new URL(origin).hostname),
        })
      : undefined
    const site = await readExplorer(options)
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
      site,
      pages: await readDocs(options, cache),
      sandboxControlUrl: options.isSandbox ? options.sandboxControlUrl : undefined,
      introspection: options.introspection ?? true,
      compileOperations: options.compileOperations ?? true,
      allowedOrigins,
      mcp,
      clients: options,
      trustedDocuments: new Map([...(site?.documents ?? []), ...(options.trustedDocuments ?? [])]),
      trustedDocumentsOnly: options.trustedDocumentsOnly,
    })
    const close = async () => {
      await server.close()
      await stop()
    }
    const metricsUrl = metricsServer?.url ?? new URL('/metrics', server.url).href
    const updateChains: Gateway['updateChains'] = (next) => {
      network.update(next)
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

/** Milliseconds for one poll: those of a request to the router, whose own timeout comes first. */
const pollTimeout = ({ router }: GatewayOptions, { upstreamTimeoutMs }: Limits): number =>
  (router?.timeoutMs ?? upstreamTimeoutMs) + 250

/** The most polls open at once. Those of transfers leave half of the requests to the router to queries. */
function pollCaps(
  { router }: GatewayOptions,
  { maxPolls, maxRouterRequests, maxIndexerRequests }: Limits,
) {
  const routerRequests = router?.maxRequests ?? maxRouterRequests
  return {
    router: Math.max(1, Math.min(maxPolls, Math.floor(routerRequests / 2))),
    indexers: Math.max(1, Math.min(maxPolls, Math.floor(maxIndexerRequests / 2))),
  }
}

const sharedKeyMessage =
  'No SIGNING_KEYS: cursors and route tokens are signed with a key that the gateways of the fleet share through Redis. They are invalid once all of them and Redis have restarted.'
