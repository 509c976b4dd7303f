import { expect, test } from 'vitest'
import { createMemoryCacheStore } from '../../../src/kit/cache/cache.ts'
import { type ClientOptions, createClients } from '../../../src/server/clients/clients.ts'
import { createRateLimiter } from '../../../src/server/clients/rateLimit.ts'
import { fakeClock } from '../../support/fakeClock.ts'
import { greetedSocket } from '../../support/socketClient.ts'
import { post, raw, serve, type TestServer } from '../../support/testServer.ts'

function limiter(limit: { pointsPerSecond: number; burst: number } | undefined) {
  const clock = fakeClock()
  const cache = createMemoryCacheStore(clock)
  return { clock, ...createRateLimiter({ clock, cache, limitOf: () => limit }) }
}

const secondsOf = (error: ReturnType<ReturnType<typeof limiter>['charge']>) =>
  error && { code: error.extensions.code, retryAfter: error.extensions.retryAfter }

test('a client may spend its burst at once, and then so many points a second', async () => {
  const { charge, left, clock } = limiter({ pointsPerSecond: 10, burst: 100 })
  expect(left('a')).toBe(100)
  expect(charge('a', 60)).toBeUndefined()
  expect(charge('a', 40)).toBeUndefined()
  expect(secondsOf(charge('a', 25))).toEqual({ code: 'RATE_LIMITED', retryAfter: 3 })
  expect(charge('b', 100)).toBeUndefined()
  await clock.advance(2_400)
  expect(left('a')).toBe(24)
  expect(secondsOf(charge('a', 25))).toEqual({ code: 'RATE_LIMITED', retryAfter: 1 })
  await clock.advance(100)
  expect(charge('a', 25)).toBeUndefined()
  await clock.advance(60_000)
  expect(left('a')).toBe(100)
})

test('an operation that costs more than the burst needs a full bucket, which it overdraws', async () => {
  const { charge, left, clock } = limiter({ pointsPerSecond: 10, burst: 100 })
  expect(charge('a', 150)).toBeUndefined()
  expect(left('a')).toBe(0)
  expect(secondsOf(charge('a', 10))).toEqual({ code: 'RATE_LIMITED', retryAfter: 6 })
  await clock.advance(6_000)
  expect(charge('a', 10)).toBeUndefined()
})

test('what is spent already is taken without a refusal, down to one burst of debt', async () => {
  const { charge, spend, clock } = limiter({ pointsPerSecond: 10, burst: 100 })
  for (let event = 0; event < 50; event += 1) spend('a', 10)
  expect(secondsOf(charge('a', 0))).toEqual({ code: 'RATE_LIMITED', retryAfter: 10 })
  await clock.advance(10_000)
  expect(charge('a', 0)).toBeUndefined()
})

test('what was spent elsewhere leaves a client less, and never more', async () => {
  const { charge, lower, left, clock } = limiter({ pointsPerSecond: 10, burst: 100 })
  lower('a', 30)
  expect(left('a')).toBe(30)
  lower('a', 80)
  expect(left('a')).toBe(30)
  lower('a', -500)
  expect(secondsOf(charge('a', 1))).toEqual({ code: 'RATE_LIMITED', retryAfter: 11 })
  await clock.advance(20_000)
  expect(left('a')).toBe(100)
})

test('a client without a limit is never refused', () => {
  const { charge, spend, left, lower } = limiter(undefined)
  lower('a', -1e9)
  spend('a', 1e9)
  expect(charge('a', 1e9)).toBeUndefined()
  expect(left('a')).toBe(Number.POSITIVE_INFINITY)
})

test('at most 50,000 clients are remembered', () => {
  const clock = fakeClock()
  const cache = createMemoryCacheStore(clock)
  const limit = { pointsPerSecond: 10, burst: 100 }
  const { charge } = createRateLimiter({ clock, cache, limitOf: () => limit })
  for (let client = 0; client < 60_000; client += 1) charge(`ip:${client}`, 1)
  expect(cache.open({ name: 'rateLimits', maxEntries: 1 }).size).toBe(50_000)
})

// On the transports: ten points, which hardly refill during a test. `{ hello }` costs one point.

const small = { pointsPerSecond: 0.001, burst: 10 }
const serveLimited = (clients: ClientOptions = {}) =>
  serve({ clients: { rateLimit: small, ...clients } })

const hello = (count: number) =>
  `{ ${Array.from({ length: count }, (_, i) => `h${i}: hello`).join(' ')} }`

const refusal = { extensions: { code: 'RATE_LIMITED', retryAfter: expect.any(Number) } }

/** Spends points of a client over HTTP. */
const spend = ({ url }: TestServer, points: number, headers: Record<string, string> = {}) =>
  post(url, { query: hello(points) }, headers)

test('a client that has spent its points is refused over HTTP, SSE and WebSocket alike', async () => {
  await using server = await serveLimited()
  const socket = await greetedSocket(server.url)
  expect((await spend(server, 10)).status).toBe(200)

  const refused = await spend(server, 1)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBe(
    refused.body.errors[0].extensions.retryAfter,
  )
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

test('the status is the same on the path through yoga', async () => {
  await using server = await serve({ directPath: false, clients: { rateLimit: small } })
  expect((await spend(server, 10)).status).toBe(200)
  const refused = await spend(server, 1)
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
})

test('other clients are still served', async () => {
  await using server = await serveLimited()
  const first = { 'x-forwarded-for': '2001:db8::1' }
  expect((await spend(server, 10, first)).status).toBe(200)
  expect((await spend(server, 1, { 'x-forwarded-for': '2001:db8::2' })).status).toBe(429)
  expect((await spend(server, 1, { 'x-forwarded-for': '2001:db8:0:1::1' })).status).toBe(200)
  expect((await spend(server, 1)).status).toBe(200)
})

test('requests of several clients on one connection of a proxy are told apart', async () => {
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

test('each event of a subscription costs a part of what its start costs', async () => {
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
])('%s that are refused cost points too, but only once', async (_what, wrong) => {
  await using server = await serveLimited()
  expect((await post(server.url, wrong)).status).not.toBe(429)
  const first = await post(server.url, wrong)
  expect(first.status).toBe(429)
  const second = await post(server.url, wrong)
  expect(second.headers.get('retry-after')).toBe(first.headers.get('retry-after'))
})

test('clients with an API key can have limits of their own', async () => {
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

test('by default, clients on this machine that no proxy names have no limit, and all others have one', () => {
  const clock = fakeClock()
  const cache = createMemoryCacheStore(clock)
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  const budgetOf = (options: ClientOptions) =>
    createClients(options, { clock, cache, log, limits: { maxCost: 20_000 } }).budget
  const { left } = budgetOf({})
  expect(left('ip:203.0.113.7')).toBe(100_000)
  expect(left('key:wallet')).toBe(100_000)
  expect(left('local:127.0.0.1')).toBe(Number.POSITIVE_INFINITY)

  const given = budgetOf({ rateLimit: { pointsPerSecond: 50_000 } })
  expect(given.left('ip:203.0.113.7')).toBe(250_000)
  expect(given.left('local:127.0.0.1')).toBe(250_000)
  const off = budgetOf({ rateLimit: { pointsPerSecond: 0 } })
  expect(off.left('ip:203.0.113.7')).toBe(Number.POSITIVE_INFINITY)
})
