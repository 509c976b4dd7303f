import { once } from 'node:events'
import { createConnection } from 'node:net'
import { serverAudits } from 'graphql-http'
import { expect, test } from 'vitest'
import { loadLibrary, renderPage } from '../../src/server/graphiql/html.ts'
import { post, raw } from '../support/http.ts'
import { serve } from '../support/testServer.ts'
import type { ErrorAnswer } from '../support/world.ts'

const line = (...lines: string[]) => `${lines.join('\r\n')}\r\n\r\n`
const host = 'Host: 127.0.0.1'
const json = 'Content-Type: application/json'

test('all audits of the GraphQL over HTTP specification pass', async () => {
  await using server = await serve()
  const failed: string[] = []
  for (const audit of serverAudits({ url: server.url })) {
    const result = await audit.fn()
    if (result.status !== 'ok') failed.push(`${audit.id} ${audit.name}: ${result.reason}`)
  }
  expect(failed).toEqual([])
})

test('without introspection, only audits that use introspection fail', async () => {
  await using server = await serve({ introspection: false })
  const failed: string[] = []
  for (const audit of serverAudits({ url: server.url })) {
    if ((await audit.fn()).status !== 'ok') failed.push(audit.id)
  }
  expect(failed.sort()).toEqual(['28B9', '2EA1', '6A70', 'D6D5'])
})

test.each([
  ['an invalid host', line('GET /graphql HTTP/1.1', 'Host: [::bad')],
  ['two hosts', line('GET /graphql?query={__typename} HTTP/1.1', host, 'HOST: b')],
  ['an absolute target', line('GET http://169.254.169.254/graphql HTTP/1.1', host)],
  ['a compressed body', line('POST /graphql HTTP/1.1', host, json, 'Content-Encoding: gzip')],
  ['no host header', line('GET /graphql HTTP/1.1')],
  ['two lengths', line('POST /graphql HTTP/1.1', host, 'Content-Length: 1', 'Content-Length: 2')],
  ['a length and chunks', line('POST /graphql HTTP/1.1', host, 'Content-Length: 1', 'Transfer-Encoding: chunked')],
  ['a folded header', line('GET /graphql HTTP/1.1', host, 'X: a', ' b')],
])('a request with %s is refused without a stack trace', async (_name, request) => {
  await using server = await serve()
  const answer = await raw(server.origin, request.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))
  expect(answer).toMatch(/^HTTP\/1.1 4(00|15) /)
  expect(answer).not.toMatch(/node_modules|\bat .*:\d+|file:/)
})

test('an upgrade request with an absolute target is refused', async () => {
  await using server = await serve()
  const answer = await raw(
    server.origin,
    line('GET http://x/graphql HTTP/1.1', host, 'Upgrade: websocket', 'Connection: Upgrade'),
  )
  expect(answer).toMatch(/^HTTP\/1.1 400 /)
})

test.each([
  ['/nope', 404],
  ['/graphql/../../etc/passwd', 404],
  ['/graphqlx', 404],
  ['/nope?x=/graphql', 404],
  ['/health', 200],
  ['/health?x=1', 200],
  ['/graphql?x=/health', 400],
])('the route of %s depends only on the path: %i', async (target, status) => {
  await using server = await serve()
  const answer = await raw(server.origin, line(`GET ${target} HTTP/1.1`, host, 'Connection: close'))
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
})

test('/ redirects to /graphql', async () => {
  await using server = await serve()
  const response = await fetch(server.origin, { redirect: 'manual' })
  expect(response.status).toBe(302)
  expect(response.headers.get('location')).toBe('/graphql')
})

test('a body over 256 KiB is refused with 413 and closes the connection', async () => {
  await using server = await serve()
  const largest = 256 * 1024
  const body = (length: number) => JSON.stringify({ query: '{ hello }' }).padEnd(length)
  expect((await post(server.url, body(largest))).status).toBe(200)

  const head = ['POST /graphql HTTP/1.1', host, json]
  const measured = await raw(server.origin, line(...head, `Content-Length: ${largest + 1}`), body(largest + 1))
  expect(measured).toMatch(/^HTTP\/1.1 413 .*"code":"BAD_USER_INPUT"/s)
  const chunked = await raw(
    server.origin,
    line(...head, 'Transfer-Encoding: chunked'),
    `40001\r\n${body(largest + 1)}\r\n`,
  )
  expect(chunked).toMatch(/^HTTP\/1.1 413 .*"code":"BAD_USER_INPUT"/s)
  expect(chunked.length).toBeLessThan(1_024)
})

