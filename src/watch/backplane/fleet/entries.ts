import type { Outcome, Reading } from '../readings.ts'

/** A read that somebody in this process waits for, or follows. */
export interface Entry {
  readonly waiters: Set<(reading: Reading | undefined) => void>
  readonly followers: Set<(reading: Reading) => void>
  /** The newest outcome, for followers, who are often told that it is still the same. */
  kept?: { readonly hash: string; readonly outcome: Outcome } | undefined
  /** When the newest outcome was read, by the clock of Redis. */
  lastAt: number
  /** The same of the last one that this process read for the fleet. */
  ownAt: number
}

/** The reads that this process waits for or follows, by the ids of what they read. */
export interface Entries {
  get(id: string): Entry | undefined
  /** The entry of an id, which is added if there is none. */
  open(id: string): Entry
  /** Drops an entry that nobody waits for or follows any more. Does nothing if it was dropped before. */
  release(id: string, entry: Entry): void
  ids(): string[]
  /** Makes all who wait read by themselves. */
  dismissAll(): void
}

/** Keeps the entries of a process. `onDrop` is called with the id of each that is dropped. */
export function createEntries(onDrop: (id: string) => void): Entries {
  const entries = new Map<string, Entry>()
  return {
    get: (id) => entries.get(id),
    open(id) {
      const known = entries.get(id)
      if (known) return known
      const entry: Entry = { waiters: new Set(), followers: new Set(), lastAt: 0, ownAt: 0 }
      entries.set(id, entry)
      return entry
    },
    release(id, entry) {
      if (entry.waiters.size > 0 || entry.followers.size > 0) return
      // Another entry may have its id by now.
      if (entries.get(id) !== entry) return
      entries.delete(id)
      onDrop(id)
    },
    ids: () => [...entries.keys()],
    dismissAll() {
      for (const entry of entries.values()) dismiss(entry)
    },
  }
}

/** Gives a reading to those who wait, or else to those who follow. */
export function deliver(entry: Entry, reading: Omit<Reading, 'isShared'>): void {
  const waiting = takeWaiters(entry)
  for (const resolve of waiting) resolve({ ...reading, isShared: false })
  if (waiting.length > 0) return
  for (const follower of [...entry.followers]) follower({ ...reading, isShared: true })
}

/** Makes those who wait read by themselves. */
export function dismiss(entry: Entry): void {
  for (const resolve of takeWaiters(entry)) resolve(undefined)
}

function takeWaiters({ waiters }: Entry) {
  const waiting = [...waiters]
  waiters.clear()
  return waiting
}
