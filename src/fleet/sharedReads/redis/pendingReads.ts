import type { Outcome, ReadResult } from '../sharedReads.ts'

/** A read whose result this process needs, now or each time there is a new one. */
export interface PendingRead {
  /** Calls of `read` that wait. Undefined makes a caller send the request itself. */
  readonly waiters: Set<(result: ReadResult | undefined) => void>
  readonly followers: Set<(result: ReadResult) => void>
  /** The newest outcome. Most notices for followers say that it has not changed. */
  kept?: { readonly hash: string; readonly outcome: Outcome } | undefined
  /** When the newest outcome was read, by the clock of Redis. */
  lastAt: number
  /** When this process last read it for the fleet, by the clock of Redis. */
  ownAt: number
}

/** The pending reads of a process, by the ids of the requests. */
export interface PendingReads {
  get(id: string): PendingRead | undefined
  /** The pending read of an id, which is added if there is none. */
  open(id: string): PendingRead
  /** Drops a read without waiters and followers. Does nothing if it was dropped before. */
  release(id: string, read: PendingRead): void
  ids(): string[]
  /** Makes all waiters send their requests themselves. */
  dismissAll(): void
}

/** Keeps the pending reads of a process. `onDrop` is called with the id of each that is dropped. */
export function createPendingReads(onDrop: (id: string) => void): PendingReads {
  const reads = new Map<string, PendingRead>()
  return {
    get: (id) => reads.get(id),
    open(id) {
      const known = reads.get(id)
      if (known) return known
      const read: PendingRead = { waiters: new Set(), followers: new Set(), lastAt: 0, ownAt: 0 }
      reads.set(id, read)
      return read
    },
    release(id, read) {
      if (read.waiters.size > 0 || read.followers.size > 0) return
      // Another read may have its id by now.
      if (reads.get(id) !== read) return
      reads.delete(id)
      onDrop(id)
    },
    ids: () => [...reads.keys()],
    dismissAll() {
      for (const read of reads.values()) dismiss(read)
    },
  }
}

/** Gives a result to the waiters. Without waiters, the followers get it. */
export function deliver(read: PendingRead, result: Omit<ReadResult, 'isShared'>): void {
  const waiting = removeWaiters(read)
  for (const resolve of waiting) resolve({ ...result, isShared: false })
  if (waiting.length > 0) return
  for (const follower of [...read.followers]) follower({ ...result, isShared: true })
}

/** Makes the waiters send the request themselves. */
export function dismiss(read: PendingRead): void {
  for (const resolve of removeWaiters(read)) resolve(undefined)
}

function removeWaiters({ waiters }: PendingRead) {
  const waiting = [...waiters]
  waiters.clear()
  return waiting
}
