import type { Signal } from '../../kit/clock/signal.ts'
import { GatewayError } from '../upstream/error.ts'
import type { PeerObservation, PollOptions } from './peers.ts'
import type { PollScheduler } from './pollScheduler.ts'
import { type RateLimitHold, retryAfterOf } from './rateLimitHold.ts'
import type { Conclude } from './stateSource.ts'
import { step } from './step.ts'
import {
  type Effect,
  initialState,
  type Subscriber,
  type WatchDefinition,
  type WatchEvent,
  type WatchState,
} from './watchState.ts'

/** Where a watch reads. Its promises reject with errors, or with the reason of the signal. */
export interface LoopSource<O> {
  /** Null if the upstream does not know the target. */
  readonly fetch: (signal: Signal, options: PollOptions) => Promise<O | null>
  /** What a reading means with what else is known. By default it means what it says. */
  readonly conclude?: Conclude<O> | undefined
  /** Makes the target known upstream, again if it was lost. Resolves to false if it is too early for that. */
  readonly register?: (signal: Signal, options: PollOptions, isAgain: boolean) => Promise<boolean>
  /** Calls the listener with what peers read. The function it returns ends that. */
  readonly follow?: ((listener: (seen: PeerObservation<O>) => void) => () => void) | undefined
  readonly timeoutMessage: string
  /**
   * Milliseconds for each request. By default they follow from what the requests of all watches have taken
   * lately. A source with a timeout of its own says nothing of the others.
   */
  readonly timeoutMs?: number | undefined
}

/** The context of a loop. Its functions are called at the time of the effect, and must not throw. */
export interface LoopContext<E> {
  readonly requests: PollScheduler
  /** The pause that its upstream asks for, if it shares one with other watches. */
  readonly pause?: RateLimitHold
  readonly onEvent: (event: E) => void
  /** Called once, when the watch ends by itself: with an error, or after its last event. */
  readonly onEnd: (end?: { readonly error: unknown }) => void
  /** Called once, before `onEnd`, when the watch ends for any reason. */
  readonly onStop: () => void
}

type Request<E> = Extract<Effect<E>, { type: 'fetch' | 'register' }>

/** A watch that runs: it executes the effects of `step`. It has one timer, and at most one request in flight. */
export class Loop<M, O, E> {
  readonly #definition: WatchDefinition<M, O, E>
  readonly #source: LoopSource<O>
  readonly #context: LoopContext<E>
  readonly #controller = new AbortController()
  readonly #signal = this.#controller.signal
  readonly #unfollow: () => void
  /** Events that arrive while effects run. They are handled after the effects. */
  readonly #events: WatchEvent<O>[] = []
  #state: WatchState<M>
  #isRunning = false
  #cancelTimer = () => {}
  /** Whether the last request took longer than it was given. */
  #isTimedOut = false

  constructor(definition: WatchDefinition<M, O, E>, source: LoopSource<O>, context: LoopContext<E>) {
    this.#definition = definition
    this.#source = source
    this.#context = context
    this.#state = initialState(definition.model.initial, context.requests.clock.now())
    this.#unfollow = source.follow?.((seen) => this.#onPeer(seen)) ?? (() => {})
  }

  get state(): WatchState<M> {
    return this.#state
  }

  join(join: Subscriber): void {
    this.#dispatch({ type: 'join', join })
  }

  leave(demand: number): void {
    this.#dispatch({ type: 'leave', demand })
  }

  /** Reports what a request outside of the polls has read. */
  learn(value: O): void {
    this.#dispatch({ type: 'learned', value })
  }

  /** Ends the watch. Its listeners get no event. */
  close(): void {
    this.#dispatch({ type: 'closed' })
  }

  /** Handles an event. Events that arrive while effects run are queued. */
  #dispatch(event: WatchEvent<O>): void {
    if (this.#state.phase === 'ended') return
    const events = this.#events
    events.push(event)
    if (this.#isRunning) return
    this.#isRunning = true
    const { clock, random } = this.#context.requests
    try {
      for (let next = events.shift(); next && !this.#signal.aborted; next = events.shift()) {
        const moment = { now: clock.now(), date: clock.date(), random: random() }
        const [after, effects] = step(this.#definition, this.#state, next, moment)
        this.#state = after
        for (const effect of effects) this.#run(effect)
      }
    } finally {
      this.#isRunning = false
      events.length = 0
    }
  }

  #run(effect: Effect<E>) {
    switch (effect.type) {
      case 'fetch':
      case 'register':
        return void this.#request(effect)
      case 'timer':
        return this.#setTimer(effect.inMs)
      case 'emit':
        return this.#context.onEvent(effect.event)
      case 'stop':
        return this.#stop()
      case 'end':
        this.#stop()
        return this.#context.onEnd(effect.error)
    }
  }

  #setTimer(inMs: number | null): void {
    this.#cancelTimer()
    if (inMs === null) return
    const { clock } = this.#context.requests
    this.#cancelTimer = clock.after(inMs, () => this.#dispatch({ type: 'due' }))
  }

