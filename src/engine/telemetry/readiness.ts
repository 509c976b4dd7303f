import { z } from 'zod'
import type { CacheStore } from '../../kit/cache/cache.ts'
import type { Clock } from '../../kit/clock/clock.ts'
import { withDeadline } from '../../kit/clock/deadline.ts'
import type { Signal } from '../../kit/clock/signal.ts'
import type { Upstream } from '../upstream/client.ts'
import { GatewayError } from '../upstream/error.ts'
import type { Network } from '../upstream/network.ts'
import { get } from '../upstream/request.ts'
import { serviceNames, serviceOf } from '../upstream/services.ts'
import { UpstreamHttpError } from '../upstream/upstreamError.ts'
import type { Log } from './log.ts'
import { type ServiceHealth, secondsSince, type UpstreamHealth } from './upstreamHealth.ts'

/** The state of one upstream. */
export interface ServiceReport {
  /** A chain id, or the name of another service such as `router`. */
  readonly service: string
  /** `unknown` until the first probe ends. `degraded` if it responds now, but failed seconds ago. */
  readonly status: ServiceHealth['status']
  /** Seconds since it began to respond, or stopped. */
  readonly seconds?: number
  readonly lastFault?: ServiceHealth['lastFault']
  /** The height of the indexer, as text. */
  readonly height?: string
  /** Seconds since a probe found that height for the first time. */
  readonly heightSeconds?: number
}

/** The state of the Redis of a fleet. The gateway serves without it too. */
export interface FleetReport {
  readonly status: 'up' | 'down'
  /** Seconds since that began. */
  readonly seconds: number
  /** Why it is down. */
  readonly reason?: string
}

/** Whether the gateway can answer anything, and what it found. */
export interface Readiness {
  readonly isReady: boolean
  readonly services: readonly ServiceReport[]
  /** Left out without a fleet. */
  readonly fleet?: FleetReport | undefined
}

/** An upstream must answer within this many milliseconds. */
const probeTimeoutMs = 2_000

/** Once one upstream has answered, a report waits this many milliseconds for the others. A check of Kubernetes waits one second. */
const reportMs = 500

/** Milliseconds between probes, so that readiness checks cannot be used to overload the upstreams. */
const ttlMs = 5_000

/** The results of the probes of one upstream. Times are those of the clock, in milliseconds. */
interface ProbeResults {
  isUp: boolean
  changedAt: number
  height?: string
  heightAt: number
  lastFault?: { readonly code: string; readonly at: number }
}

/** How upstreams are probed, and where the results are. */
export interface ReadinessOptions {
  readonly cache: CacheStore
  readonly clock: Clock
  readonly health: Pick<UpstreamHealth, 'of'>
  /** Asks an indexer for its height. Null if it has no status. */
  readonly fetchStatus: (indexer: Upstream, signal: Signal) => Promise<{ readonly height?: bigint } | null>
}

/**
 * Returns a check that probes all upstreams. The gateway is ready while at least one of them responds: one
 * chain that is down must not take the others out of service. The check waits for the first upstream that responds, and half
 * a second at most for the others. It reports what earlier probes found of those that take longer.
 */
