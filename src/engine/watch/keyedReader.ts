import type { Signal } from '../../kit/clock/signal.ts'
import { Faults, type OnStuck } from './faults.ts'
import type { KeyedEvent, KeyedSource, ListOffset, OffsetRecord } from './keyedSource.ts'
import type { KeyedListWatch } from './keyedWatch.ts'
import type { PollScheduler } from './pollScheduler.ts'

// What one listener has read of one key, such as the transactions of an address. There are two places to read from. The
// log of the watch has the newest records of all keys, read once for all listeners; the upstream also has a list of the
// key alone. A listener that is at a place the log no longer has reads on in the list of the key, and moves to the log
// when it has caught up. The list can be behind the log, since they are two requests, so it is read again before
// records count as lost.

/** The most times that a list that is behind is read again. A list that is still behind then has lost records. */
const maxBehind = 10

interface KeyedReaderOptions<T extends object, Head extends object> {
  readonly watch: KeyedListWatch<T, Head>
  readonly key: string
  readonly after: ListOffset | undefined
  readonly requests: PollScheduler
  readonly signal: Signal
  /** Called when what was requested has come. */
  readonly wake: () => void
  readonly onStuck: OnStuck
}

/**
 * The records of one key in one list, starting at a place. It reads what the key has missed from the list of the key, and
 * what is new from the records that all keys share.
 */
export class KeyedReader<T extends object, Head extends object> {
  readonly #source: KeyedSource<T, Head>
  readonly #options: KeyedReaderOptions<T, Head>
  readonly #faults: Faults
  #place: ListOffset | undefined
  #missed: readonly OffsetRecord<T>[] = []
  #isRequested = false
  #isLateReported = false
  #isOver = false
  #failure: { readonly error: unknown } | undefined

  constructor(source: KeyedSource<T, Head>, options: KeyedReaderOptions<T, Head>) {
    const { after, watch, onStuck } = options
    const { start, newest } = watch.state
    this.#source = source
    this.#options = options
    this.#faults = new Faults(source.key, onStuck)
    this.#place = after ?? (start === undefined ? undefined : { number: newest, skip: 0 })
  }

  /** The place after the last event taken. Undefined until the list has answered. */
  get place(): ListOffset | undefined {
    return this.#place
  }

  /** The error that ended the events, once it was sent. */
  get failure(): { readonly error: unknown } | undefined {
    return this.#isOver ? (this.#failure ?? this.#options.watch.failure) : undefined
  }

  /** The next event, if there is one now. */
  take(): KeyedEvent<T> | undefined {
    const { watch } = this.#options
    if (this.#isOver) return undefined
    const record = this.#failure ? undefined : this.#takeRecord()
    if (record) return { kind: 'record', record }
    const fault = this.#failure ?? watch.failure
    if (fault) {
      this.#isOver = true
      return { kind: 'failed', error: fault.error }
    }
    const stuckBy = this.#faults.stuckBy ?? watch.faults.stuckBy
    if (!watch.isLate && !stuckBy) this.#isLateReported = false
    else if (!this.#isLateReported) {
      this.#isLateReported = true
      return { kind: 'late', head: watch.state.head, ...stuckBy }
    }
    return undefined
  }

  #takeRecord(): T | undefined {
    const { watch, key } = this.#options
    const { start } = watch.state
    if (start === undefined) return undefined
    // Records since the listener joined are not skipped.
    this.#place ??= { number: start, skip: 0 }
    const [next, ...rest] = this.#missed
    if (next) {
      this.#missed = rest
      this.#place = next.place
      return next.record
    }
    if (this.#isRequested) return undefined
    const { number, skip } = this.#place
    if (skip > 0 || number < watch.log.floor) {
      void this.#request(this.#place)
      return undefined
    }
    const found = watch.log.find(key, number)
    if (found) this.#place = { number: found.number, skip: 0 }
    else if (watch.log.end > number) this.#place = { number: watch.log.end, skip: 0 }
    return found?.record
  }

  /** Requests the next of the missed records. At the end of the list, the shared records are next. */
  async #request(after: ListOffset): Promise<void> {
    const { requests, signal, wake } = this.#options
    this.#isRequested = true
    for (let attempts = 1; !signal.aborted; attempts += 1) {
      let fault: unknown
      try {
        if (await this.#readMissed(after, attempts > maxBehind)) break
      } catch (error) {
        if (signal.aborted) return
        if (this.#source.isFatal(error)) {
          this.#failure = { error }
          break
        }
        fault = error
        this.#faults.add(error)
        wake()
      }
      await new Promise<void>((resolve) => {
        requests.clock.after(requests.retryDelay(attempts, fault), resolve)
      })
    }
    this.#isRequested = false
    wake()
  }

  /** Reads missed records once. False if the list lacks some that it had before, unless `acceptsLoss`. */
  async #readMissed(after: ListOffset, acceptsLoss: boolean): Promise<boolean> {
    const { requests, signal, watch, key } = this.#options
    const { timeoutMessage } = this.#source
    const { floor } = watch.log
    const page = await requests.run({ signal, timeoutMessage }, (deadline) =>
      this.#source.history(key, after, deadline),
    )
    this.#faults.clear()
    if (page === null && !acceptsLoss) return false
    const { records, end } = page ?? { records: [], end: { ...after, skip: 0 } }
    this.#missed = records
    if (records.length === 0) this.#place = end.number < floor ? { number: floor, skip: 0 } : end
    return true
  }
}
