import { createClient as createSseClient } from 'graphql-sse'
import { createClient as createSocketClient } from 'graphql-ws'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { fakeClock } from '../support/fakeClock.ts'
import { type Json, post } from '../support/http.ts'
import { serve, type TestServer } from '../support/testServer.ts'

/** Runs an operation over each transport and returns its errors. */
const transports: Record<string, (server: TestServer, operation: Operation) => Promise<Json[]>> = {
  async http(server, operation) {
    return (await post(server.url, operation)).body.errors
  },
  async get({ url }, { query, variables }) {
    const search = new URLSearchParams({ query, variables: JSON.stringify(variables ?? {}) })
    return ((await (await fetch(`${url}?${search}`)).json()) as Json).errors
  },
  async sse({ url }, operation) {
    const client = createSseClient({ url, retryAttempts: 0 })
    for await (const { errors } of client.iterate(operation)) return [...(errors ?? [])]
    return []
  },
  async socket({ url }, operation) {
    const client = createSocketClient({
      url: url.replace('http', 'ws'),
      webSocketImpl: WebSocket,
      retryAttempts: 0,
    })
    try {
      for await (const { errors } of client.iterate(operation)) return [...(errors ?? [])]
      return []
    } catch (errors) {
      if (!Array.isArray(errors)) throw errors
      return errors
    } finally {
      await client.dispose()
    }
  },
}

/** A server whose operations time out as soon as a `slow` field runs. */
async function serveTimedOut(): Promise<TestServer> {
  const clock = fakeClock()
  const server = await serve({ clock, limits: { timeoutMs: 100 } })
  void server.stage.running(1).then(() => clock.advance(100))
  return server
}

/** Every error has the id of its request. */
const requestId = expect.stringMatching(/^[\w.-]{1,128}$/)

interface Operation {
  readonly query: string
  readonly variables?: Record<string, unknown>
}

const nested = (depth: number) => `{ ${'self { '.repeat(depth)}hello${' }'.repeat(depth)} }`
const sum = 'query ($n: Int!) { double(number: $n) }'

const invalid = { reason: 'INVALID_ARGUMENT' }

const failures: [string, Operation, string, Json?][] = [
  ['an incomplete document', { query: '{' }, 'GRAPHQL_PARSE_FAILED'],
  ['too many tokens', { query: `{ ${'hello '.repeat(2_000)}}` }, 'GRAPHQL_PARSE_FAILED'],
  ['lists in lists', { query: `{ hello(name: ${'['.repeat(2_500)}) }` }, 'GRAPHQL_PARSE_FAILED'],
  ['deep nesting', { query: nested(20_000).slice(0, 4_000) }, 'GRAPHQL_PARSE_FAILED'],
  ['an unknown field', { query: '{ nothing }' }, 'GRAPHQL_VALIDATION_FAILED'],
  ['circular fragments', { query: '{ ...a } fragment a on Query { ...a }' }, 'GRAPHQL_VALIDATION_FAILED'],
  ['defer', { query: '{ ... @defer { hello } }' }, 'GRAPHQL_VALIDATION_FAILED'],
  [
    'two operations and no name',
    { query: 'query A { hello } query B { hello }' },
    'BAD_USER_INPUT',
    { reason: 'INVALID_REQUEST' },
  ],
  [
    'a document without an operation',
    { query: 'fragment a on Query { hello }' },
    'BAD_USER_INPUT',
    { reason: 'INVALID_REQUEST' },
  ],
  [
    'too large a page',
    { query: 'query ($f: Int) { items(first: $f) { hello } }', variables: { f: 1_000_000 } },
    'QUERY_TOO_COMPLEX',
  ],
  [
    'too large a page by default',
    { query: 'query ($f: Int = 1000000) { items(first: $f) { hello } }' },
    'QUERY_TOO_COMPLEX',
  ],
  ['a missing variable', { query: sum }, 'BAD_USER_INPUT', invalid],
  ['a variable of text', { query: sum, variables: { n: '1' } }, 'BAD_USER_INPUT', invalid],
  ['a variable out of range', { query: sum, variables: { n: 2 ** 31 } }, 'BAD_USER_INPUT', invalid],
  [
    'null for a variable with a default',
    { query: 'query ($n: String = "a") { hello(name: $n) }', variables: { n: null } },
    'BAD_USER_INPUT',
    invalid,
  ],
  ['bad input rejected by a resolver', { query: '{ fail(kind: "input") }' }, 'BAD_USER_INPUT', invalid],
  [
    'a request that an upstream rejects',
    { query: '{ fail(kind: "upstream") }' },
    'UPSTREAM_REJECTED',
    { service: 'router', reason: 'BAD_PRICE_ERROR' },
  ],
  ['an unexpected error', { query: '{ fail(kind: "ours") }' }, 'INTERNAL_SERVER_ERROR'],
  ['a thrown string', { query: '{ fail(kind: "text") }' }, 'INTERNAL_SERVER_ERROR'],
  ['an operation that times out', { query: '{ slow }' }, 'UPSTREAM_TIMEOUT'],
]

