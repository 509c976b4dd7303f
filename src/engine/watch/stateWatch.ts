import { GatewayError } from '../upstream/error.ts'
import type { FinalStates } from './finalStates.ts'
import { Loop, type LoopSource } from './loop.ts'
import { stateModel } from './models/state.ts'
import type { PollScheduler } from './pollScheduler.ts'
import type { RateLimitHold } from './rateLimitHold.ts'
import type { StateSource } from './stateSource.ts'

/** Where the states of a target go. */
export interface StateListener<T> {
  readonly push: (state: T) => void
  /** Completes the listener, or fails it with that error. */
  readonly stop: (error?: unknown) => void
}

/** A watch of any type, for the registry. */
export interface AnyStateWatch {
  readonly listenerCount: number
  /** Ends the watch and aborts its request. Its listeners get no event. */
  close(): void
}

/** The watch of one target, with its listeners. */
export interface StateWatch<T> extends AnyStateWatch {
  /** Adds a listener. The function it returns removes the listener, and ends the watch with the last. */
  join(listener: StateListener<T>, source: StateSource<T>): () => void
  /** Gives the listeners a state that a request outside of the polls has found, unless it is older. */
  learn(state: T): void
}

/** What is remembered of a target beyond its watches: whether its upstream has taken it. */
export interface Registration {
  isDone(): boolean
  note(): void
}

/** The context of the watch of a target. Times are in milliseconds. */
export interface StateWatchContext {
  readonly requests: PollScheduler
  readonly pause: RateLimitHold
  readonly finalStates: Pick<FinalStates, 'keep'>
  /** Whether the target was registered before. Undefined where each watch registers its target. */
  readonly registration: Registration | undefined
  readonly deadlineMs: number
  /** Called once, when the watch ends for any reason. */
  readonly onStop: () => void
}

/** How long ago another gateway may have registered a target, in milliseconds. */
export const registrationMs = 24 * 60 * 60_000

/** How old a state may be, in milliseconds, when a new listener gets it. */
const freshMs = 2_000

/** Opens the watch of a target. The first listener has it polled at once. */
export function openStateWatch<T>(source: StateSource<T>, context: StateWatchContext): StateWatch<T> {
  const { requests, pause, finalStates, registration, deadlineMs, onStop } = context
  const { key, messages, pace } = source
  const listeners = new Set<StateListener<T>>()
  let { register } = source
  const rules = {
    deadlineMs,
    freshMs,
    isUrgent: false,
    maxUnavailableMs: requests.maxUnavailableMs,
    // The newest state there is comes at once, and is polled again if it is old.
    firstMaxAgeMs: Number.POSITIVE_INFINITY,
    notFound: () => new GatewayError('UPSTREAM_REJECTED', messages.notFound),
    tooLong: () => new GatewayError('UPSTREAM_TIMEOUT', messages.stillPending(deadlineMs)),
  }
  const loopSource: LoopSource<T> = {
    fetch: source.fetch,
    conclude: source.conclude,
    register: async (signal, options, isAgain) => {
      const isShared = registration !== undefined && !isAgain
      if (isShared && registration.isDone()) return true
      const maxAgeMs = isShared ? registrationMs : 0
      const isDone = (await register?.(signal, { ...options, maxAgeMs })) ?? false
      if (isDone) registration?.note()
      return isDone
    },
    follow: source.follow,
    timeoutMessage: messages.timeout,
    timeoutMs: pace?.timeoutMs,
  }
  const loop = new Loop({ model: stateModel(source), rules }, loopSource, {
    requests,
    pause,
    onStop,
    onEvent(state) {
      for (const listener of listeners) listener.push(state)
      if (source.isFinal(state)) finalStates.keep(source, key, state)
    },
    onEnd(end) {
      for (const listener of listeners) listener.stop(end?.error)
    },
  })
  return {
    join(listener, { register: own, expectedMs = Number.POSITIVE_INFINITY, client = '' }) {
      listeners.add(listener)
      register ??= own
      const { current, unknown } = loop.state.model
      const newest = current ?? unknown
      if (newest) listener.push(newest.value)
      loop.join({ demand: 1, client, canRegister: register !== undefined, expectedMs })
      return () => {
        if (listeners.delete(listener)) loop.leave(1)
      }
    },
    learn: (state) => loop.learn(state),
    close: () => loop.close(),
    get listenerCount() {
      return listeners.size
    },
  }
}
