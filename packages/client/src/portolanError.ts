/** An error of a GraphQL response. */
export interface ResponseError {
  readonly message: string
  readonly path?: readonly (string | number)[]
  readonly extensions?: Readonly<Record<string, unknown>>
}

/** A chain that a list or a sum lacks. */
export interface MissingChain {
  readonly chainId: string
  /** Why, as a code of the gateway. */
  readonly code: string
}

/** The details of a `PortolanError` besides its message. */
export interface ErrorDetails {
  readonly errors?: readonly ResponseError[]
  readonly status?: number | undefined
  readonly retryAfter?: number | string | undefined
  readonly requestId?: string | undefined
  readonly partialData?: unknown
  readonly cause?: unknown
}

/** Why a query or a subscription failed. */
export class PortolanError extends Error {
  override readonly name = 'PortolanError'
  /**
   * A code of the gateway, such as `RATE_LIMITED`; `NETWORK` if the connection was lost, `BUFFERED` if a proxy holds
   * its events back, and `HTTP` for an answer that is not the gateway's.
   */
  readonly code: string
  /** The upstream's own reason, if it gave one. */
  readonly reason: string | undefined
  /** The upstream at fault: a chain id or `router`. */
  readonly service: string | undefined
  /** Seconds after which to try again, if the gateway said so. */
  readonly retryAfter: number | undefined
  /** The data that arrived in spite of the error. */
  readonly partialData: unknown
  /** The id to give to the operator of the gateway. */
  readonly requestId: string | undefined
  /** The status of the HTTP response. */
  readonly status: number | undefined
  /** The chains that a list or a sum lacks, which has the data of the others. */
  readonly unavailableChains: readonly MissingChain[]
  /** All errors of the response. The fields above are of the first. */
  readonly errors: readonly ResponseError[]

  constructor(code: string, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause })
    const { errors = [] } = details
    const text = (name: string) => {
      const value = errors[0]?.extensions?.[name]
      return typeof value === 'string' ? value : undefined
    }
    this.code = text('code') ?? code
    this.reason = text('reason')
    this.service = text('service')
    this.requestId = text('requestId') ?? details.requestId
    const seconds = Number(errors[0]?.extensions?.retryAfter ?? details.retryAfter)
    this.retryAfter = seconds >= 0 ? seconds : undefined
    this.partialData = details.partialData
    this.status = details.status
    this.errors = errors
    this.unavailableChains = errors.flatMap(({ extensions }) => (extensions?.unavailableChains ?? []) as MissingChain[])
  }
}

/** The error that a list of errors makes. */
export const errorOf = (errors: readonly ResponseError[], details: ErrorDetails = {}) =>
  new PortolanError('HTTP', errors[0]?.message ?? 'Unknown error.', { ...details, errors })

/** The error of a response that is not a success, by its status. */
export function statusError({ status, headers }: Response, details: ErrorDetails = {}) {
  const code = status === 401 || status === 403 ? 'UNAUTHENTICATED' : 'HTTP'
  const retryAfter = headers.get('retry-after') ?? undefined
  const all = { ...details, status, retryAfter }
  return details.errors?.[0]
    ? errorOf(details.errors, all)
    : new PortolanError(code, `The gateway answered with status ${status}.`, all)
}

/** Codes of faults that pass. */
const passing: readonly unknown[] = [
  'UPSTREAM_UNAVAILABLE',
  'UPSTREAM_TIMEOUT',
  'UPSTREAM_INVALID_RESPONSE',
  'RATE_LIMITED',
  'NETWORK',
  'TIMEOUT',
]

/** Whether a fault with this code may be over when the same is asked for again. */
export const isPassing = (code: unknown): boolean => passing.includes(code)
