import type { Stop } from '@repeaterjs/repeater'
import type { SequenceWatch } from './sequenceWatch.ts'

/** The time that a listener spends at a channel. */
export interface FeedVisit {
  /** Aborts when the listener leaves, or the channel is closed. */
  readonly signal: AbortSignal
  /** Calls this, in place of the one before, when the channel has something new and when the visit ends. */
  onWake(listener: () => void): void
}

/** Joins a channel until the listener stops. `weight` is that of `SequenceWatch.join`. */
export function joinChannel<T>(
  channel: Pick<SequenceWatch<T>, 'join'>,
  stop: Stop,
  weight?: number,
): FeedVisit {
  const controller = new AbortController()
  let wake = () => {}
  const abort = () => {
    controller.abort()
    wake()
  }
  const leave = channel.join({ wake: () => wake(), abort }, weight)
  stop.then(() => {
    leave()
    abort()
  })
  return {
    signal: controller.signal,
    onWake(listener) {
      wake = listener
    },
  }
}
