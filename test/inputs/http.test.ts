import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { Server as HttpServer } from 'node:http'
import { createConnection } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { heapInUse } from '../support/heap.ts'
import { raw } from '../support/http.ts'
import { serve, type TestServer } from '../support/testServer.ts'

// Requests that a client gets wrong, or means to harm with, numbered A1 to A47.

let server: TestServer

beforeAll(async () => {
  server = await serve({ allowedOrigins: ['https://wallet.example'] })
})

afterAll(async () => {
  await server[Symbol.asyncDispose]()
})

type Bytes = string | Buffer

const host = 'Host: 127.0.0.1'
const json = 'Content-Type: application/json'
const close = 'Connection: close'
/** The media type whose status says whether the document was run. */
const strict = 'Accept: application/graphql-response+json'
const head = (...lines: string[]) => `${lines.join('\r\n')}\r\n\r\n`
const get = (target: string, ...headers: string[]) => head(`GET ${target} HTTP/1.1`, host, close, ...headers)

/** A POST of a body of JSON, or of the given type. An empty type sends none. */
const post = (body: Bytes, type = 'application/json', ...headers: string[]): Bytes => {
  const lines = ['POST /graphql HTTP/1.1', host, close, ...headers]
  const typed = type === '' ? lines : [...lines, `Content-Type: ${type}`]
  const length = `Content-Length: ${Buffer.byteLength(body)}`
  return Buffer.concat([Buffer.from(head(...typed, length)), Buffer.from(body)])
}

/** A head that must end its connection by itself: it does not ask for that. */
const broken = (...lines: string[]) => head('POST /graphql HTTP/1.1', host, json, ...lines)

/** What a client is answered. A code of null: by the parser of Node, which sends no body. */
interface Answer {
  readonly status: number
  readonly code?: string | null
  readonly has?: RegExp
}

/** A request that is answered as one without what is odd in it. */
const greeted = { status: 200, has: /"hello":"Hello, you!"/ }
const badInput = { status: 400, code: 'BAD_USER_INPUT' }
const mediaType = { status: 415, code: 'BAD_USER_INPUT' }
const tooLarge = { status: 413, code: 'BAD_USER_INPUT', has: /\r\nconnection: close\r\n/i }
const notHttp = { status: 400, code: null, has: /\r\nConnection: close\r\n/ }
const notParsed = { status: 400, code: 'GRAPHQL_PARSE_FAILED' }

const hello = '{"query":"{ hello }"}'
const file = '--x\r\nContent-Disposition: form-data; name="operations"\r\n\r\n{}\r\n--x--\r\n'
const bodyAboveLimit = hello.padEnd(256 * 1024 + 1)

