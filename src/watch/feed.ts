import { Repeater, SlidingBuffer } from '@repeaterjs/repeater'
import { type CacheStore, createMemoryCacheStore } from '../kit/cache/cache.ts'
import { createSharedWork } from '../kit/cache/sharedWork.ts'
import { type Awaited, awaitRecord } from './awaitRecord.ts'
import { deliver, type ListenOptions } from './deliver.ts'
import { createKeyedLists, type KeyedLists } from './keyedLists.ts'
import { createPollScheduler, type PollSchedulerOptions } from './pollScheduler.ts'
import { fullDemand, type RecordEvent, type SequenceSource } from './sequenceSource.ts'
import { type AnySequenceWatch, openSequenceWatch, type SequenceWatch } from './sequenceWatch.ts'
import type { OnStuck } from './stuck.ts'

/**
 * Shares one poll of the head of each source between all its listeners. For things that never end.
 * The contract:
 *
 * - A listener gets every record after its start exactly once, in order, with no position left out.
 * - It starts after `after`, or else after the newest position at the time it joins.
 * - Nothing is dropped for a slow listener, and nothing is kept for it beyond one range: it is served
 *   from the records read last, and where those no longer reach, from a request of its own range.
 * - A listener that waits gets a new record after at most one interval, which is longer for the first few
 *   listeners of a source. Listeners at one place share each request, and all share the polls.
 * - A head below the listener's position, a head that does not move, and records that stay missing
 *   below the head, or cannot be read, are events.
 * - Records already delivered are not delivered again when the head falls back and rises once more.
 *   A source that can replace records needs a check of its own.
 * - Faults are retried. After `maxUnavailableMs` of them, the listener ends with the last error.
 */
export interface Feeds {
  /** Every record after a position, in order. */
  listen<T extends object>(
    source: SequenceSource<T>,
    options?: ListenOptions,
  ): AsyncIterableIterator<RecordEvent<T>>
  /**
   * The head at once, then each higher head, and once that it is late. A slow listener gets the newest and
   * misses those between. One that cannot wait has the head polled as for many listeners.
   */
  heads<T extends object>(
    source: SequenceSource<T>,
    options?: HeadsOptions,
  ): AsyncIterableIterator<NewHead<T>>
  /**
   * Null if the source does not have the record, then the record, once a new head of the source brings it.
   * Completes after it.
   */
  awaitRecord<T extends object, R>(
    source: SequenceSource<T>,
    awaited: Awaited<T, R>,
  ): AsyncIterableIterator<R | null>
  /**
   * The records of several growing lists that have a key, each once, and in order within its list. Each list
   * is read once for all listeners: after a new head of its feed, or at intervals while few listen.
   */
  follow: KeyedLists['follow']
  /**
   * Stops all polls and requests. Listeners get no event after this, not even a completion: clients would read
   * that as the end of the watched sequence.
   */
  close(): void
  /** Milliseconds since a time in RFC 3339, by the date of this machine. */
  age(time: string): number
  /** Sources polled now. */
  readonly size: number
  readonly listeners: number
  readonly inFlight: number
}

/** Which heads to send, and how soon. */
export interface HeadsOptions {
  readonly isUrgent?: boolean
  /** Heads at or below this position are not sent. By default, any is. */
  readonly above?: bigint | undefined
}

/** The head of a source. */
export interface NewHead<T> {
  /** Undefined if the source has not answered yet. */
  readonly position: bigint | undefined
  /** The record at the position, if it was read with it. */
  readonly record: T | undefined
  /** Whether it has not moved for `lateAfterMs`. */
  readonly isLate: boolean
}

/** Bounds of feeds. Times are in milliseconds. */
export interface FeedOptions extends PollSchedulerOptions {
  /** Remembers missing records after their listeners have left. The default is a store of its own. */
  readonly cache?: CacheStore
  /** How long a record at or below the head may be missing before its listeners get an error. */
  readonly maxGapMs?: number
  /** How many records of one source are kept for its other listeners. */
  readonly windowSize?: number
  /** Called with the key of a list whose reader is stuck. */
  readonly onStuck?: OnStuck
}

/** Since when each record has been missing. An entry expires an hour after the last request for the record. */
const missingRecords = { name: 'missing records', maxEntries: 1_000, ttlMs: 60 * 60_000 }

/** Opens shared feeds. Nothing is sent while nobody listens. */
export function createFeeds(options: FeedOptions = {}): Feeds {
  const { maxGapMs = 15_000, windowSize = 1_000, onStuck = () => {} } = options
  const requests = createPollScheduler(options)
  const cache = options.cache ?? createMemoryCacheStore(requests.clock)
  const missingSince = cache.open<number>(missingRecords)
  const flights = createSharedWork()
  const sequences = new Map<string, AnySequenceWatch>()
  /** Those, and those of upstreams that were replaced. */
  const open = new Set<AnySequenceWatch>()
  let isClosed = false

  const sequenceOf = <T extends object>(source: SequenceSource<T>): SequenceWatch<T> => {
    const id = `${source.topic.name} ${source.key}`
    const sequence = sequences.get(id)
    // A topic has one type of record, which a map of the sequences of all topics cannot say.
    if (sequence?.upstream === source.upstream) return sequence as SequenceWatch<T>
    const onStop = () => {
      if (sequences.get(id) === opened) sequences.delete(id)
      open.delete(opened)
    }
    const opened: SequenceWatch<T> = openSequenceWatch(source, {
      requests,
      maxGapMs,
      missingSince,
      windowSize,
      onStuck,
      onStop,
    })
    open.add(opened)
    sequences.set(id, opened)
    return opened
  }

  const keyedLists = createKeyedLists({ requests, windowSize, onStuck, sequenceOf })
  return {
    follow: keyedLists.follow,
    listen: (source, options = {}) =>
      // No buffer: a record is read from the sequence when the listener asks for it.
      new Repeater((push, stop) => {
        if (!isClosed) deliver(source, { ...options, sequence: sequenceOf(source), push, stop })
      }),
    heads: <T extends object>(source: SequenceSource<T>, options: HeadsOptions = {}) =>
      new Repeater<NewHead<T>>((push, stop) => {
        if (isClosed) return
        const sequence = sequenceOf(source)
        let last = options.above
        let isLateReported = false
        const wake = () => {
          try {
            const isLate = sequence.isLate()
            const head = sequence.head()?.position
            const isNew = head !== undefined && (last === undefined || head > last)
            if (!isNew && (!isLate || isLateReported)) return
            if (isNew) last = head
            isLateReported = isLate
            const record = last === undefined ? undefined : sequence.kept(last)
            void push({ position: last, record, isLate })
          } catch (error) {
            stop(error)
          }
        }
        const demand = options.isUrgent ? fullDemand(source) : 1
        stop.then(sequence.join({ wake, abort: () => {} }, demand))
        wake()
      }, new SlidingBuffer(1)),
    awaitRecord: <T extends object, R>(source: SequenceSource<T>, awaited: Awaited<T, R>) =>
      new Repeater<R | null>((push, stop) => {
        if (isClosed) return
        const sequence = sequenceOf(source)
        awaitRecord(awaited, { source, sequence, requests, flights, push, stop })
      }),
    close() {
      isClosed = true
      keyedLists.close()
      for (const sequence of [...open]) sequence.close()
    },
    age: (time) => requests.clock.date() - Date.parse(time),
    get size() {
      return open.size
    },
    get listeners() {
      return [...open].reduce((sum, sequence) => sum + sequence.listenerCount, 0)
    },
    get inFlight() {
      return requests.inFlight
    },
  }
}
