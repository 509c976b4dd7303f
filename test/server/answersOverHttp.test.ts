import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { raw } from '../support/http.ts'
import { serve, type TestServer } from '../support/testServer.ts'

interface Request {
  /** Left out for a GET. */
  readonly body?: string
  readonly search?: string
  readonly accept?: string
  readonly headers?: string[]
}

const bodyOf = (query: string, more: Record<string, unknown> = {}) => JSON.stringify({ query, ...more })

const sum = 'query Sum($n: Int!) { double(number: $n) }'
const resultTypes = ['*/*', 'application/json', 'application/graphql-response+json']

/** Requests that have a document, and their names. Each is sent with every plain `Accept` header. */
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

/** Requests without an operation, and those that accept no result. */
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
  ['an id in the URL', { body: '{}', search: '?documentId=a' }],
  ['an id in the URL beside a query', { body: bodyOf('{ hello }'), search: '?documentId=a' }],
  ['a subscription that is not accepted', { body: bodyOf('subscription { ticks }'), accept: 'application/json' }],
  ['an allowed origin', { body: bodyOf('{ hello }'), headers: ['Origin: https://a.example'] }],
  ['another origin', { body: bodyOf('{ hello }'), headers: ['Origin: https://b.example'] }],
]

const searches = [
  ...['', '?', '?query=', '?query={hello}', '?query={hello}%23x', '?query=%7Bhello%7D&other=1', '?query={'],
  `?query=${encodeURIComponent('{ hello(name: "Zoë 🚀") }')}`,
  ...['{"n":21}', '', 'null', '[]', '1', '{', '{"n":"x"}'].map((variables) => `?query=${sum}&variables=${variables}`),
  ...['Sum', '', 'Other'].map((name) => `?query=${sum}&variables={"n":1}&operationName=${name}`),
  ...['', '[]', '{"a":1}', '{"persistedQuery":{}}'].map((extensions) => `?query={hello}&extensions=${extensions}`),
  ...['?documentId=a', '?id=', '?doc_id=b&query={hello}', '?query=mutation{touch}'],
  ...['?query={hello fail(kind:"input")}', '?query={hello}&query={double(number:1)}'],
]
const searchTypes = [...resultTypes, 'text/event-stream, application/json']

const gets = searches.flatMap((search) =>
  searchTypes.map((accept): [string, Request] => [`GET ${search} as ${accept}`, { search, accept }]),
)

/** The response to a request, without its date. */
async function exchange(origin: string, { body, search = '', accept, headers = [] }: Request) {
  const { pathname, search: encoded } = new URL(`${origin}/graphql${search}`)
  const head = [
    `${body === undefined ? 'GET' : 'POST'} ${pathname}${encoded} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Connection: close',
    'X-Request-Id: a',
    ...(body === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]),
    ...(accept === undefined ? [] : [`Accept: ${accept}`]),
    ...headers,
  ]
  const response = await raw(origin, `${head.join('\r\n')}\r\n\r\n${body ?? ''}`)
  const [top = '', ...text] = response.split('\r\n\r\n')
  const [status, ...lines] = top.split('\r\n')
  const fields = lines.map((line) => line.toLowerCase()).filter((line) => !line.startsWith('date:'))
  const sent = text.join('\r\n\r\n')
  const isChunked = fields.includes('transfer-encoding: chunked')
  return { status, headers: fields.sort(), body: isChunked ? joinChunks(Buffer.from(sent)) : sent }
}

/** The body that chunks make up (RFC 9112, 7.1). */
function joinChunks(bytes: Buffer): string {
  let text = ''
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf('\r\n', at)
    const length = Number.parseInt(bytes.toString('latin1', at, end), 16)
    text += bytes.toString('utf8', end + 2, end + 2 + length)
    at = end + 2 + length + 2
  }
  return text
}

let server: TestServer

beforeAll(async () => {
  server = await serve({ allowedOrigins: ['https://a.example'] })
})

afterAll(() => server.close())

const cases = [...plain, ...others, ...further, ...gets]

/** What a request is answered, and what is logged of it. A long body is told by its hash. */
async function answerOf(request: Request) {
  const { body, ...head } = await exchange(server.origin, request)
  const log = server.log.splice(0).map(({ msg, level }) => `${level} ${msg}`)
  return { ...head, body: body.length < 2_000 ? body : createHash('sha256').update(body).digest('hex'), log }
}

const recordedPath = join(import.meta.dirname, 'golden/answersOverHttp.json')

if (process.env.GOLDEN === 'write') {
  test('answers are written', async () => {
    const lines: string[] = []
    for (const [name, request] of cases) {
      lines.push(`${JSON.stringify(name)}: ${JSON.stringify(await answerOf(request))}`)
    }
    writeFileSync(recordedPath, `{\n${lines.join(',\n')}\n}\n`)
  })
} else {
  const recorded = JSON.parse(readFileSync(recordedPath, 'utf8'))
  test.each(cases)('the answer to %s is as it was', async (name, request) => {
    expect(await answerOf(request)).toEqual(recorded[name])
  })
}

test('a subscription by POST is a stream', async () => {
  await using server = await serve()
  const response = await fetch(server.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: bodyOf('subscription { ticks }'),
  })
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  await response.body?.cancel()
})

test('a closing server closes the connection after a response', async () => {
  await using server = await serve()
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
