import type { Dispatcher } from 'undici'
import type { Flight } from '../kit/cache/singleFlight.ts'
import type { Clock } from '../kit/clock/clock.ts'
import { createTimeouts } from '../kit/clock/timeouts.ts'
import type { Turns } from '../kit/clock/turns.ts'
import type { UpstreamEvents } from './events.ts'
import { exchange, type UpstreamResponse } from './exchange.ts'
import type { Owner } from './owner.ts'
import type { EndAttempt } from './policy.ts'
import type { UpstreamRequest } from './request.ts'
import type { RequestSpan } from './trace.ts'
import { networkFault } from './upstreamError.ts'

/** One attempt of a request. */
export interface Attempt<T> {
  readonly request: Pick<
    UpstreamRequest<unknown>,
    'method' | 'target' | 'body' | 'route' | 'isSlow' | 'mark'
  >
  /** Those who share the request. */
  readonly flight: Flight<Owner, T>
  /** Who sent the request first. */
  readonly owner: Owner
  /** Attempts of the request before this one. */
  readonly retries: number
  /** Gives the value of a response to a request sent at that time of the clock. Throws what is wrong. */
  readonly read: (response: UpstreamResponse, sentAt: number) => T
}

/** How attempts reach an upstream. */
export interface AttemptOptions {
  readonly service: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly dispatcher: Dispatcher
  readonly clock: Clock
  /** Milliseconds for one attempt. */
  readonly timeout: number
  /** The same for slow requests, if it is longer. */
  readonly slowTimeout: number
  /** Responses to heavy requests are read in turns. */
  readonly turns: Turns
  readonly events: Partial<UpstreamEvents>
}

/**
 * Returns a function that makes attempts. It calls `end` once, with the value of the response or a coded
 * error, and throws if nothing can be sent.
 */
export function createAttempts(options: AttemptOptions) {
  const { service, dispatcher, clock, turns, events } = options
  const { origin, pathname } = new URL(options.url)
  const prefix = pathname.replace(/\/+$/, '')
  const startTimeout = createTimeouts(clock, options.timeout)
  const slowTimeout = Math.max(options.timeout, options.slowTimeout)
  const startSlowTimeout = createTimeouts(clock, slowTimeout)
  const accept = { accept: 'application/json' }
  const headers = {
    GET: listOf({ ...accept, ...options.headers }),
    POST: listOf({ ...accept, 'content-type': 'application/json', ...options.headers }),
  }
  const headersOf = (
    { method, mark }: Attempt<unknown>['request'],
    requestId: string | undefined,
    span: RequestSpan | undefined,
  ): string[] => {
    const own = [...headers[method]]
    if (requestId) own.push('x-request-id', requestId)
    if (span) own.push(...listOf(span.headers))
    if (mark !== undefined) own.push(...uncached)
    return own
  }

  return <T>(attempt: Attempt<T>, end: EndAttempt<T>): void => {
    const { request, flight, owner, retries } = attempt
    checkBudgets(flight)
    const sentAt = clock.now()
    const { method, target, body, route } = request
    const span = owner.trace?.startRequest({ service, method, route, retries })
    const stop = () => {
      cancelTimer()
      flight.onCancel = undefined
    }
    const observe = (outcome: string, cause?: string) => {
      span?.end(outcome)
      events.onAttempt?.({ service, outcome, seconds: (clock.now() - sentAt) / 1000, cause })
    }
    const fail = (error: Error, hasStatus: boolean) => {
      stop()
      const fault = networkFault(service, error, hasStatus)
      observe(fault.code, causeOf(error))
      end({ error: fault })
    }
    const cancelTimer = (request.isSlow ? startSlowTimeout : startTimeout)(() => {
      const error = new DOMException('The request timed out.', 'TimeoutError')
      sent.abort(error)
      fail(error, sent.hasStatus())
    })
    const onCancel = () => {
      stop()
      span?.end('CANCELLED')
      sent.abort(cancelled)
      end(undefined)
    }
    flight.onCancel = onCancel
    const sent = exchange(
      dispatcher,
      {
        origin,
        path: prefix + target,
        method,
        headers: headersOf(request, owner.requestId, span),
        body: body ?? null,
      },
      {
        onResponse(response) {
          stop()
          observe(String(response.status))
          for (const { member } of flight.callers) member.budget?.receive(response.bytes)
          const read = () => end(outcomeOf(attempt, response, sentAt))
          if (owner.isHeavy) turns.run(owner.client, read)
          else read()
        },
        onFault: fail,
      },
    )
  }
}

/** Indexers cache lists for a second, and answer from before it with this header only. */
const uncached = ['cache-control', 'no-cache']

/** Names and values in turn, which undici reads in half the time. */
const listOf = (headers: Readonly<Record<string, string>>): string[] =>
  Object.entries(headers).flat()

/** Throws `QUERY_TOO_COMPLEX` if all operations that wait for a response have received too much. */
function checkBudgets<T>({ callers }: Flight<Owner, T>): void {
  let last: Owner | undefined
  for (const { member } of callers) {
    if (!member.budget?.isExceeded) return
    last = member
  }
  last?.budget?.check()
}

function outcomeOf<T>({ read }: Attempt<T>, response: UpstreamResponse, sentAt: number) {
  try {
    return { value: read(response, sentAt) }
  } catch (error) {
    return { error }
  }
}

/** The code of a network error, or its message. */
const causeOf = (error: Error): string =>
  'code' in error && typeof error.code === 'string' ? error.code : error.message

/** The reason that undici closes the connection of a cancelled request with. Nobody reads it. */
const cancelled = new Error('The request was cancelled.')
