import { GraphQLError, visit } from 'graphql'
import type { Client } from '../execution/client.ts'
import type { ParsedDocument } from '../execution/documents/documents.ts'

/** The client with the API key of this name may read the schema of the subgraph where introspection is off. */
const routerKey = 'key:router'

/**
 * Refuses `_service`, which says as much as introspection, to all clients but the router. The validity of a document
 * is cached for all clients, so this is checked apart. Returns whether the answer may be for the router alone.
 * Throws `GRAPHQL_VALIDATION_FAILED`.
 */
export function checkServiceAccess({ query, document }: ParsedDocument, { key }: Client): boolean {
  if (!query.includes('_service')) return false
  if (key === routerKey) return true
  visit(document, {
    Field(node) {
      if (node.name.value !== '_service') return
      throw new GraphQLError(
        'Introspection is off. The API key named `router` may read the schema.',
        {
          nodes: node,
          extensions: { code: 'GRAPHQL_VALIDATION_FAILED', http: { status: 400, spec: true } },
        },
      )
    },
  })
  return false
}
