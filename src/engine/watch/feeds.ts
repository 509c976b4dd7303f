import { Repeater, SlidingBuffer } from '@repeaterjs/repeater'
import { type Cache, CacheStore } from '../../kit/cache/cache.ts'
import { SharedWork } from '../../kit/cache/singleFlight.ts'
import { Delivery, type ListenOptions } from './delivery.ts'
import type { OnStuck } from './faults.ts'
import { type FollowEvent, type FollowOptions, followLists } from './followLists.ts'
import type { KeyedSource } from './keyedSource.ts'
import { KeyedListWatch } from './keyedWatch.ts'
import { OpenWatches } from './openWatches.ts'
import { PollScheduler, type PollSchedulerOptions } from './pollScheduler.ts'
import { type Awaited, absentRecords, type FetchedHead, RecordWait } from './recordWait.ts'
import { fullDemand, type RecordEvent, type SequenceSource } from './sequenceSource.ts'
import { SequenceWatch } from './sequenceWatch.ts'

// Follows sequences that never end: the blocks of a chain, and the transactions of an account. What is polled is only
// the head, which is one number; the records up to it are read once, kept in a log of the newest, and handed to each
// listener from its own place. A listener that has fallen behind the log reads its own range from the upstream, so a
// slow one costs no memory and loses nothing. `listen` reads a sequence (`sequenceWatch.ts`, `delivery.ts`), `heads`
// only its head, and `follow` the records of one key in lists that all keys share (`keyedWatch.ts`, `keyedReader.ts`).

export interface NewHead<T> {
  /** Undefined if the source has not answered yet. */
  readonly position: bigint | undefined
  /** The record at the position, if it was read with it. */
  readonly record: T | undefined
  /** Whether it has not moved for `lateAfterMs`. */
  readonly isLate: boolean
}

/** The time between two requests of the newest block of a chain. */
export interface HeadPace {
  /** Milliseconds between two requests, at least. */
  readonly intervalMs: number
  /** A chain with fewer subscriptions has less frequent requests. */
  readonly fullPaceViewers: number
}

/** Indexers cache a block for a second. A single viewer causes a request every two seconds. */
const defaultHeadPace: HeadPace = { intervalMs: 1_000, fullPaceViewers: 2 }

