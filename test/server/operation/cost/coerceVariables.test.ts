import fc from 'fast-check'
import {
  buildSchema,
  GraphQLError,
  GraphQLScalarType,
  getVariableValues,
  type OperationDefinitionNode,
  parse,
} from 'graphql'
import { expect, test } from 'vitest'
import { createVariableCoercion } from '../../../../src/server/operation/cost/checkCost.ts'
import { runs } from '../../../support/property.ts'

const schema = buildSchema(`
  scalar Picky
  scalar Silent
  enum Order { ASC DESC }
  input Range { from: Int = 1, to: Int! }
  type Query { a: Int }
`)
const picky = schema.getType('Picky')
const silent = schema.getType('Silent')
if (!(picky instanceof GraphQLScalarType && silent instanceof GraphQLScalarType)) throw new Error()
picky.parseValue = (value) => {
  if (typeof value !== 'string') throw new GraphQLError('Only text.')
  return value.toUpperCase()
}
silent.parseValue = (value) => (value === 7 ? undefined : { value })

const type = fc
  .tuple(
    fc.constantFrom('Int', 'Float', 'String', 'Boolean', 'ID', 'Order', 'Picky', 'Silent', 'Range'),
    fc.constantFrom('T', 'T', 'T!', 'T!', '[T]', '[T!]!'),
  )
  .map(([name, form]) => form.replace('T', name))
const value = fc.oneof(
  fc.constantFrom(undefined, null, '', 'ASC', 'x', 7, 2 ** 40, 1.5, true, 5n, Number.NaN),
  fc.constantFrom<unknown>([], ['DESC'], [null], { to: 2 }, { from: 3 }, { to: 'x' }),
)
const name = fc.constantFrom('a', 'b', 'c', '__proto__', 'toString')
const definition = fc.tuple(name, type, fc.constantFrom('', '', '', ' = null'))

test('variables and their errors are coerced as by graphql-js', () => {
  const seen = { valid: 0, invalid: 0 }
  fc.assert(
    fc.property(
      fc.uniqueArray(definition, { selector: ([name]) => name, maxLength: 4 }),
      fc.uniqueArray(fc.tuple(name, value), { selector: ([name]) => name, maxLength: 5 }),
      (definitions, values) => {
        const variablesText = definitions
          .map(([name, type, last]) => `$${name}: ${type}${type.endsWith('!') ? '' : last}`)
          .join(', ')
        const { definitions: parsed } = parse(`query ${variablesText && `(${variablesText})`} { a }`)
        const operation = parsed[0] as OperationDefinitionNode
        const variables = Object.fromEntries(values)
        const coerce = createVariableCoercion(schema)
        const expected = getVariableValues(schema, operation.variableDefinitions ?? [], variables, {
          maxErrors: 3,
        })
        for (const actual of [coerce(operation, variables), coerce(operation, variables)]) {
          expect(actual).toStrictEqual(expected)
          expect(Object.keys(actual.coerced ?? {})).toEqual(Object.keys(expected.coerced ?? {}))
        }
        if (expected.coerced) seen.valid += 1
        else seen.invalid += 1
      },
    ),
    { numRuns: runs(2_000) },
  )
  expect(seen.valid).toBeGreaterThan(runs(200))
  expect(seen.invalid).toBeGreaterThan(runs(200))
})
