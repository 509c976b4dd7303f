import { type GraphQLField, isInterfaceType } from 'graphql'
import { expect, test } from 'vitest'
import { schema } from '../../src/schema/schema.ts'
import { startWorld } from '../support/world.ts'

// The price of a field is read from the type through which it is selected. A field that costs less through an
// interface is work that nobody pays for.

const interfaces = Object.values(schema.getTypeMap()).filter(isInterfaceType)

/** The price of a field and the multiplier of what is selected in it. A field without one costs a point. */
function priceOf({ extensions: { complexity } }: GraphQLField<unknown, unknown>) {
  if (typeof complexity === 'function') throw new Error('a price that depends on arguments')
  if (typeof complexity === 'number') return { field: complexity, multiplier: 1 }
  return { field: 1, multiplier: 1, ...(complexity as object | undefined) }
}

test.each(interfaces.map((type) => [type.name, type] as const))(
  'a field of %s costs as much as in the most expensive implementation',
  (_name, type) => {
    const { objects } = schema.getImplementations(type)
    expect(objects.length).toBeGreaterThan(1)
    for (const field of Object.values(type.getFields())) {
      const prices = objects.flatMap((object) => {
        const own = object.getFields()[field.name]
        return own ? [priceOf(own)] : []
      })
      expect(prices).toHaveLength(objects.length)
      expect([field.name, priceOf(field)]).toEqual([
        field.name,
        {
          field: Math.max(...prices.map((price) => price.field)),
          multiplier: Math.max(...prices.map(({ multiplier }) => multiplier)),
        },
      ])
    }
  },
)

test('blocks of an activity cost the same through both interfaces', async () => {
  const limits = { maxCost: 100 }
  await using world = await startWorld({ limits })
  const costThrough = async (type: string) => {
    const [error] = await world.errors(`{ account(address: "0x1") {
      activity(first: 40) { nodes { ... on ${type} { block { hash } } } } } }`)
    return error?.message.match(/costs (\d+) points/)?.[1]
  }
  const cost = await costThrough('Transaction')
  expect(Number(cost)).toBeGreaterThan(40 * 5)
  expect(await costThrough('IndexedTransaction')).toBe(cost)
})
