import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { createCompression } from '../../src/server/http/compression.ts'
import { startWorld } from '../support/world.ts'

const world = await startWorld()
afterAll(() => world[Symbol.asyncDispose]())

const long = '{ chain { transactions(first: 20) { nodes { hash height } } } }'
const short = '{ chain { chainId } }'

/** An answer as it came, undecoded. */
function send(query: string, headers: Record<string, string>, { url = world.url, method = 'POST' } = {}) {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; bytes: Buffer }>((resolve, reject) => {
    const target = method === 'GET' ? `${url}?query=${encodeURIComponent(query)}` : url
    const all = { 'content-type': 'application/json', accept: 'application/json', ...headers }
    const sent = request(target, { method, headers: all }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part) => parts.push(part))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          bytes: Buffer.concat(parts),
        }),
      )
    })
    sent.on('error', reject)
    sent.end(method === 'POST' ? JSON.stringify({ query }) : undefined)
  })
}

/** An answer as text. Errors have the id of their request. */
const withoutRequestId = (bytes: Buffer) => bytes.toString().replace(/"requestId":"[^"]+"/g, '')

describe.each([
  ['a plain query', long, 'POST'],
  ['a query by GET', long, 'GET'],
  ['an answer with errors', `{ a: chain(chainId: "!") { chainId } ${long.slice(1)}`, 'POST'],
])('%s', (_name, query, method) => {
  test.each([
    ['br', 'gzip, deflate, br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['gzip', 'br;q=0, gzip;q=0.5', gunzipSync],
  ] as const)('is compressed with %s if the client accepts %s', async (coding, accepted, decode) => {
    const plain = await send(query, {}, { method })
    const coded = await send(query, { 'accept-encoding': accepted }, { method })
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(coded.headers['content-encoding']).toBe(coding)
    expect(coded.headers.vary).toContain('Accept-Encoding')
    expect(coded.headers['content-length']).toBe(String(coded.bytes.length))
    expect(coded.bytes.length).toBeLessThan(plain.bytes.length / 1.7)
    expect(withoutRequestId(decode(coded.bytes))).toBe(withoutRequestId(plain.bytes))
    expect(coded.status).toBe(plain.status)
  })
})

test('answers below 1 KB or without an accepted coding are not compressed', async () => {
  const { headers } = await send(short, { 'accept-encoding': 'gzip, br' })
  expect(headers['content-encoding']).toBeUndefined()
  const identity = await send(long, { 'accept-encoding': 'identity, gzip;q=0' })
  expect(identity.headers['content-encoding']).toBeUndefined()
})

test('an event stream is not compressed', async () => {
  const controller = new AbortController()
  const response = await fetch(world.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      'accept-encoding': 'gzip, br',
    },
    body: JSON.stringify({ query: 'subscription { blocks(chainId: "galley-1") { cursor } }' }),
    signal: controller.signal,
  })
  expect(response.headers.get('content-encoding')).toBeOneOf([null, 'none'])
  controller.abort()
})

test('answers beyond the concurrent compressions are not compressed', async () => {
  const compression = createCompression()
  const asked = { headers: { 'accept-encoding': 'gzip' } } as Parameters<typeof compression.compress>[0]
  const text = 'x'.repeat(2_000)
  const compress = () => compression.compress(asked, text, text.length)
  const running = Array.from({ length: 4 }, compress)
  expect(compress()).toBeUndefined()
  for (const coded of await Promise.all(running)) expect(gunzipSync(coded?.bytes ?? '').toString()).toBe(text)
  expect(compress()).toBeDefined()
})
