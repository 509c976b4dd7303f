import {
  type DocumentNode,
  GraphQLError,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql'
import type { Limits } from '../../../config/limits/limits.ts'
import { limitExceeded } from '../../../upstream/error.ts'
import { createVariableCoercion } from './coerceVariables.ts'
import { type Cost, costOf, type Price, priceOf } from './price.ts'

/** A valid operation with the variables that the client sent. */
export interface CheckedTarget {
  readonly document: DocumentNode
  readonly operation: OperationDefinitionNode
  readonly variables: Readonly<Record<string, unknown>>
}

/** The limits of operations, and the source of their prices. */
export interface CostCheckOptions {
  readonly schema: GraphQLSchema
  readonly limits: Pick<Limits, 'maxCost' | 'maxDepth'>
  /** The context of the cost functions of fields, such as the limits and the chains of now. */
  readonly context: object
}

/** The cost of an operation, and its variables as the schema coerces them. */
export interface CheckedOperation {
  readonly cost: Cost
  readonly coerced: GraphQLResolveInfo['variableValues']
}

/**
 * Returns a check that throws when the variables do not fit their types, or when the operation costs too
 * much with them. A validation rule cannot do this: the result of validation is cached by document,
 * whatever the variables.
 */
export function createCostCheck({
  schema,
  limits,
  context,
}: CostCheckOptions): (target: CheckedTarget) => CheckedOperation {
  const coerceVariables = createVariableCoercion(schema)
  // A price lives as long as its operation, which the cache of documents keeps and bounds.
  const prices = new WeakMap<OperationDefinitionNode, Price>()
  return ({ document, operation, variables }) => {
    const { errors, coerced } = coerceVariables(operation, variables)
    if (errors) throw new AggregateError(errors.map(variableError))
    const price = prices.get(operation) ?? priceOf(schema, document, operation)
    prices.set(operation, price)
    const cost = costOf(price, coerced, context)
    throwBeyond(limits, cost)
    return { cost, coerced }
  }
}

/** Throws `QUERY_TOO_COMPLEX` if a cost exceeds the limit of depth or cost. */
function throwBeyond(
  { maxDepth, maxCost }: CostCheckOptions['limits'],
  { complexity, depth }: Cost,
): void {
  if (depth > maxDepth) {
    throw limitExceeded(
      'depth',
      'QUERY_TOO_COMPLEX',
      `The operation is ${depth} levels deep. The limit is ${maxDepth}.`,
    )
  }
  if (complexity > maxCost) {
    throw limitExceeded(
      'cost',
      'QUERY_TOO_COMPLEX',
      `The operation costs ${complexity} points. The limit is ${maxCost}. Use smaller pages.`,
    )
  }
}

const variableError = ({ message, nodes }: GraphQLError): GraphQLError =>
  new GraphQLError(message, {
    nodes: nodes ?? null,
    extensions: { code: 'BAD_USER_INPUT', http: { status: 400, spec: true } },
  })
