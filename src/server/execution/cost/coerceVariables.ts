import {
  type GraphQLLeafType,
  type GraphQLSchema,
  getNullableType,
  getVariableValues,
  isLeafType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql'
import { badInput } from '../../../upstream/error.ts'

/** Coerces the variables of an operation. The errors are those of graphql-js. */
export type CoerceVariables = (
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
) => ReturnType<typeof getVariableValues>

/** A variable of a scalar or an enum type. */
interface LeafVariable {
  readonly name: string
  readonly type: GraphQLLeafType
  readonly isNonNull: boolean
  readonly hasDefault: boolean
}

/** Levels of lists and objects in a variable. Inputs have some five, and messages of chains below a hundred. */
const maxDepth = 200

/** Throws `BAD_USER_INPUT` for a value that nests so deep that to read it could exhaust the stack. */
function assertDepth(value: unknown, left: number): void {
  if (typeof value !== 'object' || value === null) return
  if (left === 0) throw badInput(`A variable nests deeper than ${maxDepth} levels.`)
  for (const part of Object.values(value)) assertDepth(part, left - 1)
}

/** Variables are coerced until there are so many errors. */
const maxErrors = 20

/**
 * Returns a function that looks up the types of an operation's variables once. graphql-js coerces lists, objects,
 * defaults and invalid values. Off, a request of status took 1.20 of its CPU time in five noisy pairs (2026-11-25).
 */
export function createVariableCoercion(schema: GraphQLSchema): CoerceVariables {
  // An entry lives as long as its operation, which the cache of documents keeps and bounds.
  const known = new WeakMap<OperationDefinitionNode, readonly LeafVariable[] | null>()

  const leavesOf = (operation: OperationDefinitionNode): readonly LeafVariable[] | null => {
    let leaves = known.get(operation)
    if (leaves === undefined) {
      leaves = leafVariables(schema, operation)
      known.set(operation, leaves)
    }
    return leaves
  }

  return (operation, variables) => {
    const definitions = operation.variableDefinitions ?? []
    for (const { variable } of definitions) assertDepth(variables[variable.name.value], maxDepth)
    const leaves = leavesOf(operation)
    const coerced = leaves && coerceLeaves(leaves, variables)
    if (coerced) return { coerced }
    return getVariableValues(schema, definitions, variables, { maxErrors })
  }
}

/** The variables of an operation. Null if one of them is no leaf. */
function leafVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
): LeafVariable[] | null {
  const leaves: LeafVariable[] = []
  for (const { variable, type: typeNode, defaultValue } of variableDefinitions) {
    const declared = typeFromAST(schema, typeNode)
    const type = getNullableType(declared)
    const name = variable.name.value
    // A value under `__proto__` would be the prototype of all.
    if (!isLeafType(type) || name === '__proto__') return null
    const isNonNull = isNonNullType(declared)
    leaves.push({ name, type, isNonNull, hasDefault: Boolean(defaultValue) })
  }
  return leaves
}

/** The coerced values. Undefined if one of them is not plain. */
function coerceLeaves(
  leaves: readonly LeafVariable[],
  variables: Readonly<Record<string, unknown>>,
): Record<string, unknown> | undefined {
  const coerced: Record<string, unknown> = {}
  try {
    for (const { name, type, isNonNull, hasDefault } of leaves) {
      const isGiven = Object.hasOwn(variables, name)
      if (!isGiven && !isNonNull && !hasDefault) continue
      const value = variables[name] ?? null
      if (!isGiven || (value === null && isNonNull)) return undefined
      const parsed = value === null ? null : type.parseValue(value)
      if (parsed === undefined) return undefined
      coerced[name] = parsed
    }
    return coerced
  } catch {
    return undefined
  }
}
