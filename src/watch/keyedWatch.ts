import { joinHeads } from './keyedHeads.ts'
import { createKeyedLog, type KeyedLog } from './keyedLog.ts'
import type { KeyedSource, Keys } from './keyedSource.ts'
import { intervalOf } from './nextDelay.ts'
import { createPendingHeads } from './pendingHeads.ts'
import type { Requests } from './requests.ts'
import type { SequenceWatch } from './sequenceWatch.ts'
import { countFaults, type Faults, type OnStuck } from './stuck.ts'

/** What a listener needs of the end of a list. */
export interface KeyedWatch<T extends object>
  extends AnyKeyedWatch,
    Pick<KeyedLog<T>, 'end' | 'floor' | 'find'> {
  /**
   * Adds a listener, which is called when there is more to know. One that continues from a place does not wait
   * for its first records. The function it returns removes it.
   */
  join(listener: KeyedListener, options: { readonly isContinued: boolean }): () => void
  /** The number of the newest record when the watch was opened. Undefined until it is known. */
  readonly start: bigint | undefined
  /** The number of the newest record known. */
  readonly newest: bigint
  readonly isLate: boolean
  readonly head: bigint | undefined
  readonly failure: { readonly error: unknown } | undefined
  /** The last fault of the reads, while they fail again and again. */
  readonly stuckBy: Faults['stuckBy']
}

/** What a registry of watches needs of one. */
export interface AnyKeyedWatch {
  readonly upstream: object
  readonly listenerCount: number
  close(): void
}

/** Someone who follows a watch. */
export interface KeyedListener {
  readonly wake: () => void
  /** The watch was closed: nothing follows. */
  readonly abort: () => void
}

/** Records before the newest one that are read for who continues: a replica that is behind may lack them. */
const overlap = 100n

/** Fewer records are hardly all that a page can hold. What may follow them can wait for the next read. */
const smallPage = 10

/** Pages of equal size in a row that show that they are cut. */
const maxCuts = 3

/**
 * Starts to follow the end of a list. Each new record is read once, for all listeners.
 *
 * - With enough listeners for the full pace, it polls the heads of the list, and reads the list when a head brings
 *   records.
 * - With fewer listeners it polls the list at a reduced rate, and not the heads. If others poll the heads, it reads the
 *   list at the same rate, and only after a head that brings records.
 * - If the list has had nothing new for half of `lateAfterMs`, it polls the heads, too.
 */
