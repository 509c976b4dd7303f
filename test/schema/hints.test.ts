import { isInterfaceType, isObjectType, parse, validate } from 'graphql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allHints } from '../../src/schema/nameSuggestions.ts'
import { schema } from '../../src/schema/schema.ts'
import { startWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

/** The fields that a hint names, as selections on its type. */
const selectionsOf = (hint: string): string[] =>
  hint.split(/` (?:or|and) `/).map((text) => text.replace(/\(.*?\)/g, ''))

/** What is wrong with a selection besides arguments that are missing and leaves that are no leaves. */
function wrongWith(typeName: string, selection: string): string[] {
  const { errors } = {
    errors: validate(schema, parse(`fragment F on ${typeName} { ${selection} }`)),
  }
  return errors
    .map(({ message }) => message)
    .filter((message) => /Cannot query field|Unknown type|can never be/.test(message))
}

test.each(allHints)('the hint for $typeName.$fieldName names existing fields', ({ typeName, fieldName, hint }) => {
  const type = schema.getType(typeName)
  if (!isObjectType(type) && !isInterfaceType(type)) throw new Error(`no type ${typeName}`)
  expect(Object.keys(type.getFields())).not.toContain(fieldName)
  for (const selection of selectionsOf(hint)) expect(wrongWith(typeName, selection)).toEqual([])
})

test('an unknown field that people often try has a hint in the error', async () => {
  const [error] = await world.errors('{ tx(hash: "AA") { hash } }')
  expect(error?.message).toBe('Cannot query field "tx" on type "Query". Did you mean `transaction(hash:)`?')
  expect(error?.extensions?.code).toBe('GRAPHQL_VALIDATION_FAILED')
  const [live] = await world.errors('subscription { blocks(chainId: "harbor-1") { height } }')
  expect(live?.message).toContain('Did you mean `node { height }`?')
  const [other] = await world.errors('{ chain { heigth } }')
  expect(other?.message).not.toContain('`')
})
