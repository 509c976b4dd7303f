import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSchema, GraphQLNonNull, isInterfaceType, isObjectType, printSchema } from 'graphql'
import { expect, test } from 'vitest'
import { sandboxChains } from '../../packages/sandbox/src/chains.ts'
import { publicSdl, semanticLevels } from '../../src/engine/graphql/publicSdl.ts'
import { schema } from '../../src/schema/schema.ts'
import { namesWithVariables, readExample, runsOf, variablesOf } from '../support/examples.ts'
import { polledScreens } from '../support/polledScreens.ts'
import { startRouterWorld } from '../support/routerWorld.ts'
import { testOfPlainRecords } from '../support/world.ts'

const typesWithFields = Object.values(schema.getTypeMap()).filter(
  (type) => (isObjectType(type) || isInterfaceType(type)) && !type.name.startsWith('__'),
)
const fieldsOf = (type: (typeof typesWithFields)[number]) =>
  isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : []

const levelsOf = (typeName: string, fieldName: string) => {
  const type = schema.getType(typeName)
  const field = isObjectType(type) ? type.getFields()[fieldName] : undefined
  if (!field) throw new Error(`no field ${typeName}.${fieldName}`)
  return semanticLevels(type, field)
}

test('only fields that are null just with an error have @semanticNonNull', () => {
  expect(levelsOf('Account', 'activity')).toEqual([0])
  expect(levelsOf('Transaction', 'block')).toEqual([0])
  expect(levelsOf('BlockConnection', 'nodes')).toEqual([1])
  expect(levelsOf('BlockEdge', 'node')).toEqual([0])
  expect(levelsOf('Query', 'block')).toEqual([])
  expect(levelsOf('Query', 'nodes')).toEqual([])
  // Null on a chain without an indexer, as the description of the type says.
  expect(levelsOf('Chain', 'blocks')).toEqual([])
  expect(levelsOf('TransactionAction', 'counterparty')).toEqual([])
  expect(levelsOf('Transaction', 'hash')).toEqual([])
})

test('the public schema differs only by @semanticNonNull', () => {
  const text = publicSdl(schema)
  expect(text.match(/@semanticNonNull/g)?.length).toBeGreaterThan(40)
  const without = text
    .replace(/^"""[^"]*"""\ndirective @semanticNonNull.*\n\n/, '')
    .replaceAll(/ @semanticNonNull(\(levels: \[[\d, ]+\]\))?/g, '')
  expect(without).toBe(`${printSchema(schema)}\n`)
  const file = readFileSync(join(import.meta.dirname, '..', '..', 'schema.graphql'), 'utf8')
  expect(buildSchema(file).getDirective('semanticNonNull')?.locations).toEqual(['FIELD_DEFINITION'])
})

/**
 * Makes each mark a promise that the executor keeps: a null without an error of its own is one then. The end of
 * its use makes the fields nullable again, since other tests share the schema.
 */
function enforce(): Disposable {
  const changed = typesWithFields.flatMap((type) =>
    fieldsOf(type).flatMap((field) => {
      const { type: nullable } = field
      const isMarked = semanticLevels(type, field).includes(0)
      if (!isMarked || nullable instanceof GraphQLNonNull) return []
      field.type = new GraphQLNonNull(nullable)
      return [() => Object.assign(field, { type: nullable })]
    }),
  )
  return {
    [Symbol.dispose]() {
      for (const restore of changed) restore()
    },
  }
}

const examples = [
  ...['explorer-home', 'block', 'transaction', 'account', 'account-activity', 'account-nfts'],
  ...['nft', 'collection', 'token', 'balances', 'search'],
  ...['bridge-form', 'quote', 'hook', 'prepare', 'track-transfer'],
]

testOfPlainRecords()('examples have no null without an error at @semanticNonNull fields', async () => {
  using _enforced = enforce()
  expect(examples).toEqual(expect.arrayContaining([...namesWithVariables]))
  await using world = await startRouterWorld({ chains: sandboxChains })
  for (const name of examples) {
    for (let run = 0; run < runsOf(name); run += 1) {
      await world.data(readExample(name).text, await variablesOf(name, run, world.data))
    }
  }
  for (const [name, screen] of Object.entries(polledScreens)) {
    const watch = await world.watch(readExample(name).text, screen.variables(0))
    await world.clock.advance(12_000)
    expect(watch.events.length, name).toBeGreaterThan(0)
    expect(watch.events.filter(Array.isArray), name).toEqual([])
    await watch.leave()
  }
})