export function openKeyedWatch<T extends object, Head extends object>(
  source: KeyedSource<T, Head>,
  context: {
    readonly openSequence: () => SequenceWatch<Head>
    readonly requests: Requests
    readonly windowSize: number
    readonly onStop: () => void
    readonly onStuck: OnStuck
  },
): KeyedWatch<T> {
  const { openSequence, requests, windowSize, onStop, onStuck } = context
  const { clock } = requests
  const { lateAfterMs, fullPaceListeners = 1 } = source.heads
  const controller = new AbortController()
  const { signal } = controller
  const listeners = new Set<KeyedListener>()
  /** A record whose keys cannot be read has none. It must not stop those after it. */
  const keysOf = (record: T): Keys => {
    try {
      return source.keysOf(record)
    } catch (error) {
      onStuck(source.key, error)
      return new Set()
    }
  }
  const window = createKeyedLog(keysOf, windowSize)
  const due = createPendingHeads(source, clock.now)
  let cancelTimer = () => {}
  let start: bigint | undefined
  let newest = 0n
  /** The size of the last page that may have been cut, and how many before it had the same. */
  let cutAt = 0
  let cuts = 0
  /** How far it has to be read, whatever the heads bring. */
  let unreadTo: bigint | undefined = 0n
  let lastHead: bigint | undefined
  let isReading = false
  let isContinued = false
  let readAt = Number.NEGATIVE_INFINITY
  /** Jitter, so that lists that start together are not always read together. */
  let jitterFactor = 1
  let grownAt = clock.now()
  const faults = countFaults(source.key, onStuck)
  let wasLate = false
  let failure: { readonly error: unknown } | undefined

  const wakeAll = () => {
    for (const listener of [...listeners]) listener.wake()
  }
  const stop = () => {
    if (signal.aborted) return
    controller.abort()
    cancelTimer()
    heads.leave()
    onStop()
  }

  const isShared = () => listeners.size >= fullPaceListeners

  /** Counts as much as it needs the heads. */
  const updateDemand = () => {
    if (signal.aborted) return
    const isQuiet = clock.now() - grownAt >= lateAfterMs / 2
    heads.setDemand(isShared() || isQuiet ? Math.min(listeners.size, fullPaceListeners) : 0)
  }
  const isLate = () =>
    clock.now() - (due.overdueSince ?? clock.now()) >= lateAfterMs || heads.isLate()

  const run = <R>(work: Parameters<typeof requests.run<R>>[1]) =>
    requests.run({ signal, timeoutMessage: source.timeoutMessage }, work)

  /** Has the records before the newest one read, too. */
  const rewind = () => {
    unreadTo = window.end
    window.reset(window.end > overlap ? window.end - overlap : 0n)
  }

  const readNew = async () => {
    if (start === undefined) {
      start = await run(source.newest)
      newest = start
      due.reset()
      window.reset(start)
      unreadTo = undefined
      // Who starts here needs nothing before the next read.
      if (!isContinued) return
      rewind()
      // The record may be unreadable.
      unreadTo = 0n
    }
    for (let last: T | undefined; ; ) {
      const from = window.end
      const page = await run((deadline) => source.after(from, deadline))
      if (signal.aborted) return
      if (window.end !== from) continue
      const { records, isEnd } = page
      if (records.length > 0) grownAt = clock.now()
      window.add(page)
      if (window.end > newest) newest = window.end
      last = records.at(-1)?.record ?? last
      if (!isEnd && records.length > 0) {
        cuts = records.length === cutAt ? cuts + 1 : 0
        cutAt = records.length
        const isSmall = records.length < smallPage && cuts < maxCuts
        if (isShared() || unreadTo !== undefined || !isSmall) continue
        return
      }
      if (unreadTo !== undefined && window.end >= unreadTo) unreadTo = undefined
      return due.onRead(last)
    }
  }

  const read = async () => {
    if (isReading || signal.aborted || failure) return
    isReading = true
    readAt = clock.now()
    jitterFactor = requests.jitter(1)
    let delay = 0
    try {
      await readNew()
      faults.clear()
    } catch (error) {
      if (signal.aborted) return
      faults.add(error)
      delay = requests.retryDelay(faults.count, error)
      if (source.isFatal(error)) failure = { error }
    } finally {
      isReading = false
    }
    if (signal.aborted) return
    schedule(delay)
    wakeAll()
  }

  const rhythm = {
    kind: 'endless',
    minMs: source.heads.intervalMs,
    fullRateAt: fullPaceListeners,
  } as const
  const interval = () => intervalOf(rhythm, listeners.size) * jitterFactor

  /** Milliseconds until the list may be read again, by the pace of its listeners. */
  const untilTurn = () => readAt + interval() - clock.now()

  const schedule = (delay = 0) => {
    cancelTimer()
    if (isShared() || failure) return
    cancelTimer = clock.after(Math.max(delay, untilTurn()), onTurn)
  }

  const onTurn = () => {
    updateDemand()
    if (!heads.isPolled || due.isDue || unreadTo !== undefined) void read()
    else schedule(interval())
  }

  const onPoll = () => {
    const head = heads.newest()
    if (head !== undefined && (lastHead === undefined || head > lastHead)) {
      due.onHead(heads, head)
      lastHead = head
    }
    if ((due.isDue || unreadTo !== undefined) && (isShared() || untilTurn() <= 0)) void read()
    if (isLate() !== wasLate) {
      wasLate = !wasLate
      wakeAll()
    }
  }

  const close = () => {
    stop()
    for (const listener of [...listeners]) listener.abort()
  }

  const heads = joinHeads(openSequence, { wake: onPoll, abort: close })
  return {
    upstream: source.heads.upstream,
    join(listener, options) {
      listeners.add(listener)
      updateDemand()
      if (options.isContinued && !isContinued) {
        isContinued = true
        rewind()
        void read()
      } else if (start === undefined) void read()
      else schedule()
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) return stop()
        updateDemand()
        schedule()
      }
    },
    find: window.find,
    close,
    get start() {
      return start
    },
    get end() {
      return window.end
    },
    get floor() {
      return window.floor
    },
    get newest() {
      return newest
    },
    get isLate() {
      return isLate()
    },
    get head() {
      return lastHead
    },
    get failure() {
      return failure
    },
    get stuckBy() {
      return faults.stuckBy
    },
    get listenerCount() {
      return listeners.size
    },
  }
}
