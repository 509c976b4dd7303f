import type { GraphQLSchema } from 'graphql'
import type { Limits } from '../config/limits/limits.ts'
import type { SharedContext } from '../graphql/builder.ts'
import { createErrorLog } from '../telemetry/errorLog.ts'
import type { Log } from '../telemetry/log.ts'
import type { OperationEvent, Telemetry } from '../telemetry/telemetry.ts'
import type { Tracing } from '../telemetry/tracing/tracing.ts'
import type { RefusingLimit } from '../upstream/error.ts'
import { type Clients, createClients } from './clients/clients.ts'
import { createCompiledExecutor } from './execution/compiled/compiledExecutor.ts'
import { createExecutor, type Executor } from './execution/compiled/executor.ts'
import type { TrustedDocuments } from './execution/documents/documentTexts.ts'
import { createErrorFormatter, type FormatError } from './execution/formatError.ts'
import { type ConnectionQuota, createConnectionQuota } from './http/connections.ts'
import type { AllowedOrigins } from './http/requestGuards.ts'
import { type AdmissionControl, createAdmissionControl } from './operation/admissionControl.ts'
import { createUnreadAnswers, type UnreadAnswers } from './operation/unreadAnswers.ts'
import type { ServerOptions } from './serverOptions.ts'

/** What exists once in a server. It is made at the start and handed on whole: each part takes what it needs of it. */
export interface Services extends SharedContext, Clients, TrustedDocuments {
  /** What resolvers get in their context. */
  readonly shared: SharedContext
  readonly schema: GraphQLSchema
  readonly introspection: boolean
  readonly executor: Executor
  readonly allowedOrigins: AllowedOrigins
  readonly log: Log
  /** Left out, operations are not traced. */
  readonly tracing?: Tracing | undefined
  readonly telemetry: Telemetry
  readonly formatError: FormatError
  /** Counts a refusal because of a limit. */
  readonly onRefusal: (limit: RefusingLimit) => void
  /** The answers that clients have not read yet. */
  readonly unread: UnreadAnswers
  readonly admission: AdmissionControl
  readonly subscriptions: { readonly open: number }
  /** Counts the WebSockets and the event streams of each client. */
  readonly quota: ConnectionQuota
}

/** Makes the services of a server. */
export function openServices(options: ServerOptions): Services {
  const { shared, schema, introspection, compileOperations, internals = {} } = options
  const { clock, limits } = shared
  const { log, metrics, health, tracing } = options
  const onRefusal = (limit: RefusingLimit) => metrics?.onRefusal(limit)
  const formatError = createErrorFormatter(createErrorLog({ log, clock, health }), {
    hideSuggestions: !introspection,
    onRefusal,
  })
  const clients = createClients(options.clients ?? {}, {
    ...shared,
    log,
    processCount: internals.processCount,
  })
  const { subscriptions, ...telemetry } = followOperations(options, limits)
  return {
    ...shared,
    ...clients,
    ...{
      shared,
      schema,
      introspection,
      log,
      tracing,
      telemetry,
      formatError,
      onRefusal,
      subscriptions,
    },
    trustedDocuments: options.trustedDocuments,
    trustedDocumentsOnly: options.trustedDocumentsOnly,
    allowedOrigins: options.allowedOrigins,
    budget: internals.shareBudget?.(clients.budget) ?? clients.budget,
    executor: compileOperations ? createCompiledExecutor(schema) : createExecutor(schema),
    admission: createAdmissionControl(clock),
    unread: createUnreadAnswers(limits),
    quota: createConnectionQuota(limits.maxStreamsPerClient),
  }
}

/** The services for queries that agents write: they may cost a quarter of what a client may ask for. */
export function foreignServices(services: Services): Services {
  const { limits, shared } = services
  const foreign = { ...limits, maxCost: Math.ceil(limits.maxCost / 4) }
  return { ...services, limits: foreign, shared: { ...shared, limits: foreign } }
}

/** Counts and logs operations, and counts the subscriptions that are open. */
function followOperations(
  { metrics, log }: Pick<ServerOptions, 'metrics' | 'log'>,
  { slowOperationMs }: Limits,
): Telemetry & Pick<Services, 'subscriptions'> {
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
