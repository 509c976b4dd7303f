import { z } from 'zod'
import type { Clock } from '../kit/clock/clock.ts'
import { SignalSource } from '../kit/clock/signal.ts'
import { atLeast, type Upstream } from '../upstream/client.ts'
import { GatewayError } from '../upstream/error.ts'
import type { Observation } from '../upstream/events.ts'
import { get, type UpstreamRequest } from '../upstream/request.ts'
import { UpstreamHttpError } from '../upstream/upstreamError.ts'

/** The outcome of a request: a value, a 404, or a failure in words. */
export type ProbeResult<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'absent' }
  | {
      readonly kind: 'failed'
      readonly reason: string
      /** The status of the response, if there was one other than success. */
      readonly status?: number | undefined
    }

/** Sends a bounded number of requests to one service, and notes how long they take. */
export interface Probe {
  /** Requests sent so far, including repeated ones. */
  readonly requests: number
  /** Seconds that each successful request took. */
  readonly seconds: readonly number[]
  /** Whether nothing more is sent, because of the bound or because the service does not respond. */
  readonly isSpent: boolean
  ask<T>(request: UpstreamRequest<T>): Promise<ProbeResult<T>>
  /** Sends a request once more, past all caches. */
  askAgain<T>(request: UpstreamRequest<T>): Promise<ProbeResult<T>>
  /** Sends the slowest successful request once more, and resolves to the seconds of its slowest attempt. */
  repeatSlowest(): Promise<number>
}

/** The most requests that one service is sent. The last one may be repeated twice. */
const maxRequests = 38

/** The most requests without a response. Then nothing else is sent. */
const maxUnanswered = 4

/** A probe of a service. `observations` has all attempts of its client so far. */
export function createProbe(upstream: Upstream, observations: readonly Observation[]): Probe {
  const own = () => observations.filter(({ service }) => service === upstream.service)
  const isSpent = () =>
    own().length >= maxRequests ||
    own().filter(({ cause }) => cause !== undefined).length >= maxUnanswered
  let slowest = { seconds: 0, repeat: async (): Promise<unknown> => undefined }
  const askOf = async <T>(to: Upstream, request: UpstreamRequest<T>): Promise<ProbeResult<T>> => {
    if (isSpent()) return { kind: 'failed', reason: 'it was not asked any more' }
    const before = own().length
    try {
      const value = await to.send(request, new SignalSource())
      const seconds = slowestOf(own().slice(before).filter(isSuccess))
      if (seconds > slowest.seconds) slowest = { seconds, repeat: () => askAgain(request) }
      return value === null ? { kind: 'absent' } : { kind: 'value', value }
    } catch (error) {
      return failure(error)
    }
  }
  // Each repetition has a token of its own, so that no response answers two of them.
  let repeated = 0
  const askAgain = <T>(request: UpstreamRequest<T>) => {
    repeated += 1
    return askOf(atLeast(upstream, `again ${repeated}`), request)
  }
  return {
    get requests() {
      return own().length
    },
    get seconds() {
      return own()
        .filter(isSuccess)
        .map(({ seconds }) => seconds)
    },
    get isSpent() {
      return isSpent()
    },
    ask: (request) => askOf(upstream, request),
    askAgain,
    async repeatSlowest() {
      const before = own().length
      await slowest.repeat()
      return slowestOf(own().slice(before))
    },
  }
}

/** The most seconds that one of these attempts took. 0 if there is none. */
const slowestOf = (attempts: readonly Observation[]): number =>
  Math.max(0, ...attempts.map(({ seconds }) => seconds))

/** Whether an attempt got a response of success. */
export const isSuccess = ({ outcome }: Observation): boolean => /^2\d\d$/.test(outcome)

/** A function that sends a GET past all caches, and resolves to the milliseconds until its end. */
export function createPlainAsk(
  upstream: Upstream,
  path: string,
  clock: Pick<Clock, 'now'>,
): () => Promise<number> {
  let count = 0
  return async () => {
    // Equal requests at once would be sent as one.
    count += 1
    const startedAt = clock.now()
    const apart = atLeast(upstream, `at once ${count}`)
    await apart
      .send(get(path, z.unknown()), new SignalSource(), { client: 'doctor' })
      .catch(failure)
    return Math.round(clock.now() - startedAt)
  }
}

/** The outcome of a request that threw. Throws what is not an error of an upstream. */
export function failure(error: unknown): ProbeResult<never> {
  if (error instanceof UpstreamHttpError) {
    const said = error.bodyExcerpt ? ` and said: ${error.bodyExcerpt}` : ''
    const reason = `it responded with status ${error.status}${said}`
    return { kind: 'failed', reason, status: error.status }
  }
  if (!(error instanceof GatewayError)) throw error
  const cause = error.cause instanceof Error ? error.cause : undefined
  switch (error.code) {
    case 'UPSTREAM_TIMEOUT':
      return { kind: 'failed', reason: 'it did not respond in time' }
    case 'UPSTREAM_INVALID_RESPONSE':
      return { kind: 'failed', reason: `its response has another shape${mismatch(cause)}` }
  }
  const code = cause && 'code' in cause ? ` (${String(cause.code)})` : ''
  return { kind: 'failed', reason: `it cannot be reached${code}` }
}

/** The schema's report on a response: the path and the problem of its first issues. */
function mismatch(cause: Error | undefined): string {
  try {
    const issues: { path: unknown[]; message: string }[] = JSON.parse(cause?.message ?? '')
    const texts = issues.slice(0, 3).map(({ path, message }) => `${path.join('.')}: ${message}`)
    return ` (${texts.join('; ')})`
  } catch {
    return cause ? ` (${cause.message})` : ''
  }
}
