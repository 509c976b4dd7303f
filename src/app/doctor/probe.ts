import type { Signer } from '../../engine/signing/signer.ts'
import type { Upstream } from '../../engine/upstream/client.ts'
import { GatewayError } from '../../engine/upstream/error.ts'
import type { UpstreamRequest } from '../../engine/upstream/request.ts'
import { UpstreamHttpError } from '../../engine/upstream/upstreamError.ts'
import type { Observation } from '../../engine/upstream/upstreamOptions.ts'
import type { CacheStore } from '../../kit/cache/cache.ts'
import { SignalSource } from '../../kit/clock/signal.ts'
import type { Findings, Subject } from './finding.ts'

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

/** Sends a bounded number of requests to one service. */
export interface Probe {
  /** Requests sent so far, including repeated ones. */
  readonly requests: number
  /** Whether nothing more is sent, because of the bound or because the service does not respond. */
  readonly isSpent: boolean
  ask<T>(request: UpstreamRequest<T>): Promise<ProbeResult<T>>
}

/** The most requests that one service is sent. The client may repeat the last one twice. */
const maxRequests = 38

/** The most requests without a response. Then nothing else is sent. */
const maxUnanswered = 4

/** A probe of a service. `observations` has all attempts of its client so far. */
export function createProbe(upstream: Upstream, observations: readonly Observation[]): Probe {
  const own = () => observations.filter(({ service }) => service === upstream.service)
  const isSpent = () =>
    own().length >= maxRequests || own().filter(({ cause }) => cause !== undefined).length >= maxUnanswered
  return {
    get requests() {
      return own().length
    },
    get isSpent() {
      return isSpent()
    },
    async ask(request) {
      if (isSpent()) return { kind: 'failed', reason: 'it was not asked any more' }
      try {
        const value = await upstream.send(request, new SignalSource())
        return value === null ? { kind: 'absent' } : { kind: 'value', value }
      } catch (error) {
        return failure(error)
      }
    },
  }
}

/** What is examined of a service, and where the findings go. */
export interface Examination {
  readonly probe: Probe
  readonly findings: Findings
}

/** What is examined of a service that a network has one of. */
export interface ServiceExamination extends Examination {
  readonly upstream: Upstream
  readonly cache: CacheStore
  readonly signer: Signer
  /** The ids of the chains that the gateway serves. */
  readonly chainIds: readonly string[]
  /** Milliseconds since 1970. */
  readonly now: number
}

/** A question to a service: its subject, and the finding for each outcome of a request. */
export interface Question {
  readonly subject: Subject
  /** Left out, the caller examines the value, and says what it found. */
  readonly works?: string
  /** The finding for a 404. Left out, it is a failure as any other. */
  readonly absent?: readonly [level: 'limited' | 'fails', text: string]
  /** What cannot be done. The reason follows it. */
  readonly fails: string
}

/** Asks a question. Resolves to the value of the response, or to undefined with the finding why there is none. */
export async function examine<T>(
  { probe, findings }: Examination,
  request: UpstreamRequest<T>,
  { subject, works, absent, fails }: Question,
): Promise<T | undefined> {
  const answer = await probe.ask(request)
  if (answer.kind === 'value') {
    if (works !== undefined) findings.works(subject, works)
    return answer.value
  }
  if (answer.kind === 'absent' && absent) findings[absent[0]](subject, absent[1])
  else findings.fails(subject, `${fails}: ${reasonOf(answer)}.`)
  return undefined
}

/** Why a request has no value. */
export const reasonOf = (answer: Exclude<ProbeResult<unknown>, { readonly kind: 'value' }>): string =>
  answer.kind === 'failed' ? answer.reason : 'it responded with 404'

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
