import { type ConstDirectiveNode, type GraphQLField, type GraphQLSchema, getNamedType, isObjectType } from 'graphql'
import { callCost } from '../../engine/graphql/builder.ts'
import { directive, sdlWith } from '../../engine/graphql/sdl.ts'

/** The directives of Federation 2.9 that the schema uses. */
const link = `extend schema @link(
  url: "https://specs.apollo.dev/federation/v2.9"
  import: ["@key", "@shareable", "@inaccessible", "@tag", "@cost", "@listSize"]
)
`

type Arguments = Readonly<Record<string, string>>

/** The schema in SDL with the directives of Federation. */
export function subgraphSdl(schema: GraphQLSchema, defaultPageSize: number): string {
  const ofField = (
    typeName: string,
    { name, type, extensions }: GraphQLField<unknown, unknown>,
  ): ConstDirectiveNode[] => {
    if (!isObjectType(schema.getType(typeName))) return []
    const isNodeLookUp = typeName === 'Query' && (name === 'node' || name === 'nodes')
    // A router would have to plan from a payload back into every subgraph, which Hive's composer refuses.
    const isQueryOfPayload = getNamedType(type).name === 'Query'
    const isPage = getNamedType(type).name.endsWith('Connection')
    return [
      // Every graph after Relay has these two. None can answer for the ids of the other.
      ...(isNodeLookUp ? [directive('shareable'), directive('inaccessible')] : []),
      ...(isQueryOfPayload ? [directive('inaccessible')] : []),
      ...(typeName === 'Mutation' ? [directive('tag', { name: '"write"' })] : []),
      ...makeCostDirective(extensions.complexity),
      ...(isPage ? [directive('listSize', listSize(defaultPageSize))] : []),
    ]
  }
  return `${link}\n${sdlWith(schema, { ofField, ofType: (name) => typeDirectives(schema, name) })}`
}

/** The price of a field. If it depends on arguments, it is at least the price of one upstream request. */
function makeCostDirective(complexity: unknown): ConstDirectiveNode[] {
  const weight = typeof complexity === 'function' ? callCost : complexity
  return typeof weight === 'number' && weight > 1 ? [directive('cost', { weight: String(weight) })] : []
}

const listSize = (pageSize: number): Arguments => ({
  assumedSize: String(pageSize),
  slicingArguments: '["first", "last"]',
  sizedFields: '["edges", "nodes"]',
  requireOneSlicingArgument: 'false',
})

function typeDirectives(schema: GraphQLSchema, name: string): ConstDirectiveNode[] {
  // Every graph after Relay has it, with the same fields.
  if (name === 'PageInfo') return [directive('shareable')]
  const type = schema.getType(name)
  if (!isObjectType(type) || !type.extensions.loadNode) return []
  const { naturalKey } = type.extensions
  const keys = ['id', ...(naturalKey ? [naturalKey.fields] : [])]
  return keys.map((fields) => directive('key', { fields: JSON.stringify(fields) }))
}
