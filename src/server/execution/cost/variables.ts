import { type GraphQLSchema, getVariableValues, type OperationDefinitionNode } from 'graphql'
import { badInput } from '../../../upstream/error.ts'

/** Levels of lists and objects in a variable. Inputs have some five, and messages of chains below a hundred. */
const maxDepth = 200

/** Variables are coerced until there are so many errors. */
const maxErrors = 20

/**
 * Coerces the variables of an operation as graphql-js does. Throws `BAD_USER_INPUT` for a value that nests so deep that
 * to read it could exhaust the stack.
 */
export function coerceVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): ReturnType<typeof getVariableValues> {
  for (const { variable } of variableDefinitions) {
    assertDepth(variables[variable.name.value], maxDepth)
  }
  return getVariableValues(schema, variableDefinitions, variables, { maxErrors })
}

function assertDepth(value: unknown, left: number): void {
  if (typeof value !== 'object' || value === null) return
  if (left === 0) throw badInput(`A variable nests deeper than ${maxDepth} levels.`)
  for (const part of Object.values(value)) assertDepth(part, left - 1)
}
