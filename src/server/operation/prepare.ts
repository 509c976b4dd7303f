import { type DocumentNode, GraphQLError, getOperationAST, type OperationDefinitionNode, visit } from 'graphql'
import { badInput } from '../../engine/upstream/error.ts'
import type { Documents, ParsedDocument } from './documents/documents.ts'
import type { DocumentTexts } from './documents/documentTexts.ts'
import type { OperationRequest } from './operation.ts'
import type { Sender } from './sender.ts'

/** A valid document, and the operation in it that runs. */
export interface PreparedDocument {
  readonly document: DocumentNode
  readonly definition: OperationDefinitionNode
  /** Whether its result is only for its client. */
  readonly isPrivate: boolean
}

/** Returns a function that finds, parses and validates the document of a request. It throws what refuses it. */
export function createPreparation(texts: DocumentTexts, documents: Documents, introspection: boolean) {
  return (request: OperationRequest, sender: Sender): PreparedDocument => {
    const parsed = documents.parse(texts.find(request))
    const { document } = parsed
    const definition = getOperationAST(document, request.operationName)
    if (!definition) throw badInput(noOperation, 'INVALID_REQUEST')
    const refusal = sender.refuse?.(definition.operation)
    if (refusal) throw refusal
    documents.validate(parsed)
    const isPrivate = !introspection && checkServiceAccess(parsed, sender)
    texts.keep(request)
    return { document, definition, isPrivate }
  }
}

const noOperation =
  'Cannot determine which operation to run. Set `operationName` to the name of an operation in the document.'

/** The client with the API key of this name may read the schema of the subgraph where introspection is off. */
export const routerKey = 'key:router'

/**
 * Refuses `_service`, which says as much as introspection, to all clients but the router. The validity of a document
 * is cached for all clients, so this is checked apart. Returns whether only the router may keep the answer.
 * Throws `GRAPHQL_VALIDATION_FAILED`.
 */
function checkServiceAccess({ query, document }: ParsedDocument, { client }: Sender): boolean {
  if (!query.includes('_service')) return false
  if (client.key === routerKey) return true
  visit(document, {
    Field(node) {
      if (node.name.value !== '_service') return
      throw new GraphQLError('Introspection is off. The API key named `router` may read the schema.', {
        nodes: node,
        extensions: { code: 'GRAPHQL_VALIDATION_FAILED', http: { status: 400, spec: true } },
      })
    },
  })
  return false
}
