import { Repeater, SlidingBuffer } from '@repeaterjs/repeater'
import type { CacheStore } from '../kit/cache/cache.ts'
import { pause } from '../kit/clock/clock.ts'
import type { Signal } from '../kit/clock/signal.ts'
import { limitExceeded } from '../upstream/error.ts'
import { createFinalStates, type FinalStatesBounds } from './finalStates.ts'
import type { Topic } from './model.ts'
import { createPollScheduler, type PollSchedulerOptions } from './pollScheduler.ts'
import { createRateLimitHold } from './rateLimitHold.ts'
import type { StateRules, StateSource } from './stateSource.ts'
import { type AnyStateWatch, openStateWatch, type StateWatch } from './stateWatch.ts'

/** Shares one poll of each target between all its listeners. For things that end. */
export interface Poller {
  /**
   * Yields the state at once, then each change, and completes after the final state. A listener of a state that
   * is older than two seconds has it polled at once. A slow listener gets the newest state and misses those
   * between. Rejects with a `GatewayError` when the target stays unknown or unavailable, or does not reach a
   * final state in time, and with `RATE_LIMITED` when its client watches too many targets.
   */
  watch<T>(source: StateSource<T>): AsyncIterableIterator<T>
  /** The newest form of a final state, as `FinalStates.newest`. */
  newest<T>(source: StateSource<T>, state: T): Promise<T>
  /** Gives the listeners of a target what a request outside its polls has found. */
  learn<T>(rules: StateRules<T>, key: string, state: T): void
  /**
   * Counts something else that a client watches, together with the targets. Returns a function that ends
   * it. Throws `RATE_LIMITED` when the client watches too much.
   */
  reserve(client: string, target: string): () => void
  /** The irreversible final state of this key that was seen lately, if any. */
  finalState<T>(topic: Topic<T>, key: string): T | undefined
  /** Resolves after that many milliseconds; rejects with the signal's reason when it aborts. */
  pause(milliseconds: number, signal: Signal): Promise<void>
  /**
   * Stops all watches. Listeners get no event after this, not even a completion: clients would read that as the
   * end of the target.
   */
  close(): void
  /** Targets polled now. */
  readonly size: number
  readonly listeners: number
  readonly inFlight: number
  /** How late the poll is that has waited longest for its turn, in milliseconds. */
  readonly lateMs: number
}

/** Bounds of polling. Times are in milliseconds. */
export interface PollerOptions extends PollSchedulerOptions, Partial<WatchQuotaOptions> {
  /** Keeps final states, in one region for each topic. */
  readonly cache: CacheStore
  /** How long a target is polled at most. */
  readonly deadlineMs?: number
  /** How many bytes of final states of a topic are kept for late listeners, and for how long. */
  readonly finalStateCache?: FinalStatesBounds
  /** Whether a target that has ended begins again when it is registered, as in the sandbox. Each new watch then registers its target. Default: false. */
  readonly canBeginAnew?: boolean
}

const minute = 60_000
const unlimited = Number.POSITIVE_INFINITY

