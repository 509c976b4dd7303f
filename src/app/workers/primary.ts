import type { Serializable } from 'node:child_process'
import cluster, { type Worker } from 'node:cluster'
import { resolveLimits } from '../../engine/limits/limits.ts'
import type { Log } from '../../engine/telemetry/log.ts'
import {
  createAskedMetrics,
  createJoinedMetrics,
  type ProcessMetrics,
} from '../../engine/telemetry/metrics/joinedMetrics.ts'
import { addGauge, addLabelled, createMetrics } from '../../engine/telemetry/metrics/metrics.ts'
import { systemClock as clock } from '../../kit/clock/clock.ts'
import { packageVersion } from '../../kit/version.ts'
import type { GatewayOptions } from '../../server/gatewayOptions.ts'
import { startMetricsServer } from '../../server/metrics/serverMetrics.ts'

/** A worker has ended before it served. It has said why. */
export class WorkerEnded extends Error {}

/** A message to a worker. `metrics` asks for its metrics, and a text has those of all. */
export type ToWorker = 'stop' | 'reload' | 'metrics' | { readonly text: string }

/** A message of a worker: it serves, has metrics, or asks for those of all workers as a text. */
export type ToPrimary = { readonly url: string } | { readonly values: ProcessMetrics } | 'text'

/** Workers that serve on one port. `reload` makes them read their chains again. */
export type Primary = Awaited<ReturnType<typeof startWorkers>>

/** A worker that takes this many milliseconds longer than the delay of a shutdown is stuck. Queries have eight seconds. */
const stuckMs = 15_000

/**
 * Runs this program in several more processes, among which Node shares the port, and replaces those that end. Their
 * environment has `env` beside that of this process.
 */
export async function startWorkers(
  count: number,
  env: Readonly<Record<string, string>>,
  options: Required<Pick<GatewayOptions, 'host' | 'log'>> & Pick<GatewayOptions, 'metricsPort' | 'limits'>,
) {
  const { host, log, metricsPort } = options
  const { shutdownDelayMs } = resolveLimits(options.limits)
  const workers = createWorkers(env, log)
  const { contentType, text } = workers
  const metricsServer =
    metricsPort === undefined ? undefined : await startMetricsServer({ contentType, text }, { host, port: metricsPort })
  const close = async () => {
    await workers.close(shutdownDelayMs + stuckMs)
    await metricsServer?.close()
  }
  try {
    // What keeps the first from serving would keep all of them from it, and is said once.
    const url = await workers.open()
    await Promise.all(Array.from({ length: count - 1 }, workers.open))
    workers.keep()
    const metricsUrl = metricsServer?.url ?? new URL('/metrics', url).href
    return { url, metricsUrl, close, reload: () => workers.send('reload') }
  } catch (error) {
    await close()
    throw error
  }
}

/** Starts workers, and replaces them once they are to be kept. */
function createWorkers(env: Readonly<Record<string, string>>, log: Log) {
  const members = new Map<Worker, ReturnType<typeof createAskedMetrics>>()
  const serving = new Set<Worker>()
  const metrics = createMetrics({ version: packageVersion() })
  const joined = createJoinedMetrics()
  const restartDelay = createRestarts()
  const exits = new Map<string, number>()
  let isKept = false
  addGauge(metrics, 'portolan_workers', () => serving.size)
  addLabelled(metrics, 'portolan_worker_exits_total', () => exits)
  const text = async (): Promise<string> => {
    const asked = [...serving].map((worker) => members.get(worker)?.read() ?? [])
    return joined.text(await Promise.all([metrics.values(), ...asked]))
  }

  /** Resolves to the URL that the worker serves. */
  const open = (): Promise<string> =>
    new Promise((resolve, reject) => {
      const startedAt = clock.now()
      const worker = cluster.fork(env)
      const { pid } = worker.process
      const asked = createAskedMetrics(clock, () => send(worker, 'metrics'))
      members.set(worker, asked)
      const cutConnection = watchConnections(worker)
      worker.on('error', ignore)
      worker.on('message', async (message: ToPrimary) => {
        if (message === 'text') return send(worker, { text: await text() })
        if ('values' in message) return asked.receive(message.values)
        serving.add(worker)
        if (isKept) log.info({ pid }, 'a worker has taken the place of another')
        resolve(message.url)
      })
      worker.once('exit', (code: number, signal: string | null) => {
        const cause = signal ?? `exit code ${code}`
        members.delete(worker)
        serving.delete(worker)
        cutConnection()
        joined.keep(asked.last)
        reject(new WorkerEnded(`a worker ended with ${cause}`))
        if (!isKept) return
        exits.set(cause, (exits.get(cause) ?? 0) + 1)
        const restartInMs = restartDelay(clock.now() - startedAt)
        log.error({ pid, cause, restartInMs }, 'a worker ended and is replaced')
        clock.after(restartInMs, () => isKept && open().catch(ignore))
      })
    })

  return {
    open,
    text,
    contentType: metrics.contentType,
    keep() {
      isKept = true
    },
    send(message: ToWorker) {
      for (const worker of serving) send(worker, message)
    },
    /** Stops all workers, and kills those that have not ended in time. */
    async close(timeoutMs: number) {
      isKept = false
      const ends = [...members.keys()].map(async (worker) => {
        // One that starts does not hear it yet.
        if (serving.has(worker)) send(worker, 'stop')
        else worker.process.kill('SIGKILL')
        await new Promise((resolve) => worker.once('exit', resolve))
      })
      const cancel = clock.after(timeoutMs, () => {
        for (const worker of members.keys()) worker.process.kill('SIGKILL')
      })
      await Promise.all(ends)
      cancel()
    },
  }
}

/**
 * Returns a function that ends the connection that was last sent to a worker. Node sends it the next one when it has the one
 * before, and forgets a connection that a worker did not get before it was killed: its client would wait for ever.
 */
function watchConnections({ process: child }: Worker): () => void {
  let last: { close?: () => void } | undefined
  const { send } = child
  child.send = ((message: Serializable, handle?: object, ...rest: never[]) => {
    last = handle ?? last
    return Reflect.apply(send, child, [message, handle, ...rest])
  }) as typeof send
  return () => last?.close?.()
}

/** Sends a message to a worker. One that cannot be reached has ended, which is handled elsewhere. */
const send = (worker: Worker, message: ToWorker): void =>
  void worker.process.send(message, undefined, undefined, ignore)

const ignore = () => {}

/**
 * Returns a function of the milliseconds that a worker has run until it ended, which says how long to wait before it is
 * replaced. Those that end within ten seconds of their start are waited for longer each time, up to 30 seconds.
 */
export function createRestarts(): (ranMs: number) => number {
  let early = 0
  return (ranMs) => {
    early = ranMs < 10_000 ? early + 1 : 0
    return early <= 1 ? 0 : Math.min(30_000, 250 * 2 ** (early - 1))
  }
}
