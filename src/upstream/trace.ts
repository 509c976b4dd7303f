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
