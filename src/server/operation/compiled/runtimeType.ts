import {
  type FieldNode,
  type GraphQLAbstractType,
  GraphQLEnumType,
  GraphQLError,
  type GraphQLObjectType,
  type GraphQLSchema,
  isObjectType,
} from 'graphql'

/** The field whose value has an abstract type. */
export interface AbstractField {
  /** The type and the name of the field, such as `Query.node`. */
  readonly name: string
  readonly nodes: readonly FieldNode[]
}

/**
 * The object type that the type resolver of an abstract type names.
 * @throws GraphQLError with the words of graphql-js if it does not name a possible type.
 */
export function findRuntimeType(
  schema: GraphQLSchema,
  type: GraphQLAbstractType,
  { name, nodes }: AbstractField,
  value: unknown,
  typeName: unknown,
): GraphQLObjectType {
  if (typeName === undefined || typeName === null) {
    throw new GraphQLError(
      `Abstract type "${type.name}" must resolve to an Object type at runtime for field "${name}". Either the "${type.name}" type should provide a "resolveType" function or each possible type should provide an "isTypeOf" function.`,
      { nodes },
    )
  }
  if (isObjectType(typeName)) {
    throw new GraphQLError(
      'Support for returning GraphQLObjectType from resolveType was removed in graphql-js@16.0.0 please return type name instead.',
    )
  }
  if (typeof typeName !== 'string') {
    throw new GraphQLError(
      `Abstract type "${type.name}" must resolve to an Object type at runtime for field "${name}" with value ${inspect(value)}, received "${inspect(typeName)}".`,
    )
  }
  const runtimeType = schema.getType(typeName)
  if (!runtimeType) {
    throw new GraphQLError(
      `Abstract type "${type.name}" was resolved to a type "${typeName}" that does not exist inside the schema.`,
      { nodes },
    )
  }
  if (!isObjectType(runtimeType)) {
    throw new GraphQLError(`Abstract type "${type.name}" was resolved to a non-object type "${typeName}".`, { nodes })
  }
  if (!schema.isSubType(type, runtimeType)) {
    throw new GraphQLError(`Runtime Object type "${runtimeType.name}" is not a possible type for "${type.name}".`, {
      nodes,
    })
  }
  return runtimeType
}

/**
 * A value as text, as graphql-js writes it in messages. graphql-js does not export its own function, but
 * an enum without values writes every value into the message of an error.
 */
export function inspect(value: unknown): string {
  const values = new GraphQLEnumType({ name: 'E', values: {} })
  try {
    return String(values.serialize(value))
  } catch (error) {
    return error instanceof GraphQLError ? error.message.slice(enumPrefix.length) : ''
  }
}

const enumPrefix = 'Enum "E" cannot represent value: '
