import { minifyIntrospection, preprocessIntrospection } from '@gql.tada/internal'
import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  introspectionFromSchema,
  isAbstractType,
  isCompositeType,
  isListType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
} from 'graphql'

/** Arguments that choose a page of a list, but not which list it is. */
const pageArguments = ['first', 'after', 'last', 'before']

/** Scalars that are no text in JSON. */
const scalarTypes: Readonly<Record<string, string>> = { UInt53: 'number', JSON: 'unknown' }

/** The generated files of `src/app/config/generated`, by their names. */
export function configFiles(schema: GraphQLSchema): Record<string, string> {
  // Without descriptions, and without what only tools for people read.
  const introspection = minifyIntrospection(introspectionFromSchema(schema, { descriptions: false }))
  const json = JSON.stringify(introspection).replaceAll(',"isDeprecated":false', '')
  return {
    'tables.ts': tables(schema),
    'introspection.ts': `${note}\nexport const introspectionText =\n  ${JSON.stringify(json)}\n`,
    'tada.ts': `${note}\nexport type introspection = ${preprocessIntrospection(introspection)}\n`,
  }
}

const note = '// Written by `npm run config` from schema.graphql.\n'

function tables(schema: GraphQLSchema): string {
  const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'))
  const objects = types.filter(isObjectType)
  const entries = (pick: (type: GraphQLObjectType) => unknown) =>
    Object.fromEntries(
      objects.flatMap((type) => {
        const value = pick(type)
        return Object.keys(Object(value)).length > 0 ? [[type.name, value]] : []
      }),
    )
  return [
    note,
    constant(
      'possibleTypes',
      'Record<string, string[]>',
      Object.fromEntries(types.filter(isAbstractType).map((type) => [type.name, namesOf(schema, type)])),
    ),
    constant(
      'scalars',
      undefined,
      Object.fromEntries(
        types
          .filter((type) => isScalarType(type) && !isSpecifiedScalarType(type))
          .map(({ name }) => [name, scalarTypes[name] ?? 'string']),
      ),
    ),
    constant('records', 'readonly string[]', objects.filter(isRecord).map(nameOf)),
    constant(
      'values',
      'readonly string[]',
      objects.filter((type) => !isRecord(type) && !isRoot(schema, type)).map(nameOf),
    ),
    constant('lists', 'Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>', entries(listsOf)),
    constant(
      'replaced',
      'Readonly<Record<string, readonly string[]>>',
      entries((type) => replacedOf(schema, type)),
    ),
  ].join('\n')
}

const nameOf = ({ name }: GraphQLNamedType): string => name

/** Records have an id, and are the same wherever they are. */
const isRecord = (type: GraphQLNamedType) => isObjectType(type) && 'id' in type.getFields()

const isRoot = (schema: GraphQLSchema, type: GraphQLNamedType) =>
  [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].includes(type as GraphQLObjectType)

const namesOf = (schema: GraphQLSchema, type: GraphQLNamedType): string[] =>
  isAbstractType(type) ? schema.getPossibleTypes(type).map(nameOf).toSorted() : [type.name]

const isList = ({ type }: GraphQLField<unknown, unknown>) => getNamedType(type).name.endsWith('Connection')

/** The arguments that say which list it is, for each list in pages of a type. */
const listsOf = (type: GraphQLObjectType) =>
  Object.fromEntries(
    Object.values(type.getFields())
      .filter(isList)
      .map(({ name, args }) => [
        name,
        args.map((argument) => argument.name).filter((argument) => !pageArguments.includes(argument)),
      ]),
  )

/**
 * The fields whose new value replaces the one before: lists, records, events, and answers to questions, such as
 * a quote. All other objects are parts of their parent, and their fields are kept together.
 */
const replacedOf = (schema: GraphQLSchema, parent: GraphQLObjectType): string[] =>
  Object.values(parent.getFields())
    .filter((field) => {
      const type = getNamedType(field.type)
      if (!isCompositeType(type) || isList(field)) return false
      if (isListType(getNullableType(field.type))) return true
      if (isRoot(schema, parent)) return parent !== schema.getQueryType() || field.args.length > 0
      return namesOf(schema, type).some((name) => isRecord(schema.getType(name) as GraphQLObjectType))
    })
    .map(({ name }) => name)

const constant = (name: string, type: string | undefined, value: unknown): string =>
  `export const ${name}${type ? `: ${type}` : ''} = ${JSON.stringify(value, null, 2)}${type ? '' : ' as const'}\n`
