import type { GraphQLSchema } from 'graphql'
import type { SharedContext } from '../engine/graphql/builder.ts'
import type { Limits } from '../engine/limits/limits.ts'
import { createErrorLog } from '../engine/telemetry/errorLog.ts'
import type { Metrics } from '../engine/telemetry/metrics/metrics.ts'
import type { Readiness } from '../engine/telemetry/readiness.ts'
import type { OperationEvent, Telemetry } from '../engine/telemetry/telemetry.ts'
import type { UpstreamHealth } from '../engine/telemetry/upstreamHealth.ts'
import type { RefusingLimit } from '../engine/upstream/error.ts'
import { type ClientOptions, createClients } from './clients/clients.ts'
import type { GatewayOptions, ServerInternals } from './gatewayOptions.ts'
import { createBackpressure } from './http/backpressure.ts'
import { createCompression } from './http/compression.ts'
import { createConnectionQuota } from './http/connections.ts'
import { createHttpCaching } from './http/httpCaching.ts'
import { createLiveness } from './http/liveness.ts'
import { createResponseCache } from './http/responseCache.ts'
import type { TransportServices } from './http/transportServices.ts'
import { createAdmissionControl } from './operation/admissionControl.ts'
import { createCompiledExecutor } from './operation/compiled/compiledExecutor.ts'
import type { ServedDocuments } from './operation/documents/documentTexts.ts'
import { createErrorFormatter } from './operation/formatError.ts'
import { createUnreadAnswers } from './operation/unreadAnswers.ts'
import type { ServedSites } from './static/openSites.ts'

/** What a gateway gives to its server: the options that the server reads, with their defaults, and what is open already. */
export interface ServerOptions
  extends Required<Pick<GatewayOptions, 'host' | 'port' | 'allowedOrigins' | 'introspection' | 'log'>>,
    Pick<GatewayOptions, 'tracing' | keyof ClientOptions>,
    ServedDocuments {
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
export interface Services extends TransportServices, ServerOptions {
  readonly subscriptions: { readonly open: number }
}

/** Makes the services of a server. */
export function openServices(options: ServerOptions): Services {
  const { shared, schema, internals, metrics, log } = options
  const { clock, limits } = shared
  const onRefusal = (limit: RefusingLimit) => metrics?.onRefusal(limit)
  const clients = createClients(options, { ...shared, ...internals, log })
  const { subscriptions, ...telemetry } = followOperations(options, limits)
  const unread = createUnreadAnswers(limits)
  return {
    ...options,
    ...clients,
    clock,
    telemetry,
    onRefusal,
    subscriptions,
    formatError: createErrorFormatter(createErrorLog(log, clock, options.health), onRefusal, options.introspection),
    executor: createCompiledExecutor(schema),
    admission: createAdmissionControl(clock),
    unread,
    backpressure: createBackpressure(unread),
    liveness: createLiveness(clock, internals.pingInterval),
    compression: createCompression(),
    answers: createResponseCache(shared),
    caching: createHttpCaching({ ...shared, schema }),
    quota: createConnectionQuota(limits.maxOpenPerClient),
  }
}

/** An operation that takes this share of the time it may take is on its way to fail: it has a line in the log. */
const slowShare = 1 / 3

/** Counts and logs operations, and counts the subscriptions that are open. */
function followOperations(
  { metrics, log }: Pick<ServerOptions, 'metrics' | 'log'>,
  { timeoutMs }: Limits,
): Telemetry & Pick<Services, 'subscriptions'> {
  const subscriptions = { open: 0 }
  const slowMs = timeoutMs * slowShare
  return {
    subscriptions,
    onOperation(event) {
      metrics?.onOperation(event)
      log.debug(event, 'operation')
      // A subscription has no end to wait for.
      const isTimed = event.type === 'query' || event.type === 'mutation'
      if (isTimed && event.seconds * 1000 >= slowMs) {
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
