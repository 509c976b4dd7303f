import { type Clock, systemClock } from '../clock/clock.ts'
import { withDeadline } from '../clock/deadline.ts'
import type { Signal } from '../clock/signal.ts'
import { GatewayError } from '../upstream/error.ts'
import { createFairQueue } from '../upstream/fairQueue.ts'
import type { Owner } from '../upstream/lane.ts'
import { UpstreamHttpError } from '../upstream/upstreamError.ts'
import { backoff, jitter } from './schedule.ts'

/** Bounds of the requests that polling sends. Times are in milliseconds. */
export interface RequestOptions {
  readonly clock?: Clock
  /** From 0 up to, but not including, 1. */
  readonly random?: () => number
  /** Requests in flight at once, over all keys. */
  readonly concurrency?: number
  /** Time for one request. */
  readonly timeoutMs?: number
  /** Time that a request may wait for its turn in the fleet, beside that for the request itself. */
  readonly fleetWaitMs?: number
  /** How long requests may fail, or find nothing, before the listeners get an error. */
  readonly maxUnavailableMs?: number
}

/** One request of a poll or a feed. */
export interface RunOptions {
  readonly signal: Signal
  readonly timeoutMessage: string
  /** Clients take turns. Urgent requests go first, in three quarters of the slots. */
  readonly owner?: Owner
  /** Less time for the request than others have, in milliseconds. */
  readonly timeoutMs?: number
}

/** Sends the requests of polls and feeds. */
export interface Requests {
  readonly clock: Clock
  readonly maxUnavailableMs: number
  /** Time for one request, in milliseconds. */
  readonly timeoutMs: number
  /**
   * Runs a request when fewer than `concurrency` are in flight and it is the turn of its owner. Rejects
   * with `UPSTREAM_TIMEOUT` and that message when the request takes too long, and with the signal's
   * reason when it aborts.
   */
  run<T>(options: RunOptions, request: (signal: Signal) => Promise<T>): Promise<T>
  /**
   * Milliseconds to wait after that many faults in a row: at least what a rate limit names. The time that
   * the last request took is part of the wait.
   */
  retryDelay(faults: number, error: unknown, takenMs?: number): number
  /** That many milliseconds, more or less. */
  jitter(milliseconds: number): number
  /**
   * Somewhat more than that many milliseconds, more than `jitter` makes of them: the gateway that looked last
   * looks next, and another one if it does not.
   */
  afterOthers(milliseconds: number): number
  /** Requests in flight now. */
  readonly inFlight: number
}

/** Opens the requests of one poller, or of all feeds. */
export function createRequests(options: RequestOptions): Requests {
  const { clock = systemClock, random = Math.random, concurrency = 32, timeoutMs = 4_000 } = options
  const { fleetWaitMs = 0 } = options
  const queue = createFairQueue({
    slots: concurrency,
    urgentSlots: Math.ceil(concurrency * 0.75),
    maxWaiting: Number.POSITIVE_INFINITY,
  })
  const nobody: Owner = { client: '' }
  return {
    clock,
    maxUnavailableMs: options.maxUnavailableMs ?? 10 * 60_000,
    timeoutMs,
    run<T>(options: RunOptions, request: (signal: Signal) => Promise<T>) {
      const { signal, timeoutMessage, owner = nobody } = options
      const late = () => new GatewayError('UPSTREAM_TIMEOUT', timeoutMessage)
      if (signal.aborted) return Promise.reject(signal.reason)
      return new Promise<T>((resolve, reject) => {
        const onAbort = () => {
          leave()
          reject(signal.reason)
        }
        signal.addEventListener('abort', onAbort)
        const leave = queue.join(owner, {
          start(free) {
            signal.removeEventListener('abort', onAbort)
            const milliseconds = (options.timeoutMs ?? timeoutMs) + fleetWaitMs
            withDeadline(clock, { milliseconds, signal, late }, request)
              .then(resolve, reject)
              .finally(free)
          },
          refuse: () => {},
        })
      })
    },
    retryDelay(faults, error, takenMs = 0) {
      const named = error instanceof UpstreamHttpError ? (error.retryAfter ?? 0) : 0
      return Math.max(named, jitter(backoff(faults), random) - takenMs)
    },
    jitter: (milliseconds) => jitter(milliseconds, random),
    afterOthers: (milliseconds) => milliseconds * (1.3 + random() / 4),
    get inFlight() {
      return queue.active
    },
  }
}
