import type { Signal } from '../kit/clock/signal.ts'
import { Faults, type OnStuck } from './faults.ts'
import type { KeyedEvent, KeyedSource, ListOffset, OffsetRecord } from './keyedSource.ts'
import type { KeyedListWatch } from './keyedWatch.ts'
import type { PollScheduler } from './pollScheduler.ts'

/** The records of one key in one list, starting at a place. */
export interface KeyedReader<T> {
  /** The place after the last event taken. Undefined until the list has answered. */
  readonly place: ListOffset | undefined
  /** The error that ended the events, once it was sent. */
  readonly failure: { readonly error: unknown } | undefined
  /** The next event, if there is one now. */
  take(): KeyedEvent<T> | undefined
}

/** How often a list that is behind is read again. A list that stays behind has lost records. */
const maxBehind = 10

/**
 * Reads what a key has missed from its own list, and what is new from the records that all keys share.
 * `wake` is called when what was requested has come.
 */
export function createKeyedReader<T extends object, Head extends object>(
  source: KeyedSource<T, Head>,
  options: {
    readonly watch: Pick<KeyedListWatch<T, Head>, 'log' | 'state' | 'isLate' | 'failure' | 'faults'>
    readonly key: string
    readonly after: ListOffset | undefined
    readonly requests: PollScheduler
    readonly signal: Signal
    readonly wake: () => void
    readonly onStuck: OnStuck
  },
): KeyedReader<T> {
  const { watch, key, requests, signal, wake, onStuck } = options
  const { timeoutMessage } = source
  const { start, newest } = watch.state
  let place = options.after ?? (start === undefined ? undefined : { number: newest, skip: 0 })
  let missed: readonly OffsetRecord<T>[] = []
  let isRequested = false
  let isLateReported = false
  let isOver = false
  let failure: { readonly error: unknown } | undefined
  const faults = new Faults(source.key, onStuck)

  /** Requests the next of the missed records. At the end of the list, the shared records are next. */
  const request = async (after: ListOffset) => {
    isRequested = true
    for (let attempts = 1; !signal.aborted; attempts += 1) {
      const { floor } = watch.log
      let fault: unknown
      try {
        const page = await requests.run({ signal, timeoutMessage }, (deadline) =>
          source.history(key, after, deadline),
        )
        faults.clear()
        if (page !== null || attempts > maxBehind) {
          const { records, end } = page ?? { records: [], end: { ...after, skip: 0 } }
          missed = records
          if (records.length === 0) place = end.number < floor ? { number: floor, skip: 0 } : end
          break
        }
      } catch (error) {
        if (signal.aborted) return
        if (source.isFatal(error)) {
          failure = { error }
          break
        }
        fault = error
        faults.add(error)
        wake()
      }
      await new Promise<void>((resolve) => {
        requests.clock.after(requests.retryDelay(attempts, fault), resolve)
      })
    }
    isRequested = false
    wake()
  }

  const takeRecord = (): T | undefined => {
    const { start } = watch.state
    if (start === undefined) return undefined
    // Records since the listener joined are not skipped.
    place ??= { number: start, skip: 0 }
    const [next, ...rest] = missed
    if (next) {
      missed = rest
      place = next.place
      return next.record
    }
    if (isRequested) return undefined
    if (place.skip > 0 || place.number < watch.log.floor) {
      void request(place)
      return undefined
    }
    const found = watch.log.find(key, place.number)
    if (found) place = { number: found.number, skip: 0 }
    else if (watch.log.end > place.number) place = { number: watch.log.end, skip: 0 }
    return found?.record
  }

  return {
    get place() {
      return place
    },
    get failure() {
      return isOver ? (failure ?? watch.failure) : undefined
    },
    take() {
      if (isOver) return undefined
      const record = failure ? undefined : takeRecord()
      if (record) return { kind: 'record', record }
      const fault = failure ?? watch.failure
      if (fault) {
        isOver = true
        return { kind: 'failed', error: fault.error }
      }
      const stuckBy = faults.stuckBy ?? watch.faults.stuckBy
      if (!watch.isLate && !stuckBy) isLateReported = false
      else if (!isLateReported) {
        isLateReported = true
        return { kind: 'late', head: watch.state.head, ...stuckBy }
      }
      return undefined
    },
  }
}
