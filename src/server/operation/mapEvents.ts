import type { Signal } from '../../kit/clock/signal.ts'
import { done, iteratorOf } from '../../watch/iterators.ts'

/** How events become results. */
export interface MapEventsOptions<T, R> {
  /** Makes the result of an event. Undefined if nothing is to be sent. */
  readonly run: (event: T) => R | undefined | Promise<R | undefined>
  /**
   * The most events under way at once. By default 1. Further ones are read from the source when the reader asks for
   * results.
   */
  readonly eventsAtOnce?: number | undefined
  /** The key of an event. Results of one key keep their order. By default all have the same key. */
  readonly keyOf?: ((event: T) => unknown) | undefined
  /** Whether an event waits until the one before of its key has its result. */
  readonly isInTurn?: boolean | undefined
  /** Aborts when the reader leaves. */
  readonly signal: Signal
  /** Called once, when the stream has ended for any reason. */
  readonly onEnd: () => void
  /** Makes the error that the iterator rejects with when the source fails. */
  readonly formatError: (error: unknown) => Error
}

type Made<R> = { readonly value: R | undefined } | { readonly error: unknown }

/** An event under way. Its result is undefined until it is made. */
interface UnderWay<R> {
  readonly key: unknown
  made: Made<R> | undefined
  whenMade: Promise<void>
}

/**
 * The results of a subscription's events. Events of different keys do not wait for each other. Ends the source when the
 * reader leaves, when the signal aborts, and when an event fails. An async generator cannot do this: its `return` waits
 * for the current event.
 */
export function mapEvents<T, R>(
  source: AsyncIterable<T>,
  options: MapEventsOptions<T, R>,
): AsyncIterableIterator<R, void> {
  const { run, eventsAtOnce = 1, keyOf = () => undefined, isInTurn = false } = options
  const { signal, onEnd, formatError } = options
  const iterator = source[Symbol.asyncIterator]()
  let isOver = false
  let isDrained = false
  let isPulling = false
  /** In the order of the source. */
  const underWay: UnderWay<R>[] = []
  let wake = () => {}

  const end = async () => {
    if (isOver) return
    isOver = true
    signal.removeEventListener('abort', leave)
    onEnd()
    wake()
    await iterator.return?.()
  }
  // There is nobody left to report to when the source fails to end.
  const leave = () => void end().catch(() => {})
  signal.addEventListener('abort', leave)
  if (signal.aborted) leave()

  const start = (event: T) => {
    const key = keyOf(event)
    const before = isInTurn ? underWay.findLast((other) => other.key === key) : undefined
    const make = async () => {
      await before?.whenMade
      try {
        item.made = { value: await run(event) }
      } catch (error) {
        item.made = { error }
      }
      wake()
    }
    const item: UnderWay<R> = { key, made: undefined, whenMade: Promise.resolve() }
    underWay.push(item)
    item.whenMade = make()
  }

  const pull = async () => {
    if (isPulling || isDrained || isOver || underWay.length >= eventsAtOnce) return
    isPulling = true
    try {
      const step = await iterator.next()
      if (step.done) isDrained = true
      else start(step.value)
    } catch (error) {
      isDrained = true
      underWay.push({ key: failure, made: { error }, whenMade: Promise.resolve() })
    }
    isPulling = false
    wake()
  }

  /** Removes the first result that is made, unless an earlier event of its key is under way. */
  const take = (): Made<R> | undefined => {
    const waiting = new Set<unknown>()
    for (const [i, { key, made }] of underWay.entries()) {
      // The source fails after all its events.
      if (made && !waiting.has(key) && (key !== failure || i === 0)) {
        underWay.splice(i, 1)
        return made
      }
      waiting.add(key)
    }
    return undefined
  }

  const nextResult = async (): Promise<R | undefined> => {
    while (!isOver) {
      void pull()
      const made = take()
      if (made && 'error' in made) throw made.error
      if (made?.value !== undefined) return made.value
      if (made) continue
      if (isDrained && underWay.length === 0) break
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    return undefined
  }

  const next = async (): Promise<IteratorResult<R, void>> => {
    try {
      const value = await nextResult()
      if (value !== undefined) return { value, done: false }
      await end()
      return done
    } catch (error) {
      leave()
      if (signal.aborted) return done
      throw formatError(error)
    }
  }
  return iteratorOf(next, end)
}

const failure = Symbol('failure')

/** Whether a result is a stream of results. */
export const isAsyncIterable = <T>(value: object | AsyncIterable<T>): value is AsyncIterable<T> =>
  Symbol.asyncIterator in value
