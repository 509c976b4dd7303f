import type { OperationDefinitionNode } from 'graphql'
import type { Clock } from '../../../kit/clock/clock.ts'
import type { OperationEvent, Telemetry } from '../../../telemetry/telemetry.ts'
import type { OperationTrace, Tracing } from '../../../telemetry/tracing/tracing.ts'
import type { Client } from '../client.ts'
import type { OperationResult } from './operation.ts'

/** The report of one operation. */
export interface Report {
  readonly trace: OperationTrace | undefined
  /** Reports how the operation ended. An operation that could not be prepared has no definition and no cost. */
  end(result: OperationResult, definition?: OperationDefinitionNode, cost?: number): void
}

/** The reports of operations to the metrics, the log and traces. */
export interface Reports {
  /** Begins a report when an operation has arrived. */
  begin(client: Client): Report
  /** Reports a query whose result was sent again. */
  served(client: Client, name: string | undefined): void
}

/** Where reports go. */
export interface ReportsOptions {
  readonly clock: Clock
  readonly telemetry: Pick<Telemetry, 'onOperation'>
  readonly tracing: Tracing | undefined
}

/** Creates the reports of a pipeline. */
export function createReports({ clock, telemetry, tracing }: ReportsOptions): Reports {
  return {
    begin(client) {
      const started = clock.now()
      const trace = tracing?.startOperation(client.headers ?? {})
      return {
        trace,
        end(result, definition, cost) {
          const event: OperationEvent = {
            type: definition?.operation ?? 'none',
            name: definition?.name?.value,
            requestId: client.requestId,
            outcome: outcomeOf(result, client),
            cost,
            seconds: (clock.now() - started) / 1000,
          }
          telemetry.onOperation(event)
          trace?.end(event)
        },
      }
    },
    served({ requestId, headers = {} }, name) {
      const event: OperationEvent = { type: 'query', name, requestId, outcome: 'ok', seconds: 0 }
      telemetry.onOperation(event)
      tracing?.startOperation(headers).end(event)
    },
  }
}

function outcomeOf(result: OperationResult, { signal }: Client): string {
  if (signal.aborted) return 'CANCELLED'
  const error = 'errors' in result ? result.errors?.[0] : undefined
  return error ? String(error.extensions.code) : 'ok'
}
