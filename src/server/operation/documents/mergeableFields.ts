import {
  type ASTVisitor,
  type FieldNode,
  GraphQLError,
  type GraphQLOutputType,
  getNamedType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  print,
  type SelectionSetNode,
  typeFromAST,
  type ValidationContext,
  type ValueNode,
} from 'graphql'

/** A field of a selection set, with the type that it is selected on. */
interface SelectedField {
  readonly node: FieldNode
  readonly parent: unknown
  /** Undefined for a field that its type does not have. */
  readonly type: GraphQLOutputType | undefined
}

/** The most fields that are visited. Only documents made to cost much have more. */
const maxVisits = 50_000

/**
 * The rule "Field Selection Merging" of the GraphQL specification: fields of one response name must be one
 * field with the same arguments, or be selected on different object types and have results of one shape.
 * graphql-js compares every two of them, which takes 100 ms for a document of 7 kB. This rule compares
 * each field with the first of its name, and reads the selections below all of them together.
 */
export function MergeableFieldsRule(context: ValidationContext): ASTVisitor {
  const visits = { left: maxVisits }
  return {
    OperationDefinition(operation) {
      const root = context.getSchema().getRootType(operation.operation)
      const fields: SelectedField[] = []
      collect(context, operation.selectionSet, root, fields, new Set())
      const check = createChecks(context, visits)
      const isWhole = check.fields(fields) && check.shapes(fields)
      if (!isWhole) context.reportError(new GraphQLError(tooMany, { nodes: operation }))
      return false
    },
  }
}

const tooMany = 'The operation has too many overlapping fields.'

function createChecks(context: ValidationContext, visits: { left: number }) {
  let hasConflict = false
  const ids = new Map<FieldNode, number>()
  /** Names a set of fields: the same ones need no second look. */
  const keyOf = (fields: readonly SelectedField[]): string => {
    const numbers = new Set<number>()
    for (const { node } of fields) {
      const id = ids.get(node) ?? ids.size
      ids.set(node, id)
      numbers.add(id)
    }
    return [...numbers].sort((a, b) => a - b).join()
  }

  const childrenOf = (fields: readonly SelectedField[]): SelectedField[] => {
    const children: SelectedField[] = []
    const fragments = new Set<string>()
    for (const { node, type } of fields) {
      if (!node.selectionSet) continue
      collect(context, node.selectionSet, type && getNamedType(type), children, fragments)
    }
    return children
  }

  const report = (first: SelectedField, other: SelectedField, reason: string) => {
    hasConflict = true
    const name = responseNameOf(first.node)
    const message = `Fields "${name}" conflict because ${reason}. Use different aliases on the fields to fetch both if this was intentional.`
    context.reportError(new GraphQLError(message, { nodes: [first.node, other.node] }))
  }

  /** Walks the fields of each response name, and then what is selected below them. False if they are too many. */
  const walk = (split: (group: readonly SelectedField[]) => readonly SelectedField[][]) => {
    const seen = new Set<string>()
    const visit = (fields: readonly SelectedField[]): boolean => {
      visits.left -= fields.length
      if (visits.left < 0) return false
      return byResponseName(fields).every((named) =>
        split(named).every((group) => {
          const key = keyOf(group)
          if (seen.has(key)) return true
          seen.add(key)
          return visit(childrenOf(group))
        }),
      )
    }
    return visit
  }

  return {
    /** Fields of one name have results of one shape, whatever type they are selected on. */
    shapes: walk((group) => {
      // Different fields mostly have different types too, which is no second fault.
      if (hasConflict) return []
      const first = group.find(({ type }) => type)
      const other = group.find(({ type }) => type && first?.type && !hasSameShape(first.type, type))
      if (first && other) {
        const types = `"${first.type}" and "${other.type}"`
        report(first, other, `they return conflicting types ${types}`)
      }
      return other ? [] : [[...group]]
    }),
    /** Fields of one name that may be selected on the same object are the same field. */
    fields: walk((named) =>
      byCommonParent(named).filter((group) => {
        const [first] = group
        const text = first && callText(first.node)
        const other = group.find(({ node }) => callText(node) !== text)
        if (first && other) report(first, other, differenceOf(first.node, other.node))
        return !other
      }),
    ),
  }
}

/** Adds the fields of a selection set and of the fragments in it, each fragment once. */
function collect(
  context: ValidationContext,
  { selections }: SelectionSetNode,
  parent: unknown,
  into: SelectedField[],
  fragments: Set<string>,
): void {
  const isComposite = isObjectType(parent) || isInterfaceType(parent)
  for (const node of selections) {
    if (node.kind === Kind.FIELD) {
      const type = isComposite ? parent.getFields()[node.name.value]?.type : undefined
      into.push({ node, parent, type })
    } else if (node.kind === Kind.INLINE_FRAGMENT) {
      const { typeCondition, selectionSet } = node
      const type = typeCondition ? typeFromAST(context.getSchema(), typeCondition) : parent
      collect(context, selectionSet, type, into, fragments)
    } else if (!fragments.has(node.name.value)) {
      fragments.add(node.name.value)
      const fragment = context.getFragment(node.name.value)
      if (!fragment) continue
      const type = typeFromAST(context.getSchema(), fragment.typeCondition)
      collect(context, fragment.selectionSet, type, into, fragments)
    }
  }
}

const responseNameOf = ({ alias, name }: FieldNode): string => (alias ?? name).value

function byResponseName(fields: readonly SelectedField[]): SelectedField[][] {
  const groups = new Map<string, SelectedField[]>()
  for (const field of fields) {
    const name = responseNameOf(field.node)
    const group = groups.get(name)
    if (group) group.push(field)
    else groups.set(name, [field])
  }
  return [...groups.values()]
}

/** Fields that can be selected on one object: those on each object type, with those on abstract types. */
function byCommonParent(fields: readonly SelectedField[]): SelectedField[][] {
  const objects = new Set(fields.map(({ parent }) => parent).filter(isObjectType))
  if (objects.size <= 1) return [[...fields]]
  return [...objects].map((object) => fields.filter(({ parent }) => parent === object || !isObjectType(parent)))
}

function hasSameShape(one: GraphQLOutputType, other: GraphQLOutputType): boolean {
  if (one === other) return true
  if (isListType(one) || isListType(other)) {
    return isListType(one) && isListType(other) && hasSameShape(one.ofType, other.ofType)
  }
  if (isNonNullType(one) || isNonNullType(other)) {
    return isNonNullType(one) && isNonNullType(other) && hasSameShape(one.ofType, other.ofType)
  }
  return !isLeafType(one) && !isLeafType(other)
}

/** The name and the arguments of a field, in one order. */
function callText({ name, arguments: given = [] }: FieldNode): string {
  if (given.length === 0) return name.value
  const texts = given.map((argument) => `${argument.name.value}:${valueText(argument.value)}`)
  return `${name.value}(${texts.sort().join()})`
}

function valueText(value: ValueNode): string {
  if (value.kind === Kind.LIST) return `[${value.values.map(valueText).join()}]`
  if (value.kind !== Kind.OBJECT) return print(value)
  return `{${value.fields
    .map((field) => `${field.name.value}:${valueText(field.value)}`)
    .sort()
    .join()}}`
}

const differenceOf = ({ name: one }: FieldNode, { name: other }: FieldNode): string =>
  one.value === other.value
    ? 'they have differing arguments'
    : `"${one.value}" and "${other.value}" are different fields`