test('a slow client can finish sending a too large body and read the 413', async () => {
  await using server = await serve()
  const { hostname, port } = new URL(server.origin)
  const socket = createConnection(Number(port), hostname)
  const faults: Error[] = []
  socket.on('error', (error) => faults.push(error))
  const length = 512 * 1024
  socket.write(line('POST /graphql HTTP/1.1', host, json, `Content-Length: ${length}`))
  socket.write(Buffer.alloc(2_048, ' '))
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toMatch(/^HTTP\/1.1 413 .*"code":"BAD_USER_INPUT"/s)
  // The connection is open until all of it has arrived.
  for (let sent = 2_048; sent < length; sent += 2_048) {
    const isTaken = await new Promise((resolve) => socket.write(Buffer.alloc(2_048, ' '), (error) => resolve(!error)))
    if (!isTaken) break
  }
  await once(socket, 'close')
  expect([faults, socket.bytesWritten > length]).toEqual([[], true])
})

test.each([
  ['zero bytes', ''],
  ['half an object', '{'],
  ['null', 'null'],
  ['a number', '1'],
  ['a string', '"x"'],
  ['true', 'true'],
  ['a batch', '[{"query":"{ hello }"}]'],
  ['an empty batch', '[]'],
  ['half an object after a byte order mark', '\ufeff{"query":"secret"'],
  ['variables as a string', '{"query":"{ hello }","variables":"x"}'],
  ['variables as a list', '{"query":"{ hello }","variables":[]}'],
])('a body of %s is a bad request', async (_name, body) => {
  await using server = await serve()
  const answer = await post(server.url, body)
  expect(answer.status).toBe(400)
  expect(answer.body.errors[0].extensions).toEqual({
    code: 'BAD_USER_INPUT',
    reason: 'INVALID_REQUEST',
    requestId: answer.headers.get('x-request-id'),
  })
})

test('invalid JSON is not repeated in the error', async () => {
  await using server = await serve()
  const answer = await post(server.url, `{"query": ${'secret'.repeat(1_000)}`)
  expect(answer.status).toBe(400)
  expect(JSON.stringify(answer.body)).not.toContain('secret')
  const url = `${server.url}?query={hello}&variables={secret`
  const got = await fetch(url)
  expect(got.status).toBe(400)
  expect(await got.text()).not.toContain('secret')
})

test.each([
  [undefined, 415],
  ['text/plain', 415],
  ['application/xml', 415],
  ['application/graphql', 415],
  ['application/x-www-form-urlencoded', 415],
  ['multipart/form-data; boundary=x', 415],
  ['application/json; charset=utf-16le', 415],
  ['application/json; charset=UTF-8', 200],
  ['Application/JSON', 200],
])('a body of type %s gets status %i', async (type, status) => {
  await using server = await serve()
  const response = await fetch(server.url, {
    method: 'POST',
    headers: type === undefined ? {} : { 'content-type': type },
    body: Buffer.from('{"query":"{ hello }"}'),
  })
  expect(response.status).toBe(status)
})

test.each(['PATCH', 'HEAD', 'TRACE', 'PUT', 'DELETE'])('the method %s is not allowed', async (method) => {
  await using server = await serve()
  const answer = await raw(server.origin, line(`${method} /graphql HTTP/1.1`, host, 'Connection: close'))
  expect(answer).toMatch(/^HTTP\/1.1 405 .*allow: GET, POST, OPTIONS/is)
})

test('mutations by GET are 405, and unsupported media types 406', async () => {
  await using server = await serve()
  expect((await fetch(`${server.url}?query=mutation{touch}`)).status).toBe(405)
  const image = await fetch(`${server.url}?query={hello}`, { headers: { accept: 'image/png' } })
  expect(image.status).toBe(406)
  const stream = await fetch(`${server.url}?query=subscription{ticks}`, {
    headers: { accept: 'application/json' },
  })
  expect(stream.status).toBe(406)
})

