import { Repeater, SlidingBuffer, type Stop } from '@repeaterjs/repeater'
import type { CacheStore } from '../../kit/cache/cache.ts'
import { pause } from '../../kit/clock/clock.ts'
import type { Signal } from '../../kit/clock/signal.ts'
import { limitExceeded } from '../upstream/error.ts'
import { FinalStates, type FinalStatesBounds } from './finalStates.ts'
import { LateParts } from './lateParts.ts'
import type { Topic } from './model.ts'
import { PollScheduler, type PollSchedulerOptions } from './pollScheduler.ts'
import { createRateLimitHold, type RateLimitHold } from './rateLimitHold.ts'
import type { StateRules, StateSource } from './stateSource.ts'
import {
  type AnyStateWatch,
  openStateWatch,
  type Registration,
  registrationMs,
  type StateListener,
  type StateWatch,
} from './stateWatch.ts'

// Watches things that end: transfers, and transactions that are not indexed yet. All listeners of one target share one
// `StateWatch`, which polls it through the machine of `step.ts` and sends each change. The watch opens with the first
// listener and closes with the last. A final state that cannot be undone is kept, so a late listener gets it without a
// poll. What a state lacks at its end, such as a transaction that an indexer has not read, is searched for by
// `LateParts`, which stands between the watch and its listeners.

/** Bounds of polling. Times are in milliseconds. */
export interface PollerOptions extends PollSchedulerOptions {
  /** Keeps final states, in one region for each topic. */
  readonly cache: CacheStore
  /** How many targets each client may watch, and all clients together. A target that many of them watch counts once. */
  readonly maxTargetsPerClient?: number
  readonly maxTargets?: number
  /** How long a target is polled at most. */
  readonly deadlineMs?: number
  /** How many bytes of final states of a topic are kept for late listeners, and for how long. */
  readonly finalStateCache?: FinalStatesBounds
  /** Registering a target that has ended restarts it, as in the sandbox. Each new watch then registers its target. Default: false. */
  readonly isRestartable?: boolean
}

/** Targets that were registered, so that another watch does not do it again. */
const registeredTargets = { name: 'registered targets', maxEntries: 20_000, ttlMs: registrationMs }

/** Shares one poll of each target between all its listeners. For things that end. Nothing is sent while nobody listens. */
export class Poller {
  /** Counts what clients watch: the targets, and what else is reserved here. */
  readonly quota: WatchQuota
  readonly finalStates: FinalStates
  readonly #requests: PollScheduler
  readonly #options: Required<Pick<PollerOptions, 'cache' | 'deadlineMs' | 'isRestartable'>>
  readonly #pause: RateLimitHold
  readonly #watches = new Map<string, AnyStateWatch>()
  /** The searches for late parts, by the same ids. They outlive the watch. */
  readonly #late = new Map<string, Pick<LateParts<never>, 'close' | 'isUsed'>>()
  readonly #controller = new AbortController()

  constructor(options: PollerOptions) {
    const { cache, deadlineMs = 24 * 60 * minute, isRestartable = false } = options
    const { finalStateCache = { maxBytes: 16 * 2 ** 20, ttlMs: 10 * minute } } = options
    this.#options = { cache, deadlineMs, isRestartable }
    this.quota = new WatchQuota(options.maxTargetsPerClient, options.maxTargets)
    const requests = new PollScheduler(options)
    this.#requests = requests
    const { signal } = this.#controller
    this.finalStates = new FinalStates(requests, cache, finalStateCache, signal)
    this.#pause = createRateLimitHold(requests.clock, requests.random)
  }

