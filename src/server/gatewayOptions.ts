import type { GraphQLSchema } from 'graphql'
import type { FunctionNames } from '#words/actions/functionNames'
import type { SharedContext } from '../engine/graphql/builder.ts'
import type { Limits } from '../engine/limits/limits.ts'
import type { NetworkOptions } from '../engine/network/networkOptions.ts'
import type { ConnectOptions } from '../engine/nftMetadata/connect.ts'
import type { NftMetadataOptions } from '../engine/nftMetadata/openNftMetadata.ts'
import type { RedisOptions } from '../engine/redis/redisLink.ts'
import type { Log } from '../engine/telemetry/log.ts'
import type { Tracing } from '../engine/telemetry/tracing/tracing.ts'
import type { UpstreamOptions } from '../engine/upstream/upstreamOptions.ts'
import type { FeedOptions } from '../engine/watch/feeds.ts'
import type { PollerOptions } from '../engine/watch/poller.ts'
import type { Clock } from '../kit/clock/clock.ts'
import type { SharableBudget } from './clients/budget.ts'
import type { ClientOptions, KeyOptions } from './clients/clients.ts'
import type { Listen } from './http/listen.ts'
import type { TrustedDocuments } from './operation/documents/documentTexts.ts'
import type { PageOptions } from './static/openSites.ts'

/** What a gateway serves, to whom, and within which limits. */
export interface GatewayOptions
  extends NetworkOptions,
    ClientOptions,
    TrustedDocuments,
    PageOptions,
    NftMetadataOptions {
  /** Address to listen on. Default: 127.0.0.1. */
  readonly host?: string
  /** Port to listen on. Default: 0, a free port. */
  readonly port?: number
  /** Port of its own for `/metrics`. 0 for a free port. Default: the port of the graph. */
  readonly metricsPort?: number | undefined
  /** Serve the graph as a subgraph of Federation 2 too. Default: false. */
  readonly federation?: boolean
  /** Allow introspection. Default: true. */
  readonly introspection?: boolean
  /**
   * Keys that sign cursors and route tokens, of at least 32 bytes. The first signs, all are accepted.
   * Replicas need the same. Default: a key that this gateway makes for itself.
   */
  readonly signingKeys?: readonly string[] | undefined
  /** A Redis that all gateways of a fleet share: watching then costs the upstreams as much as with one gateway. */
  readonly redis?: RedisOptions | undefined
  /**
   * Names of functions of contracts, by selector (`0xa9059cbb`), signature (`swap(uint256)`) or place in a Move module
   * (`0x1::dex::swap_script`). Sentences about actions say them. Default: those of common contracts.
   */
  readonly words?: FunctionNames | undefined
  /** Limits that differ from the defaults. */
  readonly limits?: Partial<Limits>
  /** A pino logger, or any object with its four methods. Default: nothing is logged. */
  readonly log?: Log
  /** Request each upstream once at the start, without waiting, and log those that do not respond. Default: false. */
  readonly probeAtStart?: boolean
  /** Records a span for each operation and each upstream request. Closed with the gateway. */
  readonly tracing?: Tracing | undefined
}

/** Parts that tests replace. */
export interface ServerInternals {
  /** Gives the server its connections in the place of a port of its own. */
  readonly listen?: Listen | undefined
  /** Serve the metrics at `/metrics`. Default: true. */
  readonly servesMetrics?: boolean | undefined
  /** Makes other processes count the points that clients spend here. */
  readonly shareBudget?: ((budget: SharableBudget) => SharableBudget) | undefined
  /** Milliseconds that open operations have to finish after the server starts to close. */
  readonly grace?: number | undefined
  /** Milliseconds, at least, that a closing server still answers requests that were on their way. */
  readonly drain?: number | undefined
  /** Milliseconds between pings to each WebSocket. */
  readonly pingInterval?: number | undefined
}

/** Parts that tests replace to control time, chance and the graph. */
export interface GatewayInternals {
  readonly clock?: Clock
  /** Chance for retries and polls: from 0 up to, but not including, 1. */
  readonly random?: () => number
  readonly schema?: GraphQLSchema
  readonly poller?: Partial<PollerOptions>
  readonly feeds?: FeedOptions
  readonly upstream?: Pick<UpstreamOptions, 'backoff' | 'maxWaiting'>
  /** How hosts of metadata are connected to. */
  readonly nftMetadata?: Partial<ConnectOptions>
  readonly server?: ServerInternals
}

/** The options that a gateway can change while it serves. One that is left out gets its default. */
export interface ChangeableOptions extends NetworkOptions, KeyOptions, Pick<TrustedDocuments, 'trustedDocuments'> {}

/** A gateway that listens until it is closed. */
export interface Gateway extends AsyncDisposable {
  /** The URL of the GraphQL endpoint, for HTTP and WebSocket. */
  readonly url: string
  /** The URL of the metrics, in the format of Prometheus. */
  readonly metricsUrl: string
  /** The context that resolvers share, for code that runs operations in this process. */
  readonly shared: SharedContext
  /**
   * Replaces the chains, without an interruption. A chain whose options are the same keeps its client; open
   * subscriptions end with the client they began with. Throws if the chains are faulty, and changes nothing.
   */
  updateChains(options: Pick<NetworkOptions, 'chains' | 'listed' | 'defaultChain'>): void
  /**
   * Replaces the chains, as `updateChains` does, and the other services, the keys and limits of clients, and the trusted
   * documents. Operations and subscriptions under way go on, also those of a key that was removed. Throws if an option is
   * faulty, and changes nothing.
   */
  update(options: ChangeableOptions): void
  /** Stops listening, lets open operations finish for some seconds, then closes everything. */
  close(): Promise<void>
}
