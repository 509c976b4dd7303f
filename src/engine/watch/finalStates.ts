import type { Cache, CacheStore } from '../../kit/cache/cache.ts'
import { sizeOf } from '../../kit/cache/sizeOf.ts'
import type { Topic } from './model.ts'
import type { PollScheduler } from './pollScheduler.ts'
import type { Reading, StateRules, StateSource } from './stateSource.ts'

/** How many bytes of final states of a topic are kept, and for how many milliseconds. */
export interface FinalStatesBounds {
  readonly maxBytes: number
  readonly ttlMs: number
}

/** How long a final state counts as current, in milliseconds. */
const freshMs = 2_000

interface FinalState<T> {
  readonly state: T
  readonly seenAt: number
}

/** Final states that polls have found, for listeners that join after the end. */
export class FinalStates {
  readonly #requests: PollScheduler
  readonly #cache: CacheStore
  readonly #bounds: FinalStatesBounds
  readonly #signal: AbortSignal
  readonly #polls = new Map<string, Promise<unknown>>()

  constructor(requests: PollScheduler, cache: CacheStore, bounds: FinalStatesBounds, signal: AbortSignal) {
    this.#requests = requests
    this.#cache = cache
    this.#bounds = bounds
    this.#signal = signal
  }

  /** The irreversible final state of a target, if it was seen lately. */
  get<T>(topic: Topic<T>, key: string): T | undefined {
    return this.#openRegion(topic).get(key)?.state
  }

  /** Forgets the final state of a target. */
  forget<T>(topic: Topic<T>, key: string): void {
    this.#openRegion(topic).delete(key)
  }

  /** Keeps a state, if it is final and nothing can undo it. A state that is older than the kept one is not. */
  keep<T>({ topic, isIrreversible, isStale }: StateRules<T>, key: string, state: T): void {
    if (!isIrreversible(state)) return
    const before = this.get(topic, key)
    if (before !== undefined && isStale(before, state)) return
    const seenAt = this.#requests.clock.now()
    this.#openRegion(topic).set(key, { state, seenAt }, sizeOf(state))
  }

  /**
   * The newest form of a final state. It is polled once more if it can still change. All who ask
   * meanwhile share the poll. The given state, if the poll fails.
   */
  async newest<T>(target: StateSource<T>, state: T): Promise<T> {
    const { topic, key } = target
    const known = this.#openRegion(topic).get(key)
    if (known && this.#requests.clock.now() - known.seenAt < freshMs) return known.state
    if (target.isSettled(state)) return state
    const id = `${topic.name} ${key}`
    const polls = this.#polls
    const shared = polls.get(id) ?? this.#poll(target).finally(() => polls.delete(id))
    polls.set(id, shared)
    // A topic has one type of state. A state that can be undone is not kept.
    const found = (await shared) as T | null
    return this.get(topic, key) ?? found ?? state
  }

  async #poll<T>(target: StateSource<T>): Promise<T | null> {
    const { client = '', key, messages } = target
    const owner = { client, isUrgent: true }
    const options = { signal: this.#signal, owner, timeoutMessage: messages.timeout }
    const reading: Reading<T> = await this.#requests.run(options, target.fetch).then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    )
    const told = 'value' in reading ? reading.value : null
    const state = target.conclude ? await target.conclude(reading, this.#signal).catch(() => null) : told
    if (state !== null) this.keep(target, key, state)
    return state
  }

  #openRegion<T>({ name }: Topic<T>): Cache<FinalState<T>> {
    return this.#cache.open({ name: `finalStates.${name}`, ...this.#bounds })
  }
}
