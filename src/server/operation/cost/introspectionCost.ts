import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql'

/** Values for one point in the result of an introspection query, which costs no upstream request. */
const valuesPerPoint = 4

/**
 * The points of the fields `__schema` and `__type` at the root of an operation. Lists count by their average length in
 * this schema. This is a guard: a document of a few kB can ask for millions of values, which cost no upstream request.
 */
export function introspectionCost(
  schema: GraphQLSchema,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  rootSet: SelectionSetNode,
): number {
  let lengths: Lengths | undefined
  const lengthOf = (name: string, parent: string) => {
    lengths ??= listLengths(schema)
    const { ofAll, ofSome } = lengths
    return (parent === 'types' ? ofAll.get(name) : ofSome.get(name)) ?? 1
  }

  // The values of each selection set, by the field it belongs to: a fragment can be used many times.
  const known = new Map<string, Map<SelectionSetNode, number>>()
  const valuesIn = (set: SelectionSetNode, parent: string): number => {
    const ofParent = known.get(parent) ?? new Map<SelectionSetNode, number>()
    known.set(parent, ofParent)
    const before = ofParent.get(set)
    if (before !== undefined) return before
    let values = 0
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) values += valuesOf(selection, parent)
      else {
        const isInline = selection.kind === Kind.INLINE_FRAGMENT
        const nested = isInline ? selection : fragments.get(selection.name.value)
        if (nested) values += valuesIn(nested.selectionSet, parent)
      }
    }
    ofParent.set(set, values)
    return values
  }
  const valuesOf = ({ name, selectionSet }: FieldNode, parent: string): number => {
    if (parent === root && name.value !== '__schema' && name.value !== '__type') return 0
    const inside = selectionSet ? valuesIn(selectionSet, name.value) : 0
    return lengthOf(name.value, parent) * (1 + inside)
  }

  return Math.ceil(valuesIn(rootSet, root) / valuesPerPoint)
}

/** Stands for the field around the root of an operation. */
const root = ''

/** The average lengths of the lists of the introspection schema, by the names of their fields. */
interface Lengths {
  readonly ofAll: ReadonlyMap<string, number>
  /** Over the types whose list is not empty. */
  readonly ofSome: ReadonlyMap<string, number>
}

function listLengths(schema: GraphQLSchema): Lengths {
  const types = Object.values(schema.getTypeMap())
  const args = types
    .flatMap((type) => (isObjectType(type) || isInterfaceType(type) ? [type] : []))
    .flatMap((type) => Object.values(type.getFields()).map((field) => field.args.length))
  const counts = Object.entries(countIn).map(
    ([name, count]) => [name, types.map((type) => count(type, schema))] as const,
  )
  const fixed = [
    ['types', types.length],
    ['directives', schema.getDirectives().length],
    ['args', mean(args)],
  ] as const
  return {
    ofAll: new Map([...fixed, ...counts.map(([name, list]) => [name, mean(list)] as const)]),
    ofSome: new Map([
      ...fixed,
      ...counts.map(([name, list]) => [name, mean(list.filter((count) => count > 0))] as const),
    ]),
  }
}

const sizeOf = (record: object): number => Object.keys(record).length

const countIn: Record<string, (type: GraphQLNamedType, schema: GraphQLSchema) => number> = {
  fields: (type) => (isObjectType(type) || isInterfaceType(type) ? sizeOf(type.getFields()) : 0),
  inputFields: (type) => (isInputObjectType(type) ? sizeOf(type.getFields()) : 0),
  enumValues: (type) => (isEnumType(type) ? type.getValues().length : 0),
  interfaces: (type) => (isObjectType(type) || isInterfaceType(type) ? type.getInterfaces().length : 0),
  possibleTypes: (type, schema) => (isAbstractType(type) ? schema.getPossibleTypes(type).length : 0),
}

const mean = (counts: readonly number[]): number =>
  counts.reduce((sum, count) => sum + count, 0) / Math.max(1, counts.length)
