import { complexityFromQuery } from '@pothos/plugin-complexity'
import { type DocumentNode, type GraphQLSchema, Kind } from 'graphql'
import type { Limits } from '../config/limits.ts'
import { GatewayError } from '../upstream/error.ts'

/** Throws `QUERY_TOO_COMPLEX` when the operation, with its variables, passes a limit. */
export function checkCost(
  limits: Limits,
  operation: {
    document: DocumentNode
    operationName: string | null | undefined
    schema: GraphQLSchema
    /** As the client sent them: they are coerced here. */
    variables: Record<string, unknown>
    context: object
  },
): void {
  const { schema, variables, context } = operation
  const document = onlyOperation(operation.document, operation.operationName)
  const { complexity, depth } = complexityFromQuery(document, { schema, variables, ctx: context })
  if (depth > limits.maxDepth) {
    throw new GatewayError(
      'QUERY_TOO_COMPLEX',
      `The operation nests ${depth} levels deep; ${limits.maxDepth} are allowed.`,
    )
  }
  if (complexity > limits.maxCost) {
    throw new GatewayError(
      'QUERY_TOO_COMPLEX',
      `The operation costs ${complexity} points; ${limits.maxCost} are allowed. Ask for smaller pages.`,
    )
  }
}

// The plugin weighs the first operation of a document, which need not be the one that runs.
function onlyOperation(document: DocumentNode, name: string | null | undefined): DocumentNode {
  if (!name) return document
  const definitions = document.definitions.filter(
    (one) => one.kind !== Kind.OPERATION_DEFINITION || one.name?.value === name,
  )
  return { ...document, definitions }
}