/** Opens shared polling. Nothing is sent while nobody listens. */
export function createPoller(options: PollerOptions): Poller {
  const { cache, deadlineMs = 24 * 60 * minute, canBeginAnew = false } = options
  const { finalStateCache = { maxBytes: 16 * 2 ** 20, ttlMs: 10 * minute } } = options
  const { maxTargetsPerClient = unlimited, maxTargets = unlimited } = options
  const quota = createWatchQuota({ maxTargetsPerClient, maxTargets })
  const requests = createPollScheduler(options)
  const controller = new AbortController()
  const finalStates = createFinalStates(requests, cache, finalStateCache, controller.signal)
  const upstreamPause = createRateLimitHold(requests.clock, requests.random)
  const watches = new Map<string, AnyStateWatch>()
  let isClosed = false

  const idOf = <T>({ name }: Topic<T>, key: string) => `${name} ${key}`

  // A topic has one type of state, which a map of the watches of all topics cannot say.
  const openOf = <T>({ topic }: StateRules<T>, key: string) =>
    watches.get(idOf(topic, key)) as StateWatch<T> | undefined

  const watchOf = <T>(id: string, source: StateSource<T>): StateWatch<T> => {
    const open = openOf(source, source.key)
    if (open) return open
    const onStop = () => void watches.delete(id)
    const opened = openStateWatch(source, {
      requests,
      pause: upstreamPause,
      finalStates,
      deadlineMs,
      onStop,
    })
    watches.set(id, opened)
    return opened
  }

  return {
    watch<T>(source: StateSource<T>) {
      const { topic, key, client = '' } = source
      const id = idOf(topic, key)
      // Each listener has its own buffer: a slow listener loses only its own older states.
      return new Repeater<T>(async (push, stop) => {
        if (isClosed) return
        if (canBeginAnew) {
          finalStates.forget(topic, key)
          if (!openOf(source, key)) await source.onMissing?.(controller.signal).catch(() => false)
          if (isClosed) return
        }
        const kept = finalStates.get(topic, key)
        if (kept !== undefined) {
          const newest = await finalStates.newest(source, kept)
          if (isClosed) return
          void push(newest)
          return stop()
        }
        const release = quota.acquire(client, id)
        stop.then(release)
        stop.then(watchOf(id, source).join({ push: (state) => void push(state), stop }, source))
      }, new SlidingBuffer(1))
    },
    learn(rules, key, state) {
      openOf(rules, key)?.learn(state)
      finalStates.keep(rules, key, state)
    },
    newest: finalStates.newest,
    reserve: quota.acquire,
    finalState: finalStates.get,
    pause: (milliseconds, signal) => pause(requests.clock, milliseconds, signal),
    close() {
      isClosed = true
      controller.abort()
      for (const watch of [...watches.values()]) watch.close()
    },
    get size() {
      return watches.size
    },
    get listeners() {
      return [...watches.values()].reduce((sum, watch) => sum + watch.listenerCount, 0)
    },
    get inFlight() {
      return requests.inFlight
    },
    get lateMs() {
      return requests.lateMs
    },
  }
}

/** Bounds what clients watch: each target that is watched is polled. */
export interface WatchQuota {
  /**
   * Counts that a client watches a target, once for all its listeners. Returns a function that ends it.
   * Throws `RATE_LIMITED` if the client, or all clients together, watch too many targets.
   */
  acquire(client: string, target: string): () => void
}

/** How many targets may be watched. */
export interface WatchQuotaOptions {
  readonly maxTargetsPerClient: number
  /** By all clients. A target that many of them watch counts once. */
  readonly maxTargets: number
}

/** Creates a quota. */
function createWatchQuota(options: WatchQuotaOptions): WatchQuota {
  const { maxTargetsPerClient, maxTargets } = options
  /** How often each client watches each target. */
  const byClient = new Map<string, Map<string, number>>()
  const all = new Map<string, number>()

  return {
    acquire(client, target) {
      const own = byClient.get(client) ?? new Map<string, number>()
      if (!own.has(target) && own.size >= maxTargetsPerClient) {
        throw limitExceeded(
          'watched_per_client',
          'RATE_LIMITED',
          `This client watches too many transfers and transactions. The limit is ${maxTargetsPerClient}.`,
        )
      }
      if (!all.has(target) && all.size >= maxTargets) {
        throw limitExceeded(
          'watched',
          'RATE_LIMITED',
          'Too many transfers and transactions are watched. Try again later.',
        )
      }
      byClient.set(client, own)
      increment(own, target)
      increment(all, target)
      return () => {
        decrement(own, target)
        decrement(all, target)
        if (own.size === 0) byClient.delete(client)
      }
    },
  }
}

const increment = (counts: Map<string, number>, key: string) =>
  void counts.set(key, (counts.get(key) ?? 0) + 1)

function decrement(counts: Map<string, number>, key: string): void {
  const left = (counts.get(key) ?? 0) - 1
  if (left > 0) counts.set(key, left)
  else counts.delete(key)
}
