import SchemaBuilder, { type FieldRef } from '@pothos/core'
import ComplexityPlugin from '@pothos/plugin-complexity'
import type { GraphQLError } from 'graphql'
import type { CacheStore } from '../../kit/cache/cache.ts'
import type { Clock } from '../../kit/clock/clock.ts'
import type { WorkScheduler } from '../../kit/clock/fairScheduler.ts'
import type { Limits } from '../limits/limits.ts'
import type { NftMetadata } from '../nftMetadata/nftMetadata.ts'
import type { Signer } from '../signing/signer.ts'
import type { Network } from '../upstream/network.ts'
import type { RequestScope } from '../upstream/requestScope.ts'
import type { Feeds } from '../watch/feeds.ts'
import type { Peers } from '../watch/peers.ts'
import type { Poller } from '../watch/poller.ts'
import './plainFields.ts'

/** The version of a gateway, and whether it is a sandbox. */
export interface ServiceInfo {
  readonly version: string
  /** Whether the network is simulated. */
  readonly isSandbox: boolean
}

/** The settings and tools that all operations share. They stay the same until the chains of the gateway are replaced. */
interface Settings {
  readonly service: ServiceInfo
  readonly network: Network
  readonly limits: Limits
  /** The turns of clients at all work of this process. */
  readonly scheduler: WorkScheduler
  /** Signs cursors and route tokens. */
  readonly signer: Signer
  /** What a function of a contract is called in sentences. Default: the names of common functions. */
  readonly nameOfFunction?: ((called: string) => string | undefined) | undefined
  /** Reads the metadata of NFTs. Left out, nothing is fetched. */
  readonly nftMetadata?: NftMetadata | undefined
}

/** The sources of subscriptions. See `liveOf`. */
interface LiveSources {
  readonly clock: Clock
  /** The memory of the gateway between operations. */
  readonly cache: CacheStore
  /** Polls of things that end, such as transfers. */
  readonly poller: Poller
  /** Polls of things that do not end, such as the blocks of a chain. */
  readonly feeds: Feeds
  /** How both read what they watch. */
  readonly peers: Peers
}

/** The parts of a gateway that all operations share. */
export interface SharedContext extends Settings, LiveSources {}

/**
 * The context of an operation, as resolvers get it. Each event of a subscription has its own. Resolvers read through
 * the scope whatever can change, so that it knows for how long an answer stays the same.
 */
export interface Context extends Settings {
  /** Shares requests within the operation. */
  readonly scope: RequestScope
  /** The errors of fields that have data all the same. See `addErrorBeside`. */
  readonly errorsBeside: GraphQLError[]
  /**
   * The cursor of the last event that the client of a subscription has received, if its transport says so.
   * It replaces the cursor in the arguments.
   */
  readonly lastEventId?: string | undefined
}

/** The context with the live sources, which only `liveOf` gives. */
export interface LiveContext extends Context, LiveSources {}

/** The types of the scalars: as arguments (`Input`), and as resolvers return them (`Output`). */
type Scalars = {
  ID: { Input: string; Output: string }
  BigInt: { Input: bigint; Output: bigint }
  UInt53: { Input: bigint; Output: bigint | number }
  Decimal: { Input: string; Output: string }
  DateTime: { Input: string; Output: string }
  Hash: { Input: string; Output: string }
  Address: { Input: string; Output: string }
  ChainId: { Input: string; Output: string }
  Denom: { Input: string; Output: string }
  Hex: { Input: string; Output: string }
  JSON: { Input: unknown; Output: unknown }
  URL: { Input: string; Output: string }
}

/** The schema builder. Fields are non-null unless marked nullable. A plain field costs one point. */
export const builder = new SchemaBuilder<{
  Context: Context
  Scalars: Scalars
  DefaultFieldNullability: false
}>({
  plugins: [ComplexityPlugin],
  defaultFieldNullability: false,
  complexity: { defaultComplexity: 1, defaultListMultiplier: 1 },
})

/** The type of the root of queries. */
export const Query = builder.queryType({
  description:
    'Read operations. A missing record is null. Malformed input is an error with `BAD_USER_INPUT`, as are lists of unknown chains.',
})
builder.mutationType({
  description: 'Write operations. The only one starts the tracking of a transfer.',
})
builder.subscriptionType({
  description: 'Live updates, over graphql-transport-ws or server-sent events.',
})

/** A field of an object or interface type, as a function that makes one returns it. */
export type Field = FieldRef<typeof builder.$inferSchemaTypes, unknown>

/** The cost of a field that sends an upstream request. */
export const callCost = 5
