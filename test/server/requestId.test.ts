import { createClient } from 'graphql-ws'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { findRequestId } from '../../src/engine/telemetry/requestId.ts'
import { get } from '../../src/engine/upstream/request.ts'
import { startLoggedGateway } from '../support/gatewayLog.ts'
import { type Json, post } from '../support/http.ts'
import { serve } from '../support/testServer.ts'

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
const blocks = '{ chain { blocks(first: 1) { nodes { height } } } }'

test.each([
  ['a-1_b.c', 'a-1_b.c'],
  ['a'.repeat(128), 'a'.repeat(128)],
  ['a'.repeat(129), uuid],
  ['', uuid],
  ['a b', uuid],
  ['a\u001b[31m', uuid],
  [undefined, uuid],
])('the X-Request-Id %j is used, or replaced by a UUID if invalid', (given, expected) => {
  const id = findRequestId({ headers: given === undefined ? {} : { 'x-request-id': given } })
  if (typeof expected === 'string') expect(id).toBe(expected)
  else expect(id).toMatch(expected)
})

test.each([
  ['/graphql', 200],
  ['/graphql?query={nothing}', 400],
  ['/graphql?query={hello}&variables={', 400],
  ['/graphql?query=mutation{touch}', 405],
  ['/health', 200],
  ['/nope', 404],
])('a response to %s has the request id in its header, errors and log', async (path, status) => {
  await using server = await serve()
  const response = await fetch(`${server.origin}${path === '/graphql' ? `${path}?query={hello}` : path}`, {
    // An answer that others get too has no id: `httpCaching.test.ts`. One with a key has.
    headers: { 'x-request-id': 'id-1', 'x-api-key': 'any', accept: 'application/graphql-response+json' },
  })
  const body = (await response.json()) as Json
  expect(response.status).toBe(status)
  expect(response.headers.get('x-request-id')).toBe('id-1')
  const exposed = response.headers.get('access-control-expose-headers')
  expect([null, 'x-request-id, retry-after']).toContain(exposed)
  if (status === 200) expect(JSON.stringify(body)).not.toContain('id-1')
  else expect(body.errors[0].extensions.requestId).toBe('id-1')
  expect(server.log.at(-1)).toMatchObject({ msg: 'request', requestId: 'id-1', status })
})

test('each request without an id gets a new one', async () => {
  await using server = await serve()
  const ids = await Promise.all(
    [1, 2].map(async () => (await post(server.url, { query: '{ hello }' })).headers.get('x-request-id')),
  )
  expect(ids[0]).toMatch(uuid)
  expect(ids[0]).not.toBe(ids[1])
})

test('errors of two requests have separate request ids', async () => {
  await using server = await serve()
  const ask = async (id: string) =>
    (await post(server.url, { query: '{ nothing }' }, { 'x-request-id': id })).body.errors
  const [first, second] = [await ask('one'), await ask('two')]
  expect(first[0].extensions.requestId).toBe('one')
  expect(second[0].extensions.requestId).toBe('two')
})

test('each WebSocket operation has a request id in its errors and log', async () => {
  await using server = await serve()
  const client = createClient({ url: server.url.replace('http', 'ws'), webSocketImpl: WebSocket })
  const ids: string[] = []
  for (const kind of ['input', 'upstream']) {
    for await (const { errors } of client.iterate({ query: `{ fail(kind: "${kind}") }` })) {
      ids.push(String(errors?.[0]?.extensions?.requestId))
    }
  }
  await client.dispose()
  expect(ids[0]).toMatch(uuid)
  expect(new Set(ids).size).toBe(2)
  expect(server.log.filter(({ msg }) => msg === 'operation').map(({ requestId }) => requestId)).toEqual(ids)
  expect(server.log).toContainEqual(expect.objectContaining({ msg: 'upstream error', requestId: ids[1] }))
})

test('upstreams receive the request id', async () => {
  await using world = await startLoggedGateway((_request, response) => void response.writeHead(500).end())
  const { body } = await post(world.gateway.url, { query: blocks }, { 'x-request-id': 'one' })
  expect(body.errors[0].extensions.requestId).toBe('one')
  expect(world.received.map(({ headers }) => headers['x-request-id'])).toEqual(['one'])
})

test('a shared upstream request has the id of the first operation', async () => {
  await using world = await startLoggedGateway((_request, response) => void response.end('{}'))
  const { indexer } = world.gateway.shared.network.defaultChain
  const { signal } = new AbortController()
  const request = get('/shared', z.unknown())
  const send = (requestId?: string) => indexer.send(request, signal, { client: '', requestId })
  await Promise.all([send('one'), send('two')])
  await send(undefined)
  expect(world.received.map(({ headers }) => headers['x-request-id'])).toEqual(['one', undefined])
})
