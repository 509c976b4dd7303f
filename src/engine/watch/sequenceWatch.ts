import type { Clock } from '../../kit/clock/clock.ts'
import { Faults } from './faults.ts'
import { Loop } from './loop.ts'
import { endlessRules } from './model.ts'
import { type Head, type SequenceEvent, type SequenceState, sequenceModel } from './models/sequence.ts'
import { type AnyWatch, type WatchListener, WatchListeners } from './openWatches.ts'
import { RecordLog, type RecordLogContext } from './recordLog.ts'
import { longestWait } from './recordTiming.ts'
import type { SequenceSource, SequenceTop } from './sequenceSource.ts'

export interface SequenceWatchContext extends Omit<RecordLogContext, 'head'> {
  /** Called once, when the polls end for any reason. */
  readonly onStop: () => void
}

const never = Number.POSITIVE_INFINITY

/** Maximum age of a peer's response that is used in place of the first poll, as a part of the interval. */
const sharedPart = 0.7

/** The watch of one sequence, with its listeners: polls its head, and reads its records for them. */
export class SequenceWatch<T extends object> implements AnyWatch {
  readonly log: RecordLog<T>
  readonly #source: SequenceSource<T>
  readonly #clock: Clock
  readonly #listeners = new WatchListeners()
  readonly #faults: Faults
  readonly #loop: Loop<SequenceState, SequenceTop<T>, SequenceEvent<T>>
  #failure: { readonly error: unknown } | undefined

  /** The head is polled from the first listener on, at once. */
  constructor(source: SequenceSource<T>, context: SequenceWatchContext) {
    const { requests, onStuck, onStop } = context
    const { clock, maxUnavailableMs, timeoutMs } = requests
    this.#source = source
    this.#clock = clock
    this.#faults = new Faults(`${source.topic.name} of ${source.key}`, onStuck)
    this.log = new RecordLog(source, {
      ...context,
      head: () => this.#loop.state.model.head?.position ?? -1n,
      onStuck: (list, error) => {
        onStuck(list, error)
        this.#listeners.wakeAll()
      },
    })
    // Listeners that catch up must not delay the polls, so that these are urgent.
    const firstMaxAgeMs = sharedPart * source.intervalMs
    const rules = { ...endlessRules, maxUnavailableMs, isUrgent: true, firstMaxAgeMs }
    const { head: fetch, follow, messages } = source
    this.#loop = new Loop(
      { model: sequenceModel(source), rules },
      { fetch, follow, timeoutMs, timeoutMessage: messages.timeout },
      {
        requests,
        onStop,
        onEvent: (event) => this.#onEvent(event),
        onEnd: (end) => {
          this.#failure = end
          this.#listeners.wakeAll()
        },
      },
    )
  }

  get upstream(): object {
    return this.#source.upstream
  }

  get listenerCount(): number {
    return this.#listeners.size
  }

  /** Whether the head is polled: somebody needs it to be. */
  get isPolled(): boolean {
    return this.#loop.state.demand > 0
  }

  /**
   * Adds a listener, which is woken when the head was polled, or the watch failed. It counts as `demand` listeners for
   * how often the head is polled: 1 by default, and 0 if it needs no polls. The function it returns removes it, and ends
   * the watch with the last one.
   */
  join(listener: WatchListener, demand = 1): () => void {
    this.#listeners.add(listener)
    this.#loop.join({ demand, client: '', canRegister: false, expectedMs: never })
    return () => {
      if (this.#listeners.delete(listener)) this.#loop.leave(demand)
    }
  }

  /** The most milliseconds that a new head may wait to be found, at the full rate. */
  longestWait(): number {
    return longestWait(this.#loop.state.model.timing, this.#source.intervalMs, this.#clock.date())
  }

  /** Undefined until the first poll. Throws the error that ended the polls, if one did. */
  head(): Head | undefined {
    if (this.#failure) throw this.#failure.error
    return this.#loop.state.model.head
  }

  /** Whether there was no new head for the source's `lateAfterMs`. */
  isLate(): boolean {
    return this.#clock.now() - this.#loop.state.model.movedAt >= this.#source.lateAfterMs
  }

  close(): void {
    this.#loop.close()
    this.#listeners.abortAll()
  }

  #onEvent(event: SequenceEvent<T>): void {
    if (event.kind === 'failed') this.#faults.add(event.error)
    else {
      this.log.keep(event.top.records ?? [], event.top.unreadableBetween)
      this.#faults.clear()
    }
    this.#listeners.wakeAll()
  }
}
