import type { Limits } from '../config/limits/limits.ts'
import { createErrorLog } from '../telemetry/errorLog.ts'
import type { OperationEvent, Telemetry } from '../telemetry/telemetry.ts'
import type { RefusingLimit } from '../upstream/error.ts'
import { type Clients, createClients } from './clients/clients.ts'
import { createCompiledExecutor } from './execution/compiled/compiledExecutor.ts'
import { createExecutor, type Executor } from './execution/compiled/executor.ts'
import { createErrorFormatter, type FormatError } from './execution/formatError.ts'
import { createHeavyOperations } from './operation/heavyOperations.ts'
import { Pipeline } from './operation/pipeline.ts'
import { createWaitingAnswers, type WaitingAnswers } from './operation/waitingAnswers.ts'
import type { ServedGraph, ServerOptions, ServerTelemetry } from './serverOptions.ts'

/** How a server runs operations, for all its transports. */
export interface Operations extends Clients {
  readonly pipeline: Pipeline
  /** Opens the pipeline of queries that agents write themselves. Its operations may cost less. */
  readonly openForeignPipeline: () => Pipeline
  readonly formatError: FormatError
  /** Counts a refusal because of a limit. */
  readonly onRefusal: (limit: RefusingLimit) => void
  /** The answers that clients have not read yet. */
  readonly waiting: WaitingAnswers
  /** Heavy operations that wait for others. */
  readonly heavy: { readonly waiting: number }
  readonly subscriptions: { readonly open: number }
}

/** Opens the pipeline of a server, with the clients, counters and bounds that it needs. */
export function openOperations(options: ServerOptions): Operations {
  const { graph, shared, access, telemetry, internals = {} } = options
  const { clock, limits } = shared
  const { log, metrics, health, tracing } = telemetry
  const onRefusal = (limit: RefusingLimit) => metrics?.onRefusal(limit)
  const formatError = createErrorFormatter(createErrorLog({ log, clock, health }), {
    hideSuggestions: !graph.introspection,
    onRefusal,
  })
  const clients = createClients(access.clients ?? {}, {
    ...{ ...shared, log, sharers: internals.sharers },
  })
  const budget = internals.shareBudget?.(clients.budget) ?? clients.budget
  const heavy = createHeavyOperations(clock)
  const waiting = createWaitingAnswers(limits)
  const { subscriptions, ...events } = followOperations(telemetry, limits)
  const run = {
    ...{ ...shared, ...graph, heavy, waiting, tracing, formatError, budget },
    executor: executorOf(graph),
    telemetry: events,
  }
  return {
    ...{ ...clients, budget, formatError, onRefusal, waiting, heavy, subscriptions },
    pipeline: new Pipeline(run),
    openForeignPipeline: () => new Pipeline({ ...run, limits: foreignLimits(limits) }),
  }
}

/** Counts and logs operations, and counts the subscriptions that are open. */
function followOperations(
  { metrics, log }: ServerTelemetry,
  { slowOperationMs }: Limits,
): Telemetry & Pick<Operations, 'subscriptions'> {
  const subscriptions = { open: 0 }
  return {
    subscriptions,
    onOperation(event) {
      metrics?.onOperation(event)
      log.debug(event, 'operation')
      // A subscription has no end to wait for.
      const isTimed = slowOperationMs > 0 && (event.type === 'query' || event.type === 'mutation')
      if (isTimed && event.seconds * 1000 >= slowOperationMs) {
        log.info(slowLine(event), 'slow operation')
      }
    },
    onSubscription() {
      subscriptions.open += 1
      return () => {
        subscriptions.open -= 1
      }
    },
  }
}

/** Clients choose the names of operations: a longer one is cut. */
const maxNameLength = 100

/** What the log says of a slow operation. Never its variables or values. */
const slowLine = ({ name, seconds, ...event }: OperationEvent) => ({
  ...event,
  name: name?.slice(0, maxNameLength),
  ms: Math.round(seconds * 1000),
})

const executorOf = ({ schema, compileOperations }: ServedGraph): Executor =>
  compileOperations ? createCompiledExecutor(schema) : createExecutor(schema)

/** The limits of queries that agents write: a quarter of the cost that a client may ask for. */
const foreignLimits = (limits: Limits): Limits => ({
  ...limits,
  maxCost: Math.ceil(limits.maxCost / 4),
})
