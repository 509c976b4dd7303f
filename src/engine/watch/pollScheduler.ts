import { type Clock, systemClock } from '../../kit/clock/clock.ts'
import { withDeadline } from '../../kit/clock/deadline.ts'
import type { Signal } from '../../kit/clock/signal.ts'
import { FairQueue } from '../../kit/queue/fairQueue.ts'
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

/** Sends the requests of one poller, or of all feeds. */
export class PollScheduler {
  readonly clock: Clock
  /** From 0 up to, but not including, 1. */
  readonly random: () => number
  readonly maxUnavailableMs: number
  /** Time for one request, in milliseconds. */
  readonly timeoutMs: number
  readonly #fleetWaitMs: number
  readonly #queue: FairQueue
  readonly #times = createResponseTimes()
  /** When each request that waits began to wait, in that order. */
  readonly #waiting = new Map<object, number>()

  constructor(options: PollSchedulerOptions) {
    const { concurrency = 32 } = options
    this.clock = options.clock ?? systemClock
    this.random = options.random ?? Math.random
    this.maxUnavailableMs = options.maxUnavailableMs ?? 10 * 60_000
    this.timeoutMs = options.timeoutMs ?? 4_000
    this.#fleetWaitMs = options.fleetWaitMs ?? 0
    this.#queue = new FairQueue({
      slots: concurrency,
      urgentSlots: Math.ceil(concurrency * 0.75),
      maxWaiting: Number.POSITIVE_INFINITY,
    })
  }

  /**
   * The timeout of one attempt, in milliseconds, since its connection may hang: several times the duration of the
   * latest requests, all keys together. All the time there is until that is known.
   */
  get attemptTimeoutMs(): number {
    return Math.min(this.timeoutMs, this.#times.slowest * hangFactor)
  }

  /** Learns how many milliseconds a request has taken that was answered. */
  observe(takenMs: number): void {
    this.#times.observe(takenMs)
  }

  /** How long the request that has waited longest has waited for its turn, in milliseconds. */
  get lateMs(): number {
    const [oldest = this.clock.now()] = this.#waiting.values()
    return this.clock.now() - oldest
  }

  get inFlight(): number {
    return this.#queue.active
  }

  /**
   * Runs a request when fewer than `concurrency` are in flight and it is the turn of its owner. Rejects
   * with `UPSTREAM_TIMEOUT` and that message when the request takes too long, and with the signal's
   * reason when it aborts.
   */
  run<T>(options: RunOptions, request: (signal: Signal) => Promise<T>): Promise<T> {
    const { signal, timeoutMessage, owner = nobody, timeoutMs = this.timeoutMs } = options
    const late = () => new GatewayError('UPSTREAM_TIMEOUT', timeoutMessage)
    if (signal.aborted) return Promise.reject(signal.reason)
    return new Promise<T>((resolve, reject) => {
      const onAbort = () => {
        this.#waiting.delete(options)
        leave()
        reject(signal.reason)
      }
      this.#waiting.set(options, this.clock.now())
      signal.addEventListener('abort', onAbort)
      const leave = this.#queue.join(owner, {
        start: (free) => {
          this.#waiting.delete(options)
          signal.removeEventListener('abort', onAbort)
          const milliseconds = timeoutMs + this.#fleetWaitMs
          withDeadline(this.clock, { milliseconds, signal, late }, request).then(resolve, reject).finally(free)
        },
        refuse: () => {},
      })
    })
  }

  /** Milliseconds to wait after that many faults in a row: at least what a rate limit names. */
  retryDelay(faults: number, error: unknown): number {
    return Math.max(retryAfterOf(error), jitter(backoff(faults), this.random()))
  }
}

const nobody: Requester = { client: '' }

/** A request that takes this many times as long as the slowest one lately is likely to hang. */
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
