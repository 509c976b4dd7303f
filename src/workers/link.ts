import type { ChildProcess } from 'node:child_process'
import { createBirpc, type ProxifiedRemoteFunctions } from 'birpc'
import type { ProcessMetrics } from '../telemetry/metrics/joinedMetrics.ts'
import type { SharedCalls, SharedWorker } from './sharedHub.ts'

/** Calls of the primary process to a worker, once the worker has asked for its plan. */
export interface WorkerCalls<Chains> extends SharedWorker {
  updateChains(chains: Chains): void
  metrics(): Promise<ProcessMetrics>
  /** Closes the gateway as a signal would, and ends the process. */
  stop(): void
}

/** Calls of a worker to the primary process. */
export interface PrimaryCalls<Plan> extends SharedCalls {
  /** Returns the plan to serve. It is the first call of a worker: before it, calls to the worker are lost. */
  plan(): Plan
  /** The worker listens at this URL. */
  serves(url: string): void
  /** The worker has the connection that came last. */
  received(): void
  /** The worker cannot serve, for that reason, and is about to end. */
  fails(reason: string): void
  /** The metrics of all workers. */
  metricsText(): Promise<string>
}

/** The primary's end of the line to a worker. */
export type ToWorker<Chains> = ProxifiedRemoteFunctions<WorkerCalls<Chains>> & {
  $close(error: Error): void
}

/** A worker's end of the line to the primary. */
export type ToPrimary<Plan> = ProxifiedRemoteFunctions<PrimaryCalls<Plan>>

/** A process that cannot be reached has ended. Its exit is handled elsewhere. */
const ignore = () => {}

/** No call fails for its time alone: starts and shutdowns may take long. */
const timeout = -1

/** The message that comes with a connection. All other messages are calls. */
export const connectionMessage = 'connection'

/** Opens the line from the primary to a worker. Its calls reject once it is closed. */
export const linkToWorker = <Plan, Chains>(
  worker: ChildProcess,
  calls: PrimaryCalls<Plan>,
): ToWorker<Chains> =>
  createBirpc<WorkerCalls<Chains>, PrimaryCalls<Plan>>(calls, {
    post: (message) => void worker.send(message, ignore),
    on: (receive) => void worker.on('message', receive),
    timeout,
  })

/** Opens the line from this process, a worker, to its primary. */
export const linkToPrimary = <Plan, Chains>(calls: WorkerCalls<Chains>): ToPrimary<Plan> =>
  createBirpc<PrimaryCalls<Plan>, WorkerCalls<Chains>>(calls, {
    post: (message) => void process.send?.(message, undefined, undefined, ignore),
    on: (receive) =>
      void process.on('message', (message) => {
        if (message !== connectionMessage) receive(message)
      }),
    timeout,
  })
