import { extendSchema, type GraphQLField, type GraphQLSchema, isObjectType, parse } from 'graphql'
import { type Context, callCost } from '../../engine/graphql/builder.ts'
import { keyText, type Representation } from '../../engine/graphql/naturalKey.ts'
import { loadNode, type NodeShape } from '../../engine/graphql/node.ts'
import { defaultPageSize } from '../../engine/graphql/pageArgs.ts'
import type { Limits } from '../../engine/limits/limits.ts'
import { badInput, limitExceeded } from '../../engine/upstream/error.ts'
import { subgraphSdl } from './sdl.ts'

// Federation for GraphQL (https://specs.apollo.dev/federation). The plugin of Pothos adds its fields after the plugin
// for costs has run, so they would have no price. It also prints the schema without its directives.

/** The schema as a subgraph: with the fields that routers read it and its entities by. */
export function makeSubgraph(schema: GraphQLSchema, limits: Pick<Limits, 'maxPageSize'>): GraphQLSchema {
  const sdl = subgraphSdl(schema, defaultPageSize(limits))
  const entities = Object.values(schema.getTypeMap())
    .filter((type) => isObjectType(type) && type.extensions.loadNode !== undefined)
    .map(({ name }) => name)
  const subgraph = extendSchema(schema, parse(extension(entities)))
  const { _service, _entities } = subgraph.getQueryType()?.getFields() ?? {}
  if (!_service || !_entities) throw new Error('the schema has no queries')
  define(_service, { complexity: sdlCost, resolve: () => ({ sdl }) })
  define(_entities, {
    complexity: ({ representations }: EntitiesArgs) => ({
      field: callCost * representations.length,
      multiplier: representations.length,
    }),
    resolve: (_root, { representations }: EntitiesArgs, context, { schema: current }) =>
      loadEntities(representations, context, current),
  })
  return subgraph
}

interface EntitiesArgs {
  readonly representations: readonly unknown[]
}

type Field = GraphQLField<unknown, Context>

function define(field: Field, { complexity, resolve }: { complexity: unknown; resolve: Field['resolve'] }): void {
  field.resolve = resolve
  field.extensions = { ...field.extensions, complexity }
}

const extension = (entities: readonly string[]): string => `
  "Any representation of an entity: its \`__typename\` and the fields of one of its keys."
  scalar _Any
  "The types that other graphs can refer to."
  union _Entity = ${entities.join(' | ')}
  "This graph as a subgraph."
  type _Service {
    "Its schema, with the directives of Federation."
    sdl: String
  }
  extend type Query {
    "This graph as a subgraph, for routers."
    _service: _Service!
    "The entities of these representations, in their order. An item is null if there is none, or if it could not be loaded. At most \`service.limits.maxPageSize\`."
    _entities(
      "The entities to load."
      representations: [_Any!]!
    ): [_Entity]!
  }`

/** Points for the schema, which is as large as an answer of eight points. */
const sdlCost = 10 * callCost

/** Loads entities as `nodes` does: the error of an entity concerns no other one. */
function loadEntities(
  representations: readonly unknown[],
  context: Context,
  schema: GraphQLSchema,
): Promise<NodeShape | null>[] {
  const { maxPageSize } = context.limits
  if (representations.length > maxPageSize) {
    const message = `\`representations\` must have at most ${maxPageSize} items.`
    throw limitExceeded('nodes', 'BAD_USER_INPUT', message)
  }
  return representations.map(async (item) => loadEntity(item, context, schema))
}

function loadEntity(item: unknown, context: Context, schema: GraphQLSchema) {
  if (!isRepresentation(item)) throw badInput('A representation must be an object.')
  const typeName = keyText(item, '__typename')
  const type = schema.getType(typeName)
  const { loadNode: load, naturalKey } = isObjectType(type) ? type.extensions : {}
  if (!load) throw badInput(`There is no entity of the type \`${typeName.slice(0, 100)}\`.`)
  if (item.id !== undefined) return loadNode(keyText(item, 'id'), context, schema, typeName)
  if (!naturalKey) throw badInput(`The key of \`${typeName}\` is \`id\`.`)
  return load(naturalKey.keyOf(item), context)
}

const isRepresentation = (item: unknown): item is Representation =>
  typeof item === 'object' && item !== null && !Array.isArray(item)
