import type { Cache, CacheStore } from '../cache/cache.ts'
import type { PollRules, PollTarget } from './pollTarget.ts'
import type { Requests } from './requests.ts'
import type { Topic } from './topic.ts'

/** Final states that polls have seen, for those who come after the end. */
export interface Endings {
  /** The irreversible final state of a target, if it was seen lately. */
  get<T>(topic: Topic<T>, key: string): T | undefined
  /** Forgets the final state of a target. */
  forget<T>(topic: Topic<T>, key: string): void
  /** Keeps a state, if it is final and nothing can undo it. A state that is older than the kept one is not. */
  keep<T>(rules: PollRules<T>, key: string, state: T): void
  /**
   * The newest form of a kept final state, which is looked at once more if it can still change. All who
   * ask meanwhile share the look. The kept state, if the look fails.
   */
  newest<T>(target: PollTarget<T>, kept: T): Promise<T>
}

/** How many final states of a topic are kept, and for how many milliseconds. */
export interface EndingsBounds {
  readonly maxEntries: number
  readonly ttlMs: number
}

/** How long a final state counts as current, in milliseconds. */
const freshMs = 2_000

interface Ending<T> {
  readonly state: T
  readonly seenAt: number
}

/** Opens the endings of a poller. */
export function createEndings(
  requests: Requests,
  cache: CacheStore,
  bounds: EndingsBounds,
  signal: AbortSignal,
): Endings {
  const { clock } = requests
  const looks = new Map<string, Promise<void>>()

  const endingsOf = <T>({ name }: Topic<T>): Cache<Ending<T>> =>
    cache.open({ name: `finalStates.${name}`, ...bounds })

  const keep: Endings['keep'] = ({ topic, isIrreversible, isStale }, key, state) => {
    if (!isIrreversible(state)) return
    const endings = endingsOf(topic)
    const before = endings.get(key)?.state
    if (before !== undefined && isStale(before, state)) return
    endings.set(key, { state, seenAt: clock.now() })
  }

  const look = async <T>(target: PollTarget<T>): Promise<void> => {
    const { client = '', key, messages } = target
    const owner = { client, isUrgent: true }
    const options = { signal, owner, timeoutMessage: messages.timeout }
    const state = await requests.run(options, target.fetch).catch(() => null)
    if (state !== null) keep(target, key, state)
  }

  return {
    get: (topic, key) => endingsOf(topic).get(key)?.state,
    keep,
    forget: (topic, key) => endingsOf(topic).delete(key),
    async newest(target, kept) {
      const { topic, key } = target
      const ending = endingsOf(topic).get(key)
      const isFresh = ending !== undefined && clock.now() - ending.seenAt < freshMs
      if (isFresh || target.isSettled(kept)) return kept
      const id = `${topic.name} ${key}`
      const shared = looks.get(id) ?? look(target).finally(() => looks.delete(id))
      looks.set(id, shared)
      await shared
      return endingsOf(topic).get(key)?.state ?? kept
    },
  }
}
