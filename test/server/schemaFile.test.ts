import { assertObjectType, buildSchema, lexicographicSortSchema, parse, printSchema, visit } from 'graphql'
import { expect, test } from 'vitest'
import { publicSdl } from '../../src/engine/graphql/publicSdl.ts'
import { schema } from '../../src/schema/schema.ts'
import { serve } from '../support/testServer.ts'

const secret = 'shop-key-0123456789'

const file = (origin: string, init?: RequestInit) => fetch(`${origin}/schema.graphql`, init)

test('/schema.graphql is the schema of introspection', async () => {
  await using server = await serve({ schema })
  const response = await file(server.origin, { headers: { origin: 'https://a.example' } })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  const text = await response.text()
  expect(text).toBe(publicSdl(schema))
  // Introspection does not show the directives of fields, nor their definition.
  const shown = text
    .replace(/^"""[^"]*"""\ndirective @semanticNonNull.*\n/, '')
    .replaceAll(/ @semanticNonNull(\([^)]*\))?/g, '')
  expect(printSchema(lexicographicSortSchema(buildSchema(shown)))).toBe(printSchema(lexicographicSortSchema(schema)))
})

test('/schema.graphql?descriptions=false is the schema without descriptions', async () => {
  await using server = await serve({ schema })
  const whole = await (await file(server.origin)).text()
  const text = await (await fetch(`${server.origin}/schema.graphql?descriptions=false`)).text()
  expect(text).not.toContain('"""')
  expect(text.length * 3).toBeLessThan(whole.length)
  const bare = parse(text)
  const names: string[] = []
  const found: string[] = []
  visit(parse(whole), { Name: ({ value }) => void names.push(value) })
  visit(bare, { Name: ({ value }) => void found.push(value) })
  expect(found).toEqual(names)
  const other = await fetch(`${server.origin}/schema.graphql?descriptions=true`)
  expect(await other.text()).toBe(whole)
})

test('/schema.graphql answers HEAD without a body, and refuses other methods', async () => {
  await using server = await serve({ schema })
  const head = await file(server.origin, { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
  expect(Number(head.headers.get('content-length'))).toBeGreaterThan(10_000)
  const posted = await file(server.origin, { method: 'POST' })
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
})

test.each([{ introspection: false }, { trustedDocumentsOnly: true }])(
  'with %j, /schema.graphql is not found',
  async (options) => {
    await using server = await serve(options)
    expect((await file(server.origin)).status).toBe(404)
  },
)

test('/schema.graphql requires an API key if requireApiKey is set', async () => {
  await using server = await serve({
    schema,
    apiKeys: new Map([['shop', secret]]),
    requireApiKey: true,
  })
  expect((await file(server.origin)).status).toBe(401)
  const headers = { 'x-api-key': secret }
  expect((await file(server.origin, { headers })).status).toBe(200)
})

test('fields and arguments keep their declared order', () => {
  const fieldsOf = (name: string) => Object.values(assertObjectType(schema.getType(name)).getFields())
  const names = (name: string) => fieldsOf(name).map((field) => field.name)
  expect(names('Chain').slice(0, 3)).toEqual(['id', 'chainId', 'name'])
  expect(names('Coin').slice(0, 2)).toEqual(['denom', 'amount'])
  expect(names('Service')).toEqual(['version', 'isSandbox', 'hasRouter', 'limits'])
  const richList = fieldsOf('Chain').find(({ name }) => name === 'richList')
  expect(richList?.args.map(({ name }) => name)).toEqual(['denom', 'first', 'after', 'last', 'before', 'order'])
})
