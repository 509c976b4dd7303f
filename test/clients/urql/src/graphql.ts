import { initGraphQLTada } from 'gql.tada'
import type { introspection } from './__generated__/graphql-env.js'

/** The tag of documents: their types are read from the schema. */
export const graphql = initGraphQLTada<{
  introspection: introspection
  scalars: {
    Address: string
    BigInt: string
    ChainId: string
    DateTime: string
    Decimal: string
    Denom: string
    Hash: string
    Hex: string
    JSON: unknown
    UInt53: number
    URL: string
  }
}>()
