import { Socket } from 'node:net'
import { pino } from 'pino'
import { resolveLimits } from '../config/limits/limits.ts'
import type { RunRead } from '../fleet/sharedReads/sharedReads.ts'
import { createWorkerReads } from '../fleet/sharedReads/workerReads.ts'
import { createGateway, type Gateway } from '../gateway.ts'
import { systemClock } from '../kit/clock/clock.ts'
import type { Listen } from '../server/http/listen.ts'
import { createMetrics } from '../telemetry/metrics/metrics.ts'
import { openLog } from '../telemetry/openLog.ts'
import { openTracing } from '../telemetry/tracing/openTracing.ts'
import { packageVersion } from '../version.ts'
import { connectionMessage, linkToPrimary, type ToPrimary } from './link.ts'
import type { WorkerChains, WorkerPlan } from './serveWorkers.ts'
import type { SharedCalls } from './sharedHub.ts'
import { createSharedQuota } from './sharedQuota.ts'
import { type SharedBudget, shareBudget } from './spending.ts'

/** Makes this process a worker: it does what its primary asks, and ends with it. */
export async function runWorker(): Promise<void> {
  const metrics = createMetrics({ version: packageVersion() })
  let gateway: Promise<Gateway> | undefined
  let run: RunRead = async () => undefined
  let budget: SharedBudget | undefined

  const open = async (plan: WorkerPlan): Promise<Gateway> => {
    const log = openLog({
      level: plan.logLevel,
      format: plan.logFormat,
      destination: pino.destination(2),
      isTerminal: process.stderr.isTTY,
    })
    const tracing = await openTracing(process.env, log)
    const { maxWatchedPerClient, maxWatched, shutdownDelayMs } = resolveLimits(plan.gateway.limits)
    const bounds = { maxTargetsPerClient: maxWatchedPerClient, maxTargets: maxWatched }
    return createGateway(
      { ...plan.gateway, log, tracing },
      {
        // Any worker answers for all of them.
        metrics: { ...metrics, text: primary.metricsText },
        sharedReads(ownRun) {
          run = ownRun
          return sharedReads
        },
        poller: { quota: createSharedQuota(bounds, calls) },
        server: {
          servesMetrics: plan.servesMetrics,
          // The next request of a client can reach another worker.
          sharesStreams: false,
          drain: shutdownDelayMs + drainMs,
          listen: receiveConnections(plan.origin, () => send(primary.received.asEvent())),
          shareBudget(ownBudget) {
            budget = shareBudget(ownBudget, systemClock, calls.spend)
            return budget
          },
        },
      },
    )
  }

  const primary: ToPrimary<WorkerPlan> = linkToPrimary<WorkerPlan, WorkerChains>({
    async updateChains(chains) {
      const opened = await gateway
      opened?.updateChains(chains)
    },
    metrics: metrics.values,
    run: (read, timeoutMs) => run(read, { signal: never, timeoutMs }),
    onPeerRead: (read, result) => sharedReads.onPeerRead(read, result),
    onSpent: (spent) => budget?.onSpent(spent),
    async stop() {
      const opened = await gateway?.catch(() => undefined)
      await opened?.close()
      process.exit(0)
    },
  })
  const calls = callsOf(primary)
  const sharedReads = createWorkerReads(calls, (read, options) => run(read, options))
  try {
    gateway = open(await primary.plan())
    await primary.serves((await gateway).url)
  } catch (error) {
    await primary.fails(error instanceof Error ? error.message : String(error))
    process.exit(1)
  }
}

/**
 * How long a closing worker receives connections after the primary stopped accepting them, in milliseconds. The
 * primary sends them one by one. Connections that it still has when all workers have closed are lost.
 */
const drainMs = 1_000

/** A request for another worker ends with its time. */
const never = new AbortController().signal

/** Does not wait for an answer. A primary that cannot be reached has ended, and this process ends with it. */
const send = (call: Promise<void>) => void call.catch(() => {})

/** The calls for what workers share. Those without an answer are not waited for. */
function callsOf(primary: ToPrimary<WorkerPlan>): SharedCalls {
  return {
    read: primary.read,
    watch: primary.watch,
    follow: (read) => send(primary.follow.asEvent(read)),
    unfollow: (read) => send(primary.unfollow.asEvent(read)),
    unwatch: (id) => send(primary.unwatch.asEvent(id)),
    spend: (spent) => send(primary.spend.asEvent(spent)),
  }
}

/**
 * The connections that the primary process gives to this one, a worker. The worker has no port of its own.
 * `received` has to report each of them to the primary, before anything is read from it.
 */
export const receiveConnections =
  (origin: string, received: () => void): Listen =>
  async (server) => {
    process.on('message', (message, connection) => {
      if (message !== connectionMessage) return
      received()
      if (!(connection instanceof Socket)) return
      // As those that a server of Node accepts for HTTP itself.
      connection.allowHalfOpen = true
      connection.setNoDelay(true)
      server.emit('connection', connection)
    })
    // From this event on, Node ends slow requests, and knows which connections are idle.
    server.emit('listening')
    return origin
  }
