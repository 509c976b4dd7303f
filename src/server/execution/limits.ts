import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getVariableValues,
  type OperationDefinitionNode,
} from 'graphql'
import type { Limits } from '../../config/limits.ts'
import { checkCost } from '../../graphql/complexity.ts'

/** A valid operation with the variables that the client sent. */
export interface LimitedOperation {
  readonly schema: GraphQLSchema
  readonly document: DocumentNode
  readonly operation: OperationDefinitionNode
  readonly variables: Readonly<Record<string, unknown>>
  /** What the cost functions of fields read: the limits. */
  readonly context: object
}

/**
 * Throws when the variables do not fit their types, or when the operation costs too much with them.
 * A validation rule cannot do this: the result of validation is cached by document, whatever the variables.
 */
export function checkLimits(limits: Limits, target: LimitedOperation): void {
  const { schema, document, operation, variables, context } = target
  const { errors } = getVariableValues(schema, operation.variableDefinitions ?? [], variables, {
    maxErrors: 20,
  })
  if (errors) throw new AggregateError(errors.map(variableError))
  checkCost(limits, { schema, document, operationName: operation.name?.value, variables, context })
}

const variableError = ({ message, nodes }: GraphQLError): GraphQLError =>
  new GraphQLError(message, {
    nodes: nodes ?? null,
    extensions: { code: 'BAD_USER_INPUT', http: { status: 400, spec: true } },
  })
