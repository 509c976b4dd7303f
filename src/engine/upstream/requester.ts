import type { QueueRequester } from '../../kit/queue/roundRobin.ts'
import { type GatewayError, limitExceeded, type RefusingLimit } from './error.ts'

/** An upstream request when it begins. */
export interface TracedRequest {
  readonly service: string
  readonly method: string
  /** The path with `*` for each value. */
  readonly route: string
  /** Attempts of the request before this one. */
  readonly retries: number
}

/** The span of one attempt. */
export interface RequestSpan {
  /** Headers that pass the context of the trace on, in the format of W3C. */
  readonly headers: Readonly<Record<string, string>>
  /** `outcome` is an HTTP status, an error code, or `CANCELLED`. */
  end(outcome: string): void
}

/** The trace of an operation, which the spans of its requests are part of. */
export interface Trace {
  startRequest(request: TracedRequest): RequestSpan
}

/** The sender of a request. Compared by identity: each operation is one requester. */
export interface Requester extends QueueRequester {
  /** Sent to upstreams as `X-Request-Id`. A request that several requesters share has the id of the first. */
  readonly requestId?: string | undefined
  /** The trace that its requests are part of, if it is traced. */
  readonly trace?: Trace | undefined
  readonly budget?: RequestBudget
}

/** The requests and bytes that one operation may cause at upstreams. */
export interface RequestBudgetOptions {
  readonly maxRequests: number
  /** Bytes of response bodies, before they are decoded. */
  readonly maxBytes: number
}

/** Counts the requests and bytes of one operation. Responses from a cache do not count. */
export class RequestBudget {
  /** Requests sent or shared so far. */
  requests = 0
  /** Bytes received so far. */
  bytes = 0
  readonly #bounds: RequestBudgetOptions
  /** One error for all fields of the operation: it is refused once. */
  #errors: Map<RefusingLimit, GatewayError> | undefined

  constructor(bounds: RequestBudgetOptions) {
    this.#bounds = bounds
  }

  /** Whether less than a share of the requests and of the bytes is used, also with bytes that are expected. */
  hasRoom(share: number, expectedBytes = 0): boolean {
    const { maxRequests, maxBytes } = this.#bounds
    return this.requests < maxRequests * share && this.bytes + expectedBytes < maxBytes * share
  }

  /** Whether too much was received. */
  get isExceeded(): boolean {
    return this.bytes > this.#bounds.maxBytes
  }

  /** Counts a request. Throws `QUERY_TOO_COMPLEX` if too many were sent or too much was received. */
  send(): void {
    this.check()
    const { maxRequests } = this.#bounds
    if (this.requests >= maxRequests) {
      const claim = `needs more than ${maxRequests} upstream requests`
      throw this.#tooComplex('requests_per_operation', claim)
    }
    this.requests += 1
  }

  receive(bytes: number): void {
    this.bytes += bytes
  }

  /** Throws `QUERY_TOO_COMPLEX` if it is exceeded. */
  check(): void {
    if (!this.isExceeded) return
    const claim = `reads more than ${this.#bounds.maxBytes} bytes from upstreams`
    throw this.#tooComplex('bytes_per_operation', claim)
  }

  #tooComplex(limit: RefusingLimit, claim: string): GatewayError {
    this.#errors ??= new Map()
    const message = `The operation ${claim}. Use smaller pages.`
    const error = this.#errors.get(limit) ?? limitExceeded(limit, 'QUERY_TOO_COMPLEX', message)
    this.#errors.set(limit, error)
    return error
  }
}
