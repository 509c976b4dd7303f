import { expect, test } from 'vitest'
import type { ClientOptions } from '../../../src/server/clients/clients.ts'
import { post } from '../../support/http.ts'
import { greetedSocket, openSocket } from '../../support/socketClient.ts'
import { serve } from '../../support/testServer.ts'

const keys = new Map([
  ['wallet', 'wallet-key-0123456789'],
  ['explorer', 'explorer-key-0123456789'],
])
const right = 'wallet-key-0123456789'
const wrong = 'wallet-key-9876543210'
const query = { query: '{ hello }' }

const serveKeys = (clients: ClientOptions = {}) => serve({ apiKeys: keys, ...clients })

test.each([
  ['X-API-Key', { 'x-api-key': right }],
  ['Authorization: Bearer', { authorization: `Bearer ${right}` }],
  ['Authorization: bearer', { authorization: `bearer  ${right}` }],
])('an API key is accepted as %s', async (_form, headers) => {
  await using server = await serveKeys({ requireApiKey: true })
  expect(await post(server.url, query, headers)).toMatchObject({ status: 200 })
  const socket = await openSocket(server.url, headers)
  expect(socket).not.toBeTypeOf('number')
})

test('an unknown API key is refused on every transport', async () => {
  await using server = await serveKeys()
  const headers = { 'x-api-key': wrong }
  const refused = await post(server.url, query, headers)
  expect(refused.status).toBe(401)
  expect(refused.headers.get('www-authenticate')).toBe('Bearer')
  expect(refused.body.errors).toMatchObject([
    { message: 'The API key is not valid.', extensions: { code: 'UNAUTHENTICATED' } },
  ])
  const stream = `${server.url}?query=subscription{ticks}`
  const accept = 'text/event-stream'
  expect((await fetch(stream, { headers: { ...headers, accept } })).status).toBe(401)
  expect(await openSocket(server.url, headers)).toBe(401)
  for (const payload of [{ apiKey: wrong }, { Authorization: `Bearer ${wrong}` }]) {
    await expect(greetedSocket(server.url, payload)).rejects.toThrow('closed with 4401')
  }
  expect(JSON.stringify(server.log)).not.toContain(wrong)
})

test('an API key is needed only if requireApiKey is set', async () => {
  await using open = await serveKeys()
  expect((await post(open.url, query)).status).toBe(200)
  await greetedSocket(open.url)

  await using closed = await serveKeys({ requireApiKey: true })
  const refused = await post(closed.url, query)
  expect(refused.status).toBe(401)
  expect(refused.body.errors[0].extensions.code).toBe('UNAUTHENTICATED')
  await expect(greetedSocket(closed.url)).rejects.toThrow('closed with 4401')
  await greetedSocket(closed.url, {}, { 'x-api-key': right })
})

test.each([{ apiKey: right }, { 'X-API-Key': right }, { Authorization: `Bearer ${right}` }])(
  'a WebSocket accepts an API key in the payload %j',
  async (payload) => {
    await using server = await serveKeys({ requireApiKey: true })
    const socket = await greetedSocket(server.url, payload)
    socket.send({ id: '1', type: 'subscribe', payload: query })
    expect(await socket.next()).toMatchObject({ type: 'next', payload: { data: {} } })
  },
)

test('a WebSocket with an API key counts in the stream limit of that key', async () => {
  await using server = await serve({
    apiKeys: keys,
    limits: { maxOpenPerClient: 2 },
  })
  const payload = { apiKey: right }
  const first = await greetedSocket(server.url, payload)
  await greetedSocket(server.url, {}, { 'x-api-key': right })
  await expect(greetedSocket(server.url, payload)).rejects.toThrow('closed with 1013')
  // Neither has a place among those of the address any more.
  await greetedSocket(server.url)
  await greetedSocket(server.url)
  expect(await openSocket(server.url)).toBe(429)
  await first.close()
  await greetedSocket(server.url, {}, { 'x-api-key': right })
})

test('/health and GraphiQL need no API key', async () => {
  await using server = await serveKeys({ requireApiKey: true })
  expect((await fetch(`${server.origin}/health`)).status).toBe(200)
  expect((await fetch(server.url, { headers: { accept: 'text/html' } })).status).toBe(200)
})

test('API key headers are ignored if no keys are configured', async () => {
  await using server = await serve()
  expect((await post(server.url, query, { authorization: `Bearer ${wrong}` })).status).toBe(200)
})

test('CORS allows the Authorization header', async () => {
  await using server = await serveKeys()
  const { headers } = await fetch(server.url, { method: 'OPTIONS' })
  expect(headers.get('access-control-allow-headers')).toContain('Authorization')
})

test('clients with an API key have separate stream limits at one address', async () => {
  await using server = await serve({
    apiKeys: keys,
    limits: { maxOpenPerClient: 1 },
  })
  const wallet = { 'x-api-key': right }
  expect(await openSocket(server.url)).not.toBeTypeOf('number')
  expect(await openSocket(server.url)).toBe(429)
  expect(await openSocket(server.url, wallet)).not.toBeTypeOf('number')
  expect(await openSocket(server.url, { ...wallet, 'x-forwarded-for': '203.0.113.9' })).toBe(429)
  expect(await openSocket(server.url, { 'x-api-key': keys.get('explorer') ?? '' })).not.toBeTypeOf('number')
})
