import { readdirSync, readFileSync } from 'node:fs'
import { buildSchema, Kind, parse, validate } from 'graphql'
import { expect, test } from 'vitest'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
const folder = new URL('../../src/documents/', import.meta.url)
const names = readdirSync(folder)

test('every document is valid against schema.graphql', () => {
  const schema = buildSchema(read('../../../../schema.graphql'))
  const all = parse(names.map((name) => readFileSync(new URL(name, folder), 'utf8')).join('\n'))
  expect(validate(schema, all).map(({ message }) => message)).toEqual([])
})

test('operation names are unique', () => {
  const operations = names.flatMap((name) =>
    parse(readFileSync(new URL(name, folder), 'utf8'))
      .definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION)
      .map((definition) => ('name' in definition ? definition.name?.value : undefined)),
  )
  expect(operations.length).toBeGreaterThan(15)
  expect(new Set(operations).size).toBe(operations.length)
})
