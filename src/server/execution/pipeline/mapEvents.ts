import type { Signal } from '../../../kit/clock/signal.ts'

/** How events become results. */
export interface MapEventsOptions<T, R> {
  /** Makes the result of an event. Undefined if nothing is to be sent. */
  readonly run: (event: T) => R | undefined | Promise<R | undefined>
  /** Aborts when the reader leaves. */
  readonly signal: Signal
  /** Called once, when the stream has ended for any reason. */
  readonly onEnd: () => void
  /** Makes the error that the iterator rejects with when the source fails. */
  readonly formatError: (error: unknown) => Error
}

/**
 * The results of a subscription's events, one at a time. Ends the source when the reader leaves, when
 * the signal aborts, and when an event fails. An async generator cannot do this: its `return` waits for
 * the current event.
 */
export function mapEvents<T, R>(
  source: AsyncIterable<T>,
  { run, signal, onEnd, formatError }: MapEventsOptions<T, R>,
): AsyncIterableIterator<R, void> {
  const iterator = source[Symbol.asyncIterator]()
  let isOver = false

  const end = async () => {
    if (isOver) return
    isOver = true
    signal.removeEventListener('abort', leave)
    onEnd()
    await iterator.return?.()
  }
  // There is nobody left to report to when the source fails to end.
  const leave = () => void end().catch(() => {})
  signal.addEventListener('abort', leave)
  if (signal.aborted) leave()

  return {
    async next() {
      try {
        for (;;) {
          const step = isOver ? done : await iterator.next()
          if (step.done) break
          const value = await run(step.value)
          if (value !== undefined) return { value, done: false }
        }
        await end()
        return done
      } catch (error) {
        leave()
        if (signal.aborted) return done
        throw formatError(error)
      }
    },
    async return() {
      await end()
      return done
    },
    async throw(error) {
      await end()
      throw error
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

const done = { value: undefined, done: true } as const

/** Whether a result is a stream of results. */
export const isAsyncIterable = <T>(value: object | AsyncIterable<T>): value is AsyncIterable<T> =>
  Symbol.asyncIterator in value
