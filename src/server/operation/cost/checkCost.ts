import {
  type DocumentNode,
  GraphQLError,
  type GraphQLLeafType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNullableType,
  getVariableValues,
  isLeafType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql'
import type { Limits } from '../../../engine/limits/limits.ts'
import { badInput, limitExceeded } from '../../../engine/upstream/error.ts'
import { addUp, type Price, priceOperation } from './price.ts'

/** A valid operation with the variables that the client sent. */
export interface CheckedTarget {
  readonly document: DocumentNode
  readonly operation: OperationDefinitionNode
  readonly variables: Readonly<Record<string, unknown>>
}

/** The cost of an operation, and its variables as the schema coerces them. */
export interface CheckedOperation {
  /** In points. */
  readonly cost: number
  readonly coerced: GraphQLResolveInfo['variableValues']
}

/**
 * Returns a check that throws when the variables do not fit their types, or when the operation costs too
 * much with them. A validation rule cannot do this: the result of validation is cached by document,
 * whatever the variables. The cost functions of fields read the context, such as the chains of now.
 */
export function createCostCheck(
  schema: GraphQLSchema,
  context: { readonly limits: Limits },
): (target: CheckedTarget) => CheckedOperation {
  const coerceVariables = createVariableCoercion(schema)
  // A price lives as long as its operation, which the cache of documents keeps and bounds.
  const prices = new WeakMap<OperationDefinitionNode, Price>()
  return ({ document, operation, variables }) => {
    const { errors, coerced } = coerceVariables(operation, variables)
    if (errors) throw new AggregateError(errors.map(variableError))
    const price = prices.get(operation) ?? priceOperation(schema, document, operation)
    prices.set(operation, price)
    const cost = addUp(price, coerced, context)
    throwBeyond(context.limits, cost)
    return { cost, coerced }
  }
}

/** Throws `QUERY_TOO_COMPLEX` if an operation costs more than it may. */
function throwBeyond({ maxCost }: Limits, cost: number): void {
  if (cost <= maxCost) return
  throw limitExceeded(
    'cost',
    'QUERY_TOO_COMPLEX',
    `The operation costs ${cost} points. The limit is ${maxCost}. Use smaller pages.`,
  )
}

const variableError = ({ message, nodes }: GraphQLError): GraphQLError =>
  new GraphQLError(message, {
    nodes: nodes ?? null,
    extensions: { code: 'BAD_USER_INPUT', http: { status: 400, spec: true } },
  })

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

/** Variables are coerced until there are this many errors. Each shows the whole value: 15 ms for an object of 11,000 fields. */
const maxErrors = 3

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
