import fc from 'fast-check'
import { buildSchema, execute, type GraphQLResolveInfo, type GraphQLSchema, isObjectType, parse } from 'graphql'
import { expect, test } from 'vitest'
import type { Context } from '../../../../src/engine/graphql/builder.ts'
import { createCompiledExecutor } from '../../../../src/server/operation/compiled/compiledExecutor.ts'
import { comparable } from '../../../support/comparableResult.ts'
import { runs } from '../../../support/property.ts'

/** The parameters that a resolver declares, and the form in which it is written. */
const signature = fc.record({
  count: fc.integer({ min: 0, max: 4 }),
  /** Which of them have a default. */
  defaults: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
  /** Whether the last one takes the rest. */
  hasRest: fc.boolean(),
  form: fc.constantFrom('arrow', 'async', 'function', 'arguments'),
})
type Signature = typeof signature extends fc.Arbitrary<infer T> ? T : never

/** The text of a resolver that passes on what its parameters have. */
function textOf({ count, defaults, hasRest, form }: Signature): string {
  const names = ['source', 'args', 'context', 'info'].slice(0, count)
  const declared = names.map((name, index) => {
    if (hasRest && index === count - 1) return `...${name}`
    return defaults[index] ? `${name} = 'the default'` : name
  })
  if (form === 'arguments') return `function (${declared}) { return tell(...arguments) }`
  if (form === 'function') return `function (${declared}) { return tell(${names}) }`
  return `${form === 'async' ? 'async ' : ''}(${declared}) => tell(${names})`
}

const isInfo = (value: unknown): value is GraphQLResolveInfo =>
  typeof value === 'object' && value !== null && 'fieldName' in value

/** What a resolver got, as text. */
const toText = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(toText).join(', ')}]`
  return isInfo(value)
    ? `info of ${value.path.key} of ${value.parentType.name}`
    : (JSON.stringify(value) ?? 'undefined')
}

const source = `
  type Query { text(n: Int = 2, words: [String!]): String, bare: String, item(n: Int): Item, items: [Item!]! }
  type Item { text(n: Int = 3): String, bare: String, item: Item }
`

const query = `query ($n: Int) {
  text(n: $n, words: ["a"]) plain: text bare
  item(n: $n) { text bare item { text(n: 5) } }
  items { text(n: $n) bare }
}`

/** A schema whose resolvers have these signatures. `calls` gets what each of them receives. */
function makeSchema(signatures: readonly Signature[], calls: string[]): GraphQLSchema {
  const schema = buildSchema(source)
  const types = Object.values(schema.getTypeMap()).filter(isObjectType)
  const fields = types
    .filter(({ name }) => !name.startsWith('__'))
    .flatMap((type) => Object.values(type.getFields()).map((field) => ({ type, field })))
  expect(fields).toHaveLength(signatures.length)
  signatures.forEach((own, index) => {
    const { type, field } = fields[index] ?? {}
    if (!type || !field) throw new Error('There are fewer fields than signatures.')
    const tell = (...values: unknown[]) => {
      const text = `${type.name}.${field.name}: ${values.map(toText).join(' | ')}`
      calls.push(text)
      if (field.name === 'items') return [{ of: 'first' }, { of: 'second' }]
      return field.name === 'item' ? { of: type.name } : text
    }
    field.resolve = new Function('tell', `return ${textOf(own)}`)(tell)
  })
  return schema
}

test('resolvers with defaults, a rest and fewer parameters get what graphql-js passes', async () => {
  const lengths = new Set<number | undefined>()
  const signatures = fc.array(signature, { minLength: 7, maxLength: 7 })
  await fc.assert(
    fc.asyncProperty(signatures, fc.option(fc.integer({ min: -9, max: 9 })), async (all, n) => {
      const calls: string[] = []
      const schema = makeSchema(all, calls)
      lengths.add(schema.getQueryType()?.getFields().text?.resolve?.length)
      const [document, variables, rootValue] = [parse(query), { n }, { of: 'root' }]
      // The resolvers of this schema read nothing of it.
      const context = { of: 'context' } as object as Context
      const expected = comparable(
        await execute({ schema, document, rootValue, contextValue: context, variableValues: variables }),
      )
      const expectedCalls = calls.splice(0)
      expect(expected.errors).toBeUndefined()
      const compiled = createCompiledExecutor(schema)
      const result = await compiled.execute({ document, operationName: undefined, variables, rootValue, context })
      expect({ result: comparable(result), calls }).toEqual({ result: expected, calls: expectedCalls })
    }),
    { numRuns: runs(200) },
  )
  // By their length they declare from none to all four.
  expect([...lengths].toSorted()).toEqual([0, 1, 2, 3, 4])
})