/** Bounds of feeds. Times are in milliseconds. */
export interface FeedOptions extends PollSchedulerOptions {
  readonly headPace?: Partial<HeadPace>
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

/**
 * Shares one poll of the head of each source between all its listeners. For things that never end. Nothing is sent while nobody
 * listens.
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
export class Feeds {
  readonly headPace: HeadPace
  readonly #requests: PollScheduler
  readonly #missingSince: Cache<number>
  readonly #absent: Cache<FetchedHead>
  readonly #options: Required<Pick<FeedOptions, 'maxGapMs' | 'windowSize' | 'onStuck'>>
  readonly #flights = new SharedWork()
  readonly #sequences = new OpenWatches()
  readonly #lists = new OpenWatches()
  #isClosed = false

  constructor(options: FeedOptions = {}) {
    const { maxGapMs = 15_000, windowSize = 1_000, onStuck = () => {} } = options
    this.#options = { maxGapMs, windowSize, onStuck }
    this.headPace = { ...defaultHeadPace, ...options.headPace }
    this.#requests = new PollScheduler(options)
    const cache = options.cache ?? new CacheStore(this.#requests.clock)
    this.#missingSince = cache.open<number>(missingRecords)
    this.#absent = cache.open(absentRecords)
  }

  /** Every record after a position, in order. */
  listen<T extends object>(
    source: SequenceSource<T>,
    options: ListenOptions = {},
  ): AsyncIterableIterator<RecordEvent<T>> {
    // No buffer: a record is read from the sequence when the listener asks for it.
    return new Repeater((push, stop) => {
      if (this.#isClosed) return
      const sequence = this.#openSequence(source)
      new Delivery({ ...options, source, sequence, push, stop }).start()
    })
  }

  /**
   * The head at once, then each higher head, and once that it is late. A slow listener gets the newest and
   * misses those between. One that is urgent has the head polled as for many listeners. Heads at or below `above` are not sent.
   */
  heads<T extends object>(
    source: SequenceSource<T>,
    { isUrgent = false, above }: { readonly isUrgent?: boolean; readonly above?: bigint | undefined } = {},
  ): AsyncIterableIterator<NewHead<T>> {
    return new Repeater((push, stop) => {
      if (this.#isClosed) return
      const sequence = this.#openSequence(source)
      let last = above
      let isLateReported = false
      const wake = () => {
        try {
          const isLate = sequence.isLate()
          const head = sequence.head()?.position
          const isNew = head !== undefined && (last === undefined || head > last)
          if (!isNew && (!isLate || isLateReported)) return
          if (isNew) last = head
          isLateReported = isLate
          const record = last === undefined ? undefined : sequence.log.kept(last)
          void push({ position: last, record, isLate })
        } catch (error) {
          stop(error)
        }
      }
      stop.then(sequence.join({ wake, abort: () => {} }, isUrgent ? fullDemand(source) : 1))
      wake()
    }, new SlidingBuffer(1))
  }

  /**
   * Null if the source does not have the record, then the record, once a new head of the source brings it.
   * Completes after it.
   */
  awaitRecord<T extends object, R>(source: SequenceSource<T>, awaited: Awaited<T, R>): AsyncIterableIterator<R | null> {
    const [requests, flights, absent] = [this.#requests, this.#flights, this.#absent]
    return new Repeater((push, stop) => {
      if (this.#isClosed) return
      const sequence = this.#openSequence(source)
      new RecordWait({
        ...awaited,
        source,
        sequence,
        requests,
        flights,
        absent,
        push,
        stop,
      }).start()
    })
  }

  /**
   * The records of several growing lists that have a key, each once, and in order within its list. Each list
   * is read once for all listeners: after a new head of its feed, or at intervals while few listen. A list that
   * fails does not stop the others. It ends at once if there are no lists.
   */
  follow<T extends object, Head extends object>(
    sources: readonly KeyedSource<T, Head>[],
    options: FollowOptions,
  ): AsyncIterableIterator<FollowEvent<T>> {
    const [requests, { onStuck }] = [this.#requests, this.#options]
    // No buffer: an event is taken when the listener asks for it.
    return new Repeater(async (push, stop) => {
      if (this.#isClosed) return new Promise<never>(() => {})
      const lists = sources.map((source) => ({ source, watch: this.#openList(source) }))
      return followLists(lists, { ...options, requests, onStuck, push, stop })
    })
  }

  /**
   * Stops all polls and requests. Listeners get no event after this, not even a completion: clients would read
   * that as the end of the watched sequence.
   */
  close(): void {
    this.#isClosed = true
    this.#lists.close()
    this.#sequences.close()
  }

  /** Sources polled now. */
  get size(): number {
    return this.#sequences.size
  }

  get listeners(): number {
    return this.#sequences.listeners
  }

  get inFlight(): number {
    return this.#requests.inFlight
  }

  #openSequence<T extends object>(source: SequenceSource<T>): SequenceWatch<T> {
    const [requests, missingSince] = [this.#requests, this.#missingSince]
    return this.#sequences.get(
      `${source.topic.name} ${source.key}`,
      source.upstream,
      (onStop) => new SequenceWatch(source, { ...this.#options, requests, missingSince, onStop }),
    )
  }

  #openList<T extends object, Head extends object>(source: KeyedSource<T, Head>): KeyedListWatch<T, Head> {
    const requests = this.#requests
    const openHeads = () => this.#openSequence(source.heads)
    return this.#lists.get(
      source.key,
      source.heads.upstream,
      (onStop) => new KeyedListWatch(source, { ...this.#options, requests, onStop, openHeads }),
    )
  }
}
