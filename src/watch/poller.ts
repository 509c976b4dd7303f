import { Repeater, SlidingBuffer } from '@repeaterjs/repeater'
import type { CacheStore } from '../cache/cache.ts'
import { pause } from '../clock/clock.ts'
import type { Signal } from '../clock/signal.ts'
import { createEndings, type EndingsBounds } from './endings.ts'
import { type AnyPoll, type Poll, startPoll } from './poll.ts'
import type { PollRules, PollTarget } from './pollTarget.ts'
import { createRequests, type RequestOptions } from './requests.ts'
import type { Topic } from './topic.ts'
import { createWatchQuota, type WatchQuota, type WatchQuotaOptions } from './watchQuota.ts'

/** Shares one poll of each target between all its listeners. For things that end. */
export interface Poller {
  /**
   * Yields the state at once, then each change, and completes after the final state. The first listener for
   * two seconds makes the poll look at once. A listener that reads slowly gets the newest state and misses those between. Rejects with a `GatewayError` when the
   * target stays unknown or unavailable, or does not reach a final state in time, and with `RATE_LIMITED`
   * when its client watches too many targets.
   */
  watch<T>(target: PollTarget<T>): AsyncIterableIterator<T>
  /** Tells the listeners of a target what a request outside its poll has found. */
  learn<T>(rules: PollRules<T>, key: string, state: T): void
  /**
   * Counts something else that a client watches, together with the targets. Returns a function that ends
   * it. Throws `RATE_LIMITED` when the client watches too much, or calls `onRefused` with that.
   */
  reserve(client: string, target: string, onRefused: (error: unknown) => void): () => void
  /** The irreversible final state of this key that was seen lately, if any. */
  finalState<T>(topic: Topic<T>, key: string): T | undefined
  /** Resolves after that many milliseconds; rejects with the signal's reason when it aborts. */
  pause(milliseconds: number, signal: Signal): Promise<void>
  /**
   * Stops all polls. Listeners get nothing more, not even a completion: clients would take that for
   * the end of what they watch.
   */
  close(): void
  /** Targets polled now. */
  readonly size: number
  /** Listeners of all targets. */
  readonly listeners: number
  /** Requests in flight now. */
  readonly inFlight: number
  /** How late the poll is that has waited longest for its turn, in milliseconds. */
  readonly lateMs: number
}

/** Bounds of polling. Times are in milliseconds. */
export interface PollerOptions extends RequestOptions, Partial<WatchQuotaOptions> {
  /** Keeps final states, in one region for each topic. */
  readonly cache: CacheStore
  /** How long a target is polled at most. */
  readonly deadlineMs?: number
  /** How many final states of a topic are kept for late listeners, and for how long. */
  readonly finalStateCache?: EndingsBounds
  /** Whether what has ended can begin anew, as in the sandbox: each watch then asks again. Default: false. */
  readonly canBeginAnew?: boolean
  /** Counts what clients watch. By default, what they watch in this process. */
  readonly quota?: WatchQuota
}

const minute = 60_000
const unlimited = Number.POSITIVE_INFINITY

/** Opens shared polling. Nothing is sent while nobody listens. */
export function createPoller(options: PollerOptions): Poller {
  const { cache, deadlineMs = 24 * 60 * minute, canBeginAnew = false } = options
  const { finalStateCache = { maxEntries: 10_000, ttlMs: 10 * minute } } = options
  const { maxTargetsPerClient = unlimited, maxTargets = unlimited } = options
  const { quota = createWatchQuota({ maxTargetsPerClient, maxTargets }) } = options
  const requests = createRequests(options)
  const controller = new AbortController()
  const endings = createEndings(requests, cache, finalStateCache, controller.signal)
  const polls = new Map<string, AnyPoll>()
  let isClosed = false

  const idOf = <T>({ name }: Topic<T>, key: string) => `${name} ${key}`

  // A topic has one type of state, which a map of the polls of all topics cannot say.
  const openPoll = <T>({ topic }: PollRules<T>, key: string) =>
    polls.get(idOf(topic, key)) as Poll<T> | undefined

  const pollOf = <T>(id: string, target: PollTarget<T>): Poll<T> => {
    const poll = openPoll(target, target.key)
    if (poll) return poll
    const onStop = () => void polls.delete(id)
    const started = startPoll(target, { requests, endings, deadlineMs, onStop })
    polls.set(id, started)
    return started
  }

  return {
    watch<T>(target: PollTarget<T>) {
      const { topic, key, client = '' } = target
      const id = idOf(topic, key)
      // Each listener has its own buffer: a slow listener loses only its own older states.
      return new Repeater<T>(async (push, stop) => {
        if (isClosed) return
        if (canBeginAnew) endings.forget(topic, key)
        const ending = endings.get(topic, key)
        if (ending !== undefined) {
          const newest = await endings.newest(target, ending)
          if (isClosed) return
          void push(newest)
          return stop()
        }
        const release = quota.acquire(client, id, stop)
        stop.then(release)
        stop.then(pollOf(id, target).join({ push: (state) => void push(state), stop }, target))
      }, new SlidingBuffer(1))
    },
    learn(rules, key, state) {
      openPoll(rules, key)?.learn(state)
      endings.keep(rules, key, state)
    },
    reserve: quota.acquire,
    finalState: endings.get,
    pause: (milliseconds, signal) => pause(requests.clock, milliseconds, signal),
    close() {
      isClosed = true
      controller.abort()
      for (const poll of [...polls.values()]) poll.stop()
    },
    get size() {
      return polls.size
    },
    get listeners() {
      return [...polls.values()].reduce((sum, poll) => sum + poll.listenerCount, 0)
    },
    get inFlight() {
      return requests.inFlight
    },
    get lateMs() {
      return requests.lateMs
    },
  }
}
