import type { Clock } from '../kit/clock/clock.ts'
import type { Signal } from '../kit/clock/signal.ts'
import { createPendingHeads, joinHeads, type KeyedHeads, type PendingHeads } from './keyedHeads.ts'
import { createKeyedLog, type KeyedLog, PageCuts } from './keyedLog.ts'
import type { KeyedListener, KeyedWatch } from './keyedReader.ts'
import type { KeyedSource, Keys, NewRecords } from './keyedSource.ts'
import { intervalOf } from './nextDelay.ts'
import type { PollScheduler } from './pollScheduler.ts'
import type { SequenceWatch } from './sequenceWatch.ts'
import { countFaults, type Faults, type OnStuck } from './stuck.ts'

/** Records before the newest one that are read for who continues: a replica that is behind may lack them. */
const overlap = 100n

/** What the watch of a list runs on. */
interface KeyedWatchContext<Head extends object> {
  /** Opens the feed of the heads, or joins it. */
  readonly openSequence: () => SequenceWatch<Head>
  readonly requests: PollScheduler
  readonly windowSize: number
  /** Called once, when the watch ends for any reason. */
  readonly onStop: () => void
  readonly onStuck: OnStuck
}

/**
 * Follows the end of a list. Each new record is read once, for all listeners.
 *
 * - With enough listeners for the full pace, it polls the heads of the list, and reads the list when a head brings
 *   records.
 * - With fewer listeners it polls the list at a reduced rate, and not the heads. If others poll the heads, it reads the
 *   list at the same rate, and only after a head that brings records.
 * - If the list has had nothing new for half of `lateAfterMs`, it polls the heads, too.
 */
export class KeyedListWatch<T extends object, Head extends object> implements KeyedWatch<T> {
  readonly log: KeyedLog<T>
  readonly faults: Faults
  start: bigint | undefined
  newest = 0n
  head: bigint | undefined
  failure: { readonly error: unknown } | undefined
  readonly #source: KeyedSource<T, Head>
  readonly #context: KeyedWatchContext<Head>
  readonly #clock: Clock
  readonly #controller = new AbortController()
  readonly #listeners = new Set<KeyedListener>()
  readonly #due: PendingHeads<T, Head>
  readonly #heads: KeyedHeads<Head>
  readonly #cuts = new PageCuts()
  #cancelTimer = () => {}
  /** How far it has to be read, whatever the heads bring. */
  #unreadTo: bigint | undefined = 0n
  #isReading = false
  #isContinued = false
  #readAt = Number.NEGATIVE_INFINITY
  /** Jitter, so that lists that start together are not always read together. */
  #jitterFactor = 1
  #grownAt: number
  #wasLate = false

  constructor(source: KeyedSource<T, Head>, context: KeyedWatchContext<Head>) {
    const { openSequence, requests, windowSize, onStuck } = context
    this.#source = source
    this.#context = context
    this.#clock = requests.clock
    this.#grownAt = this.#clock.now()
    this.faults = countFaults(source.key, onStuck)
    this.log = createKeyedLog((record) => this.#keysOf(record), windowSize)
    this.#due = createPendingHeads(source, () => this.#clock.now())
    const abort = () => this.close()
    this.#heads = joinHeads(openSequence, { wake: () => this.#onPoll(), abort })
  }

  get upstream(): object {
    return this.#source.heads.upstream
  }

  get isLate(): boolean {
    const now = this.#clock.now()
    const waited = now - (this.#due.overdueSince ?? now)
    return waited >= this.#source.heads.lateAfterMs || this.#heads.isLate()
  }

  get listenerCount(): number {
    return this.#listeners.size
  }

  join(listener: KeyedListener, { isContinued }: { readonly isContinued: boolean }): () => void {
    this.#listeners.add(listener)
    this.#updateDemand()
    if (isContinued && !this.#isContinued) {
      this.#isContinued = true
      this.#rewind()
      void this.#read()
    } else if (this.start === undefined) void this.#read()
    else this.#schedule()
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) return this.#stop()
      this.#updateDemand()
      this.#schedule()
    }
  }

  close(): void {
    this.#stop()
    for (const listener of [...this.#listeners]) listener.abort()
  }

  #stop(): void {
    if (this.#hasEnded) return
    this.#controller.abort()
    this.#cancelTimer()
    this.#heads.leave()
    this.#context.onStop()
  }

  get #hasEnded(): boolean {
    return this.#controller.signal.aborted
  }

  /** Whether it has enough listeners for the full pace. */
  get #isShared(): boolean {
    return this.#listeners.size >= this.#fullPace
  }

