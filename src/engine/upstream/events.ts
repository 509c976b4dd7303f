/** The outcome of one attempt. */
export interface Observation {
  readonly service: string
  /** The HTTP status, or an error code if there was no complete response. */
  readonly outcome: string
  readonly seconds: number
  /** The code or message of a network error, such as `ECONNREFUSED`. Undefined for a complete response. */
  readonly cause?: string | undefined
}

/** The load of one upstream at the moment it is read. */
export interface UpstreamLoad {
  /** Attempts under way. */
  readonly inFlight: number
  /** Requests that wait for their turn. */
  readonly waiting: number
  /** Circuits that refuse attempts: one for each route, and one for the upstream itself. */
  readonly openCircuits: number
}

/** Receives what happens to the requests of upstreams, for metrics and the log. */
export interface UpstreamEvents {
  /** Called once for each upstream, before its first request. */
  onOpen(service: string, load: UpstreamLoad): void
  /** Called when an attempt ends, unless it is cancelled. */
  onAttempt(observation: Observation): void
  /** Called when the turn of an attempt comes, with the seconds that it waited. */
  onQueued(service: string, seconds: number): void
  /** Called when a request joins an equal one under way. */
  onCoalesced(service: string): void
  /** Called before an attempt is repeated. */
  onRetry(service: string): void
}
