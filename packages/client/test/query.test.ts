import { createHash } from 'node:crypto'
import { afterEach, expect, test, vi } from 'vitest'
import { deferred } from '../../../test/support/deferred.ts'
import { type ClientOptions, createClient } from '../src/client.ts'
import { PortolanError } from '../src/portolanError.ts'
import { clientOf, startWorld } from './support/world.ts'

interface Sent {
  readonly url: URL
  readonly method: string
  readonly headers: Record<string, string>
  readonly body: { query?: string; documentId?: string; extensions?: Record<string, unknown> }
}

/** A client whose gateway answers with these, one after the other. */
function clientThatHears(
  answers: readonly (Response | Error | object)[],
  apiKey?: string,
  retryDelay = () => 0,
  options: Partial<ClientOptions> = {},
) {
  const sent: Sent[] = []
  const queue = [...answers]
  const client = createClient({
    url: 'http://gateway.example/graphql',
    ...{ apiKey, retryDelay, webSocketImpl: null, ...options },
    async fetch(url, { method = 'GET', headers, body = '{}' } = {}) {
      sent.push({ url: new URL(String(url)), method, headers: Object(headers), body: JSON.parse(String(body)) })
      const answer = queue.shift() ?? { data: 'too many' }
      if (answer instanceof Error) throw answer
      return answer instanceof Response ? answer : Response.json(answer)
    },
  })
  return { client, sent }
}

const text = 'query Q { service { version } }'
const mutation = 'mutation M { trackTransfer }'
const sha256Hash = createHash('sha256').update(text).digest('hex')
const unknown = { errors: [{ message: 'x', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }] }
const refused = (status: number, headers = {}) => Response.json({ errors: [{ message: 'no' }] }, { status, headers })

test('a document is sent by hash, and in full only if the gateway does not know it', async () => {
  const { client, sent } = clientThatHears([unknown, { data: 1 }, { data: 2 }], 'key')
  expect(await client.query(text)).toBe(1)
  expect(await client.query(text)).toBe(2)
  const persistedQuery = { version: 1, sha256Hash }
  expect(sent.map(({ body }) => body)).toEqual([
    { extensions: { persistedQuery } },
    { query: text, extensions: { persistedQuery } },
    { extensions: { persistedQuery } },
  ])
  const ids = sent.map(({ headers }) => headers['x-request-id'])
  expect(ids[0]).toMatch(/^\w{8,}$/)
  expect(new Set(ids).size).toBe(2)
  expect(sent[0]?.headers.authorization).toBe('Bearer key')
})

test('a document with a build id is sent by documentId', async () => {
  const { client, sent } = clientThatHears([{ data: 1 }])
  const typed = Object.assign(new String(text), { __meta__: { hash: 'abc' } })
  await client.query(typed as { __apiType?: () => unknown })
  expect(sent[0]?.body).toEqual({ documentId: 'abc' })
})

const byGet = { preferGetForPersistedQueries: true }

/** A client that prefers GET. */
const clientOfGets = (answers: readonly (Response | Error | object)[], apiKey?: string, url?: string) =>
  clientThatHears(answers, apiKey, undefined, { ...byGet, ...(url && { url }) })

test('a query is sent by GET and its hash, and by POST if the gateway does not know it', async () => {
  const { client, sent } = clientOfGets([unknown, { data: 1 }, { data: 2 }])
  const variables = { height: 7, ids: ['ä&b'] }
  expect(await client.query(text, variables)).toBe(1)
  expect(await client.query(text, variables)).toBe(2)
  expect(sent.map(({ method }) => method)).toEqual(['GET', 'POST', 'GET'])
  const persistedQuery = { version: 1, sha256Hash }
  expect(sent[1]?.body).toEqual({ query: text, extensions: { persistedQuery }, variables })
  for (const { url, headers, body } of [sent[0], sent[2]].flatMap((each) => each ?? [])) {
    expect(Object.fromEntries(url.searchParams)).toEqual({
      extensions: JSON.stringify({ persistedQuery }),
      variables: JSON.stringify(variables),
    })
    // Any other header would make browsers ask the other origin first.
    expect([Object.keys(headers), body]).toEqual([['accept'], {}])
  }
})

test('a GET has the id of a built document, the key of the client, and the parameters of its URL', async () => {
  const { client, sent } = clientOfGets([{ data: 1 }], 'key', 'http://gateway.example/graphql?tenant=a')
  const typed = Object.assign(new String(text), { __meta__: { hash: 'sha256:abc' } })
  await client.query(typed as { __apiType?: () => unknown })
  expect(Object.fromEntries(sent[0]?.url.searchParams ?? [])).toEqual({ tenant: 'a', documentId: 'sha256:abc' })
  expect(sent[0]?.headers.authorization).toBe('Bearer key')
})

