import type { Caller, Flight } from '../kit/cache/singleFlight.ts'
import type { Clock } from '../kit/clock/clock.ts'
import { createFairQueue } from '../kit/queue/fairQueue.ts'
import type { Leave } from '../kit/queue/lane.ts'
import { type AttemptOutcome, createBreaker } from './breaker.ts'
import { GatewayError, type RefusingLimit } from './error.ts'
import type { UpstreamEvents } from './events.ts'
import type { Owner } from './owner.ts'
import { isTransient, serviceLabel, UpstreamHttpError } from './upstreamError.ts'

/** The request of a policy. */
export interface PolicyRequest<T> {
  /** Requests of one route are served by the same handler, and fail together. */
  readonly route: string
  /** Whether it may be sent again. */
  readonly isRepeatable: boolean
  /** Those who share the request. It takes the turn of the first of them whose turn comes. */
  readonly flight: Flight<Owner, T>
  /** Begins an attempt, and calls `end` once when it ends. `retries` counts the attempts before. */
  readonly attempt: (end: EndAttempt<T>, retries: number) => void
}

/** Receives what came of an attempt. Undefined if its flight was cancelled. */
export type EndAttempt<T> = (outcome: { value: T } | { error: unknown } | undefined) => void

/**
 * Runs the attempts of one request: each in a free slot and through the circuit breaker, and again where
 * a retry may help. Ends the flight with the value or the error of the last attempt.
 */
export type Policy = <T>(request: PolicyRequest<T>) => void

/** What a policy is made of. */
export interface PolicyOptions {
  /** Names the upstream in errors. */
  readonly service: string
  readonly clock: Clock
  /** The most attempts under way at once. */
  readonly concurrency: number
  /** How many of them only urgent attempts may be. */
  readonly reserved?: number
  /** The most attempts that wait. A bound of memory: an attempt waits until it is cancelled. */
  readonly maxWaiting: number
  /** Milliseconds to wait before a retry, by its number from 1, unless the upstream names a time. */
  readonly backoff: (attempt: number) => number
  readonly events?: Partial<UpstreamEvents>
}

/** The most retries of one request. */
const maxRetries = 2

/** A request is not repeated if the upstream wants to be left alone for longer, in milliseconds. */
const maxRetryAfterMs = 10_000

/** Each request earns one credit and each retry costs this many: at most one request in five is a retry. */
const retryCost = 5

/** The most credits saved up: ten retries. */
const maxCredits = 10 * retryCost