  #stop(): void {
    this.#cancelTimer()
    this.#unfollow()
    this.#controller.abort()
    this.#context.onStop()
  }

  #onSeries(seriesMs: number): void {
    this.#dispatch({ type: 'series', seriesMs })
  }

  async #onPeer(seen: PeerObservation<O>): Promise<void> {
    const { ageMs, seriesMs = 0 } = seen
    this.#onSeries(seriesMs)
    const { conclude } = this.#source
    const event = peerEvent(seen, ageMs)
    this.#dispatch(conclude ? await concludedEvent(event, conclude, this.#signal) : event)
  }

  /** An error that the answer of a source causes counts as a fault of the request. */
  async #request(effect: Request<E>): Promise<void> {
    const { conclude } = this.#source
    try {
      const event = await this.#send(effect)
      if (event) this.#dispatch(conclude ? await concludedEvent(event, conclude, this.#signal) : event)
    } catch (error) {
      this.#dispatch({ type: 'failed', error, retryAfterMs: 0, tookMs: 0 })
    }
  }

  /** Sends a request. Resolves to the event that comes of it, and to nothing once the watch has ended. */
  async #send(effect: Request<E>): Promise<WatchEvent<O> | undefined> {
    const { requests, pause } = this.#context
    const signal = this.#signal
    const { clock } = requests
    // A connection can hang, or the upstream can have become slow: the next request has all the time there is.
    const attemptMs = this.#isTimedOut ? requests.timeoutMs : requests.attemptTimeoutMs
    const { timeoutMessage, timeoutMs = attemptMs } = this.#source
    let sentAt = clock.now()
    const tookMs = () => clock.now() - sentAt
    let peerAgeMs: number | undefined
    const options = {
      timeoutMs,
      onShared: (ageMs: number) => {
        peerAgeMs = ageMs
      },
      onSeries: (seriesMs: number) => this.#onSeries(seriesMs),
    }
    try {
      if (pause && pause.leftMs > 0) await pause.turn(signal)
      const run = { signal, timeoutMessage, timeoutMs, owner: effect.owner }
      const answer = await requests.run(run, (deadline) => {
        sentAt = clock.now()
        return this.#read(effect, deadline, options)
      })
      if (signal.aborted) return undefined
      this.#isTimedOut = false
      if (peerAgeMs === undefined) {
        if (this.#source.timeoutMs === undefined) requests.observe(tookMs())
        pause?.end()
      }
      return { ...answer, peerAgeMs }
    } catch (error) {
      if (signal.aborted) return undefined
      pause?.begin(error)
      this.#isTimedOut = isTimeout(error)
      if (effect.type === 'register') return { type: 'notRegistered', error }
      const retryAfterMs = pause?.isProbed ? 0 : retryAfterOf(error)
      return { type: 'failed', error, retryAfterMs, tookMs: tookMs() }
    }
  }

  async #read(effect: Request<E>, deadline: Signal, options: PollOptions) {
    const { fetch, register } = this.#source
    if (effect.type === 'register') {
      const isDone = (await register?.(deadline, options, effect.isAgain)) ?? false
      return { type: 'registered', isDone } as const
    }
    const value = await fetch(deadline, { ...options, maxAgeMs: effect.maxAgeMs })
    return { type: 'answered', value } as const
  }
}

const peerEvent = <O>(seen: PeerObservation<O>, ageMs: number): WatchEvent<O> =>
  'error' in seen
    ? { type: 'peerFailed', error: seen.error, ageMs, retryAfterMs: retryAfterOf(seen.error) }
    : { type: 'peerAnswered', value: seen.value, ageMs }

/** The same event with what its source concludes from it. Rejects where that fails on an answer. */
async function concludedEvent<O>(event: WatchEvent<O>, conclude: Conclude<O>, signal: Signal): Promise<WatchEvent<O>> {
  if (event.type === 'answered' || event.type === 'peerAnswered') {
    return { ...event, value: await conclude({ value: event.value }, signal) }
  }
  if (event.type !== 'failed' && event.type !== 'peerFailed') return event
  try {
    const value = await conclude({ error: event.error }, signal)
    return event.type === 'failed' ? { type: 'answered', value } : { type: 'peerAnswered', value, ageMs: event.ageMs }
  } catch (error) {
    return { ...event, error }
  }
}

const isTimeout = (error: unknown): boolean => error instanceof GatewayError && error.code === 'UPSTREAM_TIMEOUT'
