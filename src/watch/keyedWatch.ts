import type { Signal } from '../kit/clock/signal.ts'
import { createKeyedLog } from './keyedLog.ts'
import type { KeyedWatch } from './keyedReader.ts'
import type { KeyedSource, Keys } from './keyedSource.ts'
import { runLoop } from './loop.ts'
import { endlessRules } from './model.ts'
import { type KeyedObservation, type KeyedState, keyedModel, mustRead } from './models/keyed.ts'
import type { WatchListener } from './openWatches.ts'
import type { PollScheduler } from './pollScheduler.ts'
import type { SequenceWatch } from './sequenceWatch.ts'
import { Faults, type OnStuck } from './stuck.ts'

/** What the watch of a list runs on. */
interface KeyedWatchContext<Head extends object> {
  /** Opens the feed of the heads, or joins it. */
  readonly openHeads: () => SequenceWatch<Head>
  readonly requests: PollScheduler
  readonly windowSize: number
  /** Called once, when the watch ends for any reason. */
  readonly onStop: () => void
  readonly onStuck: OnStuck
}

/**
 * Follows the end of a list. Each new record is read once, for all listeners. The heads are polled while there are
 * enough listeners for the full pace, and if the list has had nothing new for half of `lateAfterMs`.
 */
export function openKeyedWatch<T extends object, Head extends object>(
  source: KeyedSource<T, Head>,
  { openHeads, requests, windowSize, onStop, onStuck }: KeyedWatchContext<Head>,
): KeyedWatch<T> {
  const { clock, timeoutMs } = requests
  const { key, timeoutMessage } = source
  const { upstream, lateAfterMs, fullPaceListeners = 1 } = source.heads
  const listeners = new Set<WatchListener>()
  const faults = new Faults(key, onStuck)
  let failure: { readonly error: unknown } | undefined
  let wasLate = false

  /** A record whose keys cannot be read has none. It must not stop those after it. */
  const keysOf = (record: T): Keys => {
    try {
      return source.keysOf(record)
    } catch (error) {
      onStuck(key, error)
      return new Set()
    }
  }
  const log = createKeyedLog(keysOf, windowSize)

  const wakeAll = () => {
    for (const listener of [...listeners]) listener.wake()
  }

  /** Counts at the heads as much as the list needs them. */
  const updateDemand = () => {
    if (loop.state.phase === 'ended') return
    const { size } = listeners
    const isQuiet = clock.now() - state().grownAt >= lateAfterMs / 2
    const isPolled = size >= fullPaceListeners || isQuiet
    heads.setDemand(isPolled ? Math.min(size, fullPaceListeners) : 0)
  }

  const fetch = async (signal: Signal): Promise<KeyedObservation<T>> => {
    updateDemand()
    const { start, end: from } = state()
    const sentAt = clock.now()
    if (start === undefined) return { kind: 'start', number: await source.newest(signal), sentAt }
    if (heads.isPolled && !mustRead(state())) return { kind: 'skipped' }
    return { kind: 'page', from, page: await source.after(from, signal), sentAt }
  }

  const loop = runLoop(
    { model: keyedModel(source, clock.now()), rules: endlessRules },
    { fetch, timeoutMs, timeoutMessage },
    {
      requests,
      onStop() {
        heads.leave()
        onStop()
      },
      onEvent(event) {
        if (event.kind === 'failed') faults.add(event.error)
        else faults.clear()
        if (event.kind === 'begun') log.reset(event.number)
        if (event.kind === 'read') log.add(event.page)
        wakeAll()
      },
      onEnd(end) {
        failure = end
        wakeAll()
      },
    },
  )
  const state = (): KeyedState => loop.state.model

  const isLate = (): boolean => {
    const { due } = state()
    const waited = due?.isCertain ? clock.now() - due.since : 0
    return waited >= lateAfterMs || heads.isLate()
  }

  /** The newest of the new heads that has records, or was not seen itself, so that it may have some. */
  const newestFound = (head: bigint) => {
    const { head: known = -1n, readTo } = state()
    const from = known > readTo ? known : readTo
    for (let position = head; position > from; position -= 1n) {
      const record = heads.kept(position)
      if (!record || source.hasRecords(record)) return { head: position, isCertain: !!record }
    }
    return undefined
  }

  const onPoll = () => {
    const head = heads.newest()
    loop.learn({ kind: 'head', head, found: head === undefined ? undefined : newestFound(head) })
    if (isLate() === wasLate) return
    wasLate = !wasLate
    wakeAll()
  }
  const heads = joinHeads(openHeads, { wake: onPoll, abort: () => close() })

  const close = () => {
    loop.close()
    for (const listener of [...listeners]) listener.abort()
  }

  return {
    upstream,
    log,
    faults,
    join(listener, { isContinued }) {
      listeners.add(listener)
      updateDemand()
      loop.join({ demand: 1, client: '', canRegister: false, expectedMs: Number.POSITIVE_INFINITY })
      if (isContinued) loop.learn({ kind: 'continued' })
      return () => {
        if (!listeners.delete(listener)) return
        if (listeners.size > 0) updateDemand()
        loop.leave(1)
      }
    },
    close,
    get state() {
      return state()
    },
    get isLate() {
      return isLate()
    },
    get failure() {
      return failure
    },
    get listenerCount() {
      return listeners.size
    },
  }
}

/** Joins the feed of the heads, with no demand. `openHeads` opens the feed, or returns the open one. */
function joinHeads<Head>(openHeads: () => SequenceWatch<Head>, listener: WatchListener) {
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
    kept: (position: bigint) => sequence.kept(position),
    isLate: () => sequence.isPolled && sequence.isLate(),
    get isPolled() {
      return sequence.isPolled
    },
  }
}
