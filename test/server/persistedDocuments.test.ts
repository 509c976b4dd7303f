import { createHash } from 'node:crypto'
import { createClient as createSseClient } from 'graphql-sse'
import { expect, test } from 'vitest'
import { CacheStore } from '../../src/kit/cache/cache.ts'
import { createDocumentTexts } from '../../src/server/operation/documents/documentTexts.ts'
import { fakeClock } from '../support/fakeClock.ts'
import { type Json, post } from '../support/http.ts'
import { greetedSocket } from '../support/socketClient.ts'
import { serve, type TestServer } from '../support/testServer.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const hashed = (text: string) => ({ persistedQuery: { version: 1, sha256Hash: sha256(text) } })

const hello = 'query Hello($name: String! = "you") { hello(name: $name) }'
const ticks = 'subscription { ticks }'
const documents = new Map([
  ['5d41402abc4b2a76b9719d911017c592', hello],
  [sha256(hello), hello],
  ['live', ticks],
])
const trustedDocuments = () => documents

type Params = Readonly<Record<string, unknown>>

/** Sends a query over each transport. Returns its result, or that of the first event. */
const transports: Record<string, (server: TestServer, params: Params) => Promise<Json>> = {
  post: async ({ url }, params) => (await post(url, params)).body,

  async get({ url }, params) {
    const search = new URLSearchParams()
    for (const [name, value] of Object.entries(params)) {
      search.set(name, typeof value === 'string' ? value : JSON.stringify(value))
    }
    return (await fetch(`${url}?${search}`)).json()
  },

  async sse({ url }, params) {
    const client = createSseClient({ url, retryAttempts: 0 })
    for await (const result of client.iterate(params as { query: string })) return result
    return undefined
  },

  async socket({ url }, params) {
    const socket = await greetedSocket(url)
    socket.send({ id: '1', type: 'subscribe', payload: params })
    const message = await socket.next()
    await socket.close()
    return message.type === 'error' ? { errors: message.payload } : message.payload
  },
}

const variables = { name: 'Ada' }
const forms: [string, Params][] = [
  ['documentId', { documentId: '5d41402abc4b2a76b9719d911017c592', variables }],
  ['documentId with the kind of its hash', { documentId: `sha256:${sha256(hello)}`, variables }],
  ['id', { id: '5d41402abc4b2a76b9719d911017c592', variables }],
  ['doc_id', { doc_id: '5d41402abc4b2a76b9719d911017c592', variables }],
  ['a hash in the extensions', { extensions: hashed(hello), variables }],
]
const table = forms.flatMap(([form, params]) =>
  Object.keys(transports).map((transport) => ({ form, transport, params })),
)

test.each(table)('a trusted document runs by $form over $transport', async (row) => {
  for (const trustedDocumentsOnly of [false, true]) {
    await using server = await serve({ trustedDocuments, trustedDocumentsOnly })
    expect(await transports[row.transport]?.(server, row.params)).toEqual({
      data: { hello: 'Hello, Ada!' },
    })
  }
})

test('a trusted subscription runs by its id', async () => {
  await using server = await serve({ trustedDocuments, trustedDocumentsOnly: true })
  const socket = await greetedSocket(server.url)
  socket.send({ id: '1', type: 'subscribe', payload: { documentId: 'live' } })
  const accept = 'text/event-stream'
  const stream = await fetch(`${server.url}?documentId=live`, { headers: { accept } })
  expect(stream.headers.get('content-type')).toContain(accept)
  await server.stage.listening(2)
  server.stage.tick(7)
  expect(await socket.next()).toMatchObject({ payload: { data: { ticks: 7 } } })
  await stream.body?.cancel()
})

const sha = sha256(hello)
const sha256Hash = (id: string) => ({ extensions: { persistedQuery: { version: 1, sha256Hash: id } } })

test.each([`sha256:${sha}`, sha])('a document that a build lists as %s runs in each way of asking', async (listed) => {
  const ways: Params[] = [
    ...['documentId', 'id', 'doc_id'].flatMap((name) => [{ [name]: sha }, { [name]: `sha256:${sha}` }]),
    ...[sha256Hash(sha), sha256Hash(`sha256:${sha}`)],
    // As apps send it that Hive knows.
    ...[{ documentId: `my-app~1.0.0~${sha}` }, { documentId: `my-app~1.0.0~sha256:${sha}` }],
    // With its text, as a client sends it again after a miss.
    { query: hello, ...sha256Hash(`sha256:${sha}`) },
  ]
  for (const trustedDocumentsOnly of [false, true]) {
    await using server = await serve({ trustedDocuments: () => new Map([[listed, hello]]), trustedDocumentsOnly })
    for (const transport of Object.values(transports)) {
      for (const way of ways) {
        const answer = await transport(server, { ...way, variables })
        expect({ way, answer }).toEqual({ way, answer: { data: { hello: 'Hello, Ada!' } } })
      }
    }
  }
})

test('a trusted text may come with an id that is no SHA-256, and another text may not', async () => {
  const md5 = createHash('md5').update(hello).digest('hex')
  await using server = await serve({ trustedDocuments: () => new Map([[md5, hello]]) })
  const answerTo = async (query: string) => (await post(server.url, { query, ...sha256Hash(md5) })).body
  expect(await answerTo(hello)).toEqual({ data: { hello: 'Hello, you!' } })
  expect(codesOf(await answerTo('{ hello }'))).toEqual(['BAD_USER_INPUT'])
})