test('mutations, long variables and texts without a hash are sent by POST', async () => {
  const { client, sent } = clientOfGets([])
  await client.query(mutation)
  await client.query(text, { a: 'x'.repeat(1_700) })
  await client.query(text, { a: 'x'.repeat(2_000) })
  vi.stubGlobal('crypto', {})
  await clientOfGets([]).client.query('{ other }')
  const { client: plain, sent: whole } = clientOfGets([])
  await plain.query(text)
  vi.unstubAllGlobals()
  expect([...sent, ...whole].map(({ method }) => method)).toEqual(['POST', 'GET', 'POST', 'POST'])
})

test('by GET, a gateway lets its answer be kept', async () => {
  await using world = await startWorld()
  const kept: (string | null)[] = []
  const client = clientOf(world, {
    ...byGet,
    async fetch(...request) {
      const response = await fetch(...request)
      kept.push(response.headers.get('cache-control'))
      return response
    },
  })
  const block = 'query Old { chain { block(height: 7) { height } } }'
  for (const _ of [1, 2]) expect(await client.query(block)).toEqual({ chain: { block: { height: 7 } } })
  expect(kept).toEqual(['no-store', 'no-store', expect.stringMatching(/^public, max-age=\d+$/)])
})

afterEach(() => vi.useRealTimers())

test.each([429, 503])('a query is retried on status %i after its Retry-After', async (status) => {
  vi.useFakeTimers()
  const waits = deferred<void>()
  const retryDelay = () => {
    waits.resolve()
    return 500
  }
  const answers = [refused(status, { 'retry-after': '3' }), { data: 1 }]
  const { client, sent } = clientThatHears(answers, undefined, retryDelay)
  const query = client.query(text)
  await waits.promise
  await vi.advanceTimersByTimeAsync(3_499)
  expect(sent).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(sent).toHaveLength(2)
  expect(await query).toBe(1)
})

test('a lost connection is retried at most three times', async () => {
  const lost = new TypeError('fetch failed')
  const { client, sent } = clientThatHears([lost, lost, lost, lost])
  await expect(client.query(text)).rejects.toMatchObject({ code: 'NETWORK', cause: lost })
  expect(sent).toHaveLength(4)
})

test('all queries share a budget of retries', async () => {
  const { client, sent } = clientThatHears(Array.from({ length: 99 }, () => new TypeError('lost')))
  for (let index = 0; index < 6; index++) await client.query(text).catch(() => {})
  expect(sent).toHaveLength(6 + 10)
})

test('a mutation is retried after a refusal, but not after a lost connection', async () => {
  const lost = clientThatHears([new TypeError('lost')])
  await expect(lost.client.query(mutation)).rejects.toMatchObject({ code: 'NETWORK' })
  expect(lost.sent).toHaveLength(1)
  const busy = clientThatHears([refused(429, { 'retry-after': '0' }), { data: 1 }])
  expect(await busy.client.query(mutation)).toBe(1)
})

test('a long Retry-After is an error with retryAfter, and is not retried', async () => {
  const { client, sent } = clientThatHears([refused(429, { 'retry-after': '60' })])
  await expect(client.query(text)).rejects.toMatchObject({ status: 429, retryAfter: 60 })
  expect(sent).toHaveLength(1)
})

test('an error has its code, service, reason and partial data', async () => {
  const extensions = { code: 'UPSTREAM_REJECTED', service: 'router', reason: 'X', requestId: 'r' }
  const answer = { data: { a: 1, b: null }, errors: [{ message: 'no', path: ['b'], extensions }] }
  const { client } = clientThatHears([answer, answer])
  const error = await client.query(text).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(PortolanError)
  expect(error).toMatchObject({ message: 'no', ...extensions, partialData: { a: 1, b: null } })
  const partial: PortolanError[] = []
  const data = await client.query(text, {}, { onPartial: (caught) => void partial.push(caught) })
  expect(data).toEqual({ a: 1, b: null })
  expect(partial).toHaveLength(1)
})

test('an HTML response is an error with its HTTP status', async () => {
  const { client } = clientThatHears([new Response('<html>', { status: 502 })])
  await expect(client.query(text)).rejects.toMatchObject({ code: 'HTTP', status: 502 })
})

test('an aborted query rejects with the abort reason', async () => {
  const abort = new AbortController()
  const { client } = clientThatHears([new TypeError('lost')])
  const query = client.query(text, {}, { signal: abort.signal })
  abort.abort(new Error('left'))
  await expect(query).rejects.toThrow('left')
})

test('a gateway registers a document by its hash', async () => {
  await using world = await startWorld()
  const client = clientOf(world)
  const data = await client.query<{ service: { version: string } }, object>(text)
  expect(data.service.version).toMatch(/^\d/)
  await expect(client.query('query Bad { nothing }')).rejects.toMatchObject({
    code: 'GRAPHQL_VALIDATION_FAILED',
    status: 400,
  })
})
