import type { FieldMap, InterfaceRef, ObjectFieldsShape, ValidateInterfaces } from '@pothos/core'
import { type GraphQLSchema, isObjectType } from 'graphql'
import { badInput, limitExceeded } from '../upstream/error.ts'
import { builder, type Context, callCost } from './builder.ts'
import type { NaturalKey } from './naturalKey.ts'

/** The value of a node. graphql-js reads `__typename` to find the type of a `Node`. */
export interface NodeShape<Name extends string = string> {
  readonly __typename: Name
}

type Types = typeof builder.$inferSchemaTypes
type LoadNode = (key: string, context: Context) => NodeShape | null | Promise<NodeShape | null>

// The loader of a node type is part of the type, so that only the schema knows which types have one.
declare module 'graphql' {
  interface GraphQLObjectTypeExtensions {
    loadNode?: LoadNode
    naturalKey?: NaturalKey | undefined
  }
}

const idDescription = 'Opaque ID, for `node`.'

/** Relay's interface for everything that has an ID. */
export const Node = builder.interfaceRef<NodeShape>('Node').implement({
  description: 'An object with a globally unique ID.',
  fields: (t) => ({
    id: t.value('ID', idDescription, () => {
      throw new Error('every node type resolves its own id')
    }),
  }),
})

export interface NodeTypeOptions<Shape extends NodeShape> {
  readonly description: string
  /** The key of a value, unique within the type. */
  readonly keyOf: (value: Shape) => string
  /** Finds a value by its key. Null if none. Throws `BAD_USER_INPUT` for an invalid key. */
  readonly load: (key: string, context: Context) => Shape | null | Promise<Shape | null>
  readonly fields: ObjectFieldsShape<Types, Shape>
  /** Fields that identify it in other graphs, besides `id`. */
  readonly naturalKey?: NaturalKey | undefined
  /** Interfaces of the type besides `Node`. The type inherits their fields. */
  readonly interfaces?: readonly InterfaceRef<Types, NodeShape>[] | undefined
}

/** Defines an object type that `node` and `nodes` can load. */
export function nodeType<Shape extends NodeShape>(
  name: Shape['__typename'],
  { description, keyOf, load, fields, naturalKey, interfaces = [] }: NodeTypeOptions<Shape>,
) {
  return builder.objectRef<Shape>(name).implement<[typeof Node]>({
    description,
    // TypeScript does not resolve Pothos' conditional type for a generic Shape, which is a NodeShape.
    interfaces: [Node, ...interfaces] as [typeof Node] & ValidateInterfaces<Shape, Types, typeof Node>[],
    extensions: { loadNode: load, naturalKey },
    fields: (t): FieldMap => ({
      id: t.value('ID', idDescription, (value) => nodeId(name, keyOf(value))),
      ...fields(t),
    }),
  })
}

/** Splits a key at its first slash. Throws `BAD_USER_INPUT` without a first part. */
export function splitKey(key: string): readonly [first: string, second: string] {
  const slash = key.indexOf('/')
  if (slash < 1) throw badInput('Invalid node ID.', 'INVALID_ID')
  return [key.slice(0, slash), key.slice(slash + 1)]
}

/** The id of the node of a type with this key. */
export const nodeId = (typeName: string, key: string): string => Buffer.from(`${typeName}:${key}`).toString('base64')

/** The node with an id. Throws `BAD_USER_INPUT` unless the id is of a node type, and of this one if one is given. */
export function loadNode(
  id: string,
  context: Context,
  schema: GraphQLSchema,
  typeName?: string,
): NodeShape | null | Promise<NodeShape | null> {
  const text = Buffer.from(id, 'base64').toString()
  const colon = text.indexOf(':')
  const type = schema.getType(text.slice(0, Math.max(0, colon)))
  const load = isObjectType(type) ? type.extensions.loadNode : undefined
  if (!load || (typeName !== undefined && typeName !== type?.name)) {
    throw badInput('Invalid node ID.', 'INVALID_ID')
  }
  return load(text.slice(colon + 1), context)
}

builder.queryField('node', (t) =>
  t.field({
    type: Node,
    nullable: true,
    description: 'The node with this ID. Null if none.',
    args: { id: t.arg.id({ required: true, description: 'The `id` of a node.' }) },
    complexity: callCost,
    resolve: (_root, { id }, context, { schema }) => loadNode(id, context, schema),
  }),
)

builder.queryField('nodes', (t) =>
  t.field({
    type: [Node],
    nullable: { list: true, items: true },
    description: 'The nodes with these IDs, in order. Null for a missing or failed one.',
    args: {
      ids: t.arg.idList({ required: true, description: 'At most `service.limits.maxPageSize` IDs.' }),
    },
    complexity: ({ ids }) => ({ field: callCost * ids.length, multiplier: ids.length }),
    resolve: (_root, { ids }, context, { schema }) => {
      const { maxPageSize } = context.limits
      if (ids.length > maxPageSize) {
        const message = `\`ids\` must have at most ${maxPageSize} items.`
        throw limitExceeded('nodes', 'BAD_USER_INPUT', message)
      }
      // One promise for each item: an invalid ID is null with its own error, and the others are kept.
      return ids.map(async (id) => loadNode(id, context, schema))
    },
  }),
)