const table = failures.flatMap(([name, operation, code, more]) =>
  Object.keys(transports).map((transport) => ({ name, transport, operation, code, more })),
)

test.each(table)('$name is $code over $transport', async ({ transport, operation, code, more }) => {
  await using server = await serveTimedOut()
  const errors = await transports[transport]?.(server, operation)
  expect(errors?.[0].extensions).toEqual({ code, requestId, ...more })
  expect(JSON.stringify(errors)).not.toContain('secret')
  const worst = Math.max(...server.log.map(({ level }) => Number(level)))
  expect(worst).toBe(code === 'INTERNAL_SERVER_ERROR' ? 50 : code.startsWith('UPSTREAM') ? 40 : 20)
})

test.each(failures)('%s has the right HTTP status', async (_name, operation) => {
  await using server = await serveTimedOut()
  const accept = 'application/graphql-response+json'
  const answer = await post(server.url, operation, { accept })
  const hasData = 'data' in answer.body
  expect(answer.status).toBe(hasData ? 200 : 400)
  expect(hasData).toBe(answer.body.errors[0].path !== undefined)
})

test.each(Object.keys(transports))('introspection can be disabled over %s', async (transport) => {
  await using server = await serve({ introspection: false })
  for (const query of ['{ __schema { queryType { name } } }', '{ __type(name: "Query") { name } }']) {
    const errors = await transports[transport]?.(server, { query })
    expect(errors?.[0].extensions).toEqual({ code: 'GRAPHQL_VALIDATION_FAILED', requestId })
  }
})

test('the cost is computed for the variables of each request', async () => {
  await using server = await serve()
  const query = 'query ($f: Int) { items(first: $f) { hello } }'
  expect((await post(server.url, { query, variables: { f: 1 } })).body.data).toEqual({
    items: [{ hello: 'Hello, you!' }],
  })
  const { body } = await post(server.url, { query, variables: { f: 1_000_000 } })
  expect(body.errors[0].extensions.code).toBe('QUERY_TOO_COMPLEX')
})

test('only the selected operation counts for the cost', async () => {
  await using server = await serve()
  const query = `query Big { items(first: 1000000) { hello } } query Small { hello }`
  const run = async (operationName: string) => (await post(server.url, { query, operationName })).body
  expect((await run('Small')).data).toEqual({ hello: 'Hello, you!' })
  expect((await run('Big')).errors[0].extensions.code).toBe('QUERY_TOO_COMPLEX')
})

test('an invalid document fails the same way each time, on every transport', async () => {
  await using server = await serve()
  const document = { query: '{ hello' }
  await transports.socket?.(server, document)
  const accept = 'application/graphql-response+json'
  const headers = { accept, 'x-request-id': 'a' }
  const first = await post(server.url, document, headers)
  const second = await post(server.url, document, headers)
  expect(first.status).toBe(400)
  expect(first.body.errors[0].extensions).toEqual({ code: 'GRAPHQL_PARSE_FAILED', requestId })
  expect(second).toMatchObject({ status: 400, body: first.body })
})

test('the number of validation errors is limited', async () => {
  await using server = await serve()
  const { body } = await post(server.url, { query: `{ ${'hello @no '.repeat(400)} }` })
  expect(body.errors.length).toBeLessThanOrEqual(101)
})

