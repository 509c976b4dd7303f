import type { introspection, Scalars } from '@portolan/client/config'
import { initGraphQLTada } from 'gql.tada'

/** The tag of documents: their types are read from the schema. */
export const graphql = initGraphQLTada<{ introspection: introspection; scalars: Scalars }>()
