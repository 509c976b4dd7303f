import { createClient } from 'graphql-sse'
import { expect, test } from 'vitest'
import { fakeClock } from '../support/fakeClock.ts'
import type { Json } from '../support/http.ts'
import { serve, type TestServer } from '../support/testServer.ts'

const ticks = 'subscription { ticks }'
const first = '203.0.113.1'
const second = '203.0.113.2'

/** Sends a request of the mode, by default of one client. */
const send = (
  { url }: TestServer,
  method: string,
  {
    token,
    body,
    search = '',
    from = first,
    signal,
  }: {
    token?: string
    body?: object
    search?: string
    from?: string
    signal?: AbortSignal
  } = {},
) =>
  fetch(url + search, {
    method,
    headers: {
      'x-forwarded-for': from,
      ...(token && { 'x-graphql-event-stream-token': token }),
      ...(body && { 'content-type': 'application/json' }),
      ...(method === 'GET' && { accept: 'text/event-stream' }),
    },
    ...(body && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  })

const reserve = async (server: TestServer, from = first) => {
  const response = await send(server, 'PUT', { from })
  expect(response.status).toBe(201)
  return response.text()
}

const operation = (operationId: unknown, query = ticks) => ({ query, extensions: { operationId } })

/** Reads the events of a stream, as `event id payload`. */
async function* eventsOf(response: Response): AsyncGenerator<string> {
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    const blocks = (text + decoder.decode(chunk, { stream: true })).split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? []
      if (!data) continue
      const { id, payload } = JSON.parse(data) as Json
      yield [event, id, ...(payload ? [JSON.stringify(payload)] : [])].join(' ')
    }
  }
}

const open = async (server: TestServer) => {
  const token = await reserve(server)
  const leaving = new AbortController()
  const response = await send(server, 'GET', { token, signal: leaving.signal })
  expect(response.status).toBe(200)
  const events = eventsOf(response)
  const next = async () => (await events.next()).value
  return { token, next, leave: () => leaving.abort() }
}

test('a graphql-sse client in single connection mode uses one stream', async () => {
  await using server = await serve()
  const requests: string[] = []
  const client = createClient({
    url: server.url,
    singleConnection: true,
    retryAttempts: 0,
    fetchFn: (url: string, init: RequestInit) => {
      requests.push(init.method ?? 'GET')
      return fetch(url, init)
    },
  })
  const [one, two] = [client.iterate({ query: ticks }), client.iterate({ query: ticks })]
  const [three, four] = [one.next(), two.next()]
  await server.stage.listening(2)
  server.stage.tick(7)
  expect(await three).toMatchObject({ value: { data: { ticks: 7 } } })
  expect(await four).toMatchObject({ value: { data: { ticks: 7 } } })
  const answer = client.iterate({ query: '{ hello }' })
  expect(await answer.next()).toMatchObject({ value: { data: { hello: 'Hello, you!' } } })
  expect((await answer.next()).done).toBe(true)
  await two.return?.()
  await server.stage.listening(1)
  server.stage.end()
  expect((await one.next()).done).toBe(true)
  expect(requests.toSorted()).toEqual(['DELETE', 'GET', 'POST', 'POST', 'POST', 'PUT'])
  client.dispose()
})

test('a stopped operation sends no more events, and its id can be used again', async () => {
  await using server = await serve()
  const { token, next, leave } = await open(server)
  expect((await send(server, 'POST', { token, body: operation('a') })).status).toBe(202)
  await server.stage.listening(1)
  expect((await send(server, 'DELETE', { token, search: '?operationId=a' })).status).toBe(200)
  await server.stage.listening(0)
  expect((await send(server, 'POST', { token, body: operation('a') })).status).toBe(202)
  await server.stage.listening(1)
  server.stage.tick(1)
  expect(await next()).toBe('next a {"data":{"ticks":1}}')
  server.stage.end()
  expect(await next()).toBe('complete a')
  leave()
})

test('a source error ends its operation, and the stream stays open', async () => {
  await using server = await serve()
  const { token, next, leave } = await open(server)
  await send(server, 'POST', { token, body: operation('a') })
  await server.stage.listening(1)
  server.stage.end(new Error('secret'))
  const event = await next()
  expect(event).toMatch(/^next a .*INTERNAL_SERVER_ERROR/)
  expect(event).not.toMatch(/secret|"http"/)
  expect(await next()).toBe('complete a')
  await send(server, 'POST', { token, body: operation('b', '{ hello }') })
  expect(await next()).toBe('next b {"data":{"hello":"Hello, you!"}}')
  leave()
})

test('closing the stream ends its operations and frees its slot', async () => {
  await using server = await serve({ limits: { maxStreamsPerClient: 1 } })
  const { token, leave } = await open(server)
  await send(server, 'POST', { token, body: operation('a') })
  await send(server, 'POST', { token, body: operation('b') })
  await server.stage.listening(2)
  const refused = await send(server, 'PUT')
  expect([refused.status, await refused.json()]).toMatchObject([
    429,
    { errors: [{ extensions: { code: 'RATE_LIMITED' } }] },
  ])
  expect((await send(server, 'PUT', { from: second })).status).toBe(201)
  leave()
  await server.stage.listening(0)
  expect((await send(server, 'POST', { token, body: operation('c') })).status).toBe(404)
  await reserve(server)
})

