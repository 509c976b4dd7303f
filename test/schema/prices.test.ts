import { type GraphQLField, isInterfaceType, isObjectType } from 'graphql'
import { expect, test } from 'vitest'
import { callCost } from '../../src/engine/graphql/builder.ts'
import { resolveLimits } from '../../src/engine/limits/limits.ts'
import { schema } from '../../src/schema/schema.ts'

const limits = resolveLimits()
const leastArguments = { input: { routeToken: '' } }
const counts: Readonly<Record<string, number>> = { one: 1, two: 2, three: 3 }

/** The requests that a description names for one field, without those for each of several things. */
const named = /Costs (?:up to )?(one|two|three) upstream requests?(?: more)?\./

const fields = Object.values(schema.getTypeMap())
  .filter((type) => isObjectType(type) || isInterfaceType(type))
  .flatMap((type) =>
    Object.values(type.getFields()).flatMap((field): [string, number, typeof field][] => {
      const count = counts[named.exec(field.description ?? '')?.[1] ?? '']
      return count === undefined ? [] : [[`${type.name}.${field.name}`, count, field]]
    }),
  )

function priceOf({ extensions }: GraphQLField<unknown, unknown>): unknown {
  const { complexity } = extensions
  // Those that depend on arguments have at least the price of the least.
  const price = typeof complexity === 'function' ? complexity(leastArguments, { limits }) : complexity
  return typeof price === 'object' && price !== null && 'field' in price ? price.field : price
}

test('more than twenty descriptions name their upstream requests', () => {
  expect(fields.length).toBeGreaterThan(20)
})

test.each(fields)('%s costs at least the %i upstream requests of its description', (_name, count, field) => {
  expect(priceOf(field)).toBeGreaterThanOrEqual(count * callCost)
})