  /**
   * Yields the state at once, then each change, and completes after the final state. With `late`, it yields a state once more when
   * parts have come, and completes at most 30 seconds later while a part is missing. A listener of a state that
   * is older than two seconds has it polled at once. A slow listener gets the newest state and misses those
   * between. Rejects with a `GatewayError` when the target stays unknown or unavailable, or does not reach a
   * final state in time, and with `RATE_LIMITED` when its client watches too many targets.
   */
  watch<T>(source: StateSource<T>): AsyncIterableIterator<T> {
    const { topic, key, client = '' } = source
    const id = idOf(topic, key)
    const { signal } = this.#controller
    // Each listener has its own buffer: a slow listener loses only its own older states.
    return new Repeater<T>(async (push, stop) => {
      if (signal.aborted) return
      if (this.#options.isRestartable) this.finalStates.forget(topic, key)
      const listener = { push: (state: T) => void push(state), stop }
      const kept = this.finalStates.get(topic, key)
      if (kept !== undefined) {
        const newest = await this.finalStates.newest(source, kept)
        if (signal.aborted) return
        const { push, stop } = this.#awaitParts(source, listener)
        push(newest)
        return stop()
      }
      const release = this.quota.acquire(client, id)
      stop.then(release)
      stop.then(this.#open(source).join(this.#awaitParts(source, listener), source))
    }, new SlidingBuffer(1))
  }

  /** Gives the listeners of a target what a request outside its polls has found. */
  learn<T>(rules: StateRules<T>, key: string, state: T): void {
    this.#known(rules, key)?.learn(state)
    this.finalStates.keep(rules, key, state)
  }

  /** Notes that a target was registered outside of its watch. */
  noteRegistered<T>(topic: Topic<T>, key: string): void {
    this.#registrationOf(idOf(topic, key))?.note()
  }

  /** Resolves after that many milliseconds; rejects with the signal's reason when it aborts. */
  pause(milliseconds: number, signal: Signal): Promise<void> {
    return pause(this.#requests.clock, milliseconds, signal)
  }

  /**
   * Stops all watches. Listeners get no event after this, not even a completion: clients would read that as the
   * end of the target.
   */
  close(): void {
    this.#controller.abort()
    for (const each of [...this.#watches.values(), ...this.#late.values()]) each.close()
  }

  /** Targets polled now. */
  get size(): number {
    return this.#watches.size
  }

  get listeners(): number {
    return [...this.#watches.values()].reduce((sum, watch) => sum + watch.listenerCount, 0)
  }

  get inFlight(): number {
    return this.#requests.inFlight
  }

  /** How late the poll is that has waited longest for its turn, in milliseconds. */
  get lateMs(): number {
    return this.#requests.lateMs
  }

  /** A topic has one type of state, which a map of the watches of all topics cannot say. */
  #known<T>({ topic }: StateRules<T>, key: string): StateWatch<T> | undefined {
    return this.#watches.get(idOf(topic, key)) as StateWatch<T> | undefined
  }

  /** The listener, which waits for the parts that the source says can be late. */
  #awaitParts<T>(source: StateSource<T>, listener: StoppableListener<T>): StateListener<T> {
    const { topic, key, late } = source
    if (!late) return listener
    const id = idOf(topic, key)
    const newest = (state: T) => this.finalStates.newest(source, state)
    // A topic has one type of state.
    const known = this.#late.get(id) as LateParts<T> | undefined
    const parts = known ?? new LateParts(source, late.missing, newest, this.#requests.clock)
    this.#late.set(id, parts)
    const { leave, ...joined } = parts.join(listener, late.kinds)
    listener.stop.then(() => {
      leave()
      if (!parts.isUsed && this.#late.get(id) === parts) this.#late.delete(id)
    })
    return joined
  }

  #registrationOf(id: string): Registration | undefined {
    const { cache, isRestartable } = this.#options
    const registered = cache.open<true>(registeredTargets)
    return isRestartable
      ? undefined
      : { isDone: () => registered.get(id) === true, note: () => registered.set(id, true) }
  }

  #open<T>(source: StateSource<T>): StateWatch<T> {
    const known = this.#known(source, source.key)
    if (known) return known
    const id = idOf(source.topic, source.key)
    const opened = openStateWatch(source, {
      requests: this.#requests,
      pause: this.#pause,
      finalStates: this.finalStates,
      registration: this.#registrationOf(id),
      deadlineMs: this.#options.deadlineMs,
      onStop: () => void this.#watches.delete(id),
    })
    this.#watches.set(id, opened)
    return opened
  }
}

/** A listener whose `stop` resolves when it has stopped. */
interface StoppableListener<T> extends StateListener<T> {
  readonly stop: Stop
}

const idOf = <T>({ name }: Topic<T>, key: string): string => `${name} ${key}`

const minute = 60_000
const unlimited = Number.POSITIVE_INFINITY

/** Bounds what clients watch: each target that is watched is polled. */
class WatchQuota {
  readonly #maxTargetsPerClient: number
  readonly #maxTargets: number
  /** The number of watches of each client for each target. */
  readonly #byClient = new Map<string, Map<string, number>>()
  readonly #all = new Map<string, number>()

  constructor(maxTargetsPerClient = unlimited, maxTargets = unlimited) {
    this.#maxTargetsPerClient = maxTargetsPerClient
    this.#maxTargets = maxTargets
  }

  /**
   * Counts that a client watches a target, once for all its listeners. Returns a function that ends it.
   * Throws `RATE_LIMITED` if the client, or all clients together, watch too many targets.
   */
  acquire(client: string, target: string): () => void {
    const [maxTargetsPerClient, maxTargets] = [this.#maxTargetsPerClient, this.#maxTargets]
    const own = this.#byClient.get(client) ?? new Map<string, number>()
    if (!own.has(target) && own.size >= maxTargetsPerClient) {
      const message = `This client watches too many transfers and transactions. The limit is ${maxTargetsPerClient}.`
      throw limitExceeded('open_per_client', 'RATE_LIMITED', message)
    }
    if (!this.#all.has(target) && this.#all.size >= maxTargets) {
      const message = 'Too many transfers and transactions are watched. Try again later.'
      throw limitExceeded('watched', 'RATE_LIMITED', message)
    }
    this.#byClient.set(client, own)
    increment(own, target)
    increment(this.#all, target)
    return () => {
      decrement(own, target)
      decrement(this.#all, target)
      if (own.size === 0) this.#byClient.delete(client)
    }
  }
}

const increment = (counts: Map<string, number>, key: string) => void counts.set(key, (counts.get(key) ?? 0) + 1)

function decrement(counts: Map<string, number>, key: string): void {
  const left = (counts.get(key) ?? 0) - 1
  if (left > 0) counts.set(key, left)
  else counts.delete(key)
}
