import { errors } from 'undici'
import { type Listed, type Page, readable, UnreadableRecord } from '../wire/decode.ts'
import { type Optional, unreadable } from '../wire/optional.ts'
import { type ErrorCode, GatewayError } from './error.ts'
import { forClients, readErrorBody } from './errorBody.ts'
import { type Redact, withoutControls } from './redact.ts'
import { isServiceName, serviceLabel, serviceOf } from './services.ts'

/**
 * The error for an HTTP status other than success. Its message is safe for clients. The log has the text of the
 * upstream, and the gateway recognizes known errors by it. Clients see it only where a service refuses a request whose row in
 * `services.ts` says so.
 */
export class UpstreamHttpError extends GatewayError {
  readonly status: number
  /**
   * The error message in the body, or the body itself: on one line, without secrets, and cut at 200
   * characters.
   */
  readonly bodyExcerpt: string
  /** Milliseconds to wait before a retry. Undefined if the upstream names no time. */
  readonly retryAfterMs: number | undefined

  constructor(service: string, status: number, body: string, retryAfterMs?: number, redact: Redact = (text) => text) {
    const { text, reason, message, info } = readErrorBody(body)
    const code = toCode(status)
    // The plain text of a failure can be that of a proxy, or a stack.
    const isSaid = code === 'UPSTREAM_REJECTED' || (status >= 500 && /^\s*\{/.test(body))
    const isShown = isSaid && isServiceName(service) && serviceOf(service).showsRefusals === true
    const shown = (words: string | undefined) =>
      isShown && words !== undefined ? forClients(redact(words)) : undefined
    super(code, sentence(service, status), {
      service,
      upstreamReason: reason,
      upstreamMessage: shown(message),
      info: shown(info),
      isRetryable: retryableStatuses.includes(status),
      retryAfter:
        code === 'UPSTREAM_UNAVAILABLE' && retryAfterMs !== undefined ? Math.ceil(retryAfterMs / 1000) : undefined,
    })
    this.status = status
    // A secret may be longer than the excerpt, so it is hidden before the text is cut.
    this.bodyExcerpt = withoutControls(redact(text).slice(0, 2_000)).slice(0, 200)
    this.retryAfterMs = retryAfterMs
  }
}

/** Statuses of faults that pass. A 500 is not one of them: upstreams repeat it. */
const retryableStatuses: readonly number[] = [429, 502, 503, 504]

function toCode(status: number): ErrorCode {
  if (status < 400) return 'UPSTREAM_INVALID_RESPONSE'
  return status === 429 || status >= 500 ? 'UPSTREAM_UNAVAILABLE' : 'UPSTREAM_REJECTED'
}

function sentence(service: string, status: number): string {
  if (status < 400) return `${serviceLabel(service)} responded with an unexpected redirect (${status}).`
  if (status === 429) return `${serviceLabel(service)} rejected the request because of its rate limit (429).`
  return status >= 500
    ? `${serviceLabel(service)} failed to handle the request (${status}).`
    : `${serviceLabel(service)} rejected the request (${status}).`
}

/** The outcome of a request that the gateway does not send: its queue is full, or its circuit is open. */
export function makeRefusal(service: string, cause: 'queue' | 'circuit') {
  const isFull = cause === 'queue'
  const claim = isFull ? 'has too many requests waiting.' : 'is temporarily unavailable (circuit open).'
  const error = new GatewayError('UPSTREAM_UNAVAILABLE', `${serviceLabel(service)} ${claim}`, {
    service,
    limit: isFull ? 'queue' : undefined,
  })
  return { error, isRefusal: true } as const
}

/** The error for a record of a list that cannot be read. */
export const unreadableError = (service: string, cause: UnreadableRecord): GatewayError =>
  new GatewayError('UPSTREAM_INVALID_RESPONSE', `${serviceLabel(service)} sent a record of an unexpected shape.`, {
    service,
    cause,
  })

/** A value of a record that can be missing. Throws if it was sent and cannot be read. */
export function readValue<T>(service: string, value: Optional<T>): T | null {
  if (value !== unreadable) return value ?? null
  throw new GatewayError('UPSTREAM_INVALID_RESPONSE', `${serviceLabel(service)} sent a value that cannot be read.`, {
    service,
  })
}

/** The requested record in a page. Null if there is none. Throws if it cannot be read. */
export function findRecord<T>(
  service: string,
  page: Page<Listed<T>> | null,
  isRequested: (record: T) => boolean,
): T | null {
  const items = page?.items ?? []
  const record = readable(items).find(isRequested)
  const odd = items.find((item) => item instanceof UnreadableRecord)
  if (!record && odd) throw unreadableError(service, odd)
  return record ?? null
}

/** A day in milliseconds. An upstream that names a longer time names none. */
const longestRetryAfterMs = 24 * 60 * 60 * 1000

/**
 * Milliseconds to wait by a `Retry-After` header in seconds or as a date (RFC 9110, 10.2.3). `now` is in milliseconds
 * since 1970. Undefined for anything else.
 */
export function parseRetryAfter(header: string | string[] | undefined, now: number): number | undefined {
  if (typeof header !== 'string') return undefined
  const isDate = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/.test(header)
  const wait = isDate ? Date.parse(header) - now : /^\d+$/.test(header) ? Number(header) * 1000 : -1
  return wait >= 0 && wait <= longestRetryAfterMs ? wait : undefined
}

const timeouts = ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']
const malformed = ['UND_ERR_RES_EXCEEDED_MAX_SIZE', 'UND_ERR_HEADERS_OVERFLOW', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH']

/** The coded error for a failed exchange. `hasStatus` is whether the response had begun. */
export function networkFault(service: string, error: unknown, hasStatus: boolean): GatewayError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const name = error instanceof Error ? error.name : ''
  const details = { service, cause: error }
  if (timeouts.includes(code) || name === 'TimeoutError') {
    return new GatewayError('UPSTREAM_TIMEOUT', `${serviceLabel(service)} timed out.`, details)
  }
  if (hasStatus || malformed.includes(code) || error instanceof errors.HTTPParserError) {
    return new GatewayError(
      'UPSTREAM_INVALID_RESPONSE',
      `${serviceLabel(service)} sent a response that is incomplete, too large or malformed.`,
      details,
    )
  }
  return new GatewayError('UPSTREAM_UNAVAILABLE', `${serviceLabel(service)} could not be reached.`, details)
}
