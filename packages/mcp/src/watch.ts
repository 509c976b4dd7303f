import type { Timer } from '#kit/clock'
import type { GraphAnswer } from './graph.ts'

/** How long a stream of events is read, and which event is the last one. */
export interface WatchOptions {
  readonly milliseconds: number
  readonly isLast: (answer: GraphAnswer) => boolean
}

/**
 * Reads events until one is the last, the stream ends, or the time is over. Returns the newest event that has data,
 * or else the newest one. Closes the stream.
 */
export async function lastEvent(
  events: AsyncIterator<GraphAnswer>,
  clock: Timer,
  { milliseconds, isLast }: WatchOptions,
): Promise<GraphAnswer> {
  let newest: GraphAnswer = { errors: [{ message: 'The transfer sent no state in time.' }] }
  let cancel = () => {}
  const timeout = new Promise<undefined>((resolve) => {
    cancel = clock.after(milliseconds, () => resolve(undefined))
  })
  try {
    for (;;) {
      const step = await Promise.race([events.next(), timeout])
      if (!step || step.done) return newest
      if (step.value.data || !newest.data) newest = step.value
      if (isLast(newest)) return newest
    }
  } finally {
    cancel()
    // A source that waits for an upstream must not be waited for.
    void Promise.resolve(events.return?.()).catch(() => {})
  }
}