test('an unused reservation expires after ten seconds with its operations', async () => {
  const clock = fakeClock()
  await using server = await serve({ clock, limits: { maxStreamsPerClient: 1 } })
  const token = await reserve(server)
  expect((await send(server, 'POST', { token, body: operation('a') })).status).toBe(202)
  await server.stage.listening(1)
  await clock.advance(9_999)
  expect((await send(server, 'PUT')).status).toBe(429)
  await clock.advance(1)
  await server.stage.listening(0)
  expect((await send(server, 'GET', { token })).status).toBe(404)
  await reserve(server)
})

test('a stream has a keep-alive comment every twelve seconds', async () => {
  const clock = fakeClock()
  await using server = await serve({ clock })
  const token = await reserve(server)
  const reader = (await send(server, 'GET', { search: `?token=${token}` })).body?.getReader()
  const read = async () => new TextDecoder().decode((await reader?.read())?.value)
  for (let comment = 0; comment < 3; comment += 1) {
    expect(await read()).toBe(':\n\n')
    await clock.advance(12_000)
  }
  await reader?.cancel()
})

test('an operation above maxSubscriptions is refused until another one ends', async () => {
  await using server = await serve({ limits: { maxSubscriptions: 2 } })
  const { token, leave } = await open(server)
  const start = (id: string) => send(server, 'POST', { token, body: operation(id) })
  expect([(await start('a')).status, (await start('b')).status]).toEqual([202, 202])
  const refused = await start('c')
  expect([refused.status, await refused.json()]).toMatchObject([
    429,
    { errors: [{ extensions: { code: 'RATE_LIMITED' } }] },
  ])
  await send(server, 'DELETE', { token, search: '?operationId=a' })
  expect((await start('c')).status).toBe(202)
  leave()
})

test('a client cannot read, extend or stop the stream of another client', async () => {
  await using server = await serve()
  const { token, next, leave } = await open(server)
  await send(server, 'POST', { token, body: operation('a') })
  await server.stage.listening(1)
  const foreign = { token, from: second }
  expect((await send(server, 'GET', foreign)).status).toBe(404)
  expect((await send(server, 'POST', { ...foreign, body: operation('b') })).status).toBe(404)
  const stop = await send(server, 'DELETE', { ...foreign, search: '?operationId=a' })
  expect(stop.status).toBe(404)
  server.stage.tick(1)
  expect(await next()).toBe('next a {"data":{"ticks":1}}')
  leave()
})

test('an invalid request is refused, and the stream stays open', async () => {
  await using server = await serve()
  const { token, next, leave } = await open(server)
  await send(server, 'POST', { token, body: operation('a') })
  await server.stage.listening(1)
  const post = async (body: object) => {
    const response = await send(server, 'POST', { token, body })
    const { errors } = (await response.json()) as Json
    return [response.status, errors[0].extensions.code]
  }
  const bad = 'BAD_USER_INPUT'
  expect(await post(operation('a'))).toEqual([409, bad])
  for (const id of [undefined, '', 7, 'x'.repeat(101)]) {
    expect(await post(operation(id))).toEqual([400, bad])
  }
  expect(await post([operation('b')])).toEqual([400, bad])
  expect(await post(operation('b', '{ nothing }'))).toEqual([200, 'GRAPHQL_VALIDATION_FAILED'])
  expect(await post(operation('b', 'subscription { refuses }'))).toEqual([200, bad])
  expect((await send(server, 'GET', { token })).status).toBe(409)
  expect((await send(server, 'DELETE', { token })).status).toBe(400)
  expect((await send(server, 'DELETE', { search: '?operationId=a' })).status).toBe(404)
  expect((await send(server, 'DELETE', { token, search: '?operationId=z' })).status).toBe(200)
  server.stage.tick(1)
  expect(await next()).toBe('next a {"data":{"ticks":1}}')
  leave()
})

test('with sharesStreams false, PUT is refused and tokens are ignored', async () => {
  await using server = await serve({ sharesStreams: false })
  expect((await send(server, 'PUT')).status).toBe(405)
  const alone = await send(server, 'POST', { token: 'x', body: { query: '{ hello }' } })
  expect(await alone.json()).toEqual({ data: { hello: 'Hello, you!' } })
})

test('closing the server ends reservations and streams', async () => {
  const server = await serve()
  const { token, next } = await open(server)
  await send(server, 'POST', { token, body: operation('a') })
  await reserve(server)
  await server.stage.listening(1)
  const ended = next()
  await server.close()
  await expect(ended).rejects.toThrow('terminated')
  await server.stage.listening(0)
})
