import {
  type ConstDirectiveNode,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  Kind,
  type ObjectTypeDefinitionNode,
  parse,
  parseConstValue,
  print,
  printSchema,
  visit,
} from 'graphql'

import { callCost } from '../graphql/builder.ts'

/** The directives of Federation 2.9 that the schema uses. */
const link = `extend schema @link(
  url: "https://specs.apollo.dev/federation/v2.9"
  import: ["@key", "@shareable", "@inaccessible", "@tag", "@cost", "@listSize"]
)
`

type Arguments = Readonly<Record<string, string>>

/** A directive, with its arguments as GraphQL writes them. */
const directive = (name: string, values: Arguments = {}): ConstDirectiveNode => ({
  kind: Kind.DIRECTIVE,
  name: { kind: Kind.NAME, value: name },
  arguments: Object.entries(values).map(([argument, value]) => ({
    kind: Kind.ARGUMENT,
    name: { kind: Kind.NAME, value: argument },
    value: parseConstValue(value),
  })),
})

/**
 * The schema in SDL with the directives of Federation. `printSchema` knows no directives, so they are added to what
 * it prints.
 */
export function subgraphSdl(schema: GraphQLSchema, defaultPageSize: number): string {
  const fieldDirectives = (typeName: string, name: string): ConstDirectiveNode[] => {
    const type = schema.getType(typeName)
    const field = isObjectType(type) ? type.getFields()[name] : undefined
    if (!field) return []
    const isNodeLookUp = typeName === 'Query' && (name === 'node' || name === 'nodes')
    // A router would have to plan from a payload back into every subgraph, which Hive's composer refuses.
    const isQueryOfPayload = getNamedType(field.type).name === 'Query'
    const isPage = getNamedType(field.type).name.endsWith('Connection')
    const { complexity } = field.extensions
    return [
      // Every graph after Relay has these two. None can answer for the ids of the other.
      ...(isNodeLookUp ? [directive('shareable'), directive('inaccessible')] : []),
      ...(isQueryOfPayload ? [directive('inaccessible')] : []),
      ...(typeName === 'Mutation' ? [directive('tag', { name: '"write"' })] : []),
      ...costOf(complexity),
      ...(isPage ? [directive('listSize', listSize(defaultPageSize))] : []),
    ]
  }
  const withDirectives = (type: ObjectTypeDefinitionNode): ObjectTypeDefinitionNode => ({
    ...type,
    directives: typeDirectives(schema, type.name.value),
    fields:
      type.fields?.map((field) => ({
        ...field,
        directives: [
          ...(field.directives ?? []),
          ...fieldDirectives(type.name.value, field.name.value),
        ],
      })) ?? [],
  })
  const document = visit(parse(printSchema(schema)), { ObjectTypeDefinition: withDirectives })
  return `${link}\n${print(document)}\n`
}

/** The price of a field. One that depends on arguments costs at least the request that it sends. */
function costOf(complexity: unknown): ConstDirectiveNode[] {
  const weight = typeof complexity === 'function' ? callCost : complexity
  return typeof weight === 'number' && weight > 1
    ? [directive('cost', { weight: String(weight) })]
    : []
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
