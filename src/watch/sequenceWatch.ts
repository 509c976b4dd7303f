import type { Cache } from '../kit/cache/cache.ts'
import { runLoop } from './loop.ts'
import { type Head, sequenceModel } from './models/sequence.ts'
import type { PollScheduler } from './pollScheduler.ts'
import { createRecordLog, type RecordLog } from './recordLog.ts'
import type { SequenceSource } from './sequenceSource.ts'
import { countFaults, type OnStuck } from './stuck.ts'
import { longestWait } from './timing.ts'

/** What calls a listener of a sequence. */
export interface SequenceListener {
  /** The head was polled, or the watch failed. */
  readonly wake: () => void
  /** The watch was closed: nothing follows, and the listener is not told why. */
  readonly abort: () => void
}

/** What a registry of watches of all types needs of one. */
export interface AnySequenceWatch {
  readonly listenerCount: number
  readonly upstream: object
  /** Ends the polls, and aborts what the listeners wait for. */
  close(): void
}

/** The watch of one sequence, with its listeners: polls its head, and reads its records for them. */
export interface SequenceWatch<T> extends AnySequenceWatch {
  /**
   * Adds a listener. It counts as `demand` listeners for how often the head is polled: 1 by default, and 0 if it
   * needs no polls. The function it returns removes it, and ends the watch with the last one.
   */
  join(listener: SequenceListener, demand?: number): () => void
  /** Whether the head is polled: somebody needs it to be. */
  readonly isPolled: boolean
  /** The most milliseconds that a new head may wait to be found, at the full rate. */
  longestWait(): number
  /** Undefined until the first poll. Throws the error that ended the polls, if one did. */
  head(): Head | undefined
  /** Whether there was no new head for the source's `lateAfterMs`. */
  isLate(): boolean
  readonly read: RecordLog<T>['read']
  readonly kept: RecordLog<T>['kept']
  readonly stuckBy: RecordLog<T>['stuckBy']
}

/** What the watch of a sequence runs on. */
export interface SequenceWatchContext {
  readonly requests: PollScheduler
  readonly maxGapMs: number
  readonly missingSince: Cache<number>
  readonly windowSize: number
  readonly onStuck: OnStuck
  /** Called once, when the polls end for any reason. */
  readonly onStop: () => void
}

const never = Number.POSITIVE_INFINITY

/** How old the response of a peer may be that answers the first poll, as a part of the interval. */
const sharedPart = 0.7

const unexpected = () => new Error('A sequence has no end.')

/** Opens the watch of a sequence. Its head is polled from the first listener on, at once. */
export function openSequenceWatch<T extends object>(
  source: SequenceSource<T>,
  { requests, maxGapMs, missingSince, windowSize, onStuck, onStop }: SequenceWatchContext,
): SequenceWatch<T> {
  const { clock, maxUnavailableMs } = requests
  const { upstream, intervalMs, messages } = source
  const listeners = new Set<SequenceListener>()
  const faults = countFaults(`${source.topic.name} of ${source.key}`, onStuck)
  let failure: { readonly error: unknown } | undefined

  const wakeAll = () => {
    for (const listener of [...listeners]) listener.wake()
  }
  const reader = createRecordLog(source, {
    requests,
    maxGapMs,
    missingSince,
    windowSize,
    head: () => loop.state.model.head?.position ?? -1n,
    onStuck(list, error) {
      onStuck(list, error)
      wakeAll()
    },
  })
  // Listeners that catch up must not delay the polls, so that these are urgent.
  const rules = {
    maxUnavailableMs,
    deadlineMs: never,
    freshMs: never,
    isUrgent: true,
    firstMaxAgeMs: sharedPart * intervalMs,
    notFound: unexpected,
    tooLong: unexpected,
  }
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