test('an automatic persisted query is found with and without the kind of its hash', async () => {
  await using server = await serve()
  const first = await post(server.url, { query: hello, ...sha256Hash(`sha256:${sha}`) })
  expect(first.body).toEqual({ data: { hello: 'Hello, you!' } })
  for (const id of [sha, `sha256:${sha}`]) {
    expect((await post(server.url, sha256Hash(id))).body).toEqual(first.body)
  }
})

test('an id with two texts is refused when the gateway starts', async () => {
  const twice = new Map([
    [sha, hello],
    [`sha256:${sha}`, ticks],
  ])
  await expect(serve({ trustedDocuments: () => twice })).rejects.toThrow(
    `The id 'sha256:${sha}' in trustedDocuments has two texts.`,
  )
})

const codesOf = ({ errors }: Json) => errors?.map((error: Json) => error.extensions.code)

test.each(Object.keys(transports))('an unknown document id is PERSISTED_QUERY_NOT_FOUND over %s', async (transport) => {
  await using server = await serve({ trustedDocuments })
  for (const params of [{ documentId: 'unknown' }, { extensions: hashed('{ double }') }]) {
    const result = await transports[transport]?.(server, params)
    expect(codesOf(result)).toEqual(['PERSISTED_QUERY_NOT_FOUND'])
    // Apollo's clients look for this message.
    expect(result.errors[0].message).toBe('PersistedQueryNotFound')
  }
})

test.each(Object.keys(transports))('trustedDocumentsOnly refuses other documents over %s', async (transport) => {
  await using server = await serve({ trustedDocuments, trustedDocumentsOnly: true })
  const ask = async (params: Params) => transports[transport]?.(server, params)
  for (const query of ['{ hello }', '{', `${hello} `]) {
    expect(codesOf(await ask({ query }))).toEqual(['DOCUMENT_NOT_TRUSTED'])
    // Neither can a client register them.
    const registered = await ask({ query, extensions: hashed(query) })
    expect(codesOf(registered)).toEqual(['DOCUMENT_NOT_TRUSTED'])
    const byHash = await ask({ extensions: hashed(query) })
    expect(codesOf(byHash)).toEqual(['PERSISTED_QUERY_NOT_FOUND'])
  }
  expect(await ask({ query: hello })).toEqual({ data: { hello: 'Hello, you!' } })
})

test.each(Object.keys(transports))('an automatic persisted query is registered over %s', async (transport) => {
  await using server = await serve()
  const ask = async (params: Params) => transports[transport]?.(server, params)
  const query = '{ double(number: 21) }'
  const extensions = hashed(query)
  expect(codesOf(await ask({ extensions }))).toEqual(['PERSISTED_QUERY_NOT_FOUND'])
  expect(await ask({ query, extensions })).toEqual({ data: { double: 42 } })
  for (const other of Object.values(transports)) {
    expect(await other(server, { extensions })).toEqual({ data: { double: 42 } })
  }
})

test('PERSISTED_QUERY_NOT_FOUND has status 200', async () => {
  await using server = await serve()
  for (const accept of ['application/json', 'application/graphql-response+json']) {
    const { status } = await post(server.url, { extensions: hashed('{ hello }') }, { accept })
    expect(status).toBe(200)
  }
})

test.each<[string, unknown, string]>([
  ['another hash', { version: 1, sha256Hash: sha256('{ x }') }, 'is not the hash of the document'],
  ['no hash', { version: 1 }, 'sha256Hash` must be a string'],
  ['another version', { version: 2, sha256Hash: sha256('{ hello }') }, 'version` must be 1'],
])('a persisted query with %s is refused and not registered', async (_what, persistedQuery, message) => {
  await using server = await serve()
  const { body } = await post(server.url, { query: '{ hello }', extensions: { persistedQuery } })
  expect(codesOf(body)).toEqual(['BAD_USER_INPUT'])
  expect(body.errors[0].message).toContain(message)
  const { body: later } = await post(server.url, { extensions: { persistedQuery } })
  expect(later.data).toBeUndefined()
})

test('an invalid document is not registered', async () => {
  await using server = await serve()
  const extensions = hashed('{ nothing }')
  const { body } = await post(server.url, { query: '{ nothing }', extensions })
  expect(codesOf(body)).toEqual(['GRAPHQL_VALIDATION_FAILED'])
  const { body: later } = await post(server.url, { extensions })
  expect(codesOf(later)).toEqual(['PERSISTED_QUERY_NOT_FOUND'])
})

test('a document id that is not a string is refused', async () => {
  await using server = await serve({ trustedDocuments })
  for (const documentId of [7, {}, ['live']]) {
    const { body } = await post(server.url, { documentId })
    expect(codesOf(body)).toEqual(['BAD_USER_INPUT'])
  }
})

test('a mutation by document id is refused over GET', async () => {
  await using server = await serve({ trustedDocuments: () => new Map([['touch', 'mutation { touch }']]) })
  expect((await fetch(`${server.url}?documentId=touch`)).status).toBe(405)
  expect((await post(server.url, { documentId: 'touch' })).body).toEqual({ data: { touch: 1 } })
})

test('the registered documents are bounded in number and bytes', () => {
  const cache = new CacheStore(fakeClock())
  const texts = createDocumentTexts(cache)
  for (let i = 0; i < 20_000; i += 1) {
    const query = `{ hello(name: "${i}") }`
    texts.keep({ query, extensions: hashed(query) })
  }
  const kept = cache.open<string>({ name: 'persistedQueries', maxEntries: 1 })
  expect(kept.size).toBe(10_000)
  const large = 'x'.repeat(200_000)
  for (let i = 0; i < 100; i += 1) {
    const query = `# ${i} ${large}`
    texts.keep({ query, extensions: hashed(query) })
  }
  expect(kept.bytes).toBeLessThanOrEqual(8 * 1024 * 1024)
})
