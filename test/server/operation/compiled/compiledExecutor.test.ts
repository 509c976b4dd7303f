import {
  buildSchema,
  execute,
  type GraphQLFieldResolver,
  type GraphQLResolveInfo,
  getIntrospectionQuery,
  parse,
} from 'graphql'
import { expect, test } from 'vitest'
import type { Context } from '../../../../src/engine/graphql/builder.ts'
import { createCompiledExecutor } from '../../../../src/server/operation/compiled/compiledExecutor.ts'
import { JsonText, resultText } from '../../../../src/server/operation/result.ts'
import { comparable } from '../../../support/comparableResult.ts'

type Resolver = GraphQLFieldResolver<unknown, unknown, Record<string, unknown>>

/** A schema of the resolvers of `Query` and `Mutation`, and a way to run documents with both executors. */
function setUp(source: string, resolvers: Record<string, Resolver> = {}) {
  const schema = buildSchema(source)
  for (const type of [schema.getQueryType(), schema.getMutationType()]) {
    for (const field of Object.values(type?.getFields() ?? {})) {
      const resolve = resolvers[field.name]
      if (resolve) field.resolve = resolve
    }
  }
  const executor = createCompiledExecutor(schema)
  // The resolvers of these tests do not read the context.
  const context = {} as Context
  const operationName = undefined
  return {
    executor,
    context,
    async run(query: string | ReturnType<typeof parse>, variables: Record<string, unknown> = {}) {
      const document = typeof query === 'string' ? parse(query) : query
      const expected = await execute({ schema, document, variableValues: variables })
      const result = await executor.execute({ document, operationName, variables, context })
      expect(comparable(result)).toEqual(comparable(expected))
      return result
    },
  }
}

test('introspection has the same result as in graphql-js', async () => {
  const { run } = setUp('type Query { hello: String }')
  await run(getIntrospectionQuery())
  await run('{ __schema { queryType { name } } }')
  await run('{ hello ...F } fragment F on Query { kind: __type(name: "Query") { name } }')
  await run('{ __typename hello }')
  await run('query ($name: String!) { __type(name: $name) { name } }', { name: 'Nothing' })
})

test('a null condition is an error of the whole document', async () => {
  const { run, executor, context } = setUp('type Query { hello: String, self: Query }', {
    self: () => ({}),
  })
  const document = parse('query ($if: Boolean = true) { self { hello @include(if: $if) } hello }')
  const operationName = undefined
  const result = await executor.execute({
    ...{ document, operationName, variables: { if: null }, context },
  })
  expect(result).toMatchObject({
    errors: [{ message: 'Argument "if" of non-null type "Boolean!" must not be null.' }],
  })
  await run(document, { if: false })
  await run(document)
})

test('a resolver gets all four parameters, whichever it declares', async () => {
  const { run } = setUp('type Query { first(n: Int): Int, rest(n: Int): Int, all(n: Int): Int, field: String }', {
    first: (_source, { n } = { n: -1 }) => n,
    rest: (...given) => given[1].n,
    all(_source) {
      // biome-ignore lint/complexity/noArguments: a resolver of plain JavaScript may read them.
      return arguments.length
    },
    field: (_source, _args = {}, _context = {}, info: Partial<GraphQLResolveInfo> = {}) => info.fieldName,
  })
  const result = await run('{ first(n: 3) rest(n: 4) all(n: 5) field }')
  expect(result.data).toEqual({ first: 3, rest: 4, all: 4, field: 'field' })
})

test('each combination of @skip and @include conditions selects its fields', async () => {
  const { run } = setUp('type Query { a: Int, b: Int }', { a: () => 1, b: () => 2 })
  const document = parse('query ($a: Boolean!, $b: Boolean!) { a @skip(if: $a) b @include(if: $b) }')
  for (const [a, b] of [
    [true, true],
    [true, false],
    [false, true],
    [false, false],
    [true, true],
  ]) {
    await run(document, { a, b })
  }
})

test('each operation of a document runs its fields', async () => {
  const { executor, context } = setUp('type Query { a: Int, b: Int }', { a: () => 1, b: () => 2 })
  const document = parse('query A { a } query B { b }')
  const run = (operationName: string) => executor.execute({ document, operationName, variables: {}, context })
  expect(run('A')).toEqual({ data: { a: 1 } })
  expect(run('B')).toEqual({ data: { b: 2 } })
})

test('an unknown operation or missing root type has the error of graphql-js', async () => {
  const { run, executor, context } = setUp('type Query { a: Int }')
  await run('query A { a } query B { a }')
  await run('fragment F on Query { a }')
  await run('mutation { a }')
  const document = parse('query A { a }')
  const result = executor.execute({ document, operationName: 'C', variables: {}, context })
  expect(result).toMatchObject({ errors: [{ message: 'Unknown operation named "C".' }] })
})

test('an invalid variable has the error of graphql-js', async () => {
  const { run } = setUp('type Query { double(of: Int!): Int }')
  const result = await run('query ($of: Int!) { double(of: $of) }', { of: 'text' })
  expect(result.errors).toHaveLength(1)
})

test('__proto__ is a valid response key', async () => {
  const { run } = setUp('type Query { a: Int, later: Int }', { a: () => 1, later: async () => 2 })
  await run('{ __proto__: later a }')
  const result = await run('{ __proto__: a }')
  expect(JSON.stringify(result)).toBe('{"data":{"__proto__":1}}')
})

