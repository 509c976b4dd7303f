import { createMemoryCacheStore } from '../../kit/cache/cache.ts'
import type { Clock } from '../../kit/clock/clock.ts'
import {
  type Outcome,
  type ReadRequest,
  type ReadResult,
  readKeyAt,
  seriesStart,
} from './sharedReads.ts'

/** A worker, as the primary process calls it. */
export interface ReadWorker {
  /** Sends the request. Undefined if it does not know the service. Rejects if the process has ended. */
  run(read: ReadRequest, timeoutMs: number): Promise<Outcome | undefined>
  /** Receives a result of another worker. */
  onPeerRead(read: ReadRequest, result: ReadResult): void
}

/** The calls of a worker to the primary process. */
export interface ReadCalls {
  /**
   * The newest outcome, if it is at most `maxAgeMs` old, or else the outcome of a request that one of the waiting
   * workers sends. Undefined if none of them could.
   */
  read(read: ReadRequest, maxAgeMs: number, timeoutMs: number): Promise<ReadResult | undefined>
  /** Sends this worker the results of others, until as many calls of `unfollow`. */
  follow(read: ReadRequest): void
  unfollow(read: ReadRequest): void
}

/** Joins the equal reads of all workers. It sends no requests itself. */
export interface ReadHub {
  join(worker: ReadWorker): ReadCalls & {
    /** The process has ended. Another waiting worker sends the requests that it had under way. */
    leave(): void
  }
}

/** How long outcomes are kept, in milliseconds, and how much memory they take up at most. */
const keptMs = 5 * 60_000
const keptBytes = 64 * 2 ** 20

/** A worker that takes this many milliseconds longer than its request may is stuck. Another one sends it. */
const stuckMs = 1_000

interface Kept {
  readonly outcome: Outcome
  readonly at: number
  /** When its series of reads began. */
  readonly since: number
  readonly runner: ReadWorker
}

/** The workers that wait for a read under way, in the order of their calls. */
type Waiting = Map<ReadWorker, ((result: ReadResult | undefined) => void)[]>

/** Opens the hub of a primary process. */
export function createReadHub(clock: Clock): ReadHub {
  const kept = createMemoryCacheStore(clock).open<Kept>({
    ...{ name: 'reads', maxBytes: keptBytes, ttlMs: keptMs },
  })
  const underWay = new Map<string, Waiting>()
  const followers = createFollowers()

  const resultOf = ({ outcome, at, since, runner }: Kept, worker: ReadWorker): ReadResult => ({
    ...{ outcome, ageMs: clock.now() - at, isShared: runner !== worker },
    seriesMs: clock.now() - since,
  })

  const settle = (key: string, waiting: Waiting, read: ReadRequest, found: Kept | undefined) => {
    underWay.delete(key)
    for (const [worker, resolves] of waiting) {
      for (const resolve of resolves) resolve(found && resultOf(found, worker))
    }
    if (!found) return
    kept.set(key, found, bytesOf(key, found.outcome))
    for (const worker of followers.of(key)) {
      if (!waiting.has(worker)) worker.onPeerRead(read, resultOf(found, worker))
    }
  }

  const send = async (key: string, waiting: Waiting, read: ReadRequest, timeoutMs: number) => {
    // Workers that begin to wait meanwhile are added at the end of the map, and are tried too.
    for (const runner of waiting.keys()) {
      const outcome = await runOn(clock, runner, read, timeoutMs)
      if (!outcome) continue
      const at = clock.now()
      const since = seriesStart(kept.get(key), at)
      return settle(key, waiting, read, { outcome, at, since, runner })
    }
    settle(key, waiting, read, undefined)
  }

  return {
    join: (worker) => ({
      async read(read, maxAgeMs, timeoutMs) {
        const key = readKeyAt(read)
        const known = kept.get(key)
        if (known && clock.now() - known.at <= maxAgeMs) return resultOf(known, worker)
        return new Promise((resolve) => {
          const others = underWay.get(key)
          const waiting: Waiting = others ?? new Map()
          waiting.set(worker, [...(waiting.get(worker) ?? []), resolve])
          if (others) return
          underWay.set(key, waiting)
          void send(key, waiting, read, timeoutMs)
        })
      },
      follow: (read) => followers.add(readKeyAt(read), worker),
      unfollow: (read) => followers.remove(readKeyAt(read), worker),
      leave() {
        followers.drop(worker)
        // The request that it sends rejects, and the next worker sends it.
        for (const waiting of underWay.values()) waiting.delete(worker)
      },
    }),
  }
}

/** The outcome of a worker. Undefined if there is none in time. */
async function runOn(clock: Clock, worker: ReadWorker, read: ReadRequest, timeoutMs: number) {
  let cancel = () => {}
  const late = new Promise<undefined>((resolve) => {
    cancel = clock.after(timeoutMs + stuckMs, () => resolve(undefined))
  })
  const run = worker.run(read, timeoutMs).catch(() => undefined)
  return Promise.race([run, late]).finally(cancel)
}

/** Counts how often each worker follows each read. */
function createFollowers() {
  const followers = new Map<string, Map<ReadWorker, number>>()
  const change = (key: string, worker: ReadWorker, by: number) => {
    const counts = followers.get(key) ?? new Map<ReadWorker, number>()
    const count = (counts.get(worker) ?? 0) + by
    if (count > 0) counts.set(worker, count)
    else counts.delete(worker)
    if (counts.size > 0) followers.set(key, counts)
    else followers.delete(key)
  }
  return {
    of: (key: string): Iterable<ReadWorker> => followers.get(key)?.keys() ?? [],
    add: (key: string, worker: ReadWorker) => change(key, worker, 1),
    remove: (key: string, worker: ReadWorker) => change(key, worker, -1),
    drop(worker: ReadWorker) {
      for (const [key, counts] of followers) {
        counts.delete(worker)
        if (counts.size === 0) followers.delete(key)
      }
    },
  }
}

const bytesOf = (key: string, outcome: Outcome): number => {
  const text = 'body' in outcome ? (outcome.body ?? '') : JSON.stringify(outcome.fault)
  return 2 * (key.length + text.length) + 256
}
