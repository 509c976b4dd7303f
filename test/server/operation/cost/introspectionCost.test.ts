import { getIntrospectionQuery, getOperationAST, Kind, parse } from 'graphql'
import { expect, test } from 'vitest'
import { schema } from '../../../../src/schema/schema.ts'
import { introspectionCost } from '../../../../src/server/operation/cost/introspectionCost.ts'
import { startWorld } from '../../../support/world.ts'

function costOf(source: string): number {
  const document = parse(source)
  const operation = getOperationAST(document)
  if (!operation) throw new Error('the document has no operation')
  const fragments = new Map(
    document.definitions
      .filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION)
      .map((fragment) => [fragment.name.value, fragment]),
  )
  return introspectionCost(schema, fragments, operation.selectionSet)
}

const types = '__schema { types { name fields { name args { name } type { name } } } }'
const aliased = (count: number, field = types) =>
  `{ ${Array.from({ length: count }, (_, index) => `a${index}: ${field}`).join(' ')} }`

test('the cost of introspection grows with its result', () => {
  const one = costOf(`{ ${types} }`)
  expect(one).toBeGreaterThan(100)
  expect(costOf(aliased(60))).toBeGreaterThan(one * 55)
  expect(costOf('{ __type(name: "Chain") { name kind } }')).toBe(1)
  expect(costOf('{ __typename chain { __typename name } }')).toBe(0)
})

test('nested lists multiply the cost of introspection, also in fragments', () => {
  const flat = costOf('{ __schema { types { fields { name } } } }')
  const nested = '{ __schema { types { fields { type { fields { name } } } } } }'
  expect(costOf(nested)).toBeGreaterThan(flat * 4)
  expect(
    costOf(
      '{ ...root } fragment root on Query { __schema { types { ...type } } } fragment type on __Type { fields { type { ... on __Type { fields { name } } } } }',
    ),
  ).toBe(costOf(nested))
})

test('full introspection is allowed, and sixty aliases of it are too complex', async () => {
  await using world = await startWorld()
  const whole = getIntrospectionQuery({
    descriptions: true,
    specifiedByUrl: true,
    directiveIsRepeatable: true,
    schemaDescription: true,
    inputValueDeprecation: true,
    oneOf: true,
  })
  const { __schema } = await world.data(whole)
  expect(__schema.types.length).toBeGreaterThan(100)
  const [error] = await world.errors(aliased(60))
  expect(error?.extensions?.code).toBe('QUERY_TOO_COMPLEX')
  expect(costOf(whole)).toBeLessThan(12_500)
  // Its answer would have five million characters.
  const texts = '__schema { types { name description fields { name description } } }'
  expect(costOf(aliased(60, texts))).toBeGreaterThan(20_000)
})
