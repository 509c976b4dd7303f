import {
  type DocumentNode,
  GraphQLError,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql'
import type { Limits } from '../../../config/limits/limits.ts'
import { createVariableCoercion } from './coerceVariables.ts'
import { type Cost, checkCost } from './complexity.ts'
import { createCosts } from './costs.ts'

/** A valid operation with the variables that the client sent. */
export interface LimitedOperation {
  readonly document: DocumentNode
  readonly operation: OperationDefinitionNode
  readonly variables: Readonly<Record<string, unknown>>
}

/** What operations are checked against. */
export interface LimitCheckOptions {
  readonly schema: GraphQLSchema
  readonly limits: Limits
  /** The context of the cost functions of fields: the limits, and the chains of an epoch. */
  readonly context: object
  readonly epoch: () => number
}

/** What an operation costs, and its variables as the schema coerces them. */
export interface CheckedOperation {
  readonly cost: Cost
  readonly coerced: GraphQLResolveInfo['variableValues']
}

/**
 * Returns a check that throws when the variables do not fit their types, or when the operation costs too
 * much with them. A validation rule cannot do this: the result of validation is cached by document,
 * whatever the variables.
 */
export function createLimitCheck(
  options: LimitCheckOptions,
): (target: LimitedOperation) => CheckedOperation {
  const { schema, limits } = options
  const costs = createCosts(options)
  const coerceVariables = createVariableCoercion(schema)
  return (target) => {
    const { errors, coerced } = coerceVariables(target.operation, target.variables)
    if (errors) throw new AggregateError(errors.map(variableError))
    const { document, operation, variables } = target
    const cost = costs.costOf({ document, operation, variables, coerced })
    checkCost(limits, cost)
    return { cost, coerced }
  }
}

const variableError = ({ message, nodes }: GraphQLError): GraphQLError =>
  new GraphQLError(message, {
    nodes: nodes ?? null,
    extensions: { code: 'BAD_USER_INPUT', http: { status: 400, spec: true } },
  })
