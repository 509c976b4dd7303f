import type { Flight } from '../../../kit/cache/singleFlight.ts'
import { createTimeouts } from '../../../kit/clock/timeouts.ts'
import { exchange, type HttpCall, type UpstreamResponse } from '../exchange.ts'
import type { UpstreamRequest } from '../request.ts'
import type { Requester, RequestSpan } from '../requester.ts'
import { networkFault } from '../upstreamError.ts'
import { slowTimeoutMs, type UpstreamOptions } from '../upstreamOptions.ts'
import type { Call, End, Result } from './call.ts'

/** A complete response, and the time of the clock when its request was sent. */
export interface Received {
  readonly response: UpstreamResponse
  readonly sentAt: number
}

/** Sends a call once. Its end is a complete response of any status, or a coded error. */
export type Send = <T>(call: Call<T>, end: End<Received>) => void

/** Opens the way to one upstream. It sends nothing before the first call. */
export function createSend(options: Required<UpstreamOptions>): Send {
  const { service, dispatcher, clock, events } = options
  const { origin, pathname } = new URL(options.url)
  const prefix = pathname.replace(/\/+$/, '')
  const startTimeout = createTimeouts(clock, options.timeout)
  const startSlowTimeout = createTimeouts(clock, Math.max(options.timeout, slowTimeoutMs))
  const makeHeaders = createHeaders(options.headers)

  return (call, end) => {
    const { request, flight, requester, retries } = call
    const refusal = budgetRefusal(flight)
    if (refusal) return end(refusal)
    const sentAt = clock.now()
    const { method, target, body, route } = request
    const span = requester.trace?.startRequest({ service, method, route, retries })
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
      observe(fault.code, findCause(error))
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
    const headers = makeHeaders(request, requester.requestId, span)
    const sent: HttpCall = exchange(
      dispatcher,
      { origin, path: prefix + target, method, headers, body: body ?? null },
      {
        onResponse(response) {
          stop()
          observe(String(response.status))
          for (const { member } of flight.callers) member.budget?.receive(response.bytes)
          end({ value: { response, sentAt } })
        },
        onFault: fail,
      },
    )
  }
}

/** Returns a function that makes the headers of a request, as names and values in turn. */
function createHeaders(configured: Readonly<Record<string, string>>) {
  const accept = { accept: 'application/json' }
  const headers = {
    GET: listOf({ ...accept, ...configured }),
    POST: listOf({ ...accept, 'content-type': 'application/json', ...configured }),
  }
  return (
    { method, consistencyToken }: Pick<UpstreamRequest<unknown>, 'method' | 'consistencyToken'>,
    requestId: string | undefined,
    span: RequestSpan | undefined,
  ): string[] => {
    const own = [...headers[method]]
    if (requestId) own.push('x-request-id', requestId)
    if (span) own.push(...listOf(span.headers))
    if (consistencyToken !== undefined) own.push(...uncached)
    return own
  }
}

/** Indexers cache lists for a second, and read beyond that cache with this header only. */
const uncached = ['cache-control', 'no-cache']

/** Names and values in turn, which undici reads in half the time. */
const listOf = (headers: Readonly<Record<string, string>>): string[] => Object.entries(headers).flat()

/** `QUERY_TOO_COMPLEX` if all operations that wait for a response have received too much. */
function budgetRefusal<T>({ callers }: Flight<Requester, Result<T>>) {
  let last: Requester | undefined
  for (const { member } of callers) {
    if (!member.budget?.isExceeded) return undefined
    last = member
  }
  try {
    last?.budget?.check()
    return undefined
  } catch (error) {
    return { error, isRefusal: true } as const
  }
}

/** The code of a network error, or its message. */
const findCause = (error: Error): string =>
  'code' in error && typeof error.code === 'string' ? error.code : error.message

/** undici closes the connection of a cancelled request with this reason. Nobody reads it. */
const cancelled = new Error('The request was cancelled.')
