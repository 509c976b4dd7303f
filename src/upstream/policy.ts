import type { Flight } from '../cache/singleFlight.ts'
import type { Cancellation } from '../clock/cancellation.ts'
import { type Clock, pause } from '../clock/clock.ts'
import { type AttemptOutcome, type Breaker, createBreaker } from './breaker.ts'
import { GatewayError } from './error.ts'
import type { UpstreamEvents } from './events.ts'
import { createFairQueue, type FairQueue } from './fairQueue.ts'
import type { Leave, Owner } from './lane.ts'
import { isTransient, serviceLabel, UpstreamHttpError } from './upstreamError.ts'

/** The request of a policy. */
export interface PolicyRequest {
  /** Requests of one route are served by the same handler, and fail together. */
  readonly route: string
  /** Whether it may be sent again. */
  readonly isRepeatable: boolean
  /** Takes the request out of the queue, and ends its waits. */
  readonly cancellation: Cancellation
  /** Those who share the request. It takes the turn of the first of them whose turn comes. */
  readonly owners: Pick<Flight<Owner>, 'follow'>
}

/**
 * Runs the attempts of one request: each in a free slot and through the circuit breaker, and again
 * where a retry may help. Rejects with the error of the last attempt, or with the reason of the cancellation.
 */
export type Policy = <T>(attempt: () => Promise<T>, request: PolicyRequest) => Promise<T>

/** What a policy is made of. */
export interface PolicyOptions {
  /** Names the upstream in errors. */
  readonly service: string
  readonly clock: Clock
  /** The most attempts under way at once. */
  readonly concurrency: number
  /** The most attempts that wait. A bound of memory: an attempt waits until it is cancelled. */
  readonly maxWaiting: number
  /** Milliseconds to wait before a retry, by its number from 1, unless the upstream names a time. */
  readonly backoff: (attempt: number) => number
  readonly events?: Partial<UpstreamEvents>
}

/** The most retries of one request. */
const maxRetries = 2

/** Each request earns one credit and each retry costs this many: at most one request in five is a retry. */
const retryCost = 5

/** The most credits saved up: ten retries. */
const maxCredits = 10 * retryCost

/** Opens the policy of one upstream, which all its requests share. */
export function createPolicy(options: PolicyOptions): Policy {
  const { service, clock, concurrency, maxWaiting, backoff, events = {} } = options
  const queue = createFairQueue({ slots: concurrency, maxWaiting })
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
    isTransient(error) && retries < maxRetries && credits >= retryCost

  return async (attempt, request) => {
    const { isRepeatable, cancellation } = request
    credits = Math.min(maxCredits, credits + 1)
    for (let retries = 0; ; retries += 1) {
      try {
        const joinedAt = clock.now()
        return await runInTurn(queue, request, (owner) => {
          events.onQueued?.(service, (clock.now() - joinedAt) / 1000)
          return runGuarded(breaker, request, owner, attempt)
        })
      } catch (error) {
        if (cancellation.isCancelled) throw cancellation.reason
        if (!isRepeatable || !mayRetry(error, retries)) throw policyError(service, error)
        credits -= retryCost
        events.onRetry?.(service)
        const wait = retryAfterOf(error) ?? backoff(retries + 1)
        if (wait > 0) await pause(clock, wait, cancellation.signal)
      }
    }
  }
}

/** The error of an attempt that the queue has no room for. */
class QueueFullError extends Error {}

/**
 * Runs work when the turn of one of its owners comes. The places of the others then leave the queue.
 * Rejects at once if it is cancelled before.
 */
function runInTurn<T>(
  queue: FairQueue,
  { owners, cancellation }: PolicyRequest,
  work: (owner: Owner) => Promise<T>,
): Promise<T> {
  if (cancellation.isCancelled) return Promise.reject(cancellation.reason)
  return new Promise<T>((resolve, reject) => {
    const places = new Set<Leave>()
    let waiting = 0
    let isOver = false

    /** Ends the wait: none of the places is needed any more. */
    const end = () => {
      isOver = true
      cancellation.onCancel = undefined
      owners.follow(undefined)
      for (const leave of places) leave()
    }
    const join = (owner: Owner): Leave => {
      if (isOver) return () => {}
      let isWaiting = true
      const stopWaiting = () => {
        if (!isWaiting) return
        isWaiting = false
        waiting -= 1
        if (waiting > 0 || isOver) return
        end()
        reject(new QueueFullError())
      }
      waiting += 1
      const leave = queue.join(owner, {
        start(free) {
          places.delete(free)
          end()
          work(owner).then(resolve, reject).finally(free)
        },
        refuse: stopWaiting,
      })
      if (isOver) return () => {}
      places.add(leave)
      return () => {
        leave()
        stopWaiting()
      }
    }

    cancellation.onCancel = () => {
      end()
      reject(cancellation.reason)
    }
    owners.follow(join)
  })
}

/** The error of an attempt that the breaker refuses. */
class CircuitOpenError extends Error {}

/** Runs an attempt if the breaker allows it, and reports the outcome. */
async function runGuarded<T>(
  breaker: Breaker,
  { route, cancellation }: PolicyRequest,
  { client }: Owner,
  attempt: () => Promise<T>,
): Promise<T> {
  const report = breaker.admit(route, client)
  if (!report) throw new CircuitOpenError()
  try {
    const value = await attempt()
    report('success')
    return value
  } catch (error) {
    report(cancellation.isCancelled ? 'none' : outcomeOf(error))
    throw error
  }
}

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
  error instanceof UpstreamHttpError ? error.retryAfter : undefined

/** Gives the errors of the breaker and the queue a code. */
function policyError(service: string, cause: unknown): unknown {
  if (cause instanceof CircuitOpenError) {
    return unavailable(service, 'is temporarily unavailable (circuit open).', cause)
  }
  if (cause instanceof QueueFullError) {
    return unavailable(service, 'has too many requests waiting.', cause)
  }
  return cause
}

const unavailable = (service: string, claim: string, cause: Error) =>
  new GatewayError('UPSTREAM_UNAVAILABLE', `${serviceLabel(service)} ${claim}`, { service, cause })
