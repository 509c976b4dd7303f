import type { Clock } from '../../kit/clock/clock.ts'
import type { Signal } from '../../kit/clock/signal.ts'
import { Faults, type OnStuck } from './faults.ts'
import { createKeyedLog, type KeyedLog } from './keyedLog.ts'
import type { KeyedSource, Keys } from './keyedSource.ts'
import { Loop } from './loop.ts'
import { endlessRules } from './model.ts'
import { type KeyedObservation, type KeyedState, type KeyedWatchEvent, keyedModel, mustRead } from './models/keyed.ts'
import { type AnyWatch, type WatchListener, WatchListeners } from './openWatches.ts'
import type { SequenceWatch, SequenceWatchContext } from './sequenceWatch.ts'

/** What the watch of a list runs on. */
interface KeyedWatchContext<Head extends object>
  extends Pick<SequenceWatchContext, 'requests' | 'windowSize' | 'onStuck' | 'onStop'> {
  /** Opens the feed of the heads, or joins it. */
  readonly openHeads: () => SequenceWatch<Head>
}

/**
 * Follows the end of a list. Each new record is read once, for all listeners. The heads are polled while there are
 * enough listeners for the full pace, and if the list has had nothing new for half of `lateAfterMs`.
 */
export class KeyedListWatch<T extends object, Head extends object> implements AnyWatch {
  /** The newest records. */
  readonly log: KeyedLog<T>
  readonly faults: Faults
  failure: { readonly error: unknown } | undefined
  readonly #source: KeyedSource<T, Head>
  readonly #clock: Clock
  readonly #onStuck: OnStuck
  readonly #listeners = new WatchListeners()
  readonly #loop: Loop<KeyedState, KeyedObservation<T>, KeyedWatchEvent<T>>
  readonly #heads: ReturnType<typeof joinHeads<Head>>
  #wasLate = false

  constructor(source: KeyedSource<T, Head>, context: KeyedWatchContext<Head>) {
    const { openHeads, requests, windowSize, onStop, onStuck } = context
    const { clock, timeoutMs } = requests
    const { key, timeoutMessage } = source
    this.#source = source
    this.#clock = clock
    this.#onStuck = onStuck
    this.faults = new Faults(key, onStuck)
    this.log = createKeyedLog((record) => this.#keysOf(record), windowSize)
    this.#loop = new Loop(
      { model: keyedModel(source, clock.now()), rules: endlessRules },
      { fetch: (signal) => this.#fetch(signal), timeoutMs, timeoutMessage },
      {
        requests,
        onStop: () => {
          this.#heads.leave()
          onStop()
        },
        onEvent: (event) => this.#onEvent(event),
        onEnd: (end) => {
          this.failure = end
          this.#listeners.wakeAll()
        },
      },
    )
    const abort = () => this.close()
    this.#heads = joinHeads(openHeads, { wake: () => this.#onPoll(), abort })
  }

  get upstream(): object {
    return this.#source.heads.upstream
  }

  get state(): KeyedState {
    return this.#loop.state.model
  }

  get listenerCount(): number {
    return this.#listeners.size
  }

  get isLate(): boolean {
    const { due } = this.state
    const waited = due?.isCertain ? this.#clock.now() - due.since : 0
    return waited >= this.#source.heads.lateAfterMs || this.#heads.isLate()
  }

  /** Adds a listener. A resuming listener starts before the newest record. Returns a function that removes the listener. */
  join(listener: WatchListener, { isContinued }: { readonly isContinued: boolean }): () => void {
    this.#listeners.add(listener)
    this.#updateDemand()
    const expectedMs = Number.POSITIVE_INFINITY
    this.#loop.join({ demand: 1, client: '', canRegister: false, expectedMs })
    if (isContinued) this.#loop.learn({ kind: 'continued' })
    return () => {
      if (!this.#listeners.delete(listener)) return
      if (this.#listeners.size > 0) this.#updateDemand()
      this.#loop.leave(1)
    }
  }

  close(): void {
    this.#loop.close()
    this.#listeners.abortAll()
  }

  /** A record whose keys cannot be read has none. It must not stop those after it. */
  #keysOf(record: T): Keys {
    try {
      return this.#source.keysOf(record)
    } catch (error) {
      this.#onStuck(this.#source.key, error)
      return new Set()
    }
  }

  /** Joins the feed of heads with as many listeners as this list needs. */
  #updateDemand(): void {
    if (this.#loop.state.phase === 'ended') return
    const { lateAfterMs, fullPaceListeners = 1 } = this.#source.heads
    const { size } = this.#listeners
    const isQuiet = this.#clock.now() - this.state.grownAt >= lateAfterMs / 2
    const isPolled = size >= fullPaceListeners || isQuiet
    this.#heads.setDemand(isPolled ? Math.min(size, fullPaceListeners) : 0)
  }

  async #fetch(signal: Signal): Promise<KeyedObservation<T>> {
    this.#updateDemand()
    const { newest, after } = this.#source
    const { start, end: from } = this.state
    const sentAt = this.#clock.now()
    if (start === undefined) return { kind: 'start', number: await newest(signal), sentAt }
    if (this.#heads.isPolled && !mustRead(this.state)) return { kind: 'skipped' }
    return { kind: 'page', from, page: await after(from, signal), sentAt }
  }

  #onEvent(event: KeyedWatchEvent<T>): void {
    if (event.kind === 'failed') this.faults.add(event.error)
    else this.faults.clear()
    if (event.kind === 'begun') this.log.reset(event.number)
    if (event.kind === 'read') this.log.add(event.page)
    this.#listeners.wakeAll()
  }

  #onPoll(): void {
    const head = this.#heads.newest()
    const found = head === undefined ? undefined : this.#newestFound(head)
    this.#loop.learn({ kind: 'head', head, found })
    if (this.isLate === this.#wasLate) return
    this.#wasLate = !this.#wasLate
    this.#listeners.wakeAll()
  }

  /** The newest new head that has records, or that no poll returned, so that it may have some. */
  #newestFound(head: bigint) {
    const { head: known = -1n, readTo } = this.state
    const from = known > readTo ? known : readTo
    for (let position = head; position > from; position -= 1n) {
      const record = this.#heads.kept(position)
      const isCertain = record !== undefined
      if (!record || this.#source.hasRecords(record)) return { head: position, isCertain }
    }
    return undefined
  }
}

/** Joins the feed of the heads, with no demand. `openHeads` opens the feed, or returns the open one. */
function joinHeads<Head extends object>(openHeads: () => SequenceWatch<Head>, listener: WatchListener) {
  let sequence = openHeads()
  let demand = 0
  let newest: bigint | undefined
  let leave = sequence.join({ ...listener }, demand)

  const rejoin = (next: SequenceWatch<Head>) => {
    const leaveBefore = leave
    sequence = next
    leave = next.join({ ...listener }, demand)
    leaveBefore()
  }

  return {
    /** Changes how many listeners this one counts for, as in `SequenceWatch.join`. */
    setDemand(next: number) {
      if (next === demand) return
      demand = next
      rejoin(sequence)
    },
    /** The newest head. Undefined if it is not known. */
    newest() {
      try {
        newest = sequence.head()?.position ?? newest
      } catch {
        // The feed has retried for minutes. A new one continues.
        rejoin(openHeads())
      }
      return newest
    },
    leave: () => leave(),
    kept: (position: bigint) => sequence.log.kept(position),
    isLate: () => sequence.isPolled && sequence.isLate(),
    get isPolled() {
      return sequence.isPolled
    },
  }
}
