import type {
  Outcome,
  Read,
  Reading,
  Readings,
  ReadOptions,
  RunRead,
} from '../watch/backplane/readings.ts'

/** What the readings of a worker ask of the primary process. */
export interface ReadCalls {
  /** See `ReadSeat`. */
  read(read: Read, maxAgeMs: number, timeoutMs: number): Promise<Reading | undefined>
  follow(read: Read): void
  unfollow(read: Read): void
}

/** The readings of one worker. */
export interface WorkerReadings extends Readings {
  /** Takes what was read for another worker. */
  news(read: Read, reading: Reading): void
}

/** Shares the reads of this worker with the others, through the primary process. */
export function createWorkerReadings(primary: ReadCalls, run: RunRead): WorkerReadings {
  const listeners = new Map<string, Set<(reading: Reading) => void>>()
  /** Reads that wait for the primary. Each runs here when it is called. */
  const waiting = new Set<() => void>()
  let isClosed = false

  const runHere = async (read: Read, { signal, timeoutMs }: ReadOptions): Promise<Reading> => {
    const outcome = (await run(read, { signal, timeoutMs })) ?? unknown(read)
    return { outcome, ageMs: 0, isShared: false }
  }

  return {
    read: (read, options) =>
      new Promise((resolve, reject) => {
        const { signal, maxAgeMs, timeoutMs } = options
        if (signal.aborted) return reject(signal.reason)
        const leave = () => {
          signal.removeEventListener('abort', onAbort)
          return waiting.delete(moveHere)
        }
        const onAbort = () => {
          leave()
          reject(signal.reason)
        }
        const moveHere = () => {
          if (leave()) runHere(read, options).then(resolve, reject)
        }
        signal.addEventListener('abort', onAbort)
        waiting.add(moveHere)
        if (isClosed) return moveHere()
        primary.read(read, maxAgeMs, timeoutMs).then((reading) => {
          if (!reading) return moveHere()
          leave()
          resolve(reading)
        }, moveHere)
      }),
    follow(read, listener) {
      const key = keyOf(read)
      const others = listeners.get(key) ?? new Set()
      if (others.size === 0) primary.follow(read)
      listeners.set(key, others.add(listener))
      return () => {
        if (!others.delete(listener) || others.size > 0) return
        listeners.delete(key)
        primary.unfollow(read)
      }
    },
    news(read, reading) {
      for (const listener of [...(listeners.get(keyOf(read)) ?? [])]) listener(reading)
    },
    async close() {
      isClosed = true
      for (const moveHere of [...waiting]) moveHere()
    },
  }
}

const keyOf = ({ service, target }: Read): string => `${service} ${target}`

const unknown = ({ service }: Read): Outcome => ({
  fault: { code: 'UPSTREAM_UNAVAILABLE', message: `${service} is not served any more.`, service },
})
