import type { Model } from '../model.ts'
import { intervalOf, type Rhythm } from '../nextDelay.ts'
import { findExpected, observeTop, type Timing, unknownTiming } from '../recordTiming.ts'
import type { SequenceSource, SequenceTop } from '../sequenceSource.ts'

/** The head of a sequence in the last poll. */
export interface Head {
  readonly position: bigint
  /** How many polls there were. */
  readonly polls: number
}

export interface SequenceState {
  /** Undefined until the first poll. */
  readonly head?: Head
  readonly highest: bigint
  /** When the head last moved, or somebody began to wait for that. A time of the clock, in milliseconds. */
  readonly movedAt: number
  readonly timing: Timing
}

export type SequenceEvent<T> =
  /** The head was polled, and these records came with it. */
  { readonly kind: 'polled'; readonly top: SequenceTop<T> } | { readonly kind: 'failed'; readonly error: unknown }

/** A sequence that never ends, whose head moves. Every poll is an event. */
export function sequenceModel<T extends object>(
  source: SequenceSource<T>,
): Model<SequenceState, SequenceTop<T>, SequenceEvent<T>> {
  const { intervalMs, fullPaceListeners = 1 } = source
  const rhythm = ({ head, highest, timing }: SequenceState, date: number): Rhythm => ({
    kind: 'endless',
    minMs: intervalMs,
    // A head that has stepped back is polled at the full rate, whoever listens.
    fullRateAt: head !== undefined && head.position < highest ? 0 : fullPaceListeners,
    expected: findExpected(timing, intervalMs, date),
  })
  return {
    initial: { highest: -1n, movedAt: 0, timing: unknownTiming },
    observe(state, top, { now, date, ageMs, demand }) {
      const { position } = top
      const isHigher = position > state.highest
      const poll = {
        date: date - ageMs,
        isFrequent: intervalOf(rhythm(state, date), demand) <= intervalMs,
      }
      const model = {
        head: { position, polls: (state.head?.polls ?? 0) + 1 },
        highest: isHigher ? position : state.highest,
        movedAt: isHigher ? now : state.movedAt,
        timing: observeTop(source, state.timing, top, poll),
      }
      return { model, events: [{ kind: 'polled', top }] }
    },
    onFault: (model, error) => ({ model, events: [{ kind: 'failed', error }] }),
    isFatal: (_state, error) => source.isFatal(error),
    rhythm: (state, _facts, { date }) => rhythm(state, date),
    // Nobody has waited until now.
    resume: (state, now) => ({ ...state, movedAt: now }),
  }
}
