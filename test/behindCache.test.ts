import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type Sandbox, startSandbox } from '../packages/sandbox/src/sandbox.ts'
import { createGateway } from '../src/gateway.ts'
import type { Gateway } from '../src/server/gatewayOptions.ts'
import { type FakeClock, fakeClock } from './support/fakeClock.ts'
import { isInstalled } from './support/installed.ts'
import { cachingNginx, type RunningProxy, startProxy } from './support/proxy.ts'
import { now, youngChains } from './support/world.ts'

// A gateway behind the nginx of ops that keeps answers, as readers see both.
const it = test.skipIf(!isInstalled('nginx'))

const key = 'k'.repeat(32)

let clock: FakeClock
let sandbox: Sandbox
let gateway: Gateway
let proxy: RunningProxy

beforeAll(async () => {
  if (!isInstalled('nginx')) return
  clock = fakeClock(undefined, now)
  sandbox = await startSandbox({ clock: () => clock.date(), chains: youngChains(60) })
  gateway = await createGateway(
    {
      ...{ chains: sandbox.indexers, router: { url: sandbox.routerUrl } },
      ...{ apiKeys: new Map([['friend', key]]), allowedOrigins: ['https://a.example', 'https://b.example'] },
    },
    { clock, random: () => 0.5, upstream: { backoff: () => 0 }, server: { drain: 0 } },
  )
  proxy = await startProxy('nginx', [Number(new URL(gateway.url).port)], cachingNginx)
})

afterAll(async () => {
  agent.destroy()
  await proxy?.[Symbol.asyncDispose]()
  await gateway?.close()
  await sandbox?.close()
})

const agent = new Agent({ keepAlive: true, maxSockets: 50 })

/** The path of a query. */
const pathOf = (query: string) => `/graphql?${new URLSearchParams({ query })}`

async function open(query: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  const sent = request({ host: '127.0.0.1', port: proxy.port, ca: proxy.ca, agent, path: pathOf(query), headers })
  sent.end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return response
}

/** An answer, and how nginx came by it: HIT, MISS or another word. */
async function read(query: string, headers: Record<string, string> = {}) {
  const response = await open(query, headers)
  const text = Buffer.concat(await response.toArray()).toString()
  return { text, cache: response.headers['x-cache-status'], headers: response.headers, status: response.statusCode }
}

/** How many operations the gateway has answered. */
async function answered(): Promise<number> {
  const text = await (await fetch(gateway.metricsUrl)).text()
  const counts = text.matchAll(/^portolan_operation_duration_seconds_count\{.*\} (\d+)$/gm)
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
}

it('a thousand readers of a final block cost the gateway one request', async () => {
  const query = '{ chain { block(height: 7) { hash } } }'
  const before = await answered()
  const first = await read(query)
  expect([first.cache, first.text]).toEqual(['MISS', expect.stringContaining('"hash":"')])
  const others = await Promise.all(Array.from({ length: 999 }, () => read(query)))
  expect(new Set(others.map(({ cache, text }) => `${cache} ${text}`))).toEqual(new Set([`HIT ${first.text}`]))
  expect((await answered()) - before).toBe(1)
  // A reader that has it gets no body, and what it gets names no other reader.
  const { headers } = first
  const known = await read(query, { 'if-none-match': String(headers.etag) })
  expect([known.status, known.cache, known.text]).toEqual([304, 'HIT', ''])
  for (const { headers } of [first, known]) {
    expect(headers['x-request-id'] ?? headers['set-cookie'] ?? headers['retry-after']).toBeUndefined()
  }
  for (const name of ['etag', 'cache-control', 'vary', 'date'])
    expect([name, known.headers[name]]).toEqual([name, headers[name]])
  expect((await answered()) - before).toBe(1)
})

