import {
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLSchema,
  getArgumentValues,
  Kind,
  type OperationDefinitionNode,
  separateOperations,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { type Cost, calculateCost } from './complexity.ts'

/** A valid operation with its variables, as the client sent them and as the schema coerces them. */
export interface PricedOperation {
  readonly document: DocumentNode
  readonly operation: OperationDefinitionNode
  readonly variables: Readonly<Record<string, unknown>>
  readonly coerced: Readonly<Record<string, unknown>>
}

/** The costs of operations. They are cached as long as the operation's document is. */
export interface Costs {
  /** Throws a `GraphQLError` if an argument has no valid value with these variables. */
  costOf(target: PricedOperation): Cost
}

/** What the costs of operations depend on. */
export interface CostsOptions {
  readonly schema: GraphQLSchema
  /** The context of the cost functions of fields. It stays the same within an epoch. */
  readonly context: object
  /** The epoch of the settings now. A cost is of one epoch. */
  readonly epoch: () => number
}

/** Costs that are cached for one operation, each for other variables. */
const maxCosts = 8

/** Characters of a key. A cost that depends on more text, such as long lists of IDs, is not cached. */
const maxKeyLength = 64

/** Bytes that the costs of one operation take up in memory, at most. */
export const maxCostBytes = maxCosts * (maxKeyLength * 2 + 100)

/** A field whose cost is a function of its arguments, and the variables in each of them. */
interface PricedField {
  readonly field: GraphQLField<unknown, unknown>
  readonly node: FieldNode
  readonly variablesOf: ReadonlyMap<string, readonly string[]>
}

/**
 * What the cost of one operation depends on. Directives do not change it: a field counts even if it is
 * skipped.
 */
interface CachedCosts {
  readonly fields: readonly PricedField[]
  /** Variables in arguments that a cost function has read. Their values matter. */
  readonly read: Set<string>
  /** Variables in all arguments of the fields. An argument can be invalid if they are null or absent. */
  readonly used: ReadonlySet<string>
  readonly costs: Map<string, Cost>
}

/** Opens the cache of costs. */
export function createCosts({ schema, context, epoch }: CostsOptions): Costs {
  // An entry lives as long as its operation, which the cache of documents keeps and bounds.
  const cached = new WeakMap<OperationDefinitionNode, CachedCosts>()

  const open = ({ document, operation }: PricedOperation): CachedCosts => {
    const fields = pricedFieldsOf(schema, document, operation)
    const used = new Set(fields.flatMap(({ variablesOf }) => [...variablesOf.values()].flat()))
    return { fields, used, read: new Set(), costs: new Map() }
  }

  // A variable that is read for the first time changes all keys, so costs under older keys are not found.
  const observe = ({ fields, read }: CachedCosts, { coerced }: PricedOperation) => {
    for (const { field, node, variablesOf } of fields) {
      const note = (name: string | symbol) => {
        for (const variable of variablesOf.get(String(name)) ?? []) read.add(variable)
      }
      const { complexity } = field.extensions
      if (typeof complexity !== 'function') continue
      complexity(recordReads(getArgumentValues(field, node, coerced), note), context, field)
    }
  }

  return {
    costOf(target) {
      const { document, operation, variables } = target
      const entry = cached.get(operation) ?? open(target)
      cached.set(operation, entry)
      const requested = keyOf(entry, target, epoch())
      const known = entry.costs.get(requested)
      if (known) return known

      const operationName = operation.name?.value
      const cost = calculateCost({ schema, document, operationName, variables, context })
      if (requested.length > maxKeyLength) return cost
      observe(entry, target)
      const key = keyOf(entry, target, epoch())
      if (key.length > maxKeyLength) return cost
      const [oldest] = entry.costs.keys()
      if (oldest !== undefined && entry.costs.size >= maxCosts) entry.costs.delete(oldest)
      entry.costs.set(key, cost)
      return cost
    },
  }
}

/** The fields of an operation and its fragments whose cost can depend on variables. */
function pricedFieldsOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): PricedField[] {
  const fields: PricedField[] = []
  const types = new TypeInfo(schema)
  const own = separateOperations(document)[operation.name?.value ?? ''] ?? document
  visit(
    own,
    visitWithTypeInfo(types, {
      Field(node) {
        const field = types.getFieldDef()
        const variablesOf = new Map(
          node.arguments?.map((argument) => [argument.name.value, variablesIn(argument)]),
        )
        const hasVariables = [...variablesOf.values()].some(({ length }) => length > 0)
        if (hasVariables && typeof field?.extensions.complexity === 'function') {
          fields.push({ field, node, variablesOf })
        }
      },
    }),
  )
  return fields
}

function variablesIn(argument: ArgumentNode): string[] {
  const names: string[] = []
  visit(argument, {
    [Kind.VARIABLE]: ({ name }) => void names.push(name.value),
  })
  return names
}

/** The epoch, the values of the variables that were read, and of all others whether they are null or absent. */
function keyOf(
  { read, used }: CachedCosts,
  { variables, coerced }: PricedOperation,
  epoch: number,
): string {
  let key = `${epoch} `
  for (const name of used) {
    if (read.has(name))
      key += Object.hasOwn(variables, name) ? JSON.stringify([variables[name]]) : '-'
    else if (!Object.hasOwn(coerced, name)) key += '0'
    else key += coerced[name] === null ? '1' : '2'
  }
  return key
}

/** The same arguments, which call `note` with the name of each one that is read. */
const recordReads = (args: Record<string, unknown>, note: (name: string | symbol) => void) =>
  new Proxy(args, {
    get(target, name) {
      note(name)
      return Reflect.get(target, name)
    },
    has(target, name) {
      note(name)
      return Reflect.has(target, name)
    },
  })
