import type { ReadCalls } from './readHub.ts'
import {
  type Outcome,
  type ReadOptions,
  type ReadRequest,
  type ReadResult,
  type RunRead,
  readKeyAt,
  type SharedReads,
} from './sharedReads.ts'

/** The shared reads of one worker. */
export interface WorkerReads extends SharedReads {
  /** Receives a result that was read for another worker. */
  onPeerRead(read: ReadRequest, result: ReadResult): void
}

/** Shares the reads of this worker with the others, through the primary process. */
export function createWorkerReads(primary: ReadCalls, run: RunRead): WorkerReads {
  const listeners = new Map<string, Set<(result: ReadResult) => void>>()
  /** Reads that wait for the primary. A call of one sends it from here. */
  const waiting = new Set<() => void>()
  let isClosed = false

  const runHere = async (
    read: ReadRequest,
    { signal, timeoutMs }: ReadOptions,
  ): Promise<ReadResult> => {
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
        primary.read(read, maxAgeMs, timeoutMs).then((result) => {
          if (!result) return moveHere()
          leave()
          resolve(result)
        }, moveHere)
      }),
    follow(read, listener) {
      const key = readKeyAt(read)
      const others = listeners.get(key) ?? new Set()
      if (others.size === 0) primary.follow(read)
      listeners.set(key, others.add(listener))
      return () => {
        if (!others.delete(listener) || others.size > 0) return
        listeners.delete(key)
        primary.unfollow(read)
      }
    },
    onPeerRead(read, result) {
      for (const listener of [...(listeners.get(readKeyAt(read)) ?? [])]) listener(result)
    },
    async close() {
      isClosed = true
      for (const moveHere of [...waiting]) moveHere()
    },
  }
}

const unknown = ({ service }: ReadRequest): Outcome => ({
  fault: { code: 'UPSTREAM_UNAVAILABLE', message: `${service} is not served any more.`, service },
})
