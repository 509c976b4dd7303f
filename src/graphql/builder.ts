import SchemaBuilder, { type FieldRef } from '@pothos/core'
import ComplexityPlugin from '@pothos/plugin-complexity'
import type { CacheStore } from '../cache/cache.ts'
import type { Limits } from '../config/limits.ts'
import type { Poller } from '../polling/poller.ts'
import type { Network } from '../upstream/network.ts'
import type { RequestScope } from '../upstream/requestScope.ts'

/** What every resolver is given. Over a socket each operation has its own. */
export interface Context {
  readonly network: Network
  /** Shares requests within the operation. */
  readonly scope: RequestScope
  /** What the gateway remembers between operations. */
  readonly cache: CacheStore
  /** Shares polls between operations. */
  readonly poller: Poller
  readonly limits: Limits
}

/** The types of the graph's scalars: how resolvers give them and how arguments arrive. */
type Scalars = {
  ID: { Input: string; Output: string }
  BigInt: { Input: bigint; Output: bigint }
  Decimal: { Input: string; Output: string }
  DateTime: { Input: string; Output: string }
  Hash: { Input: string; Output: string }
  Address: { Input: string; Output: string }
  Hex: { Input: string; Output: string }
  JSON: { Input: unknown; Output: unknown }
}

/** The one schema builder. Fields are non-null unless they say so; a plain field costs one point. */
export const builder = new SchemaBuilder<{
  Context: Context
  Scalars: Scalars
  DefaultFieldNullability: false
}>({
  plugins: [ComplexityPlugin],
  defaultFieldNullability: false,
  complexity: { defaultComplexity: 1, defaultListMultiplier: 1 },
})

builder.queryType({
  description: 'Reads. A field that fails alone is null, with an error beside the data.',
})
builder.mutationType({ description: 'Changes: only the tracking of a transfer changes anything.' })
builder.subscriptionType({
  description: 'Live values, over graphql-transport-ws or server-sent events on the same endpoint.',
})

/** A field of an object or interface type, for functions that make one. */
export type Field = FieldRef<typeof builder.$inferSchemaTypes, unknown>

/** What a field costs that sends a request of its own to an upstream. */
export const callCost = 5
