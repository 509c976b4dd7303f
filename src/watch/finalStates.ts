import type { Cache, CacheStore } from '../kit/cache/cache.ts'
import { sizeOf } from '../kit/cache/sizeOf.ts'
import type { Topic } from './model.ts'
import type { PollScheduler } from './pollScheduler.ts'
import type { StateRules, StateSource } from './stateSource.ts'

/** Final states that polls have found, for listeners that join after the end. */
export interface FinalStates {
  /** The irreversible final state of a target, if it was seen lately. */
  get<T>(topic: Topic<T>, key: string): T | undefined
  /** Forgets the final state of a target. */
  forget<T>(topic: Topic<T>, key: string): void
  /** Keeps a state, if it is final and nothing can undo it. A state that is older than the kept one is not. */
  keep<T>(rules: StateRules<T>, key: string, state: T): void
  /**
   * The newest form of a final state. It is polled once more if it can still change. All who ask
   * meanwhile share the poll. The given state, if the poll fails.
   */
  newest<T>(target: StateSource<T>, state: T): Promise<T>
}

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

/** Opens the final states of a poller. */
export function createFinalStates(
  requests: PollScheduler,
  cache: CacheStore,
  bounds: FinalStatesBounds,
  signal: AbortSignal,
): FinalStates {
  const { clock } = requests
  const polls = new Map<string, Promise<unknown>>()

  const regionOf = <T>({ name }: Topic<T>): Cache<FinalState<T>> =>
    cache.open({ name: `finalStates.${name}`, ...bounds })

  const keep: FinalStates['keep'] = ({ topic, isIrreversible, isStale }, key, state) => {
    if (!isIrreversible(state)) return
    const region = regionOf(topic)
    const before = region.get(key)?.state
    if (before !== undefined && isStale(before, state)) return
    region.set(key, { state, seenAt: clock.now() }, sizeOf(state))
  }

  const poll = async <T>(target: StateSource<T>): Promise<T | null> => {
    const { client = '', key, messages } = target
    const owner = { client, isUrgent: true }
    const options = { signal, owner, timeoutMessage: messages.timeout }
    const state = await requests.run(options, target.fetch).catch(() => null)
    if (state !== null) keep(target, key, state)
    return state
  }

  return {
    get: (topic, key) => regionOf(topic).get(key)?.state,
    keep,
    forget: (topic, key) => regionOf(topic).delete(key),
    async newest<T>(target: StateSource<T>, state: T) {
      const { topic, key } = target
      const known = regionOf(topic).get(key)
      const isFresh = known !== undefined && clock.now() - known.seenAt < freshMs
      if (isFresh) return known.state
      if (target.isSettled(state)) return state
      const id = `${topic.name} ${key}`
      const shared = polls.get(id) ?? poll(target).finally(() => polls.delete(id))
      polls.set(id, shared)
      // A topic has one type of state. A state that can be undone is not kept.
      const found = (await shared) as T | null
      return regionOf(topic).get(key)?.state ?? found ?? state
    },
  }
}