export function createReadiness(
  network: Network,
  { cache, clock, health, fetchStatus }: ReadinessOptions,
): () => Promise<Readiness> {
  const probed = cache.open<true>({ name: 'readiness', maxEntries: 1, ttlMs })
  // The chains can change meanwhile.
  const targets = () => makeTargets(network, fetchStatus)
  const found = new Map<string, ProbeResults>()

  const note = ({ service }: Upstream, isUp: boolean, height?: string, fault?: string) => {
    const now = clock.now()
    const state = found.get(service) ?? { isUp: !isUp, changedAt: now, heightAt: now }
    found.set(service, state)
    if (state.isUp !== isUp) Object.assign(state, { isUp, changedAt: now })
    if (height !== undefined && height !== state.height) {
      Object.assign(state, { height, heightAt: now })
    }
    if (fault !== undefined) state.lastFault = { code: fault, at: now }
  }

  const probe = async (target: Target) => {
    const { upstream } = target
    try {
      note(upstream, true, await ask(target, clock))
    } catch (error) {
      note(upstream, false, undefined, faultOf(error))
      throw error
    }
  }
  const probeAll = async (): Promise<true> => {
    const probes = targets().map(probe)
    await withDeadline(clock, { milliseconds: reportMs }, () => Promise.allSettled(probes)).catch(() => {})
    await Promise.any(probes).catch(() => {})
    return true
  }

  /** The last fault of an upstream: of any request, or of a probe whose answer only a probe cannot use. */
  const lastFaultOf = (service: string): ServiceHealth['lastFault'] => {
    const { lastFault } = health.of(service)
    const own = found.get(service)?.lastFault
    if (!own) return lastFault
    const secondsAgo = secondsSince(clock, own.at)
    return lastFault && lastFault.secondsAgo < secondsAgo ? lastFault : { code: own.code, secondsAgo }
  }

  const makeReport = ({ upstream: { service } }: Target): ServiceReport => {
    const state = found.get(service)
    const { status } = health.of(service)
    const lastFault = lastFaultOf(service)
    if (!state) return { service, status: 'unknown', ...(lastFault && { lastFault }) }
    const seconds = (since: number) => Math.round((clock.now() - since) / 1000)
    const whileUp = status === 'degraded' ? status : 'up'
    return {
      service,
      status: state.isUp ? whileUp : 'down',
      seconds: seconds(state.changedAt),
      ...(lastFault && { lastFault }),
      ...(state.height !== undefined && {
        height: state.height,
        heightSeconds: seconds(state.heightAt),
      }),
    }
  }

  return async () => {
    await probed.fetch('all', probeAll)
    return {
      isReady: targets().some(({ upstream }) => found.get(upstream.service)?.isUp),
      services: targets().map(makeReport),
    }
  }
}

/** Probes each upstream once. Logs a line for each that does not respond, unless the signal ends it. Never rejects. */
export async function logSilentUpstreams(
  network: Network,
  { clock, health, fetchStatus }: Omit<ReadinessOptions, 'cache'>,
  log: Log,
  signal: Signal,
): Promise<void> {
  const probe = async (target: Target) => {
    const { service } = target.upstream
    try {
      await ask(target, clock, signal)
    } catch (error) {
      // Its retries can have been faults enough for an outage, which is logged already.
      if (signal.aborted || health.of(service).status === 'down') return
      const reason = error instanceof Error ? error.message : undefined
      log.warn({ service, reason }, 'upstream does not respond at the start')
    }
  }
  await Promise.all(makeTargets(network, fetchStatus).map(probe))
}

/** An upstream, and the request that shows whether it responds. */
interface Target {
  readonly upstream: Upstream
  /** Resolves to a height if the upstream has one. */
  readonly send: (upstream: Upstream, deadline: Signal) => Promise<string | undefined>
}

const makeTargets = (network: Network, fetchStatus: ReadinessOptions['fetchStatus']): Target[] => [
  ...[...network.chains.values()].map(({ indexer }) => ({
    upstream: indexer,
    send: askIndexer(fetchStatus),
  })),
  ...serviceNames.flatMap((name) => {
    const upstream = network[name]
    const { probe } = serviceOf(name)
    return upstream && probe !== undefined ? [{ upstream, send: askPath(probe) }] : []
  }),
]

const late = () => new GatewayError('UPSTREAM_TIMEOUT', `It did not answer within ${probeTimeoutMs} ms.`)

/** Probes an upstream. Rejects if it does not respond in time, or when the signal ends. */
const ask = ({ upstream, send }: Target, clock: Clock, signal?: Signal) =>
  withDeadline(clock, { milliseconds: probeTimeoutMs, signal, late }, (deadline) => send(upstream, deadline))

/** The HTTP status or code of an answer that a probe cannot use. One that did not come is known to `health`. */
function faultOf(error: unknown): string | undefined {
  if (error instanceof UpstreamHttpError) return String(error.status)
  return error instanceof GatewayError && error.code !== 'UPSTREAM_UNAVAILABLE' ? error.code : undefined
}

/** Resolves to the height of the indexer. Rejects if it has none. */
const askIndexer =
  (fetchStatus: ReadinessOptions['fetchStatus']) =>
  async (indexer: Upstream, deadline: Signal): Promise<string | undefined> => {
    const status = await fetchStatus(indexer, deadline)
    if (status === null) throw new GatewayError('UPSTREAM_REJECTED', `${indexer.service} has no status`)
    return status.height?.toString()
  }

/** Any response will do: a service that rejects the request can still be reached. */
const askPath =
  (path: string) =>
  async (upstream: Upstream, deadline: Signal): Promise<undefined> => {
    try {
      await upstream.send(get(path, z.unknown()), deadline)
    } catch (error) {
      if (!(error instanceof GatewayError) || error.code !== 'UPSTREAM_REJECTED') throw error
    }
  }
