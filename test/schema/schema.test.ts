import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type GraphQLNamedType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isSpecifiedScalarType,
  lexicographicSortSchema,
  validateSchema,
} from 'graphql'
import { expect, test } from 'vitest'
import { publicSdl } from '../../src/engine/graphql/publicSdl.ts'
import { schema } from '../../src/schema/schema.ts'

const types = Object.values(schema.getTypeMap()).filter(
  (type) => !type.name.startsWith('__') && !isSpecifiedScalarType(type),
)

/** The name and description of a type and of its fields, arguments and enum values. */
function descriptionsOf(type: GraphQLNamedType): [string, string | null | undefined][] {
  const descriptions: [string, string | null | undefined][] = [[type.name, type.description]]
  if (isEnumType(type)) {
    return descriptions.concat(type.getValues().map((value) => [`${type.name}.${value.name}`, value.description]))
  }
  if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) return descriptions
  for (const field of Object.values(type.getFields())) {
    descriptions.push([`${type.name}.${field.name}`, field.description])
    for (const arg of 'args' in field ? field.args : []) {
      descriptions.push([`${type.name}.${field.name}(${arg.name})`, arg.description])
    }
  }
  return descriptions
}

test('schema.graphql equals the served schema', () => {
  const committed = readFileSync(join(import.meta.dirname, '..', '..', 'schema.graphql'), 'utf8')
  expect(committed.trim()).toBe(publicSdl(lexicographicSortSchema(schema)).trim())
})

test('the schema is valid GraphQL', () => {
  expect(validateSchema(schema)).toEqual([])
})

test('every type, field, argument and enum value has a description', () => {
  const missing = types.flatMap(descriptionsOf).filter(([, text]) => !text?.trim().endsWith('.'))
  expect(missing.map(([name]) => name)).toEqual([])
})

test('names follow the GraphQL conventions', () => {
  for (const type of types) {
    expect(type.name).toMatch(/^[A-Z][A-Za-z0-9]*$/)
    if (isEnumType(type)) {
      for (const value of type.getValues()) expect(value.name).toMatch(/^[A-Z][A-Z0-9_]*$/)
    } else if (isObjectType(type) || isInterfaceType(type) || isInputObjectType(type)) {
      for (const name of Object.keys(type.getFields())) expect(name).toMatch(/^[a-z][A-Za-z0-9]*$/)
    }
  }
})

test('list items are not nullable, except in `nodes`', () => {
  const nullable = types
    .filter((type) => isObjectType(type) || isInterfaceType(type))
    .flatMap((type) =>
      Object.values(type.getFields()).filter((field) => {
        const bare = isNonNullType(field.type) ? field.type.ofType : field.type
        return isListType(bare) && !isNonNullType(bare.ofType)
      }),
    )
  expect(new Set(nullable.map((field) => field.name))).toEqual(new Set(['nodes']))
})

test('connections have the shape of the Relay specification', () => {
  const connections = types.filter((type) => type.name.endsWith('Connection'))
  expect(connections.length).toBeGreaterThan(6)
  for (const type of connections) {
    if (!isObjectType(type)) throw new Error(`${type.name} is an object type`)
    const { edges, pageInfo } = type.getFields()
    expect(String(pageInfo?.type)).toBe('PageInfo!')
    const edge = edges && getNamedType(edges.type)
    if (!isObjectType(edge)) throw new Error(`${type.name}.edges is a list of objects`)
    expect(edge.name).toBe(type.name.replace(/Connection$/, 'Edge'))
    expect(String(edge.getFields().cursor?.type)).toBe('String!')
  }
})
