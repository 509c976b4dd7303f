import type { GraphQLSchema } from 'graphql'
import type { SharedContext } from '../engine/graphql/builder.ts'
import type { Limits } from '../engine/limits/limits.ts'
import { createErrorLog } from '../engine/telemetry/errorLog.ts'
import type { Metrics } from '../engine/telemetry/metrics/metrics.ts'
import type { Readiness } from '../engine/telemetry/readiness.ts'
import type { OperationEvent, Telemetry } from '../engine/telemetry/telemetry.ts'
import type { UpstreamHealth } from '../engine/telemetry/upstreamHealth.ts'
import type { RefusingLimit } from '../engine/upstream/error.ts'
import { type ClientOptions, type Clients, createClients } from './clients/clients.ts'
import type { GatewayOptions, ServerInternals } from './gatewayOptions.ts'
import { type Backpressure, createBackpressure } from './http/backpressure.ts'
import { type Compression, createCompression } from './http/compression.ts'
import { type ConnectionQuota, createConnectionQuota } from './http/connections.ts'
import { createHttpCaching, type HttpCaching } from './http/httpCaching.ts'
import { createResponseCache, type ResponseCache } from './http/responseCache.ts'
import { createLiveness, type Liveness } from './liveness.ts'
import { type AdmissionControl, createAdmissionControl } from './operation/admissionControl.ts'
import { createCompiledExecutor } from './operation/compiled/compiledExecutor.ts'
import { createExecutor, type Executor } from './operation/compiled/executor.ts'
import type { TrustedDocuments } from './operation/documents/documentTexts.ts'
import { createErrorFormatter, type FormatError } from './operation/formatError.ts'
import { createUnreadAnswers, type UnreadAnswers } from './operation/unreadAnswers.ts'
import type { ServedSites } from './static/openSites.ts'

/** What a gateway gives to its server: the options that the server reads, with their defaults, and what is open already. */
export interface ServerOptions
  extends Required<
      Pick<GatewayOptions, 'host' | 'port' | 'allowedOrigins' | 'introspection' | 'compileOperations' | 'log'>
    >,
    Pick<GatewayOptions, 'tracing' | keyof ClientOptions | keyof TrustedDocuments> {
  /** What all operations share, as resolvers get it in their context. */
  readonly shared: SharedContext
  readonly schema: GraphQLSchema
  /** Reads the report of `/ready`. */
  readonly readiness: () => Promise<Readiness>
  /** The faults that upstreams have shown. */
  readonly health: Pick<UpstreamHealth, 'of'>
  readonly metrics?: Metrics | undefined
  readonly sites: ServedSites
  readonly internals: ServerInternals
}

/** What exists once in a server. It is made at the start and handed on whole: each part takes what it needs of it. */
export interface Services extends ServerOptions, SharedContext, Clients, Pick<Metrics, 'onRefusal'> {
  readonly executor: Executor
  readonly telemetry: Telemetry
  readonly formatError: FormatError
  /** The answers that clients have not read yet. */
  readonly unread: UnreadAnswers
  readonly admission: AdmissionControl
  readonly subscriptions: { readonly open: number }
  /** Whole answers, which are sent again. */
  readonly answers: ResponseCache
  readonly caching: HttpCaching
  readonly backpressure: Backpressure
  readonly liveness: Liveness
  readonly compression: Compression
  /** Counts the WebSockets and the event streams of each client. */
  readonly quota: ConnectionQuota
}

export function openServices(options: ServerOptions): Services {
  const { shared, schema, internals, metrics, log } = options
  const { clock, limits } = shared
  const onRefusal = (limit: RefusingLimit) => metrics?.onRefusal(limit)
  const clients = createClients(options, { ...shared, ...internals, log })
  const { subscriptions, ...telemetry } = followOperations(options, limits)
  const unread = createUnreadAnswers(limits)
  return {
    ...options,
    ...shared,
    ...clients,
    telemetry,
    onRefusal,
    subscriptions,
    formatError: createErrorFormatter(createErrorLog(log, clock, options.health), onRefusal, options.introspection),
    executor: options.compileOperations ? createCompiledExecutor(schema) : createExecutor(schema),
    admission: createAdmissionControl(clock),
    unread,
    backpressure: createBackpressure(unread),
    liveness: createLiveness(clock, internals.pingInterval),
    compression: createCompression(limits.maxCompressions),
    answers: createResponseCache(shared),
    caching: createHttpCaching({ ...shared, schema }),
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
