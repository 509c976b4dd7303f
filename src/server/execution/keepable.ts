import {
  type DocumentNode,
  type GraphQLField,
  type GraphQLSchema,
  isAbstractType,
  type OperationDefinitionNode,
  OperationTypeNode,
  separateOperations,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql'

/** A result without errors that its transport may send again until it is no longer fresh. */
export interface KeepableResult {
  /** The name of its operation, a query. */
  readonly name: string | undefined
  /** What the operation costs. */
  readonly points: number
  /** Time of the clock until which the result stays the same. Infinity if it always does. */
  readonly freshUntil: number
}

/** The number of arguments of a resolver that reads the context: the source, the arguments, the context. */
const argumentsWithContext = 3

/**
 * Whether an answer with this field can be cached, as far as the field is concerned: its resolver does not
 * read the context, or is marked as `keepable` in the schema.
 */
export const isKeepableField = ({ resolve, extensions }: GraphQLField<unknown, unknown>): boolean =>
  (resolve?.length ?? 0) < argumentsWithContext || extensions.isKeepable === true

/**
 * Returns a check whether the answer of a valid operation can be cached, if all its responses can: it is a
 * query, and all of its fields, in fragments too, are keepable. What it finds is cached by operation.
 */
export function createKeepableCheck(
  schema: GraphQLSchema,
): (document: DocumentNode, operation: OperationDefinitionNode) => boolean {
  const known = new WeakMap<OperationDefinitionNode, boolean>()
  return (document, operation) => {
    let isKeepable = known.get(operation)
    if (isKeepable === undefined) {
      isKeepable =
        operation.operation === OperationTypeNode.QUERY &&
        hasOnlyKeepableFields(schema, document, operation)
      known.set(operation, isKeepable)
    }
    return isKeepable
  }
}

function hasOnlyKeepableFields(
  schema: GraphQLSchema,
  document: DocumentNode,
  { name }: OperationDefinitionNode,
): boolean {
  const types = new TypeInfo(schema)
  let isKeepable = true
  const visitor = visitWithTypeInfo(types, {
    Field(node) {
      if (node.name.value === '__typename') return
      const fields = fieldsOf(schema, types, node.name.value)
      isKeepable &&= fields.length > 0 && fields.every(isKeepableField)
    },
  })
  visit(separateOperations(document)[name?.value ?? ''] ?? document, visitor)
  return isKeepable
}

/** The definitions that a field can have at this place: one of an object type, or that of each possible type. */
function fieldsOf(schema: GraphQLSchema, types: TypeInfo, name: string) {
  const parent = types.getParentType()
  const own = types.getFieldDef()
  if (!isAbstractType(parent)) return own ? [own] : []
  return schema.getPossibleTypes(parent).flatMap((type) => type.getFields()[name] ?? [])
}
