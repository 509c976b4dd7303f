import { type Clock, pause } from '../../kit/clock/clock.ts'
import { type Signal, SignalSource } from '../../kit/clock/signal.ts'
import type { LatePart, LatePartsSource, StateSource } from './stateSource.ts'
import type { StateListener } from './stateWatch.ts'

// A state can be known before all that belongs to it: a transfer has arrived, and the indexer of the other chain does
// not have the transaction yet. No poll of the transfer tells when it does. So after each state this searches for what
// is missing, at growing intervals, once for all listeners, and sends the same state again when a part has come. It
// wraps each listener: `push` notes what the state lacks, and `stop` holds the end of the stream back while something
// is missing, for at most 30 seconds.

/** The seconds between two searches for what a state lacks. They begin anew when a state lacks something else. */
const waits = [1, 2, 4, 8, 15, 30, 30, 30, 30, 30, 30]

/** The same for a final state. With the time of the searches they stay below 30 seconds. */
const lastWaits = [1, 2, 4, 8, 13]

/** Milliseconds after the end of a target until its listeners stop, at the latest. */
const longestMs = 30_000

/** After this many waits, they begin anew for a listener that joins. */
const sharedWaits = 3

interface PartListener<T> extends StateListener<T> {
  readonly kinds: ReadonlySet<string>
  /** The keys that were missing from the state that it got last. Undefined until they have been searched for. */
  lacks: ReadonlySet<string> | undefined
  /** Whether the target has ended, so that only parts are waited for. */
  hasEnded: boolean
  /** Aborts when it leaves. */
  readonly left: SignalSource
}

/**
 * Searches for the parts that the newest state of a target lacks, once for all its listeners. A listener gets the state again
 * when a part of its kinds has come. After the end of the target, it stops once it has all of them.
 */
export class LateParts<T> {
  readonly #source: StateSource<T>
  readonly #missingFrom: LatePartsSource<T>['missing']
  readonly #newest: (state: T) => Promise<T>
  readonly #clock: Clock
  readonly #beganAt: number
  readonly #listeners = new Set<PartListener<T>>()
  /** The newest state. Undefined until listeners have got one. */
  #state: T | undefined
  /** What the state lacks. Undefined until it has been searched for. */
  #missing: readonly LatePart[] | undefined
  /** The keys of all parts that have been missing. */
  readonly #known = new Set<string>()
  /** How many waits have passed since the state began to lack what it lacks. */
  #waited = 0
  /** The search under way. It aborts when another one takes its place. Undefined when it has ended. */
  #search: SignalSource | undefined

  /** `newest` polls a final state once more. */
  constructor(
    source: StateSource<T>,
    missing: LatePartsSource<T>['missing'],
    newest: (state: T) => Promise<T>,
    clock: Clock,
  ) {
    this.#source = source
    this.#missingFrom = missing
    this.#newest = newest
    this.#clock = clock
    this.#beganAt = clock.now()
  }

  get isUsed(): boolean {
    return this.#listeners.size > 0
  }

  /** Puts the wait for parts between the watch and its listener. `leave` ends it. */
  join(reader: StateListener<T>, kinds: ReadonlySet<string>): StateListener<T> & { readonly leave: () => void } {
    const hasNewKind = [...kinds].some((kind) => !this.#kinds.has(kind))
    const listener: PartListener<T> = {
      ...reader,
      kinds,
      lacks: undefined,
      hasEnded: false,
      left: new SignalSource(),
    }
    this.#listeners.add(listener)
    if (this.#state !== undefined && (hasNewKind || this.#waited >= sharedWaits)) this.#begin(this.#state)
    return {
      push: (state) => {
        // The search begins before the state is sent, so that no part is found missing after the event has had it.
        if (state !== this.#state) this.#begin(state)
        listener.lacks = this.#missing && keysFor(listener, this.#missing)
        reader.push(state)
      },
      stop: (error) => {
        const isComplete = !this.#search || listener.lacks?.size === 0
        if (error !== undefined || isComplete) return reader.stop(error)
        listener.hasEnded = true
        const stop = () => reader.stop()
        pause(this.#clock, longestMs, listener.left).then(stop, () => {})
      },
      leave: () => this.#remove(listener),
    }
  }

  /** Ends all searches. The listeners get no event. */
  close(): void {
    for (const listener of this.#listeners) this.#remove(listener)
  }

  get #kinds(): ReadonlySet<string> {
    return new Set([...this.#listeners].flatMap(({ kinds }) => [...kinds]))
  }

  #remove(listener: PartListener<T>): void {
    this.#listeners.delete(listener)
    listener.left.abort()
    if (!this.isUsed) this.#search?.abort()
  }

  /** Searches for what a state lacks, in place of the search under way. */
  #begin(state: T): void {
    this.#search?.abort()
    const search = new SignalSource()
    this.#search = search
    if (state === this.#state || this.#source.isFinal(state)) this.#waited = 0
    this.#state = state
    this.#missing = undefined
    this.#follow(search).then(
      () => this.#end(search),
      () => {},
    )
  }

  /** Searches until nothing is missing, or for the last time. Rejects when the signal aborts. */
  async #follow(signal: Signal): Promise<void> {
    while (this.#state !== undefined) {
      const found = await this.#missingFrom(this.#state, this.#kinds, this.#clock.now() - this.#beganAt, signal)
      if (signal.aborted) throw signal.reason
      this.#report(this.#state, found)
      const isFinal = this.#source.isFinal(this.#state)
      const seconds = (isFinal ? lastWaits : waits)[this.#waited]
      if (seconds === undefined || this.#missing?.length === 0) return
      await pause(this.#clock, 1_000 * seconds, signal)
      this.#waited += 1
      if (!isFinal || !this.#missing?.some(({ isPolled }) => isPolled)) continue
      const newest = await this.#newest(this.#state)
      if (signal.aborted) throw signal.reason
      // A target that is no longer at its end has ended for these listeners.
      if (this.#source.isFinal(newest)) this.#state = newest
    }
  }

  /** Sends the state to the listeners for whom a part has come. A part that has come is not missed again. */
  #report(state: T, found: readonly LatePart[]): void {
    const before = this.#missing && new Set(this.#missing.map(({ key }) => key))
    const missing = before ? found.filter(({ key }) => before.has(key)) : found
    if (missing.some(({ key }) => !this.#known.has(key))) this.#waited = 0
    for (const { key } of missing) this.#known.add(key)
    this.#missing = missing
    for (const listener of this.#listeners) {
      const { lacks } = listener
      const keys = keysFor(listener, missing)
      listener.lacks = keys
      if (lacks && [...lacks].some((key) => !keys.has(key))) listener.push(state)
      if (listener.hasEnded && keys.size === 0) listener.stop()
    }
  }

  #end(search: SignalSource): void {
    if (this.#search === search) this.#search = undefined
    for (const { hasEnded, stop } of this.#listeners) if (hasEnded) stop()
  }
}

/** The keys of the parts that a listener waits for. */
const keysFor = <T>({ kinds }: PartListener<T>, parts: readonly LatePart[]): ReadonlySet<string> =>
  new Set(parts.filter(({ kind }) => kinds.has(kind)).map(({ key }) => key))
