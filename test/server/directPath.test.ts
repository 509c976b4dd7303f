import { createServer } from 'node:http'
import { createConnection } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openReply } from '../../src/server/http/reply.ts'
import { Pipeline } from '../../src/server/operation/pipeline.ts'
import { createGraphqlHandler } from '../../src/server/routes/graphqlHandler.ts'
import { fakeClock } from '../support/fakeClock.ts'
import { raw } from '../support/http.ts'
import { createStage, serve, type TestServer, testServices } from '../support/testServer.ts'

interface Request {
  readonly body: string
  readonly accept?: string
  readonly headers?: string[]
}

const bodyOf = (query: string, more: Record<string, unknown> = {}) => JSON.stringify({ query, ...more })

const nested = (depth: number) => `{ ${'self { '.repeat(depth)}hello${' }'.repeat(depth)} }`
const sum = 'query Sum($n: Int!) { double(number: $n) }'
const resultTypes = ['*/*', 'application/json', 'application/graphql-response+json']

/** Requests that the direct path takes, and their names. Each is sent with every plain `Accept` header. */
const plainBodies: Record<string, string> = {
  'a query': bodyOf('{ hello }'),
  'a mutation': bodyOf('mutation { touch }'),
  'a query of text beyond ASCII': bodyOf('{ hello(name: "Zoë 🚀") }'),
  'a large result': bodyOf('{ many(length: 300000) }'),
  'variables, a name and extensions': bodyOf(sum, {
    variables: { n: 21 },
    operationName: 'Sum',
    extensions: { a: 1 },
  }),
  'keys that are null': bodyOf('{ hello }', {
    variables: null,
    operationName: null,
    extensions: null,
  }),
  'an unknown key': bodyOf('{ hello }', { other: 1 }),
  'an unknown key that is null': bodyOf('{ hello }', { other: null }),
  'the key __proto__': '{"query":"{ hello }","__proto__":{"query":"{ nothing }"}}',
  'a byte order mark': `\ufeff${bodyOf('{ hello }')}`,
  introspection: bodyOf('{ __schema { queryType { name } } }'),
  'a syntax error': bodyOf('{'),
  'an empty document': bodyOf(''),
  'an unknown field': bodyOf('{ nothing }'),
  'two unknown fields': bodyOf('{ nothing nobody }'),
  'two operations and no name': bodyOf('query A { hello } query B { hello }'),
  'an operation that is not in the document': bodyOf('query A { hello }', { operationName: 'B' }),
  'a document without an operation': bodyOf('fragment a on Query { hello }'),
  'a document that is too deep': bodyOf(nested(20)),
  'a document that costs too much': bodyOf('{ items(first: 1000000) { hello } }'),
  'a missing variable': bodyOf(sum),
  'a variable of the wrong type': bodyOf(sum, { variables: { n: 'x' } }),
  'null for a variable with a default': bodyOf('query ($n: String = "a") { hello(name: $n) }', {
    variables: { n: null },
  }),
  'a resolver that rejects its input': bodyOf('{ hello fail(kind: "input") }'),
  'an upstream that fails': bodyOf('{ fail(kind: "upstream") }'),
  'an unexpected error': bodyOf('{ fail(kind: "ours") }'),
  'an invalid subscription': bodyOf('subscription { nothing }'),
}

/** Further `Accept` headers that allow a result: of published clients, and odd ones. */
const acceptLists = [
  'application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed',
  'multipart/mixed;boundary="graphql";deferSpec=20220824,application/json',
  'application/graphql-response+json,application/json;q=0.9',
  'application/json;q=0.1, application/graphql-response+json;q=1',
  'application/json; charset=utf-8',
  'application/json; charset=latin1, application/graphql-response+json',
  'text/html, application/json',
  'text/event-stream, */*;q=0.5',
  'application/json;q=0.5, application/graphql-response+json',
  'application/graphql-response+json;q=0, application/json',
  'APPLICATION/*',
  '*/graphql-response+json',
  'text/html/x, application/json/x',
  ', application/json',
  '',
]
const negotiated = ['a query', 'a syntax error', 'an upstream that fails', 'a missing variable']

const plain: [string, Request][] = Object.entries(plainBodies).flatMap(([name, body]) =>
  [...resultTypes, ...(negotiated.includes(name) ? acceptLists : [])].map((accept): [string, Request] => [
    `${name} as ${accept}`,
    { body, accept },
  ]),
)

/** Requests that the direct path leaves to yoga. */
const others: [string, Request][] = [
  ['no JSON', { body: '{' }],
  ['no body', { body: '' }],
  ['a list', { body: `[${bodyOf('{ hello }')}]` }],
  ['null', { body: 'null' }],
  ['no query', { body: '{}' }],
  ['a query that is not a string', { body: '{"query":1}' }],
  ['an id that is not text', { body: JSON.stringify({ id: 7 }) }],
  ['no document', { body: JSON.stringify({ extensions: {} }) }],
  ['variables that are a list', { body: bodyOf('{ hello }', { variables: [] }) }],
  ['variables that are a string', { body: bodyOf('{ hello }', { variables: 'x' }) }],
  ['a name that is not a string', { body: bodyOf('{ hello }', { operationName: 1 }) }],
  ['extensions that are a list', { body: bodyOf('{ hello }', { extensions: [] }) }],
  ['an image', { body: bodyOf('{ hello }'), accept: 'image/png' }],
  ['an event stream', { body: bodyOf('{ hello }'), accept: 'text/event-stream' }],
  ['an asterisk alone', { body: bodyOf('{ hello }'), accept: '*' }],
  ['a media type in another charset', { body: bodyOf('{ hello }'), accept: 'application/json; charset=latin1' }],
]

