import { expect, test } from 'vitest'
import type { ClientOptions } from '../../src/server/clients/clients.ts'
import { post, raw } from '../support/http.ts'
import { greetedSocket } from '../support/socketClient.ts'
import { serve, type TestServer } from '../support/testServer.ts'

// Ten points, which hardly refill during a test. `{ hello }` costs one point.

const small = { pointsPerSecond: 0.001, burst: 10 }
const serveLimited = (clients: ClientOptions = {}) => serve({ rateLimit: small, ...clients })

const hello = (count: number) => `{ ${Array.from({ length: count }, (_, i) => `h${i}: hello`).join(' ')} }`

const refusal = { extensions: { code: 'RATE_LIMITED', retryAfter: expect.any(Number) } }

/** Spends points of a client over HTTP. */
const spend = ({ url }: TestServer, points: number, headers: Record<string, string> = {}) =>
  post(url, { query: hello(points) }, headers)

test('a client without points is refused over HTTP, SSE and WebSocket', async () => {
  await using server = await serveLimited()
  const socket = await greetedSocket(server.url)
  expect((await spend(server, 10)).status).toBe(200)

  const refused = await spend(server, 1)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBe(refused.body.errors[0].extensions.retryAfter)
  expect(refused.body).toMatchObject({ errors: [refusal] })
  expect(refused.body.errors[0].extensions.http).toBeUndefined()

  const get = await fetch(`${server.url}?query={hello}`)
  expect(get.status).toBe(429)
  expect(get.headers.get('retry-after')).toMatch(/^\d+$/)

  const accept = 'text/event-stream'
  const stream = await fetch(`${server.url}?query=subscription{ticks}`, { headers: { accept } })
  expect(stream.status).toBe(429)
  expect(await stream.json()).toMatchObject({ errors: [refusal] })

  socket.send({ id: '1', type: 'subscribe', payload: { query: '{ hello }' } })
  expect(await socket.next()).toMatchObject({ id: '1', payload: { errors: [refusal] } })
})

test('a rate limited request has status 429', async () => {
  await using server = await serve({ rateLimit: small })
  expect((await spend(server, 10)).status).toBe(200)
  const refused = await spend(server, 1)
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
})

test('rate limits are per address, and per /64 network of IPv6', async () => {
  await using server = await serveLimited()
  const first = { 'x-forwarded-for': '2001:db8::1' }
  expect((await spend(server, 10, first)).status).toBe(200)
  expect((await spend(server, 1, { 'x-forwarded-for': '2001:db8::2' })).status).toBe(429)
  expect((await spend(server, 1, { 'x-forwarded-for': '2001:db8:0:1::1' })).status).toBe(200)
  expect((await spend(server, 1)).status).toBe(200)
})

test('clients on one proxy connection have separate rate limits', async () => {
  await using server = await serveLimited()
  const ask = (address: string) =>
    `POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nX-Forwarded-For: ${address}\r\nContent-Length: ${body.length}\r\n`
  const body = JSON.stringify({ query: hello(10) })
  const addresses = ['203.0.113.1', '203.0.113.1', '203.0.113.2', '203.0.113.1']
  const requests = addresses.map((address) => `${ask(address)}\r\n${body}`)
  const end = `GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`
  const answers = await raw(server.origin, ...requests, end)
  const statuses = [...answers.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status)
  expect(statuses).toEqual(['200', '429', '200', '429', '200'])
})

test('each event of a subscription costs points', async () => {
  await using server = await serveLimited()
  const socket = await greetedSocket(server.url)
  socket.send({ id: '1', type: 'subscribe', payload: { query: 'subscription { ticks }' } })
  await server.stage.listening(1)
  for (let tick = 0; tick < 12; tick += 1) {
    server.stage.tick(tick)
    expect(await socket.next()).toMatchObject({ type: 'next', payload: { data: { ticks: tick } } })
  }
  expect((await spend(server, 1)).status).toBe(429)
})

test.each([
  ['documents', { query: '{ nothing }' }],
  ['variables', { query: 'query ($n: Int!) { double(number: $n) }', variables: { n: 'x' } }],
])('refused %s cost points, but not when rate limited', async (_what, wrong) => {
  await using server = await serveLimited()
  expect((await post(server.url, wrong)).status).not.toBe(429)
  const first = await post(server.url, wrong)
  expect(first.status).toBe(429)
  const second = await post(server.url, wrong)
  expect(second.headers.get('retry-after')).toBe(first.headers.get('retry-after'))
})

test('API keys can have separate rate limits', async () => {
  const apiKeys = new Map([
    ['wallet', 'wallet-key-0123456789'],
    ['partner', 'partner-key-0123456789'],
    ['own', 'own-key-0123456789012'],
  ])
  const apiKeyRateLimits = new Map([
    ['partner', { pointsPerSecond: 0.001, burst: 30 }],
    ['own', { pointsPerSecond: 0 }],
  ])
  await using server = await serveLimited({ apiKeys, apiKeyRateLimits })
  const by = (name: string) => ({ 'x-api-key': apiKeys.get(name) ?? '' })
  const statuses = async (name: string, ...points: number[]) => {
    const list: number[] = []
    for (const count of points) list.push((await spend(server, count, by(name))).status)
    return list
  }
  expect(await statuses('wallet', 10, 1)).toEqual([200, 429])
  expect(await statuses('partner', 10, 20, 1)).toEqual([200, 200, 429])
  expect(await statuses('own', 50, 50, 50)).toEqual([200, 200, 200])
  const socket = await greetedSocket(server.url, { apiKey: apiKeys.get('partner') })
  socket.send({ id: '1', type: 'subscribe', payload: { query: '{ hello }' } })
  expect(await socket.next()).toMatchObject({ payload: { errors: [refusal] } })
})
