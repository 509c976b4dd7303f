import type { OperationDefinitionNode } from 'graphql'
import type { OperationEvent } from '../../engine/telemetry/telemetry.ts'
import type { OperationTrace } from '../../engine/telemetry/tracing/tracing.ts'
import type { OperationResult } from './operation.ts'
import type { OperationServices } from './operationServices.ts'
import type { Sender } from './sender.ts'

type ReportsServices = Pick<OperationServices, 'shared' | 'telemetry' | 'tracing'>

/** Reports operations to the metrics, the log and traces. */
export class Reports {
  readonly #services: ReportsServices

  constructor(services: ReportsServices) {
    this.#services = services
  }

  /** Begins the trace of an operation that has arrived. Undefined without tracing. */
  begin({ headers = {} }: Sender): OperationTrace | undefined {
    return this.#services.tracing?.startOperation(headers)
  }

  /**
   * Reports how an operation ended that began at a time of the clock. An operation that could not be prepared has no
   * definition and no cost.
   */
  end(sender: Sender, { started, trace, result, definition, cost, upstreamRequests }: OperationEnd): void {
    const { shared, telemetry } = this.#services
    const event: OperationEvent = {
      type: definition?.operation ?? 'none',
      name: definition?.name?.value,
      requestId: sender.requestId,
      outcome: outcomeOf(result, sender),
      cost,
      upstreamRequests,
      seconds: (shared.clock.now() - started) / 1000,
    }
    telemetry.onOperation(event)
    trace?.end(event)
  }

  /** Reports a query whose result was sent again. */
  served({ requestId, headers = {} }: Sender, name: string | undefined): void {
    const { telemetry, tracing } = this.#services
    const event: OperationEvent = { type: 'query', name, requestId, outcome: 'ok', seconds: 0 }
    telemetry.onOperation(event)
    tracing?.startOperation(headers).end(event)
  }
}

export interface OperationEnd {
  readonly started: number
  readonly trace: OperationTrace | undefined
  readonly result: OperationResult
  readonly definition?: OperationDefinitionNode
  readonly cost?: number | undefined
  readonly upstreamRequests?: number | undefined
}

function outcomeOf(result: OperationResult, { signal }: Sender): string {
  if (signal.aborted) return 'CANCELLED'
  const error = 'errors' in result ? result.errors?.[0] : undefined
  return error ? String(error.extensions.code) : 'ok'
}