/** Opens the policy of one upstream, which all its requests share. */
export function createPolicy(options: PolicyOptions): Policy {
  const { service, clock, concurrency, reserved = 0, maxWaiting, backoff, events = {} } = options
  const queue = createFairQueue({ slots: concurrency, reservedSlots: reserved, maxWaiting })
  const breaker = createBreaker(clock)
  events.onOpen?.(service, {
    get inFlight() {
      return queue.active
    },
    get waiting() {
      return queue.waiting
    },
    get openCircuits() {
      return breaker.openCircuits
    },
  })
  // A budget shared by all requests keeps retries from multiplying an outage.
  let credits = maxCredits

  const mayRetry = (error: unknown, retries: number) =>
    isTransient(error) &&
    retries < maxRetries &&
    credits >= retryCost &&
    (retryAfterOf(error) ?? 0) <= maxRetryAfterMs

  const takeTurn = <T>(sending: Sending<T>) => {
    const { flight } = sending
    sending.joinedAt = clock.now()
    sending.places = 0
    sending.isWaiting = true
    const onJoin = (caller: Caller<Owner, T>) => join(sending, caller)
    flight.onJoin = onJoin
    for (const caller of flight.callers) if (sending.isWaiting) join(sending, caller)
  }

  /** Gives a caller a place in the queue. */
  const join = <T>(sending: Sending<T>, caller: Caller<Owner, T>) => {
    const drop = () => {
      caller.onLeave = undefined
      sending.places -= 1
      if (sending.places > 0 || sending.flight.isCancelled) return
      stopWaiting(sending)
      fail(sending, new QueueFullError())
    }
    let leave: Leave | undefined
    sending.places += 1
    const onLeave = () => {
      leave?.()
      if (sending.isWaiting) drop()
    }
    caller.onLeave = onLeave
    leave = queue.join(caller.member, {
      start(free) {
        stopWaiting(sending, caller)
        run(sending, caller.member, free)
      },
      refuse: drop,
    })
  }

  const run = <T>(sending: Sending<T>, { client }: Owner, free: Leave) => {
    const { flight, route, retries } = sending
    events.onQueued?.(service, (clock.now() - sending.joinedAt) / 1000)
    const report = breaker.admit(route, client)
    const end: EndAttempt<T> = (outcome) => {
      report?.(outcome ? ('value' in outcome ? 'success' : outcomeOf(outcome.error)) : 'none')
      free()
      if (outcome && 'value' in outcome) flight.resolve(outcome.value)
      else if (outcome) fail(sending, outcome.error)
    }
    if (!report) return end({ error: new CircuitOpenError() })
    try {
      sending.attempt(end, retries)
    } catch (error) {
      end({ error })
    }
  }

  /** Attempts a request again where that may help. */
  const fail = <T>(sending: Sending<T>, error: unknown) => {
    const { flight, isRepeatable, retries } = sending
    if (!isRepeatable || !mayRetry(error, retries))
      return flight.reject(policyError(service, error))
    credits -= retryCost
    sending.retries += 1
    events.onRetry?.(service)
    const wait = retryAfterOf(error) ?? backoff(sending.retries)
    if (wait <= 0) return takeTurn(sending)
    flight.onCancel = clock.after(wait, () => {
      flight.onCancel = undefined
      takeTurn(sending)
    })
  }

  return (request) => {
    credits = Math.min(maxCredits, credits + 1)
    const { route, isRepeatable, flight, attempt } = request
    const state = { retries: 0, joinedAt: 0, places: 0, isWaiting: false }
    takeTurn({ route, isRepeatable, flight, attempt, ...state })
  }
}

/** A request that is attempted until it ends. */
interface Sending<T> extends PolicyRequest<T> {
  retries: number
  /** Whether it waits for its turn. */
  isWaiting: boolean
  /** Time of the clock at which it began to wait. */
  joinedAt: number
  /** How many of its callers have a place in the queue. */
  places: number
}

/** Takes the callers out of the queue, except for one that has its turn. */
function stopWaiting<T>(sending: Sending<T>, starting?: Caller<Owner, T>): void {
  const { flight } = sending
  sending.isWaiting = false
  flight.onJoin = undefined
  for (const caller of flight.callers) {
    const { onLeave } = caller
    caller.onLeave = undefined
    if (caller !== starting) onLeave?.()
  }
}

/** The error of an attempt that the queue has no room for. */
class QueueFullError extends Error {}

/** The error of an attempt that the breaker refuses. */
class CircuitOpenError extends Error {}

/** An error that a retry does not help against is a response of an upstream that works. */
function outcomeOf(error: unknown): AttemptOutcome {
  const code = error instanceof GatewayError ? error.code : undefined
  if (code === 'UPSTREAM_TIMEOUT') return 'timeout'
  // Nothing was sent: the operation had received too much.
  if (code === 'QUERY_TOO_COMPLEX') return 'none'
  if (!isTransient(error)) return 'success'
  return error instanceof UpstreamHttpError ? 'failure' : 'unreachable'
}

const retryAfterOf = (error: unknown): number | undefined =>
  error instanceof UpstreamHttpError ? error.retryAfterMs : undefined

/** Gives the errors of the breaker and the queue a code. */
function policyError(service: string, cause: unknown): unknown {
  if (cause instanceof CircuitOpenError) {
    return unavailable(service, 'is temporarily unavailable (circuit open).', cause)
  }
  if (cause instanceof QueueFullError) {
    return unavailable(service, 'has too many requests waiting.', cause, 'queue')
  }
  return cause
}

const unavailable = (service: string, claim: string, cause: Error, limit?: RefusingLimit) =>
  new GatewayError('UPSTREAM_UNAVAILABLE', `${serviceLabel(service)} ${claim}`, {
    ...{ service, cause, limit },
  })