it('it keeps no answer of a key, of an error, or that may change', async () => {
  const old = '{ chain { block(height: 8) { hash } } }'
  const cases: [string, Record<string, string>][] = [
    [old, { 'x-api-key': key }],
    [old, { authorization: `Bearer ${key}` }],
    [old, { 'x-api-key': 'wrong' }],
    [old, { 'graphql-cost-debug': '1' }],
    ['{ nothing }', {}],
    ['{ chain { block(height: 8) { hash } richList(denom: "?") { nodes { amount } } } }', {}],
    ['{ chain { blocks(first: 1) { nodes { hash } } } }', {}],
  ]
  for (const [query, headers] of cases) {
    for (const _ of [1, 2]) expect([query, (await read(query, headers)).cache]).toEqual([query, 'MISS'])
  }
  // Nobody has poisoned it, and nobody with a key gets what others do.
  const open = await read(old)
  expect([open.cache, JSON.parse(open.text)]).toEqual(['MISS', { data: { chain: { block: expect.anything() } } }])
  expect((await read(old)).cache).toBe('HIT')
  for (const [query, headers] of cases.slice(0, 4)) expect((await read(query, headers)).cache).toBe('MISS')
  expect((await read(old, { 'x-api-key': 'wrong' })).status).toBe(401)
  expect((await read(old)).cache).toBe('HIT')
})

it('each reader gets its media type, its coding and its origin', async () => {
  const query = '{ __schema { types { name description } } }'
  const wishes: Record<string, string>[] = [
    {},
    { accept: 'application/graphql-response+json' },
    { 'accept-encoding': 'br' },
    { 'accept-encoding': 'gzip' },
    { origin: 'https://a.example' },
    { origin: 'https://b.example' },
    { origin: 'https://evil.example' },
  ]
  for (const cache of ['MISS', 'HIT']) {
    const seen = []
    for (const wish of wishes) {
      const { headers, ...answer } = await read(query, wish)
      expect([wish, answer.cache]).toEqual([wish, cache])
      seen.push([headers['content-type'], headers['content-encoding'], headers['access-control-allow-origin']])
    }
    const json = 'application/json; charset=utf-8'
    expect(seen).toEqual([
      [json, undefined, undefined],
      ['application/graphql-response+json; charset=utf-8', undefined, undefined],
      [json, 'br', undefined],
      [json, 'gzip', undefined],
      [json, undefined, 'https://a.example'],
      [json, undefined, 'https://b.example'],
      [json, undefined, undefined],
    ])
  }
})

it('it asks again when the time of an answer is over', async () => {
  const query = '{ chain { block(height: 9) { hash } } }'
  await read('{ chain { block(height: 9) { hash } } __typename }')
  await clock.advance(3_598_000)
  const final = '{ chain { block(height: 11) { hash } } }'
  const before = await read(final)
  // The block was read an hour ago, but for two seconds.
  const first = await read(query)
  expect([first.cache, first.headers['cache-control']]).toEqual(['MISS', 'public, max-age=2'])
  await expect.poll(async () => (await read(query)).cache, { timeout: 10_000 }).toBe('EXPIRED')
  // By its date, browsers see that this one is two seconds old.
  const after = await read(final)
  expect([after.cache, after.headers.date]).toEqual(['HIT', before.headers.date])
})

it('events and sockets pass it at the address of a kept answer', async () => {
  const query = 'subscription { blocks(chainId: "galley-1") { node { height } } }'
  for (const _ of [1, 2]) {
    const stream = await open(query, { accept: 'text/event-stream' })
    expect(stream.headers['content-type']).toMatch(/^text\/event-stream/)
    const [first] = await once(stream, 'data')
    expect(String(first)).toContain(':')
    stream.destroy()
  }
  const kept = '{ chain { block(height: 10) { hash } } }'
  const headers = { accept: '*/*' }
  for (const cache of ['MISS', 'HIT']) expect((await read(kept, headers)).cache).toBe(cache)
  const socket = new WebSocket(`wss://127.0.0.1:${proxy.port}${pathOf(kept)}`, 'graphql-transport-ws', {
    ca: proxy.ca,
    headers,
  })
  await once(socket, 'open')
  socket.terminate()
})