  get #fullPace(): number {
    return this.#source.heads.fullPaceListeners ?? 1
  }

  #wakeAll(): void {
    for (const listener of [...this.#listeners]) listener.wake()
  }

  /** A record whose keys cannot be read has none. It must not stop those after it. */
  #keysOf(record: T): Keys {
    try {
      return this.#source.keysOf(record)
    } catch (error) {
      this.#context.onStuck(this.#source.key, error)
      return new Set()
    }
  }

  /** Counts as much as it needs the heads. */
  #updateDemand(): void {
    if (this.#hasEnded) return
    const isQuiet = this.#clock.now() - this.#grownAt >= this.#source.heads.lateAfterMs / 2
    const demand = Math.min(this.#listeners.size, this.#fullPace)
    this.#heads.setDemand(this.#isShared || isQuiet ? demand : 0)
  }

  /** Has the records before the newest one read, too. */
  #rewind(): void {
    const { end } = this.log
    this.#unreadTo = end
    this.log.reset(end > overlap ? end - overlap : 0n)
  }

  #request<R>(work: (signal: Signal) => Promise<R>): Promise<R> {
    const { signal } = this.#controller
    return this.#context.requests.run({ signal, timeoutMessage: this.#source.timeoutMessage }, work)
  }

  /** Reads what is new, unless it is being read. Errors are counted, and the read is tried again. */
  async #read(): Promise<void> {
    if (this.#isReading || this.#hasEnded || this.failure) return
    const { requests } = this.#context
    this.#isReading = true
    this.#readAt = this.#clock.now()
    this.#jitterFactor = requests.jitter(1)
    let delay = 0
    try {
      if (this.start === undefined) await this.#begin()
      else await this.#readNew()
      this.faults.clear()
    } catch (error) {
      if (this.#hasEnded) return
      this.faults.add(error)
      delay = requests.retryDelay(this.faults.count, error)
      if (this.#source.isFatal(error)) this.failure = { error }
    } finally {
      this.#isReading = false
    }
    if (this.#hasEnded) return
    this.#schedule(delay)
    this.#wakeAll()
  }

  /** Finds the newest record. Who starts there needs nothing before the next read. */
  async #begin(): Promise<void> {
    const start = await this.#request((signal) => this.#source.newest(signal))
    this.start = start
    this.newest = start
    this.#due.reset()
    this.log.reset(start)
    this.#unreadTo = undefined
    if (!this.#isContinued) return
    this.#rewind()
    // The record may be unreadable.
    this.#unreadTo = 0n
    await this.#readNew()
  }

  /** Reads the pages after the last record. */
  async #readNew(): Promise<void> {
    for (let last: T | undefined; ; ) {
      const from = this.log.end
      const page = await this.#request((signal) => this.#source.after(from, signal))
      if (this.#hasEnded) return
      // It was rewound in the meantime.
      if (this.log.end !== from) continue
      this.#keep(page)
      last = page.records.at(-1)?.record ?? last
      if (page.records.length > 0 && !page.isEnd) {
        const mayWait = !this.#isShared && this.#unreadTo === undefined
        if (this.#cuts.isLikelyWhole(page.records.length) && mayWait) return
        continue
      }
      if (this.#unreadTo !== undefined && this.log.end >= this.#unreadTo) this.#unreadTo = undefined
      return this.#due.onRead(last)
    }
  }

  #keep(page: NewRecords<T>): void {
    if (page.records.length > 0) this.#grownAt = this.#clock.now()
    this.log.add(page)
    if (this.log.end > this.newest) this.newest = this.log.end
  }

  /** Milliseconds between two reads at the reduced rate. */
  get #interval(): number {
    const { intervalMs: minMs } = this.#source.heads
    const rhythm = { kind: 'endless', minMs, fullRateAt: this.#fullPace } as const
    return intervalOf(rhythm, this.#listeners.size) * this.#jitterFactor
  }

  /** Milliseconds until the list may be read again, by the pace of its listeners. */
  get #untilTurn(): number {
    return this.#readAt + this.#interval - this.#clock.now()
  }

  #schedule(delay = 0): void {
    this.#cancelTimer()
    if (this.#isShared || this.failure) return
    const wait = Math.max(delay, this.#untilTurn)
    this.#cancelTimer = this.#clock.after(wait, () => this.#onTurn())
  }

  #onTurn(): void {
    this.#updateDemand()
    if (!this.#heads.isPolled || this.#mustRead) void this.#read()
    else this.#schedule(this.#interval)
  }

  get #mustRead(): boolean {
    return this.#due.isDue || this.#unreadTo !== undefined
  }

  /** Takes what a poll of the heads has brought. */
  #onPoll(): void {
    const head = this.#heads.newest()
    if (head !== undefined && (this.head === undefined || head > this.head)) {
      this.#due.onHead(this.#heads, head)
      this.head = head
    }
    if (this.#mustRead && (this.#isShared || this.#untilTurn <= 0)) void this.#read()
    if (this.isLate === this.#wasLate) return
    this.#wasLate = !this.#wasLate
    this.#wakeAll()
  }
}
