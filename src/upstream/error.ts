/** Every code that `extensions.code` can hold, beside GraphQL's own parse and validation codes. */
export type ErrorCode =
  | 'BAD_USER_INPUT'
  | 'UPSTREAM_TIMEOUT'
  | 'UPSTREAM_UNAVAILABLE'
  | 'UPSTREAM_REJECTED'
  | 'UPSTREAM_INVALID_RESPONSE'
  | 'QUERY_TOO_COMPLEX'
  | 'RATE_LIMITED'
  | 'INTERNAL_SERVER_ERROR'

/** What an error may say besides its code; `service` is a chain id or `router`. */
export interface ErrorDetails {
  readonly service?: string
  /** The upstream's own machine-readable reason, such as `BAD_PRICE_ERROR`. */
  readonly reason?: string
  readonly cause?: unknown
}

/** A fault whose message a client may read: one sentence, no URL, no upstream text. */
export class GatewayError extends Error {
  readonly code: ErrorCode
  readonly service: string | undefined
  readonly reason: string | undefined

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause })
    this.name = 'GatewayError'
    this.code = code
    this.service = details.service
    this.reason = details.reason
  }
}

/** The error for an argument that could never have worked, thrown before any upstream is asked. */
export const badInput = (message: string, cause?: unknown): GatewayError =>
  new GatewayError('BAD_USER_INPUT', message, { cause })