test('a document that expands to many fields runs as in graphql-js', async () => {
  const { run } = setUp('type Query { self: Query, a: Int }', {
    self: () => ({}),
    a: () => 1,
  })
  const depth = 9
  const fragments = Array.from(
    { length: depth },
    (_, i) => `fragment F${i} on Query { x: self { ...F${i + 1} } y: self { ...F${i + 1} } }`,
  )
  const document = parse(`{ ...F0 } ${fragments.join(' ')} fragment F${depth} on Query { a }`)
  for (let time = 0; time < 3; time += 1) await run(document)
})

test('a resolver that mutates its arguments does not affect later calls', async () => {
  const take: Resolver = (_source, args) => {
    const { list, ...others } = args
    const seen = JSON.stringify([others, list])
    args.int = 0
    if (Array.isArray(list)) list.push(0)
    return seen
  }
  const { run } = setUp('type Query { take(int: Int, list: [Int]): String }', { take })
  const constant = parse('{ take(int: 1, list: [1]) }')
  await run(constant)
  await run(constant)
  const variable = parse('query ($list: [Int]) { take(int: 1, list: $list) }')
  await run(variable, { list: [1] })
})

test('variables as arguments are the same as in graphql-js on every run', async () => {
  const take: Resolver = (_source, args) => JSON.stringify(args)
  const { run } = setUp('type Query { take(a: Int, b: Int = 2, c: String!): String }', { take })
  const optional = parse('query ($a: Int, $c: String) { take(b: $a, c: "-", a: $a) }')
  for (const variables of [{ a: 1 }, {}, { a: null }, { a: 3 }]) await run(optional, variables)
  const required = parse('query ($c: String = "d") { take(c: $c) }')
  for (const variables of [{}, { c: 'x' }, { c: null }, { c: 'y' }]) await run(required, variables)
  // Names that every JavaScript object has.
  await run('query ($constructor: Int) { take(a: $constructor, c: "") }')
  await run('query ($__proto__: Int) { take(a: $__proto__, c: "") }')
})

test('an interface field uses the default arguments of each object type', async () => {
  const types = ['A', 'B'].map(
    (name, i) => `type ${name} implements I { take(default: Int = ${i}, list: [Int]): String }`,
  )
  const { run } = setUp(`interface I { take(list: [Int]): String } ${types.join(' ')} type Query { all: [I] }`, {
    all: () =>
      ['A', 'B', 'A'].map((__typename) => ({
        __typename,
        take: (args: object) => JSON.stringify(args),
      })),
  })
  await run('query ($list: [Int]) { all { take(list: $list) } }', { list: [1] })
})

test('mutation fields run one after another', async () => {
  const calls: string[] = []
  const { executor, context } = setUp('type Query { a: Int } type Mutation { do(name: String!): Int }', {
    async do(_source, { name }) {
      calls.push(`${name} starts`)
      await undefined
      calls.push(`${name} ends`)
      if (name === 'b') throw new Error('no')
      return 1
    },
  })
  const document = parse('mutation { a: do(name: "a") b: do(name: "b") c: do(name: "c") }')
  const result = await executor.execute({ document, operationName: null, variables: {}, context })
  expect(calls).toEqual(['a starts', 'a ends', 'b starts', 'b ends', 'c starts', 'c ends'])
  expect(result.data).toEqual({ a: 1, b: null, c: 1 })
})

// graphql-js leaves this rejection unhandled, which ends a Node process.
test('a rejected list item is handled if a later item fails first', async () => {
  const { executor, context } = setUp('type Query { list: [Int!] }', {
    list: () => [Promise.reject(new Error('later')), new Error('at once')],
  })
  const document = parse('{ list }')
  const result = await executor.execute({ document, operationName: null, variables: {}, context })
  expect(result.errors).toMatchObject([{ message: 'at once', path: ['list', 1] }])
  // An unhandled rejection would fail the test run.
  await new Promise((resolve) => setImmediate(resolve))
})

test('text data is written as by JSON.stringify', async () => {
  const { executor, context } = setUp(
    'type Query { texts: [String], self: Query, int: Int, float: Float, is: Boolean, no: Int } type Mutation { a: Query, b: Int }',
    {
      texts: () => ['', 'a', '"', '\\', '\n', '\u0000', 'ü€', '😀', '\ud800', '\u2028', null],
      int: () => -1,
      float: () => 1e-7,
      is: async () => false,
      self: async () => ({}),
      a: () => ({}),
      b: async () => 2,
    },
  )
  for (const query of [
    '{ texts }',
    '{ is no int self { __typename int is } float }',
    '{ ...F } fragment F on Query { self { no @skip(if: true) } }',
    'mutation { b a { float texts } c: b }',
  ]) {
    const args = { document: parse(query), operationName: null, variables: {}, context }
    const result = await executor.execute({ ...args, isText: true })
    expect(result.data).toBeInstanceOf(JsonText)
    expect(resultText(result)).toBe(JSON.stringify(await executor.execute(args)))
    expect(JSON.parse(JSON.stringify(result))).toEqual(JSON.parse(resultText(result)))
  }
})
