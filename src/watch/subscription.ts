import type { Stop } from '@repeaterjs/repeater'
import type { SequenceWatch } from './sequenceWatch.ts'

/** The time that a listener spends at a sequence. */
export interface Subscription {
  /** Aborts when the listener leaves, or the sequence is closed. */
  readonly signal: AbortSignal
  /** Calls this, in place of the one before, when the sequence has something new and when the subscription ends. */
  onWake(listener: () => void): void
}

/** Joins a sequence until the listener stops. `demand` is that of `SequenceWatch.join`. */
export function subscribe<T>(
  sequence: Pick<SequenceWatch<T>, 'join'>,
  stop: Stop,
  demand?: number,
): Subscription {
  const controller = new AbortController()
  let wake = () => {}
  const abort = () => {
    controller.abort()
    wake()
  }
  const leave = sequence.join({ wake: () => wake(), abort }, demand)
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
