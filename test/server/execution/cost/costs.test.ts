import fc from 'fast-check'
import {
  GraphQLError,
  getOperationAST,
  getVariableValues,
  type OperationDefinitionNode,
  parse,
  specifiedRules,
  validate,
} from 'graphql'
import { expect, test } from 'vitest'
import { resolveLimits } from '../../../../src/config/limits/limits.ts'
import { schema } from '../../../../src/schema/schema.ts'
import { calculateCost } from '../../../../src/server/execution/cost/complexity.ts'
import { type Costs, createCosts } from '../../../../src/server/execution/cost/costs.ts'
import { runs } from '../../../support/property.ts'
import { fakeChain, networkOf } from '../../../support/testServer.ts'

const context = {
  limits: resolveLimits({ defaultPageSize: 7 }),
  network: networkOf(
    fakeChain('a-1', async () => null),
    fakeChain('b-1', async () => null),
  ),
}

type Variables = Record<string, unknown>

function prepare(source: string, name?: string) {
  const document = parse(source)
  expect(validate(schema, document, specifiedRules)).toEqual([])
  const operation = getOperationAST(document, name)
  if (!operation) throw new Error('the document has no such operation')
  return { document, operation }
}

type Prepared = ReturnType<typeof prepare>

function coerce(operation: OperationDefinitionNode, variables: Variables) {
  const { coerced, errors } = getVariableValues(
    schema,
    operation.variableDefinitions ?? [],
    variables,
  )
  if (errors) throw errors[0]
  return coerced
}

/** What a calculation gives: a cost, or the message of its error. */
function outcomeOf(calculate: () => unknown): unknown {
  try {
    return calculate()
  } catch (error) {
    if (error instanceof GraphQLError) return error.message
    throw error
  }
}

const cachedOutcome = (costs: Costs, prepared: Prepared, variables: Variables) =>
  outcomeOf(() =>
    costs.costOf({ ...prepared, variables, coerced: coerce(prepared.operation, variables) }),
  )

const freshOutcome = ({ document, operation }: Prepared, variables: Variables) =>
  outcomeOf(() => {
    coerce(operation, variables)
    const operationName = operation.name?.value
    return calculateCost({ schema, document, operationName, variables, context })
  })

const documents = [
  'query ($first: Int, $last: Int, $after: String) { chain { blocks(first: $first, last: $last, after: $after) { nodes { hash } } } }',
  'query ($first: Int = 3, $order: OrderDirection = DESC) { chain { blocks(first: $first, order: $order) { nodes { transactions(first: $first) { nodes { hash } } } } } }',
  'query ($first: Int, $last: Int = 4) { chain { ...a newest: blocks(last: $last) { nodes { ...b } } } } fragment a on Chain { blocks(first: $first) { nodes { ...b } } } fragment b on Block { transactions(last: $last) { nodes { hash } } }',
  'query ($first: Int, $skip: Boolean = false) { chain { blocks(first: $first) @skip(if: $skip) { nodes { hash } } ... @include(if: $skip) { oldest: blocks(last: 9) { nodes { height } } } } }',
  'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }',
  'query ($a: ID = "x", $b: ID = "y") { nodes(ids: [$a, $b, "z"]) { id } node(id: $a) { id } }',
  'query ($first: Int) { chain { blocks(first: $first, last: 2) { nodes { hash } } } chains { blocks(first: $first) { totalCount } } }',
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

test.each(documents)('a cached cost equals a calculated one: %s', (source) => {
  const property = fc.property(fc.array(variableSets, { minLength: 1, maxLength: 30 }), (sets) => {
    const prepared = prepare(source)
    const costs = createCosts({ schema, context, epoch: () => 0 })
    for (const variables of sets) {
      expect(cachedOutcome(costs, prepared, variables)).toEqual(freshOutcome(prepared, variables))
    }
  })
  fc.assert(property, { numRuns: runs(30) })
})

test('the operations of a document have costs of their own', () => {
  const source =
    'query A($first: Int) { chain { blocks(first: $first) { nodes { hash } } } } query B($first: Int) { chain { ...c } } fragment c on Chain { blocks(last: $first) { nodes { hash height } } }'
  const costs = createCosts({ schema, context, epoch: () => 0 })
  const document = parse(source)
  for (const name of ['A', 'B', 'A', 'B']) {
    const operation = getOperationAST(document, name)
    if (!operation) throw new Error('the document has no such operation')
    const prepared = { document, operation }
    const variables = { first: 5 }
    expect(cachedOutcome(costs, prepared, variables)).toEqual(freshOutcome(prepared, variables))
  }
})

/** How often the context is read: once or more for each calculation of a page without a size. */
function countCalculations() {
  let reads = 0
  const counted = {
    get limits() {
      reads += 1
      return context.limits
    },
  }
  const costs = createCosts({ schema, context: counted, epoch: () => 0 })
  return (prepared: Prepared, variables: Variables) => {
    reads = 0
    cachedOutcome(costs, prepared, variables)
    return reads
  }
}

test('a cost is calculated once for all cursors, and again for each page size', () => {
  const calculations = countCalculations()
  const prepared = prepare(documents[0] ?? '')
  expect(calculations(prepared, { after: 'x' })).toBeGreaterThan(0)
  expect(calculations(prepared, { after: 'y' })).toBe(0)
  expect(calculations(prepared, { first: 1, after: 'y' })).toBeGreaterThan(0)
  expect(calculations(prepared, { first: 1, after: 'z' })).toBe(0)
  expect(calculations(prepared, { after: 'z' })).toBe(0)
})

test('only the latest costs of an operation are cached', () => {
  const calculations = countCalculations()
  const prepared = prepare(documents[0] ?? '')
  for (let first = 1; first <= 9; first += 1) calculations(prepared, { first })
  expect(calculations(prepared, { first: 9 })).toBe(0)
  expect(calculations(prepared, { first: 1 })).toBeGreaterThan(0)
})
