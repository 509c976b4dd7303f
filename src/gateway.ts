import { randomBytes } from 'node:crypto'
import { AsyncDisposableStack } from '@whatwg-node/disposablestack'
import { pino } from 'pino'
import { createFunctionNames } from '#words/actions/functionNames'
import type { SharedContext } from './engine/graphql/builder.ts'
import { type Limits, resolveLimits } from './engine/limits/limits.ts'
import { openNetwork } from './engine/network/openNetwork.ts'
import { openNftMetadata } from './engine/nftMetadata/openNftMetadata.ts'
import {
  createRenewableSigner,
  createSigner,
  deriveKeys,
  madeKeyMessage,
  sandboxKeyMessage,
} from './engine/signing/signer.ts'
import type { Log } from './engine/telemetry/log.ts'
import { createMetrics, createUpstreamEvents } from './engine/telemetry/metrics/metrics.ts'
import { createReadiness, logSilentUpstreams } from './engine/telemetry/readiness.ts'
import { createUpstreamHealth, type UpstreamHealth } from './engine/telemetry/upstreamHealth.ts'
import { createDispatcher } from './engine/upstream/exchange.ts'
import { openRequests, serviceOf } from './engine/upstream/services.ts'
import { Feeds } from './engine/watch/feeds.ts'
import { noPeers } from './engine/watch/peers.ts'
import { Poller } from './engine/watch/poller.ts'
import { CacheStore, sweepRegularly } from './kit/cache/cache.ts'
import { type Clock, systemClock } from './kit/clock/clock.ts'
import { createFairScheduler } from './kit/clock/fairScheduler.ts'
import { SignalSource } from './kit/clock/signal.ts'
import { packageVersion } from './kit/version.ts'
import { fetchStatus } from './schema/indexer/chain.ts'
import { schema as portolanSchema } from './schema/schema.ts'
import { makeSubgraph } from './schema/subgraph/subgraph.ts'
import { createFleet, fleetWaitMs } from './server/fleet/fleet.ts'
import type { FleetParts } from './server/fleet/fleetParts.ts'
import type { Gateway, GatewayInternals, GatewayOptions } from './server/gatewayOptions.ts'
import { startMetricsServer } from './server/metrics/serverMetrics.ts'
import { openTrusted, type TrustedDocuments } from './server/operation/documents/documentTexts.ts'
import { startServer } from './server/server.ts'
import { openSites, type ServedSites } from './server/static/openSites.ts'

export type { Limits } from './engine/limits/limits.ts'
export type {
  ChainOptions,
  ListedChainOptions,
  NetworkOptions,
  ServiceOptions,
} from './engine/network/networkOptions.ts'
export type { ClientOptions } from './server/clients/clients.ts'
export type { ChangeableOptions, Gateway, GatewayInternals, GatewayOptions } from './server/gatewayOptions.ts'

/**
 * Starts a gateway. This is the only place where its parts are put together.
 * @throws RangeError if a limit is out of bounds, or a signing key is too short.
 * @throws Error if there is no chain, a URL is invalid, or the port cannot be used.
 */
export async function createGateway(options: GatewayOptions, internals: GatewayInternals = {}): Promise<Gateway> {
  // Has the end of each part. They run in reverse order, also when a later part fails to start.
  await using stack = new AsyncDisposableStack()
  const { clock = systemClock, random = Math.random, schema: plain = portolanSchema } = internals
  const { host = '127.0.0.1', port = 0, metricsPort, allowedOrigins = '*' } = options
  const parts = { clock, random, ...openTelemetry(options, clock, stack) }
  const { metrics, health, log } = parts
  const { shared, fleet, network } = await openShared(options, internals, parts, stack)
  const { cache, limits } = shared
  const readiness = createReadiness(network, { cache, clock, health, fetchStatus })
  if (options.probeAtStart) {
    const signal = new SignalSource()
    stack.defer(() => signal.abort())
    void logSilentUpstreams(network, { ...parts, fetchStatus }, log, signal)
  }
  const schema = options.federation ? makeSubgraph(plain, limits) : plain
  const sites = await openSites(options, { schema, cache }, stack)
  const metricsServer =
    metricsPort === undefined ? undefined : await startMetricsServer(metrics, { host, port: metricsPort })
  if (metricsServer) stack.defer(metricsServer.close)
  let trusted = readDocuments(options, sites)
  const server = await startServer({
    ...options,
    ...parts,
    shared,
    schema,
    sites,
    host,
    port,
    allowedOrigins,
    introspection: options.introspection ?? true,
    trustedDocuments: () => trusted,
    readiness: async () => ({ ...(await readiness()), fleet: fleet?.report() }),
    internals: {
      servesMetrics: !metricsServer,
      ...internals.server,
      shareBudget: fleet?.shareBudget,
    },
  })
  stack.defer(server.close)
  const metricsUrl = metricsServer?.url ?? new URL('/metrics', server.url).href
  const close = makeCloser(stack.move())
  return {
    url: server.url,
    metricsUrl,
    shared,
    close,
    updateChains: (next) => void network.update(next),
    update(next) {
      const documents = readDocuments(next, sites)
      openTrusted(documents)
      network.update(next, next)
      network.beginEpoch()
      trusted = documents
      server.replaceKeys(next)
    },
    [Symbol.asyncDispose]: close,
  }
}

