/** Every `extensions.code` of the gateway. GraphQL's parse and validation errors have codes of their own. */
export const errorCodes = [
  'BAD_USER_INPUT',
  'UPSTREAM_TIMEOUT',
  'UPSTREAM_UNAVAILABLE',
  'UPSTREAM_REJECTED',
  'UPSTREAM_INVALID_RESPONSE',
  'NOT_CONFIGURED',
  'QUERY_TOO_COMPLEX',
  'RATE_LIMITED',
  'UNAUTHENTICATED',
  'PERSISTED_QUERY_NOT_FOUND',
  'DOCUMENT_NOT_TRUSTED',
  'INTERNAL_SERVER_ERROR',
] as const

/** The kind of a fault. */
export type ErrorCode = (typeof errorCodes)[number]

/** Every `extensions.reason` of `BAD_USER_INPUT`. */
export const inputReasons = [
  'INVALID_ARGUMENT',
  'INVALID_REQUEST',
  'INVALID_ADDRESS',
  'INVALID_CHAIN_ID',
  'INVALID_DENOM',
  'INVALID_HASH',
  'INVALID_ID',
  'INVALID_MESSAGE_TYPE',
  'INVALID_ROUTE_TOKEN',
  'INVALID_CURSOR',
  'CURSOR_EXPIRED',
  'CURSOR_OF_ANOTHER_LIST',
  'SYMBOL_AS_DENOM',
  'UNKNOWN_CHAIN',
  'CHAIN_NOT_INDEXED',
  'PAGE_TOO_LARGE',
  'TOO_MANY_ENTRIES',
] as const

/** The fault in the input of a client. */
export type InputReason = (typeof inputReasons)[number]

/** Every other `extensions.reason` of the gateway, with the code of its error. All further ones are an upstream's. */
export const otherReasons = {
  CHAIN_REMOVED: 'UPSTREAM_UNAVAILABLE',
  HEIGHT_NOT_REACHED: 'UPSTREAM_TIMEOUT',
  NOT_VISIBLE_YET: 'UPSTREAM_REJECTED',
  NO_SEQUENCES: 'UPSTREAM_REJECTED',
  QUOTE_EXPIRED: 'UPSTREAM_UNAVAILABLE',
  RECORD_TOO_LARGE: 'QUERY_TOO_COMPLEX',
  TOO_FAR_BACK: 'UPSTREAM_REJECTED',
} as const satisfies Readonly<Record<string, ErrorCode>>

/** A reason that the gateway gives. */
export type ErrorReason = InputReason | keyof typeof otherReasons

/** The limits that refuse what clients ask for. Metrics name them in this way. */
export const refusingLimits = [
  ...['cost', 'tokens', 'page_size', 'nodes', 'catch_up_blocks'],
  ...['requests_per_operation', 'bytes_per_operation'],
  ...['record_size', 'rows_per_operation'],
  ...['rate', 'open_per_client', 'watched'],
  ...['answer_bytes', 'waiting_bytes_per_client', 'waiting_bytes', 'busy'],
  ...['body_size', 'header_size', 'connections', 'queue'],
] as const

/** A limit that refuses work, as the metric of refusals names it. */
export type RefusingLimit = (typeof refusingLimits)[number]

/** A transfer as errors name it. A transfer that cannot exist has no id, or only the id of the client. */
export interface TransferName {
  readonly id?: string
  readonly chainId?: string
  readonly hash?: string
}

/** A chain whose part of an answer is missing, and why. */
export interface MissingChain {
  readonly chainId: string
  readonly code: ErrorCode
}

/** The details of an error besides its code and message. */
export interface ErrorDetails {
  /** The upstream at fault: a chain id, or the name of another service such as `router`. */
  readonly service?: string
  readonly reason?: ErrorReason | undefined
  /** The upstream's own machine-readable reason, such as `BAD_PRICE_ERROR`. */
  readonly upstreamReason?: string | undefined
  /** The upstream's words for people: plain text without addresses, of a bounded length. */
  readonly upstreamMessage?: string | undefined
  /** A hint that the upstream adds, in the same form. */
  readonly info?: string | undefined
  /** Seconds to wait, as the upstream asks. */
  readonly retryAfter?: number | undefined
  /** The transfer that the error is about, where an operation has several. */
  readonly transfer?: TransferName | undefined
  /** The chains that a list or a sum lacks. */
  readonly unavailableChains?: readonly MissingChain[] | undefined
  readonly limit?: RefusingLimit | undefined
  /** Whether the same request may succeed in a moment. By default only after `UPSTREAM_UNAVAILABLE`. */
  readonly isRetryable?: boolean
  readonly cause?: unknown
}

/**
 * An error that clients see. Its message is one sentence, without URLs and without upstream text, which has
 * fields of its own.
 */
export class GatewayError extends Error {
  readonly code: ErrorCode
  readonly service: string | undefined
  /** The reason of the gateway, or else the upstream's own. */
  readonly reason: string | undefined
  readonly upstreamMessage: string | undefined
  readonly info: string | undefined
  readonly retryAfter: number | undefined
  readonly transfer: TransferName | undefined
  readonly unavailableChains: readonly MissingChain[] | undefined
  readonly limit: RefusingLimit | undefined
  readonly isRetryable: boolean

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause })
    this.name = 'GatewayError'
    this.code = code
    this.service = details.service
    this.reason = details.reason ?? details.upstreamReason
    this.upstreamMessage = details.upstreamMessage
    this.info = details.info
    this.retryAfter = details.retryAfter
    this.transfer = details.transfer
    this.unavailableChains = details.unavailableChains
    this.limit = details.limit
    this.isRetryable = details.isRetryable ?? code === 'UPSTREAM_UNAVAILABLE'
  }
}

/** The error for an invalid argument. Throw it before any upstream request. */
export const badInput = (message: string, reason: InputReason = 'INVALID_ARGUMENT'): GatewayError =>
  new GatewayError('BAD_USER_INPUT', message, { reason })

/** The error for what passes a limit. */
export const limitExceeded = (limit: RefusingLimit, code: ErrorCode, message: string): GatewayError =>
  new GatewayError(code, message, { limit, reason: reasonBeyond(limit, code) })

/** The error for a part of a record that is too large to be read or sent. */
export const tooLarge = (message: string): GatewayError =>
  new GatewayError('QUERY_TOO_COMPLEX', message, {
    limit: 'record_size',
    reason: 'RECORD_TOO_LARGE',
  })

/** Only what is wrong with the input has a reason of that list. */
function reasonBeyond(limit: RefusingLimit, code: ErrorCode): InputReason | undefined {
  if (code !== 'BAD_USER_INPUT') return undefined
  return limit === 'page_size' ? 'PAGE_TOO_LARGE' : 'TOO_MANY_ENTRIES'
}

/** Whether an error says that an upstream failed, or refused a request. */
export const isUpstreamFault = (error: unknown): error is GatewayError =>
  error instanceof GatewayError && error.code.startsWith('UPSTREAM_')

/** Whether the request behind an error may succeed in a moment. */
export const isRetryable = (error: unknown): boolean => error instanceof GatewayError && error.isRetryable