const further: [string, Request][] = [
  [
    'a subscription that may be answered by events or by a result',
    { body: bodyOf('subscription { nothing }'), accept: 'text/event-stream, application/json' },
  ],
  ['a subscription that is not accepted', { body: bodyOf('subscription { ticks }'), accept: 'application/json' }],
  ['an allowed origin', { body: bodyOf('{ hello }'), headers: ['Origin: https://a.example'] }],
  ['another origin', { body: bodyOf('{ hello }'), headers: ['Origin: https://b.example'] }],
]

/** The response to a request, without its date. */
async function exchange(origin: string, { body, accept, headers = [] }: Request) {
  const head = [
    'POST /graphql HTTP/1.1',
    'Host: 127.0.0.1',
    'Content-Type: application/json',
    'Connection: close',
    'X-Request-Id: a',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...(accept === undefined ? [] : [`Accept: ${accept}`]),
    ...headers,
  ]
  const response = await raw(origin, `${head.join('\r\n')}\r\n\r\n${body}`)
  const [top = '', ...text] = response.split('\r\n\r\n')
  const [status, ...lines] = top.split('\r\n')
  return {
    status,
    headers: lines
      .map((line) => line.toLowerCase())
      .filter((line) => !line.startsWith('date:'))
      .sort(),
    body: text.join('\r\n\r\n'),
  }
}

let direct: TestServer
let yoga: TestServer

beforeAll(async () => {
  const allowedOrigins = ['https://a.example']
  direct = await serve({ allowedOrigins })
  yoga = await serve({ allowedOrigins, directPath: false })
})

afterAll(async () => {
  await direct.close()
  await yoga.close()
})

const takeLog = ({ log }: TestServer) => log.splice(0).map(({ msg, level }) => ({ msg, level }))

test.each([...plain, ...others, ...further])(
  'the direct path and yoga give the same response to %s',
  async (_name, request) => {
    const response = await exchange(direct.origin, request)
    expect(response).toEqual(await exchange(yoga.origin, request))
    expect(response.headers).toContain('vary: origin')
    expect(takeLog(direct)).toEqual(takeLog(yoga))
  },
)

/** Serves the test graph, and records which methods of the pipeline are called. */
async function serveRecorded() {
  const { schema } = createStage()
  const services = testServices({
    ...{ schema, clock: fakeClock(), compileOperations: false },
    limits: { answerCacheBytes: 0 },
  })
  const pipeline = new Pipeline(services)
  const calls: string[] = []
  class RecordedPipeline extends Pipeline {
    override prepare(...args: Parameters<Pipeline['prepare']>) {
      calls.push('direct')
      return pipeline.prepare(...args)
    }
    override run(...args: Parameters<Pipeline['run']>) {
      calls.push('yoga')
      return pipeline.run(...args)
    }
  }
  const handler = createGraphqlHandler(services, new RecordedPipeline(services), { send() {} })
  const server = createServer((request, response) => void handler.handle(request, openReply(request, response)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return {
    origin: `http://127.0.0.1:${address.port}`,
    calls,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

test('the direct path handles all plain queries and mutations', async () => {
  await using server = await serveRecorded()
  for (const [name, request] of plain) {
    server.calls.length = 0
    await exchange(server.origin, request)
    expect([name, ...server.calls]).toEqual([name, 'direct'])
  }
})

test('the direct path leaves all other requests to yoga', async () => {
  await using server = await serveRecorded()
  for (const [, request] of others) await exchange(server.origin, request)
  expect(server.calls).not.toContain('direct')
  expect(server.calls).toContain('yoga')
})

test('yoga streams a subscription by POST', async () => {
  await using server = await serve()
  const response = await fetch(server.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: bodyOf('subscription { ticks }'),
  })
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  await response.body?.cancel()
})

test.each(['direct', 'yoga'])('a closing server closes the connection after a response (path: %s)', async (path) => {
  await using server = await serve({ directPath: path === 'direct' })
  const socket = createConnection(Number(new URL(server.origin).port), '127.0.0.1')
  const send = (query: string) => {
    const head = ['POST /graphql HTTP/1.1', 'Host: x', 'Content-Type: application/json']
    const body = bodyOf(query)
    socket.write([...head, `Content-Length: ${body.length}`, '', body].join('\r\n'))
  }
  // The first query keeps the connection open until the server is closing.
  send('{ slow }')
  await server.stage.running(1)
  const closed = server.close()
  send('{ hello }')
  server.stage.release()
  let responses = ''
  for await (const chunk of socket) responses += chunk
  const [first, second] = responses.split(/(?<=\}\})(?=HTTP)/)
  expect(first).not.toMatch(/connection: close/i)
  expect(second).toMatch(/^HTTP\/1.1 200 .*connection: close.*Hello, you!/is)
  await closed
})