test('too large headers and targets are refused with 431', async () => {
  await using server = await serve()
  const long = 'x'.repeat(20_000)
  for (const response of [
    await fetch(`${server.url}?query=${long}`),
    await fetch(server.url, { headers: { x: long } }),
  ]) {
    expect(response.status).toBe(431)
    const [error] = ((await response.json()) as { errors: ErrorAnswer[] }).errors
    expect(error?.message).toMatch(/larger than 16384 bytes together\. Send the document by POST/)
    expect(error?.extensions).toEqual({
      code: 'BAD_USER_INPUT',
      reason: 'INVALID_REQUEST',
      requestId: response.headers.get('x-request-id'),
    })
  }
})

test('a thousand pipelined requests are answered in order', async () => {
  await using server = await serve()
  const requestFor = (n: number) =>
    line(`GET /graphql?query={double(number:${n})} HTTP/1.1`, host, ...(n === 999 ? ['Connection: close'] : []))
  const requests = Array.from({ length: 1_000 }, (_, n) => requestFor(n)).join('')
  const answers = await raw(server.origin, requests)
  const numbers = [...answers.matchAll(/"double":(\d+)/g)].map(([, number]) => Number(number))
  expect(numbers).toEqual(Array.from({ length: 1_000 }, (_, n) => n * 2))
})

test('by default, CORS allows all origins without credentials', async () => {
  await using server = await serve()
  const preflight = await fetch(server.url, {
    method: 'OPTIONS',
    headers: { origin: 'https://a.example', 'access-control-request-method': 'POST' },
  })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
  const answer = await post(server.url, { query: '{ hello }' }, { origin: 'https://a.example' })
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
})

test('allowedOrigins limits CORS to those origins', async () => {
  await using server = await serve({ allowedOrigins: ['https://a.example', 'https://b.example'] })
  const allowedFor = async (origin: string) => {
    const response = await fetch(server.url, { method: 'OPTIONS', headers: { origin } })
    return response.headers.get('access-control-allow-origin')
  }
  expect(await allowedFor('https://b.example')).toBe('https://b.example')
  expect(await allowedFor('https://evil.example')).toBeNull()
  expect(await allowedFor('null')).toBeNull()
})

test('GraphiQL is served with example tabs and a strict content security policy', async () => {
  await using server = await serve()
  const response = await fetch(server.url, { headers: { accept: 'text/html' } })
  const html = await response.text()
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(response.headers.get('x-frame-options')).toBe('DENY')
  expect(response.headers.get('content-security-policy')).toMatch(/default-src 'none'.*'sha256-/)
  expect(html).toContain('defaultTabs')
  expect(html).not.toMatch(/<(script|link|img)[^>]+(src|href)="?https?:/)
  const again = await fetch(server.url, {
    headers: { accept: 'text/html', 'if-none-match': response.headers.get('etag') ?? '' },
  })
  expect(again.status).toBe(304)
})

test('GraphiQL can be disabled', async () => {
  await using server = await serve({ graphiql: false })
  const response = await fetch(server.url, { headers: { accept: 'text/html' } })
  expect(response.status).toBe(406)
})

test('a record name cannot close the script tag of GraphiQL', async () => {
  const library = await loadLibrary()
  const page = (name: string) =>
    renderPage(library, {
      tabs: [{ query: '{ hello }', variables: { name } }],
      network: name,
      isSandbox: false,
      links: [],
    })
  const plain = page('a-1')
  const html = page("</script><script>alert('$&')")
  const endings = (text: string) => text.split(/<\/script/i).length
  expect(endings(html)).toBe(endings(plain))
  expect(html).toContain("\\u003c/script>\\u003cscript>alert('$&')")
})

test.each([
  ['data', { query: '{ hello }' }],
  ['errors', { query: '{ fail(kind: "input") }' }],
  ['a refusal', { query: '{' }],
  ['a body that is not JSON', '{'],
])('a JSON response with %s has no-store and nosniff', async (_what, body) => {
  await using server = await serve()
  const { headers } = await post(server.url, body)
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('cache-control')).toBe('no-store')
})
