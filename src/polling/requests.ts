import pLimit from 'p-limit'
import { type Clock, systemClock } from '../clock/clock.ts'
import { withDeadline } from '../clock/deadline.ts'
import type { Signal } from '../clock/signal.ts'
import { GatewayError } from '../upstream/error.ts'
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
  /** How long requests may fail, or find nothing, before the listeners get an error. */
  readonly maxUnavailableMs?: number
}

/** Sends the requests of polls and feeds. */
export interface Requests {
  readonly clock: Clock
  readonly maxUnavailableMs: number
  /**
   * Runs a request as soon as fewer than `concurrency` are in flight. Rejects with `UPSTREAM_TIMEOUT`
   * and that message when the request takes too long, and with the signal's reason when it aborts.
   */
  run<T>(
    options: { readonly signal: Signal; readonly timeoutMessage: string },
    request: (signal: Signal) => Promise<T>,
  ): Promise<T>
  /** Milliseconds to wait after that many faults in a row: at least what a rate limit names. */
  retryDelay(faults: number, error: unknown): number
  /** That many milliseconds, more or less. */
  jitter(milliseconds: number): number
  /** Requests in flight now. */
  readonly inFlight: number
}

/** Opens the requests of one poller, or of all feeds. */
export function createRequests(options: RequestOptions): Requests {
  const { clock = systemClock, random = Math.random, concurrency = 32, timeoutMs = 4_000 } = options
  const limit = pLimit(concurrency)
  return {
    clock,
    maxUnavailableMs: options.maxUnavailableMs ?? 10 * 60_000,
    run({ signal, timeoutMessage }, request) {
      const late = () => new GatewayError('UPSTREAM_TIMEOUT', timeoutMessage)
      return limit(() => withDeadline(clock, { milliseconds: timeoutMs, signal, late }, request))
    },
    retryDelay(faults, error) {
      const named = error instanceof UpstreamHttpError ? (error.retryAfter ?? 0) : 0
      return Math.max(named, jitter(backoff(faults), random))
    },
    jitter: (milliseconds) => jitter(milliseconds, random),
    get inFlight() {
      return limit.activeCount
    },
  }
}
