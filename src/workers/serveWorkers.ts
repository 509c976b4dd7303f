import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { type Limits, limitOf, mapLimits, resolveLimits } from '../config/limits/limits.ts'
import type { NetworkOptions } from '../config/networkOptions.ts'
import type { Gateway, GatewayOptions } from '../gateway.ts'
import { systemClock } from '../kit/clock/clock.ts'
import { createProxyTest } from '../server/clients/proxies.ts'
import { startMetricsServer } from '../server/metrics/metricsServer.ts'
import { keysOf, madeKeyMessage, sandboxKeyMessage } from '../signing/madeKey.ts'
import type { Log } from '../telemetry/log.ts'
import { createMetrics, type Metrics } from '../telemetry/metrics/metrics.ts'
import { packageVersion } from '../version.ts'
import { createSharedHub } from './sharedHub.ts'
import { openSharedPort, type SharedPort } from './sharedPort.ts'
import { startWorkers, type Workers } from './workers.ts'

/** What `serve` runs, in one process or in several. */
export type Served = Pick<Gateway, 'url' | 'metricsUrl' | 'updateChains' | 'close'>

/** What it serves, and how. */
export interface ServeOptions extends Omit<GatewayOptions, 'log' | 'tracing'> {
  readonly port: number
  readonly host: string
  readonly logLevel: string
  readonly logFormat: 'auto' | 'json' | 'pretty'
  readonly log: Log
}

/** What a worker serves, and how it logs. It crosses to another process, so it holds no functions. */
export interface WorkerPlan {
  readonly gateway: Omit<GatewayOptions, 'log' | 'tracing'>
  /** The origin of the URLs that all workers serve. */
  readonly origin: string
  /** Whether the port of the graph serves the metrics too. */
  readonly servesMetrics: boolean
  readonly logLevel: string
  readonly logFormat: 'auto' | 'json' | 'pretty'
}

/** The chains that a worker serves. */
export type WorkerChains = Parameters<Served['updateChains']>[0]

/** A worker that takes this many milliseconds longer than the delay of a shutdown is stuck. Queries have eight seconds. */
const stuckMs = 15_000

/** Serves the graph with several processes on one port. This process only starts and joins them. */
export async function serveWorkers(options: ServeOptions, count: number): Promise<Served> {
  const { log, logLevel, logFormat, metricsPort, host, ...rest } = options
  const signingKeys = keysOf(rest)
  const limits = resolveLimits(options.limits)
  const gateway: GatewayOptions = {
    ...rest,
    host,
    // The workers of a fleet share a key with those of other machines.
    signingKeys: signingKeys ?? (rest.redis ? undefined : [randomBytes(32).toString('base64')]),
    limits: limitsOfOne(limits, count),
    redis: rest.redis && { ...rest.redis, sharers: count },
  }
  if (!signingKeys && !rest.redis) log.info(madeKeyMessage)
  else if (!rest.signingKeys && !rest.redis) log.info(sandboxKeyMessage)
  const { listed, defaultChain } = options
  let chains: WorkerChains = { chains: options.chains, listed, defaultChain }
  let workers: Workers<WorkerChains> | undefined
  // One worker probes the upstreams for all.
  let probeAtStart = options.probeAtStart ?? false
  let port: SharedPort | undefined
  const metrics = createMetrics({ version: packageVersion() })
  metrics.gauge('portolan_workers', 'Workers that serve.', () => workers?.serving ?? 0)
  metrics.collect({
    name: 'portolan_worker_exits_total',
    help: 'Workers that ended and were replaced, by cause.',
    kind: 'counter',
    label: 'cause',
    read: () => workers?.exits ?? [],
  })
  const metricsServer =
    metricsPort === undefined
      ? undefined
      : await startMetricsServer(
          { contentType: metrics.contentType, text: async () => workers?.metricsText() ?? '' },
          { host, port: metricsPort },
        )
  try {
    const opened = await openPort(options, limits, metrics)
    port = opened
    workers = await startWorkers<WorkerPlan, WorkerChains>({
      count,
      file: fileURLToPath(new URL('./worker.js', import.meta.url)),
      plan() {
        const planned = networkOfOne({ ...gateway, ...chains, probeAtStart }, count)
        probeAtStart = false
        return {
          gateway: planned,
          origin: opened.origin,
          servesMetrics: !metricsServer,
          logLevel,
          logFormat,
        }
      },
      clock: systemClock,
      log,
      stopMs: limits.shutdownDelayMs + stuckMs,
      port,
      hub: createSharedHub(systemClock, {
        maxTargetsPerClient: limits.maxWatchedPerClient,
        maxTargets: limits.maxWatched,
      }),
      ownMetrics: metrics.values,
    })
  } catch (error) {
    port?.close()
    await metricsServer?.close()
    throw error
  }
  const { url, updateChains, close } = workers
  return {
    url,
    metricsUrl: metricsServer?.url ?? new URL('/metrics', url).href,
    updateChains(next) {
      chains = next
      updateChains(networkOfOne(next, count))
    },
    async close() {
      const cancel = systemClock.after(limits.shutdownDelayMs, port.stop)
      await close()
      cancel()
      port.close()
      await metricsServer?.close()
    },
  }
}

/** Opens the port. What it refuses counts as refused by a worker. */
const openPort = (
  { port, host, trustedProxies = ['loopback'], log }: ServeOptions,
  { maxConnections, timeoutMs }: Limits,
  { onRefusal }: Metrics,
): Promise<SharedPort> =>
  openSharedPort({
    ...{ port, host, maxConnections, onRefusal, maxWaitMs: timeoutMs, clock: systemClock },
    isProxy: createProxyTest(trustedProxies),
    onError: (error) => log.error({ err: error }, 'a connection could not be accepted'),
  })

const partOf = (value: number, count: number) => Math.ceil(value / count)

/** The limits of one of so many workers, which together keep to those of the machine. */
export const limitsOfOne = (limits: Limits, count: number): Limits =>
  mapLimits((name) => {
    const { scope, min } = limitOf(name)
    return scope === 'machine' ? Math.max(min, partOf(limits[name], count)) : limits[name]
  })

/** The services of one of so many workers, each with its part of the requests that may be open at once. */
export function networkOfOne<T extends Pick<NetworkOptions, 'chains' | 'router'>>(
  network: T,
  count: number,
): T {
  const divide = <S extends { readonly maxRequests?: number | undefined }>(service: S): S => ({
    ...service,
    maxRequests: service.maxRequests && partOf(service.maxRequests, count),
  })
  const { chains, router } = network
  return { ...network, chains: chains.map(divide), router: router && divide(router) }
}
