import { Faults } from './faults.ts'
import { runLoop } from './loop.ts'
import { endlessRules } from './model.ts'
import { type Head, sequenceModel } from './models/sequence.ts'
import type { AnyWatch, WatchListener } from './openWatches.ts'
import { createRecordLog, type RecordLog, type RecordLogContext } from './recordLog.ts'
import { longestWait } from './recordTiming.ts'
import type { SequenceSource } from './sequenceSource.ts'

/** The watch of one sequence, with its listeners: polls its head, and reads its records for them. */
export interface SequenceWatch<T>
  extends AnyWatch,
    Pick<RecordLog<T>, 'read' | 'kept' | 'stuckBy'> {
  /**
   * Adds a listener, which is woken when the head was polled, or the watch failed. It counts as `demand` listeners for how often the head is polled: 1 by default, and 0 if it
   * needs no polls. The function it returns removes it, and ends the watch with the last one.
   */
  join(listener: WatchListener, demand?: number): () => void
  /** Whether the head is polled: somebody needs it to be. */
  readonly isPolled: boolean
  /** The most milliseconds that a new head may wait to be found, at the full rate. */
  longestWait(): number
  /** Undefined until the first poll. Throws the error that ended the polls, if one did. */
  head(): Head | undefined
  /** Whether there was no new head for the source's `lateAfterMs`. */
  isLate(): boolean
}

export interface SequenceWatchContext extends Omit<RecordLogContext, 'head'> {
  /** Called once, when the polls end for any reason. */
  readonly onStop: () => void
}

const never = Number.POSITIVE_INFINITY

/** How old the response of a peer may be that answers the first poll, as a part of the interval. */
const sharedPart = 0.7

/** Opens the watch of a sequence. Its head is polled from the first listener on, at once. */
export function openSequenceWatch<T extends object>(
  source: SequenceSource<T>,
  context: SequenceWatchContext,
): SequenceWatch<T> {
  const { requests, onStuck, onStop } = context
  const { clock, maxUnavailableMs } = requests
  const { upstream, intervalMs, messages } = source
  const listeners = new Set<WatchListener>()
  const faults = new Faults(`${source.topic.name} of ${source.key}`, onStuck)
  let failure: { readonly error: unknown } | undefined

  const wakeAll = () => {
    for (const listener of [...listeners]) listener.wake()
  }
  const reader = createRecordLog(source, {
    ...context,
    head: () => loop.state.model.head?.position ?? -1n,
    onStuck(list, error) {
      onStuck(list, error)
      wakeAll()
    },
  })
  // Listeners that catch up must not delay the polls, so that these are urgent.
  const firstMaxAgeMs = sharedPart * intervalMs
  const rules = { ...endlessRules, maxUnavailableMs, isUrgent: true, firstMaxAgeMs }
  const { head: fetch, follow } = source
  const { timeoutMs } = requests
  const loop = runLoop(
    { model: sequenceModel(source), rules },
    { fetch, follow, timeoutMs, timeoutMessage: messages.timeout },
    {
      requests,
      onStop,
      onEvent(event) {
        if (event.kind === 'failed') faults.add(event.error)
        else {
          reader.keep(event.records)
          faults.clear()
        }
        wakeAll()
      },
      onEnd(end) {
        failure = end
        wakeAll()
      },
    },
  )
  return {
    upstream,
    join(listener, demand = 1) {
      listeners.add(listener)
      loop.join({ demand, client: '', canRegister: false, expectedMs: never })
      return () => {
        if (listeners.delete(listener)) loop.leave(demand)
      }
    },
    get isPolled() {
      return loop.state.demand > 0
    },
    longestWait: () => longestWait(loop.state.model.timing, intervalMs, clock.date()),
    head() {
      if (failure) throw failure.error
      return loop.state.model.head
    },
    isLate: () => clock.now() - loop.state.model.movedAt >= source.lateAfterMs,
    read: reader.read,
    kept: reader.kept,
    stuckBy: reader.stuckBy,
    close() {
      loop.close()
      for (const listener of [...listeners]) listener.abort()
    },
    get listenerCount() {
      return listeners.size
    },
  }
}
