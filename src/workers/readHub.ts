import { createMemoryCacheStore } from '../kit/cache/cache.ts'
import type { Clock } from '../kit/clock/clock.ts'
import {
  type Outcome,
  type Read,
  type Reading,
  readKey,
  seriesStart,
} from '../watch/backplane/readings.ts'

/** A worker, as the primary sends reads and news to it. */
export interface ReadWorker {
  /** Sends the request. Undefined if it does not know the service. Rejects if the process has ended. */
  run(read: Read, timeoutMs: number): Promise<Outcome | undefined>
  /** Gives this worker a reading of another one. */
  news(read: Read, reading: Reading): void
}

/** What one worker asks of the others. */
export interface ReadSeat {
  /**
   * The newest outcome that is not older than `maxAgeMs`, or that of a request which one of the workers
   * that ask for it sends. Undefined if none of them could.
   */
  read(read: Read, maxAgeMs: number, timeoutMs: number): Promise<Reading | undefined>
  /** Sends this worker the news of a read, until as many calls of `unfollow`. */
  follow(read: Read): void
  unfollow(read: Read): void
  /** The process has ended. What it was reading is given to another worker that waits for it. */
  leave(): void
}

/** Joins the equal reads of all workers. It sends nothing itself. */
export interface ReadHub {
  join(worker: ReadWorker): ReadSeat
}

/** How long outcomes are kept, in milliseconds, and how much memory they take up at most. */
const keptMs = 5 * 60_000
const keptBytes = 64 * 2 ** 20

/** Milliseconds beyond the time of a request after which a worker is stuck, and another one sends it. */
const stuckMs = 1_000

interface Kept {
  readonly outcome: Outcome
  readonly at: number
  /** When its series of reads began. */
  readonly since: number
  readonly runner: ReadWorker
}

/** A read under way, and who waits for it in the order in which they asked. */
interface Flight {
  readonly waiting: Map<ReadWorker, ((reading: Reading | undefined) => void)[]>
}

/** Opens the hub of a primary process. */
export function createReadHub(clock: Clock): ReadHub {
  const kept = createMemoryCacheStore(clock).open<Kept>({
    ...{ name: 'reads', maxBytes: keptBytes, ttlMs: keptMs },
  })
  const flights = new Map<string, Flight>()
  const followers = new Map<string, Map<ReadWorker, number>>()

  const readingOf = ({ outcome, at, since, runner }: Kept, worker: ReadWorker): Reading => ({
    ...{ outcome, ageMs: clock.now() - at, isShared: runner !== worker },
    seriesMs: clock.now() - since,
  })

  /** The outcome of a worker. Undefined if there is none in time. */
  const runOn = async (worker: ReadWorker, read: Read, timeoutMs: number) => {
    let cancel = () => {}
    const late = new Promise<undefined>((resolve) => {
      cancel = clock.after(timeoutMs + stuckMs, () => resolve(undefined))
    })
    const run = worker.run(read, timeoutMs).catch(() => undefined)
    return Promise.race([run, late]).finally(cancel)
  }

  const settle = (key: string, flight: Flight, read: Read, found: Kept | undefined) => {
    flights.delete(key)
    for (const [worker, resolves] of flight.waiting) {
      for (const resolve of resolves) resolve(found && readingOf(found, worker))
    }
    if (!found) return
    kept.set(key, found, bytesOf(key, found.outcome))
    for (const worker of followers.get(key)?.keys() ?? []) {
      if (!flight.waiting.has(worker)) worker.news(read, readingOf(found, worker))
    }
  }

  const fly = async (key: string, flight: Flight, read: Read, timeoutMs: number) => {
    // Workers that ask meanwhile come at the end of the map, and are tried too.
    for (const runner of flight.waiting.keys()) {
      const outcome = await runOn(runner, read, timeoutMs)
      if (!outcome) continue
      const at = clock.now()
      const since = seriesStart(kept.get(key), at)
      return settle(key, flight, read, { outcome, at, since, runner })
    }
    settle(key, flight, read, undefined)
  }

  return {
    join(worker) {
      const follow = (read: Read, change: number) => {
        const key = keyOf(read)
        const counts = followers.get(key) ?? new Map<ReadWorker, number>()
        const count = (counts.get(worker) ?? 0) + change
        if (count > 0) counts.set(worker, count)
        else counts.delete(worker)
        if (counts.size > 0) followers.set(key, counts)
        else followers.delete(key)
      }
      return {
        async read(read, maxAgeMs, timeoutMs) {
          const key = keyOf(read)
          const known = kept.get(key)
          if (known && clock.now() - known.at <= maxAgeMs) return readingOf(known, worker)
          return new Promise((resolve) => {
            const flight = flights.get(key)
            const waiting = flight?.waiting ?? new Map()
            waiting.set(worker, [...(waiting.get(worker) ?? []), resolve])
            if (flight) return
            flights.set(key, { waiting })
            void fly(key, { waiting }, read, timeoutMs)
          })
        },
        follow: (read) => follow(read, 1),
        unfollow: (read) => follow(read, -1),
        leave() {
          for (const [key, counts] of followers) {
            counts.delete(worker)
            if (counts.size === 0) followers.delete(key)
          }
          // The read that it runs rejects, and goes to the next one.
          for (const { waiting } of flights.values()) waiting.delete(worker)
        },
      }
    },
  }
}

const keyOf = (read: Read): string => `${read.source} ${readKey(read)}`

const bytesOf = (key: string, outcome: Outcome): number => {
  const text = 'body' in outcome ? (outcome.body ?? '') : JSON.stringify(outcome.fault)
  return 2 * (key.length + text.length) + 256
}
