import { complexityFromQuery } from '@pothos/plugin-complexity'
import fc from 'fast-check'
import {
  GraphQLError,
  getOperationAST,
  getVariableValues,
  parse,
  separateOperations,
  specifiedRules,
  validate,
} from 'graphql'
import { expect, test } from 'vitest'
import { callCost } from '../../../../src/engine/graphql/builder.ts'
import { resolveLimits } from '../../../../src/engine/limits/limits.ts'
import type { Network } from '../../../../src/engine/upstream/network.ts'
import { schema } from '../../../../src/schema/schema.ts'
import { addUp, type Price, priceOperation } from '../../../../src/server/operation/cost/price.ts'
import { runs } from '../../../support/property.ts'
import { fakeChain, networkOf } from '../../../support/testServer.ts'

const chain = (id: string) => fakeChain(id, async () => null)

const context = {
  limits: resolveLimits({ maxPageSize: 7 }),
  network: networkOf(chain('a-1'), chain('b-1')),
}

type Variables = Record<string, unknown>

function prepare(source: string, name?: string) {
  const document = parse(source)
  expect(validate(schema, document, specifiedRules)).toEqual([])
  const operation = getOperationAST(document, name)
  if (!operation) throw new Error('the document has no such operation')
  return { document, operation, price: priceOperation(schema, document, operation) }
}

type Prepared = ReturnType<typeof prepare>

/** What a calculation gives: a cost, or the message of its error. */
function outcomeOf(calculate: () => unknown): unknown {
  try {
    return calculate()
  } catch (error) {
    if (error instanceof GraphQLError) return error.message
    throw error
  }
}

function coerce({ operation }: Prepared, variables: Variables) {
  const definitions = operation.variableDefinitions ?? []
  const { coerced, errors } = getVariableValues(schema, definitions, variables)
  if (errors) throw errors[0]
  return coerced
}

const outcome = (prepared: Prepared, variables: Variables) =>
  outcomeOf(() => addUp(prepared.price, coerce(prepared, variables), context))

/** The cost as the plugin calculates it, which reads the fields anew for each request. */
const outcomeOfPlugin = (prepared: Prepared, variables: Variables) =>
  outcomeOf(() => {
    coerce(prepared, variables)
    const { document, operation } = prepared
    const own = separateOperations(document)[operation.name?.value ?? ''] ?? document
    return complexityFromQuery(own, { schema, variables, ctx: context }).complexity
  })

const documents = [
  'query ($first: Int, $last: Int, $after: String) { chain { blocks(first: $first, last: $last, after: $after) { nodes { hash } } } }',
  'query ($first: Int = 3, $order: OrderDirection = DESC) { chain { blocks(first: $first, order: $order) { nodes { transactions(first: $first) { nodes { hash } } } } } }',
  'query ($first: Int, $last: Int = 4) { chain { ...a newest: blocks(last: $last) { nodes { ...b } } } } fragment a on Chain { blocks(first: $first) { nodes { ...b } } } fragment b on Block { transactions(last: $last) { nodes { hash } } }',
  'query ($first: Int, $skip: Boolean = false) { chain { blocks(first: $first) @skip(if: $skip) { nodes { hash } } ... @include(if: $skip) { oldest: blocks(last: 9) { nodes { height } } } } }',
  'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }',
  'query ($a: ID = "x", $b: ID = "y") { nodes(ids: [$a, $b, "z"]) { id } node(id: $a) { id } }',
  'query ($a: ID = "x", $first: Int) { node(id: $a) { ... on Block { ... { transactions(first: $first) { nodes { messages { typeUrl } } } } } ... on Node { id ... on Transaction { hash } } } }',
  'query ($first: Int) { chain { blocks(first: $first, last: 2) { nodes { hash } } } chains { blocks(first: $first) { totalCount } } }',
  'query ($first: Int) { __typename chain { __typename blocks(first: $first) { __typename edges { node { hash proposer { moniker } } } } } }',
  'query Other { chain { name } } query Own($first: Int) { chain { blocks(first: $first) { nodes { hash } } } }',
  '{ chain { blocks(first: 12) { nodes { hash } } } }',
]

const sizes = fc.constantFrom(undefined, null, 0, 1, 2, 3, 50)
const texts = fc.constantFrom(undefined, null, 'x', 'y')

const variableSets = fc
  .record({
    first: sizes,
    last: sizes,
    after: texts,
    order: fc.constantFrom(undefined, null, 'ASC', 'DESC'),
    skip: fc.constantFrom(undefined, null, true, false),
    ids: fc.constantFrom(undefined, [], ['x'], ['x', 'y'], ['x'.repeat(200)]),
    a: texts,
    b: texts,
  })
  .map((record): Variables => {
    const present = Object.entries(record).filter(([, value]) => value !== undefined)
    return Object.fromEntries(present)
  })

test.each(documents)('the price is the cost that the complexity plugin calculates: %s', (source) => {
  const prepared = prepare(source, source.includes('query Own') ? 'Own' : undefined)
  const property = fc.property(variableSets, (variables) => {
    expect(outcome(prepared, variables)).toEqual(outcomeOfPlugin(prepared, variables))
  })
  fc.assert(property, { numRuns: runs(100) })
})

test('each operation of a document has its price', () => {
  const source =
    'query A($first: Int) { chain { blocks(first: $first) { nodes { hash } } } } query B($first: Int) { chain { ...c } } fragment c on Chain { blocks(last: $first) { nodes { hash height } } }'
  for (const name of ['A', 'B']) {
    const prepared = prepare(source, name)
    expect(outcome(prepared, { first: 5 })).toEqual(outcomeOfPlugin(prepared, { first: 5 }))
  }
})

test('the price depends on the number of chains', () => {
  const { price } = prepare('subscription { chainHeads { height } }')
  const costWith = (network: Network) => addUp(price, {}, { ...context, network })
  const one = costWith(networkOf(chain('a-1')))
  expect(costWith(networkOf(chain('a-1'), chain('b-1'), chain('c-1')))).toBe(one + 2 * callCost)
})

test('a fragment spread many times is priced once', () => {
  const levels = 40
  const spreads = Array.from(
    { length: levels },
    (_, i) =>
      `fragment f${i} on Chain { ${i + 1 < levels ? `...f${i + 1} ... { ...f${i + 1} }` : 'blocks(first: $first) { nodes { hash } }'} }`,
  )
  const source = `query ($first: Int) { chain { ...f0 } } ${spreads.join(' ')}`
  const document = parse(source)
  const operation = getOperationAST(document)
  if (!operation) throw new Error('the document has no operation')
  const price: Price = priceOperation(schema, document, operation)
  expect(price.selections.length).toBeLessThan(3 * levels)
  expect(addUp(price, { first: 1 }, context)).toBeGreaterThan(2 ** (levels - 1))
})
