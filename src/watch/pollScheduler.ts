import { type Clock, systemClock } from '../kit/clock/clock.ts'
import { withDeadline } from '../kit/clock/deadline.ts'
import type { Signal } from '../kit/clock/signal.ts'
import { FairQueue } from '../kit/queue/fairQueue.ts'
import { GatewayError } from '../upstream/error.ts'
import type { Requester } from '../upstream/requester.ts'
import { backoff, jitter } from './nextDelay.ts'
import { retryAfterOf } from './rateLimitHold.ts'

/** Bounds of the requests that polling sends. Times are in milliseconds. */
export interface PollSchedulerOptions {
  readonly clock?: Clock
  /** From 0 up to, but not including, 1. */
  readonly random?: () => number
  /** Requests in flight at once, over all keys. */
  readonly concurrency?: number
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
  readonly owner?: Requester
  /** Less time for the request than others have, in milliseconds. */
  readonly timeoutMs?: number
}

/** Sends the requests of polls and feeds. */
export interface PollScheduler {
  readonly clock: Clock
  /** From 0 up to, but not including, 1. */
  readonly random: () => number
  readonly maxUnavailableMs: number
  /** Time for one request, in milliseconds. */
  readonly timeoutMs: number
  /**
   * The timeout of one attempt, in milliseconds, since its connection may hang: several times the duration of the
   * latest requests, all keys together. All the time there is until that is known.
   */
  readonly attemptTimeoutMs: number
  /** Learns how long a request has taken that was answered. */
  observe(takenMs: number): void
  /** How long the request that has waited longest has waited for its turn, in milliseconds. */
  readonly lateMs: number
  /**
   * Runs a request when fewer than `concurrency` are in flight and it is the turn of its owner. Rejects
   * with `UPSTREAM_TIMEOUT` and that message when the request takes too long, and with the signal's
   * reason when it aborts.
   */
  run<T>(options: RunOptions, request: (signal: Signal) => Promise<T>): Promise<T>
  /** Milliseconds to wait after that many faults in a row: at least what a rate limit names. */
  retryDelay(faults: number, error: unknown): number
  /** That many milliseconds, more or less. */
  jitter(milliseconds: number): number
  readonly inFlight: number
}

/** Opens the requests of one poller, or of all feeds. */
export function createPollScheduler(options: PollSchedulerOptions): PollScheduler {
  const { clock = systemClock, random = Math.random, concurrency = 32, timeoutMs = 4_000 } = options
  const { fleetWaitMs = 0 } = options
  const queue = new FairQueue({
    slots: concurrency,
    urgentSlots: Math.ceil(concurrency * 0.75),
    maxWaiting: Number.POSITIVE_INFINITY,
  })
  const nobody: Requester = { client: '' }
  const times = createResponseTimes()
  /** When each request that waits began to wait, in that order. */
  const waiting = new Map<object, number>()
  return {
    clock,
    random,
    maxUnavailableMs: options.maxUnavailableMs ?? 10 * 60_000,
    timeoutMs,
    get attemptTimeoutMs() {
      return Math.min(timeoutMs, times.slowest * hangFactor)
    },
    observe: times.observe,
    get lateMs() {
      const [oldest = clock.now()] = waiting.values()
      return clock.now() - oldest
    },
    run<T>(options: RunOptions, request: (signal: Signal) => Promise<T>) {
      const { signal, timeoutMessage, owner = nobody } = options
      const late = () => new GatewayError('UPSTREAM_TIMEOUT', timeoutMessage)
      if (signal.aborted) return Promise.reject(signal.reason)
      return new Promise<T>((resolve, reject) => {
        const onAbort = () => {
          waiting.delete(options)
          leave()
          reject(signal.reason)
        }
        waiting.set(options, clock.now())
        signal.addEventListener('abort', onAbort)
        const leave = queue.join(owner, {
          start(free) {
            waiting.delete(options)
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
    retryDelay: (faults, error) => Math.max(retryAfterOf(error), jitter(backoff(faults), random())),
    jitter: (milliseconds) => jitter(milliseconds, random()),
    get inFlight() {
      return queue.active
    },
  }
}

/** A request that takes so many times as long as the slowest one lately is likely to hang. */
const hangFactor = 4

/** A request that took less counts as much as this, in milliseconds: quick upstreams have slow moments. */
const shortest = 500

/** So many requests show how slow an upstream can be. */
const remembered = 32

/** Remembers what the last requests have taken. */
function createResponseTimes() {
  const last: number[] = []
  return {
    /** Milliseconds of the slowest one. Infinity before the first. */
    get slowest() {
      return last.length === 0 ? Number.POSITIVE_INFINITY : Math.max(shortest, ...last)
    },
    observe(takenMs: number) {
      last.push(takenMs)
      if (last.length > remembered) last.shift()
    },
  }
}
