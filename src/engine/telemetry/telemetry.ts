/** One operation after it ended, or one subscription after it started. */
export interface OperationEvent {
  /** `query`, `mutation` or `subscription`. `none` for a document that is not valid. */
  readonly type: string
  readonly name: string | undefined
  readonly requestId?: string | undefined
  /** `ok`, the code of the first error, or `CANCELLED` if the client left before the end. */
  readonly outcome: string
  readonly seconds: number
  /** Cost in points. Undefined if it was not computed. */
  readonly cost?: number | undefined
  /** Upstream requests that it sent or shared. Undefined if it did not run. */
  readonly upstreamRequests?: number | undefined
}

/** Receives what happens to operations, on every transport. */
export interface Telemetry {
  /** Called once for each operation. */
  onOperation(event: OperationEvent): void
  /** Called when a subscription's stream opens. The function it returns is called when the stream ends. */
  onSubscription(): () => void
}
