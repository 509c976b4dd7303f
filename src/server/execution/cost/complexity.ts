import { complexityFromQuery } from '@pothos/plugin-complexity'
import { type DocumentNode, type GraphQLSchema, Kind } from 'graphql'
import type { Limits } from '../../../config/limits/limits.ts'
import { beyondLimit } from '../../../upstream/error.ts'
import { introspectionCost } from './introspectionCost.ts'

/** What an operation costs with its variables. */
export interface Cost {
  readonly complexity: number
  readonly depth: number
}

/** Calculates the cost of an operation. Throws a `GraphQLError` if an argument has no valid value. */
export function calculateCost(operation: {
  document: DocumentNode
  operationName: string | null | undefined
  schema: GraphQLSchema
  /** As the client sent them: they are coerced here. */
  variables: Record<string, unknown>
  context: object
}): Cost {
  const { schema, variables, context } = operation
  const document = onlyOperation(operation.document, operation.operationName)
  const { complexity, depth } = complexityFromQuery(document, { schema, variables, ctx: context })
  return { complexity: complexity + introspectionCost(schema, document), depth }
}

/** Throws `QUERY_TOO_COMPLEX` if a cost exceeds the limit of depth or cost. */
export function checkCost(limits: Limits, { complexity, depth }: Cost): void {
  if (depth > limits.maxDepth) {
    throw beyondLimit(
      'depth',
      'QUERY_TOO_COMPLEX',
      `The operation is ${depth} levels deep. The limit is ${limits.maxDepth}.`,
    )
  }
  if (complexity > limits.maxCost) {
    throw beyondLimit(
      'cost',
      'QUERY_TOO_COMPLEX',
      `The operation costs ${complexity} points. The limit is ${limits.maxCost}. Use smaller pages.`,
    )
  }
}

// The plugin weighs the first operation of a document, which need not be the one that runs.
function onlyOperation(document: DocumentNode, name: string | null | undefined): DocumentNode {
  if (!name) return document
  const definitions = document.definitions.filter(
    (definition) =>
      definition.kind !== Kind.OPERATION_DEFINITION || definition.name?.value === name,
  )
  return { ...document, definitions }
}
