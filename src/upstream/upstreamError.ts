import { errors } from 'undici'
import { z } from 'zod'
import { type ErrorCode, GatewayError } from './error.ts'

/** What an upstream said when it refused: an HTTP status and the words of its body, for our eyes only. */
export class UpstreamHttpError extends GatewayError {
  readonly status: number
  readonly bodyExcerpt: string
  /** Milliseconds to wait before trying again, when the upstream named a time. */
  readonly retryAfter: number | undefined

  constructor(service: string, status: number, body: string, retryAfter?: number) {
    const { excerpt, reason } = readErrorBody(body)
    super(codeOf(status), sentence(service, status), { service, ...(reason && { reason }) })
    this.status = status
    this.bodyExcerpt = excerpt
    this.retryAfter = retryAfter
  }
}

const errorDetail = z.looseObject({ reason: z.string() })
const errorBody = z.looseObject({
  message: z.union([z.string(), z.array(z.string())]).optional(),
  error_message: z.string().optional(),
  details: z.array(z.unknown()).nullish(),
})

/** Reads the error bodies in use: plain text, gRPC status, validation lists and `error_message`. */
function readErrorBody(body: string): { excerpt: string; reason?: string } {
  let parsed: z.output<typeof errorBody>
  try {
    parsed = errorBody.parse(JSON.parse(body))
  } catch {
    return { excerpt: body.slice(0, 200) }
  }
  const excerpt = [parsed.message ?? parsed.error_message ?? body].flat().join('; ').slice(0, 200)
  const detail = parsed.details?.map((one) => errorDetail.safeParse(one)).find((one) => one.success)
  return { excerpt, ...(detail?.data && { reason: detail.data.reason }) }
}

function codeOf(status: number): ErrorCode {
  if (status < 400) return 'UPSTREAM_INVALID_RESPONSE'
  return status === 429 || status >= 500 ? 'UPSTREAM_UNAVAILABLE' : 'UPSTREAM_REJECTED'
}

function sentence(service: string, status: number): string {
  if (status < 400)
    return `${serviceLabel(service)} answered with an unexpected redirect (${status}).`
  if (status === 429) return `${serviceLabel(service)} is turning requests away for now (429).`
  return status >= 500
    ? `${serviceLabel(service)} failed to answer (${status}).`
    : `${serviceLabel(service)} refused the request (${status}).`
}

/** How an upstream is called in messages. */
export const serviceLabel = (service: string): string =>
  service === 'router' ? 'The router' : `The indexer of ${service}`

/** The longest `Retry-After` that is waited for, in milliseconds. */
const maxRetryAfter = 10_000

/** Milliseconds named by a `Retry-After` header in seconds; undefined when absent, or too long to wait. */
export function retryAfterOf(header: string | string[] | undefined): number | undefined {
  const seconds = typeof header === 'string' ? Number(header) : Number.NaN
  return seconds >= 0 && seconds * 1000 <= maxRetryAfter ? seconds * 1000 : undefined
}

/** True for an answer that a second, equal GET may well change: never for a 500, which stays. */
export function isTransient(error: unknown): boolean {
  if (error instanceof UpstreamHttpError) return [429, 502, 503, 504].includes(error.status)
  return error instanceof GatewayError && error.code === 'UPSTREAM_UNAVAILABLE'
}

const timeouts = ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']
const malformed = [
  'UND_ERR_RES_EXCEEDED_MAX_SIZE',
  'UND_ERR_HEADERS_OVERFLOW',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
]

/** Gives a fault of the network the code a client sees; `hasStatus` tells that an answer had begun. */
export function networkFault(service: string, error: unknown, hasStatus: boolean): GatewayError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const name = error instanceof Error ? error.name : ''
  const details = { service, cause: error }
  if (timeouts.includes(code) || name === 'TimeoutError') {
    return new GatewayError(
      'UPSTREAM_TIMEOUT',
      `${serviceLabel(service)} took too long to answer.`,
      details,
    )
  }
  if (hasStatus || malformed.includes(code) || error instanceof errors.HTTPParserError) {
    return new GatewayError(
      'UPSTREAM_INVALID_RESPONSE',
      `${serviceLabel(service)} broke off its answer, or sent one too large or malformed.`,
      details,
    )
  }
  return new GatewayError(
    'UPSTREAM_UNAVAILABLE',
    `${serviceLabel(service)} could not be reached.`,
    details,
  )
}
