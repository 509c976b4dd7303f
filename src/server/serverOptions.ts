import type { GraphQLSchema } from 'graphql'
import type { SharedContext } from '../graphql/builder.ts'
import type { McpEndpoint } from '../mcp/endpoint.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics/metrics.ts'
import type { Readiness } from '../telemetry/readiness.ts'
import type { Tracing } from '../telemetry/tracing/tracing.ts'
import type { UpstreamHealth } from '../telemetry/upstreamHealth.ts'
import type { ClientOptions } from './clients/clients.ts'
import type { SharableBudget } from './execution/client.ts'
import type { TrustedDocuments } from './execution/documents/documentTexts.ts'
import type { Listen } from './http/listen.ts'
import type { AllowedOrigins } from './http/requestGuards.ts'
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
  /** Whether all requests of a client reach this process. Default: true. */
  readonly sharesStreams?: boolean | undefined
  /** Whether plain requests skip yoga. Default: true. */
  readonly directPath?: boolean | undefined
  /** Milliseconds that open operations have to finish after the server starts to close. */
  readonly grace?: number | undefined
  /** Milliseconds, at least, that a closing server still answers requests that were on their way. */
  readonly drain?: number | undefined
  /** Milliseconds between pings to each WebSocket. */
  readonly pingInterval?: number | undefined
}

/** The options of a server. */
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
