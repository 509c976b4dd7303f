import type { IncomingHttpHeaders } from 'node:http'
import type { Trace } from '../../upstream/trace.ts'
import type { OperationEvent } from '../telemetry.ts'

/** The trace of one operation. */
export interface OperationTrace extends Trace {
  /** Ends the span of the operation. Called once. */
  end(event: OperationEvent): void
}

/** Records a span for each operation, and one for each request to an upstream. */
export interface Tracing {
  /** Starts the span of an operation, within the trace that the headers of the request name, if any. */
  startOperation(headers: IncomingHttpHeaders): OperationTrace
  /** Sends the spans that are left. */
  close(): Promise<void>
}