/** Each row is the requests of one number, each on a connection of its own, and the answer to all of them. */
const rows: Record<string, [requests: Bytes[], Answer]> = {
  'A1 an empty body': [[post('')], badInput],
  'A2 half an object': [[post('{')], badInput],
  'A3 invalid JSON of 2 MB': [[post(`{"query":${'secret'.repeat(350_000)}`)], tooLarge],
  'A4 JSON that is no object': [['null', '1', '"x"', 'true'].map((body) => post(body)), badInput],
  'A5 a batch': [[post(`[${hello}]`)], badInput],
  'A6 an empty batch': [[post('[]')], badInput],
  'A7 an unknown key': [[post('{"query":"{ hello }","who":1}')], greeted],
  'A8 the key __proto__': [[post('{"query":"{ hello }","__proto__":{"query":"{ x }"}}')], greeted],
  'A9 the key constructor': [[post('{"query":"{ hello }","constructor":1}')], greeted],
  'A10 a body without a type': [[post(hello, '')], mediaType],
  'A11 a body of plain text': [[post(hello, 'text/plain')], mediaType],
  'A12 a body of XML': [[post('<query/>', 'application/xml')], mediaType],
  // A web page may send this type to any origin. Refusing the type needs no further header against it.
  'A13 a mutation from a form of a web page': [
    [post('query=mutation%7Btouch%7D', 'application/x-www-form-urlencoded')],
    mediaType,
  ],
  'A14 a multipart body': [[post(file, 'multipart/form-data; boundary=x')], mediaType],
  'A15 a charset other than UTF-8': [
    [post(Buffer.from(hello, 'utf16le'), 'application/json; charset=utf-16le')],
    mediaType,
  ],
  'A16 bytes that are not UTF-8': [
    [post(Buffer.from('{"query":"{ hello(name: \\"\xff\xfe\\") }"}', 'latin1'))],
    { status: 200, has: /"hello":"Hello, \ufffd\ufffd!"/ },
  ],
  'A17 a byte order mark': [[post(`\ufeff${hello}`)], greeted],
  'A18 a compressed body': [[post(gzipSync(hello), 'application/json', 'Content-Encoding: gzip')], mediaType],
  'A19 a compressed body that is large inside': [
    [post(gzipSync(Buffer.alloc(50_000_000)), 'application/json', 'Content-Encoding: gzip')],
    mediaType,
  ],
  'A20 a body above the limit, with its length': [
    [broken(`Content-Length: ${bodyAboveLimit.length}`) + bodyAboveLimit],
    tooLarge,
  ],
  'A21 a body above the limit, in chunks': [
    [`${broken('Transfer-Encoding: chunked')}40001\r\n${bodyAboveLimit}\r\n`],
    tooLarge,
  ],
  'A22 a method that the graph does not have': [
    ['PATCH', 'TRACE'].map((method) => head(`${method} /graphql HTTP/1.1`, host, close)),
    { status: 405, code: 'BAD_USER_INPUT', has: /\r\nallow: GET, POST, OPTIONS\r\n/i },
  ],
  'A23 a HEAD': [[head('HEAD /graphql HTTP/1.1', host, close)], { status: 405, has: /\r\n\r\n$/ }],
  'A24 a preflight from a foreign origin': [
    [
      head(
        ...['OPTIONS /graphql HTTP/1.1', host, close, 'Origin: https://evil.example'],
        'Access-Control-Request-Method: POST',
      ),
    ],
    { status: 204, has: /^(?!.*access-control-allow-(origin|credentials))/is },
  ],
  'A25 a mutation by GET': [
    [get('/graphql?query=mutation%7Btouch%7D')],
    { status: 405, code: 'BAD_USER_INPUT', has: /\r\nallow: POST\r\n/i },
  ],
  'A26 malformed variables in a URL': [[get('/graphql?query=%7Bhello%7D&variables=%7Bsecret')], badInput],
  'A27 a malformed escape in a URL': [[get('/graphql?query=%zz', strict)], notParsed],
  'A28 a query given twice': [
    [get('/graphql?query=%7Bfirst:hello%7D&query=%7Bsecond:hello%7D')],
    { status: 200, has: /"first":"Hello, you!"/ },
  ],
  'A29 a URL of 20 KB': [[get(`/graphql?query=${'x'.repeat(20_480)}`)], { status: 431, code: 'BAD_USER_INPUT' }],
  'A30 a header of 20 KB': [
    [get('/graphql?query=%7Bhello%7D', `X-Long: ${'x'.repeat(20_480)}`)],
    { status: 431, code: 'BAD_USER_INPUT' },
  ],
  'A31 an invalid host': [
    [head('GET /graphql?query=%7Bhello%7D HTTP/1.1', 'Host: [::bad', close)],
    { ...badInput, has: /Invalid Host header/ },
  ],
  'A32 a target with an origin': [[get('http://169.254.169.254/graphql?query=%7Bhello%7D')], badInput],
  'A33 no host': [[head('GET /graphql HTTP/1.1')], notHttp],
  'A34 lines that end without a carriage return': [[`GET /graphql HTTP/1.1\n${host}\n\n`], notHttp],
  'A35 a header folded over two lines': [[broken('X-Folded: a', ' b')], notHttp],
  'A36 both a length and chunks': [[`${broken('Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\n`], notHttp],
  'A37 two lengths': [[broken('Content-Length: 1', 'Content-Length: 2')], notHttp],
  'A38 a negative length': [[broken('Content-Length: -1')], notHttp],
  'A39 a chunk without a size': [[`${broken('Transfer-Encoding: chunked')}zz\r\n`], notHttp],
  'A40 a client that accepts pictures only': [
    [get('/graphql?query=%7Bhello%7D', 'Accept: image/png')],
    { status: 406 },
  ],
  'A41 a subscription that asks for JSON': [
    [get('/graphql?query=subscription%7Bticks%7D', 'Accept: application/json')],
    { status: 406 },
  ],
  'A42 the path of the health check in the query string': [[get('/graphql?x=/health')], badInput],
  'A43 paths that are not served': [
    ['/graphql/../../etc/passwd', '/nope'].map((target) => get(target)),
    { status: 404, code: 'BAD_USER_INPUT' },
  ],
  'A44 an upgrade to HTTP/2, which a server may ignore': [
    ['h2c', 'TLS/1.0', 'h2c, foo'].flatMap((protocol) => {
      const upgrade = ['Connection: Upgrade, HTTP2-Settings, close', `Upgrade: ${protocol}`]
      const own = [...upgrade, 'HTTP2-Settings: AAMAAABkAAQAAP__']
      const lines = ['POST /graphql HTTP/1.1', host, json, `Content-Length: ${hello.length}`, ...own]
      return [head('GET /graphql?query=%7Bhello%7D HTTP/1.1', host, ...own), head(...lines) + hello]
    }),
    greeted,
  ],
}

