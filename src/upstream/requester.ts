import type { QueueRequester } from '../kit/queue/roundRobin.ts'
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
export interface RequestBudget {
  /** Requests sent or shared so far. */
  readonly requests: number
  /** Bytes received so far. */
  readonly bytes: number
  /** Whether too much was received. */
  readonly isExceeded: boolean
  /** Counts a request. Throws `QUERY_TOO_COMPLEX` if too many were sent or too much was received. */
  send(): void
  receive(bytes: number): void
  /** Throws `QUERY_TOO_COMPLEX` if it is exceeded. */
  check(): void
}

/** Opens the budget of one operation. */
export function createRequestBudget({
  maxRequests,
  maxBytes,
}: RequestBudgetOptions): RequestBudget {
  // One error for all fields of the operation: it is refused once.
  let errors: Map<RefusingLimit, GatewayError> | undefined
  const tooComplex = (limit: RefusingLimit, claim: string): GatewayError => {
    const message = `The operation ${claim}. Use smaller pages.`
    errors ??= new Map()
    const error = errors.get(limit) ?? limitExceeded(limit, 'QUERY_TOO_COMPLEX', message)
    errors.set(limit, error)
    return error
  }
  // Plain properties: an object literal with a getter takes V8 over a microsecond to make.
  const budget = {
    requests: 0,
    bytes: 0,
    isExceeded: false,
    send() {
      budget.check()
      if (budget.requests >= maxRequests) {
        const claim = `needs more than ${maxRequests} upstream requests`
        throw tooComplex('requests_per_operation', claim)
      }
      budget.requests += 1
    },
    receive(received: number) {
      budget.bytes += received
      budget.isExceeded = budget.bytes > maxBytes
    },
    check() {
      if (!budget.isExceeded) return
      throw tooComplex('bytes_per_operation', `reads more than ${maxBytes} bytes from upstreams`)
    },
  }
  return budget
}
