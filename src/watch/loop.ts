import type { Signal } from '../kit/clock/signal.ts'
import { GatewayError } from '../upstream/error.ts'
import type { PeerObservation, PollOptions } from './peers.ts'
import type { PollScheduler } from './pollScheduler.ts'
import { type RateLimitHold, retryAfterOf } from './rateLimitHold.ts'
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
  /** Makes the target known upstream. Resolves to false if it is too early for that. */
  readonly register?: (signal: Signal, options: PollOptions) => Promise<boolean>
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

/** A watch that runs. */
export interface Loop<M, O> {
  readonly state: WatchState<M>
  join(listener: Subscriber): void
  leave(demand: number): void
  /** Reports what a request outside of the polls has read. */
  learn(value: O): void
  /** Ends the watch. Its listeners get no event. */
  close(): void
}

/** Runs the effects of a watch. It has one timer, and at most one request in flight. */
export function runLoop<M, O, E>(
  definition: WatchDefinition<M, O, E>,
  source: LoopSource<O>,
  context: LoopContext<E>,
): Loop<M, O> {
  const { requests, onEvent, onEnd, onStop } = context
  const { clock, random } = requests
  const controller = new AbortController()
  const { signal } = controller
  let state = initialState(definition.model.initial, clock.now())
  let cancelTimer = () => {}
  const events: WatchEvent<O>[] = []
  let isRunning = false

  /** Events that come while effects run wait for these to end. */
  const dispatch = (event: WatchEvent<O>) => {
    if (state.phase === 'ended') return
    events.push(event)
    if (isRunning) return
    isRunning = true
    try {
      for (let next = events.shift(); next && !signal.aborted; next = events.shift()) {
        const moment = { now: clock.now(), date: clock.date(), random: random() }
        const [after, effects] = step(definition, state, next, moment)
        state = after
        for (const effect of effects) run(effect)
      }
    } finally {
      isRunning = false
      events.length = 0
    }
  }

  const run = (effect: Effect<E>) => {
    switch (effect.type) {
      case 'fetch':
      case 'register':
        return void request(effect)
      case 'timer':
        cancelTimer()
        if (effect.inMs !== null)
          cancelTimer = clock.after(effect.inMs, () => dispatch({ type: 'due' }))
        return
      case 'emit':
        return onEvent(effect.event)
      case 'stop':
        return stop()
      case 'end':
        stop()
        return onEnd(effect.error)
    }
  }

  const stop = () => {
    cancelTimer()
    unfollow()
    controller.abort()
    onStop()
  }

  const onSeries = (seriesMs: number) => dispatch({ type: 'series', seriesMs })
  const send = createSender(source, { ...context, signal, onSeries })

  /** An error that the answer of a source causes counts as a fault of the request. */
  const request = async (effect: Request<E>) => {
    try {
      const event = await send(effect)
      if (event) dispatch(event)
    } catch (error) {
      dispatch({ type: 'failed', error, retryAfterMs: 0, tookMs: 0 })
    }
  }

  const onPeer = (seen: PeerObservation<O>) => {
    const { ageMs, seriesMs = 0 } = seen
    dispatch({ type: 'series', seriesMs })
    if ('error' in seen) {
      const { error } = seen
      dispatch({ type: 'peerFailed', error, ageMs, retryAfterMs: retryAfterOf(error) })
    } else dispatch({ type: 'peerAnswered', value: seen.value, ageMs })
  }

  const unfollow = source.follow?.(onPeer) ?? (() => {})
  return {
    get state() {
      return state
    },
    join: (join) => dispatch({ type: 'join', join }),
    leave: (demand) => dispatch({ type: 'leave', demand }),
    learn: (value) => dispatch({ type: 'learned', value }),
    close: () => dispatch({ type: 'closed' }),
  }
}

type Request<E> = Extract<Effect<E>, { type: 'fetch' | 'register' }>

/** Sends the requests of a watch. Resolves to the event that came of one, and to nothing once the signal aborts. */
function createSender<O, E>(
  source: LoopSource<O>,
  context: Pick<LoopContext<E>, 'requests' | 'pause'> & {
    readonly signal: Signal
    readonly onSeries: (seriesMs: number) => void
  },
): (effect: Request<E>) => Promise<WatchEvent<O> | undefined> {
  const { requests, pause, signal, onSeries } = context
  const { clock } = requests
  /** Whether the last request took longer than it was given. */
  let isTimedOut = false
  return async (effect) => {
    // A connection can hang, or the upstream can have become slow: the next request has all the time there is.
    const attemptMs = isTimedOut ? requests.timeoutMs : requests.attemptTimeoutMs
    const timeoutMs = source.timeoutMs ?? attemptMs
    const { timeoutMessage, register, fetch } = source
    let sentAt = clock.now()
    const tookMs = () => clock.now() - sentAt
    let peerAgeMs: number | undefined
    const options = {
      timeoutMs,
      onShared: (ageMs: number) => {
        peerAgeMs = ageMs
      },
      onSeries,
    }
    const request = (deadline: Signal): Promise<WatchEvent<O>> => {
      sentAt = clock.now()
      if (effect.type === 'fetch')
        return fetch(deadline, { ...options, maxAgeMs: effect.maxAgeMs }).then((value) => ({
          type: 'answered',
          value,
          peerAgeMs,
        }))
      return (register?.(deadline, options) ?? Promise.resolve(false)).then((isDone) => ({
        type: 'registered',
        isDone,
      }))
    }
    try {
      if (pause && pause.leftMs > 0) await pause.turn(signal)
      const run = { signal, timeoutMessage, timeoutMs, owner: effect.owner }
      const event = await requests.run(run, request)
      if (signal.aborted) return undefined
      isTimedOut = false
      if (peerAgeMs === undefined) {
        if (source.timeoutMs === undefined) requests.observe(tookMs())
        pause?.end()
      }
      return event
    } catch (error) {
      if (signal.aborted) return undefined
      pause?.begin(error)
      isTimedOut = isTimeout(error)
      const retryAfterMs = pause?.isProbed ? 0 : retryAfterOf(error)
      return { type: 'failed', error, retryAfterMs, tookMs: tookMs() }
    }
  }
}

const isTimeout = (error: unknown): boolean =>
  error instanceof GatewayError && error.code === 'UPSTREAM_TIMEOUT'
