import type { QueueRequester } from '../kit/queue/roundRobin.ts'
import type { RequestBudget } from './requestBudget.ts'

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
