import type { Stop } from '@repeaterjs/repeater'
import type { FeedChannel } from './feedChannel.ts'

/** The time that a listener spends at a channel. */
export interface FeedVisit {
  /** Aborts when the listener leaves, or the channel is closed. */
  readonly signal: AbortSignal
  /** Called when the channel has something new, and when the visit ends. The listener sets it. */
  wake: () => void
}

/** Joins a channel until the listener stops. */
export function joinChannel<T>(channel: Pick<FeedChannel<T>, 'join'>, stop: Stop): FeedVisit {
  const controller = new AbortController()
  const visit: FeedVisit = { signal: controller.signal, wake: () => {} }
  const abort = () => {
    controller.abort()
    visit.wake()
  }
  const leave = channel.join({ wake: () => visit.wake(), abort })
  stop.then(() => {
    leave()
    abort()
  })
  return visit
}
