import type { FieldMap, ObjectFieldsShape } from '@pothos/core'
import { badInput } from '../upstream/error.ts'
import type { ServedChain } from '../upstream/network.ts'
import { builder, type Context, callCost } from './builder.ts'

/** The shape behind every node; graphql-js reads `__typename` to tell the types of `Node` apart. */
export interface NodeShape<Name extends string = string> {
  readonly __typename: Name
}

type Types = typeof builder.$inferSchemaTypes
type Load = (key: string, context: Context) => NodeShape | null | Promise<NodeShape | null>

const loaders = new Map<string, Load>()

/** Relay's interface of everything that has an identity. */
export const Node = builder.interfaceRef<NodeShape>('Node').implement({
  description: 'A thing with an identity, which can be fetched again by its id.',
  fields: (t) => ({
    id: t.id({
      description: 'Opaque and unique among all nodes; `node(id:)` takes it at any later time.',
      resolve: () => {
        throw new Error('every node type resolves its own id')
      },
    }),
  }),
})

/**
 * Defines a type that `node` and `nodes` can load. `keyOf` names a value among those of its type, and
 * `load` finds it again by that key: null when it does not exist, `BAD_USER_INPUT` when the key is no
 * key of this type.
 */
export function nodeType<Shape extends NodeShape>(
  name: Shape['__typename'],
  options: {
    description: string
    keyOf: (value: Shape) => string
    load: (key: string, context: Context) => Shape | null | Promise<Shape | null>
    fields: ObjectFieldsShape<Types, Shape>
  },
) {
  loaders.set(name, options.load)
  return builder.objectRef<Shape>(name).implement({
    description: options.description,
    // TypeScript cannot see that every Shape is a NodeShape inside Pothos' conditional types.
    interfaces: [Node] as never,
    fields: (t): FieldMap => ({
      id: t.id({
        description: 'Opaque and unique among all nodes; `node(id:)` takes it at any later time.',
        resolve: (value) => Buffer.from(`${name}:${options.keyOf(value)}`).toString('base64'),
      }),
      ...options.fields(t),
    }),
  })
}

function load(id: string, context: Context): ReturnType<Load> {
  const decoded = Buffer.from(id, 'base64').toString()
  const colon = decoded.indexOf(':')
  const loader = loaders.get(decoded.slice(0, colon))
  if (!loader || colon < 0) throw badInput('The id is not one that this graph has given.')
  return loader(decoded.slice(colon + 1), context)
}

/** Reads a key of the form `chainId/rest`; null when that chain is not served here. */
export function splitKey(
  key: string,
  context: Context,
): { chain: ServedChain; rest: string } | null {
  const slash = key.indexOf('/')
  if (slash < 1) throw badInput('The id is not one that this graph has given.')
  const chain = context.network.chains.get(key.slice(0, slash))
  return chain ? { chain, rest: key.slice(slash + 1) } : null
}

builder.queryField('node', (t) =>
  t.field({
    type: Node,
    nullable: true,
    description: 'The node of that id, or null when there is none.',
    args: { id: t.arg.id({ required: true, description: 'An `id` this graph has given.' }) },
    complexity: callCost,
    resolve: (_root, { id }, context) => load(id, context),
  }),
)

builder.queryField('nodes', (t) =>
  t.field({
    type: [Node],
    nullable: { list: false, items: true },
    description:
      'The nodes of these ids, in their order; null where there is none or where one fails alone.',
    args: {
      ids: t.arg.idList({ required: true, description: 'At most `serviceLimits.maxNodes` ids.' }),
    },
    complexity: ({ ids }) => ({ field: callCost * ids.length, multiplier: ids.length }),
    resolve: (_root, { ids }, context) => {
      if (ids.length > context.limits.maxNodes) {
        throw badInput(`At most ${context.limits.maxNodes} ids go into one \`nodes\`.`)
      }
      // A promise an item: one bad id is null with an error of its own, and blanks no other.
      return ids.map(async (id) => load(id, context))
    },
  }),
)