test('fields resolved before the timeout are in the result', async () => {
  await using server = await serveTimedOut()
  const { body } = await post(server.url, { query: '{ hello slow }' })
  expect(body.data).toEqual({ hello: 'Hello, you!', slow: null })
  expect(body.errors[0]).toMatchObject({ path: ['slow'] })
})

test.each(Object.keys(transports))('an error over %s is logged once', async (transport) => {
  await using server = await serve()
  for (const [kind, level] of [
    ['ours', 50],
    ['upstream', 40],
  ] as const) {
    server.log.length = 0
    await transports[transport]?.(server, { query: `{ fail(kind: "${kind}") }` })
    expect(server.log.filter((line) => line.level === level)).toHaveLength(1)
  }
  server.log.length = 0
  await transports[transport]?.(server, { query: '{ nothing }' })
  expect(server.log.filter(({ msg }) => msg === 'client error')).toHaveLength(1)
})

test.each(['sse', 'socket'])('a subscription source error over %s is logged once', async (transport) => {
  await using server = await serve()
  const errors = transports[transport]?.(server, { query: 'subscription { ticks }' })
  await server.stage.listening(1)
  server.stage.end(new Error('secret'))
  expect((await errors)?.[0].extensions).toEqual({ code: 'INTERNAL_SERVER_ERROR', requestId })
  expect(server.log.filter(({ level }) => Number(level) > 20)).toHaveLength(1)
})

test('unexpected errors are logged with their cause, and without client input', async () => {
  await using server = await serve()
  await post(server.url, { query: '{ fail(kind: "ours") }' })
  expect(server.log).toContainEqual(
    expect.objectContaining({
      level: 50,
      path: 'fail',
      err: expect.objectContaining({ message: 'secret at /srv/portolan' }),
    }),
  )
  await post(server.url, { query: sum, variables: { n: 'classified' } }, { authorization: 'classified' })
  expect(JSON.stringify(server.log)).not.toContain('classified')
})

const longName = 'a'.repeat(100_000)

test.each<[string, Operation]>([
  ['a field', { query: `{ ${longName} }` }],
  ['an argument', { query: `{ hello(${longName}: 1) }` }],
  ['a value', { query: `{ double(number: "${longName}") }` }],
  ['a variable', { query: sum, variables: { n: longName } }],
  ['the name of an operation', { query: `query ${longName} { hello }  query ${longName} { hello }` }],
])('error messages do not repeat %s of 100,000 characters', async (_what, operation) => {
  await using server = await serve()
  for (const [, ask] of Object.entries(transports)) {
    if (ask === transports.get) continue
    const errors = await ask(server, operation)
    expect(errors.length).toBeGreaterThan(0)
    for (const { message } of errors) expect(message.length).toBeLessThanOrEqual(300)
  }
  const { body } = await post(server.url, operation)
  expect(JSON.stringify(body).length).toBeLessThan(2_000)
})

test('at most 21 validation errors are listed', async () => {
  await using server = await serve()
  const query = `{ ${Array.from({ length: 300 }, (_, i) => `nothing${i}`).join(' ')} }`
  const { body } = await post(server.url, { query })
  expect(body.errors).toHaveLength(21)
  expect(body.errors.at(-1).message).toContain('Too many validation errors')
})

const misspelt: [string, Operation][] = [
  ['a field', { query: '{ helo }' }],
  ['an argument', { query: '{ hello(nam: "x") }' }],
  ['a type', { query: 'query ($n: Strin) { hello(name: $n) }' }],
  ['a directive argument', { query: '{ hello @include(i: true) }' }],
  ['a selection', { query: '{ self }' }],
]

test.each(misspelt)('without introspection, error messages suggest no names for %s', async (_what, operation) => {
  await using open = await serve()
  await using closed = await serve({ introspection: false })
  for (const ask of Object.values(transports)) {
    expect((await ask(open, operation))[0].message).toContain('Did you mean')
    const [error] = await ask(closed, operation)
    expect(error.message).not.toContain('Did you mean')
    expect(error.message.length).toBeGreaterThan(10)
  }
})
