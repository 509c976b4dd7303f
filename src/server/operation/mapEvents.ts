import { done, makeIterator } from '../../engine/watch/iterators.ts'
import type { Signal } from '../../kit/clock/signal.ts'

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

type MadeResult<R> = { readonly value: R | undefined } | { readonly error: unknown }

/** An event under way. Its result is undefined until it is made. */
interface UnderWay<R> {
  readonly key: unknown
  made: MadeResult<R> | undefined
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
  const results = new EventResults(source, options)
  return makeIterator(
    () => results.next(),
    () => results.end(),
  )
}

class EventResults<T, R> {
  readonly #options: MapEventsOptions<T, R>
  readonly #iterator: AsyncIterator<T>
  /** In the order of the source. */
  readonly #underWay: UnderWay<R>[] = []
  #isOver = false
  #isDrained = false
  #isPulling = false
  #wake = () => {}

  constructor(source: AsyncIterable<T>, options: MapEventsOptions<T, R>) {
    this.#options = options
    this.#iterator = source[Symbol.asyncIterator]()
    const { signal } = options
    signal.addEventListener('abort', this.#leave)
    if (signal.aborted) this.#leave()
  }

  /** Ends the source, once. */
  async end(): Promise<void> {
    if (this.#isOver) return
    this.#isOver = true
    this.#options.signal.removeEventListener('abort', this.#leave)
    this.#options.onEnd()
    this.#wake()
    await this.#iterator.return?.()
  }

  async next(): Promise<IteratorResult<R, void>> {
    try {
      const value = await this.#nextResult()
      if (value !== undefined) return { value, done: false }
      await this.end()
      return done
    } catch (error) {
      this.#leave()
      if (this.#options.signal.aborted) return done
      throw this.#options.formatError(error)
    }
  }

  /** There is nobody left to report to when the source fails to end. */
  readonly #leave = () => void this.end().catch(() => {})

  async #nextResult(): Promise<R | undefined> {
    while (!this.#isOver) {
      void this.#pull()
      const made = this.#take()
      if (made && 'error' in made) throw made.error
      if (made?.value !== undefined) return made.value
      if (made) continue
      if (this.#isDrained && this.#underWay.length === 0) break
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    return undefined
  }

  /** Reads the next event of the source, unless as many as may be are under way. */
  async #pull(): Promise<void> {
    const { eventsAtOnce = 1 } = this.#options
    const isFull = this.#underWay.length >= eventsAtOnce
    if (this.#isPulling || this.#isDrained || this.#isOver || isFull) return
    this.#isPulling = true
    try {
      const step = await this.#iterator.next()
      if (step.done) this.#isDrained = true
      else this.#start(step.value)
    } catch (error) {
      this.#isDrained = true
      this.#underWay.push({ key: failure, made: { error }, whenMade: Promise.resolve() })
    }
    this.#isPulling = false
    this.#wake()
  }

  #start(event: T): void {
    const { run, keyOf = () => undefined, isInTurn = false } = this.#options
    const key = keyOf(event)
    const before = isInTurn ? this.#underWay.findLast((other) => other.key === key) : undefined
    const make = async () => {
      await before?.whenMade
      try {
        item.made = { value: await run(event) }
      } catch (error) {
        item.made = { error }
      }
      this.#wake()
    }
    const item: UnderWay<R> = { key, made: undefined, whenMade: Promise.resolve() }
    this.#underWay.push(item)
    item.whenMade = make()
  }

  /** Removes the first result that is made, unless an earlier event of its key is under way. */
  #take(): MadeResult<R> | undefined {
    const waiting = new Set<unknown>()
    for (const [i, { key, made }] of this.#underWay.entries()) {
      // The source fails after all its events.
      if (made && !waiting.has(key) && (key !== failure || i === 0)) {
        this.#underWay.splice(i, 1)
        return made
      }
      waiting.add(key)
    }
    return undefined
  }
}

const failure = Symbol('failure')

/** Whether a result is a stream of results. */
export const isAsyncIterable = <T>(value: object | AsyncIterable<T>): value is AsyncIterable<T> =>
  Symbol.asyncIterator in value
