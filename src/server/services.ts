import type { GraphQLSchema } from 'graphql'
import type { McpEndpoint } from '#mcp/endpoint'
import type { SharedContext } from '../engine/graphql/builder.ts'
import type { Limits } from '../engine/limits/limits.ts'
import { createErrorLog } from '../engine/telemetry/errorLog.ts'
import type { Log } from '../engine/telemetry/log.ts'
import type { Metrics } from '../engine/telemetry/metrics/metrics.ts'
import type { Readiness } from '../engine/telemetry/readiness.ts'
import type { OperationEvent, Telemetry } from '../engine/telemetry/telemetry.ts'
import type { Tracing } from '../engine/telemetry/tracing/tracing.ts'
import type { UpstreamHealth } from '../engine/telemetry/upstreamHealth.ts'
import type { RefusingLimit } from '../engine/upstream/error.ts'
import type { SharableBudget } from './clients/budget.ts'
import { type ClientOptions, type Clients, createClients } from './clients/clients.ts'
import { type ConnectionQuota, createConnectionQuota } from './http/connections.ts'
import type { Listen } from './http/listen.ts'
import type { AllowedOrigins } from './http/requestGuards.ts'
import { type AdmissionControl, createAdmissionControl } from './operation/admissionControl.ts'
import { createCompiledExecutor } from './operation/compiled/compiledExecutor.ts'
import { createExecutor, type Executor } from './operation/compiled/executor.ts'
import type { TrustedDocuments } from './operation/documents/documentTexts.ts'
import { createErrorFormatter, type FormatError } from './operation/formatError.ts'
import { createUnreadAnswers, type UnreadAnswers } from './operation/unreadAnswers.ts'
import type { Pages, Site } from './static/site.ts'

/** Parts that tests and workers replace. */
export interface ServerInternals {
  /** Gives the server its connections in the place of a port of its own. */
  readonly listen?: Listen | undefined
  /** Serve the metrics at `/metrics`. Default: true. */
  readonly servesMetrics?: boolean | undefined
  /** How many processes divide the budget of each client between them. Default: 1. */
  readonly processCount?: number | undefined
  /** Makes other processes count the points that clients spend here. */
  readonly shareBudget?: ((budget: SharableBudget) => SharableBudget) | undefined
  /** Whether plain requests skip yoga. Default: true. */
  readonly directPath?: boolean | undefined
  /** Milliseconds that open operations have to finish after the server starts to close. */
  readonly grace?: number | undefined
  /** Milliseconds, at least, that a closing server still answers requests that were on their way. */
  readonly drain?: number | undefined
  /** Milliseconds between pings to each WebSocket. */
  readonly pingInterval?: number | undefined
}

export interface ServerOptions extends TrustedDocuments {
  readonly host: string
  /** 0 for a free port. */
  readonly port: number
  /** What all operations share. */
  readonly shared: SharedContext
  readonly schema: GraphQLSchema
  readonly introspection: boolean
  /** Run operations compiled. If false, graphql-js runs all of them. */
  readonly compileOperations: boolean
  /** Origins whose web pages may use the server. */
  readonly allowedOrigins: AllowedOrigins
  readonly clients?: ClientOptions | undefined
  readonly log: Log
  /** Reads the report of `/ready`. */
  readonly readiness: () => Promise<Readiness>
  /** The faults that upstreams have shown. */
  readonly health: Pick<UpstreamHealth, 'of'>
  /** Left out, operations are not traced. */
  readonly tracing?: Tracing | undefined
  readonly metrics?: Metrics | undefined
  readonly sites: ServedSites
  readonly internals?: ServerInternals | undefined
}

/** The pages and tools that a server has beside the graph. */
export interface ServedSites {
  readonly graphiql: boolean
  /** Pages and files at paths of their own. */
  readonly site?: Site | undefined
  /** Pages that are files of their own, such as the documentation. */
  readonly pages?: Pages | undefined
  /** Tools for agents. Left out, there are none. */
  readonly mcp?: McpEndpoint | undefined
  /** Where the services of a sandbox are broken and mended. Left out, there is no route to it. */
  readonly sandboxControlUrl?: string | undefined
}

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
    shareBudget: internals.shareBudget,
  })
  const { subscriptions, ...telemetry } = followOperations(options, limits)
  return {
    ...shared,
    ...clients,
    shared,
    schema,
    introspection,
    log,
    tracing,
    telemetry,
    formatError,
    onRefusal,
    subscriptions,
    trustedDocuments: options.trustedDocuments,
    trustedDocumentsOnly: options.trustedDocumentsOnly,
    allowedOrigins: options.allowedOrigins,
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