/** Returns a function that closes the parts of a stack. Further calls wait for the first one. */
function makeCloser(stack: AsyncDisposableStack): () => Promise<void> {
  let closed: Promise<void> | undefined
  return () => {
    closed ??= stack.disposeAsync()
    return closed
  }
}

/** Opens the log, and the counters of the process. */
function openTelemetry(
  { log = pino({ level: 'silent' }), tracing }: GatewayOptions,
  clock: Clock,
  stack: AsyncDisposableStack,
) {
  const onLost = (error: unknown) => log.warn({ err: error }, 'traces lost')
  if (tracing) stack.defer(() => tracing.close().catch(onLost))
  const metrics = createMetrics({ version: packageVersion() })
  stack.defer(metrics.close)
  return { log, metrics, tracing, health: createUpstreamHealth({ log, clock }) }
}

/** Opens what all operations share: the network, the polls of it, and the caches. */
async function openShared(
  options: GatewayOptions,
  internals: GatewayInternals,
  parts: FleetParts & { readonly health: UpstreamHealth },
  stack: AsyncDisposableStack,
) {
  const { clock, random, log, metrics, health } = parts
  const { redis, isSandbox = false } = options
  const limits = resolveLimits(options.limits)
  const { signer, madeKey } = makeSigner(options, log)
  const cache = new CacheStore(clock)
  stack.defer(sweepRegularly(cache, clock))
  const dispatcher = stack.adopt(createDispatcher(limits), (opened) => opened.destroy())
  const caps = pollCaps(options)
  const fleet = redis && createFleet(redis, caps, parts, madeKey)
  if (fleet) stack.defer(fleet.close)
  const poller = new Poller({
    cache,
    clock,
    random,
    isRestartable: isSandbox,
    ...(redis && { fleetWaitMs }),
    concurrency: caps.router,
    timeoutMs: pollTimeout(options, limits),
    maxTargetsPerClient: limits.maxOpenPerClient,
    maxTargets: maxWatched,
    ...internals.poller,
  })
  stack.defer(() => poller.close())
  const feeds = new Feeds({
    cache,
    clock,
    random,
    concurrency: caps.indexers,
    onStuck: (list, error) => log.warn({ err: error, list }, 'a live list cannot be read'),
    ...(redis && { fleetWaitMs }),
    ...internals.feeds,
  })
  stack.defer(() => feeds.close())
  const scheduler = createFairScheduler(clock)
  const network = openNetwork(options, limits, {
    dispatcher,
    clock,
    cache,
    // Only clients whose own lists are long wait here.
    scheduler: createFairScheduler(clock, 3),
    bodyScheduler: scheduler,
    events: createUpstreamEvents(metrics, health),
    ...internals.upstream,
  })
  await fleet?.open(network)
  const nftMetadata = await openNftMetadata(options, { clock, cache, connect: internals.nftMetadata })
  const shared: SharedContext = {
    network,
    limits,
    clock,
    cache,
    poller,
    feeds,
    signer,
    nftMetadata,
    service: { version: packageVersion(), isSandbox },
    nameOfFunction: createFunctionNames(options.words),
    scheduler,
    peers: fleet?.peers ?? noPeers,
  }
  return { shared, fleet, network }
}

/** The documents that clients were built with. Those of the explorer are trusted too. */
const readDocuments = (
  { trustedDocuments }: Pick<TrustedDocuments, 'trustedDocuments'>,
  { site }: ServedSites,
): ReadonlyMap<string, string> => new Map([...(site?.documents ?? []), ...(trustedDocuments ?? [])])

/** Opens the signer of cursors and route tokens. Its key is made here if no other one is configured. */
function makeSigner(options: GatewayOptions, log: Log) {
  const keys = deriveKeys(options)
  if (!keys) {
    log.info(options.redis ? sharedKeyMessage : madeKeyMessage)
    const madeKey = createRenewableSigner(randomBytes(32))
    return { signer: madeKey, madeKey }
  }
  const signer = createSigner(keys)
  if (!options.signingKeys) log.info(sandboxKeyMessage)
  return { signer }
}

const sharedKeyMessage =
  'No SIGNING_KEYS: cursors and route tokens are signed with a key that the gateways of the fleet share through Redis. They are invalid once all of them and Redis have restarted.'

/** Milliseconds for one poll. A request to the router has a shorter timeout, which comes first. */
const pollTimeout = ({ router }: GatewayOptions, { upstreamTimeoutMs }: Limits): number =>
  (router?.timeoutMs ?? upstreamTimeoutMs) + 250

/** The most polls open at once. Half of the requests to the router are left to queries. */
const pollCaps = ({ router }: GatewayOptions) => ({
  router: Math.max(1, Math.floor((router?.maxRequests ?? serviceOf('router').maxRequests) / 2)),
  indexers: openRequests / 2,
})

/** Transfers, transactions and quotes that all clients watch. Each is polled, so this bounds the polls of a gateway and its memory. */
const maxWatched = 20_000