test.each(Object.entries(rows))('%s', async (_input, [requests, { status, code, has = /^/ }]) => {
  for (const request of requests) {
    const answer = await raw(server.origin, request)
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(answer).toMatch(has)
    if (code === null) expect(answer).toMatch(/\r\n\r\n$/)
    else if (code) {
      const reason = code === 'BAD_USER_INPUT' ? '"reason":"INVALID_REQUEST",' : ''
      expect(answer).toContain(`"extensions":{"code":"${code}",${reason}"requestId":"`)
    }
    expect(answer.length).toBeLessThan(1_024)
    expect(answer).not.toMatch(/secret|node_modules|\bat .*:\d+|file:/)
  }
  expect(server.log.filter(({ level }) => Number(level) >= 40)).toEqual([])
})

/** Collects the HTTP servers that get a request. */
function serversAsked() {
  const servers: HttpServer[] = []
  const note = (event: unknown) => void servers.push(Object(event).server)
  subscribe('http.server.request.start', note)
  return { servers, stop: () => unsubscribe('http.server.request.start', note) }
}

test('A45 a body that stalls is cut off within 15 s', async () => {
  await using own = await serve()
  const { servers, stop } = serversAsked()
  const socket = createConnection(Number(new URL(own.origin).port), '127.0.0.1')
  socket.write(`${broken('Content-Length: 100', 'Expect: 100-continue')}{"query":`)
  await once(socket, 'data')
  stop()
  const [http] = servers
  if (!http) throw new Error('the server got the request')
  const { requestTimeout, connectionsCheckingInterval } = Object(http)
  expect(requestTimeout + connectionsCheckingInterval).toBeLessThanOrEqual(15_000)
  // Node measures this by its own clock, so the test waits for the next check only.
  http.requestTimeout = 1
  http.headersTimeout = 1
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toMatch(/^HTTP\/1.1 408 .*\r\nConnection: close\r\n/s)
  await once(socket, 'close')
})

test('A46 a thousand requests on one connection are answered in order and freed', async () => {
  const numbers = Array.from({ length: 1_000 }, (_, number) => number)
  const requests = numbers.map((number) =>
    head(`GET /graphql?query=%7Bdouble(number:${number})%7D HTTP/1.1`, host, ...(number === 999 ? [close] : [])),
  )
  const ask = async () => {
    const answers = await raw(server.origin, requests.join(''))
    const given = [...answers.matchAll(/"double":(\d+)/g)].map(([, number]) => Number(number))
    expect(given).toEqual(numbers.map((number) => number * 2))
    server.log.length = 0
  }
  await ask()
  const before = heapInUse()
  await ask()
  expect(heapInUse() - before).toBeLessThan(4 * 1024 * 1024)
})

test('A47 GraphiQL that is turned off is refused', async () => {
  await using own = await serve({ graphiql: false })
  for (const target of ['/graphql', '/graphql?query=%7Bhello%7D']) {
    const answer = await raw(own.origin, get(target, 'Accept: text/html'))
    expect(answer).toMatch(/^HTTP\/1.1 406 /)
    expect(answer).not.toContain('<html')
  }
})
