import { once } from 'node:events'
import { createConnection } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { heapInUse } from '../support/heap.ts'
import { post } from '../support/http.ts'
import { greetedSocket } from '../support/socketClient.ts'
import { serve, type TestServer } from '../support/testServer.ts'
import { type ErrorAnswer, startWorld, type World } from '../support/world.ts'

// Documents that a client gets wrong, or means to harm with, numbered B1 to B22.

let world: World
let closed: TestServer

beforeAll(async () => {
  world = await startWorld()
  closed = await serve({ introspection: false })
})

afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await closed[Symbol.asyncDispose]()
})

/** Posts to the world. The status of this media type says whether the document was run. */
async function ask(body: unknown, headers: Record<string, string> = {}) {
  world.requests()
  const accept = 'application/graphql-response+json'
  const answer = await post(world.url, body, { accept, ...headers })
  const errors: ErrorAnswer[] = answer.body.errors ?? []
  const codes = [...new Set(errors.map(({ extensions }) => extensions?.code))]
  return { ...answer, errors, codes, sent: world.requests() }
}

const nested = (open: string, inner: string, depth: number) =>
  `{ ${`${open} { `.repeat(depth)}${inner}${' }'.repeat(depth)} }`
const times = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index)).join(' ')

const notParsed = { status: 400, code: 'GRAPHQL_PARSE_FAILED' }
const notValid = { status: 400, code: 'GRAPHQL_VALIDATION_FAILED' }
const badInput = { status: 400, code: 'BAD_USER_INPUT' }

interface Refusal {
  readonly status: number
  readonly code: string
  readonly message?: RegExp
}

const refused: Record<string, [body: object, Refusal]> = {
  'B1 a document that ends too early': [{ query: '{' }, notParsed],
  'B2 a comment of 1 MB': [
    { query: `#${'x'.repeat(1_000_000)}\n{ chain { chainId } }` },
    { status: 413, code: 'BAD_USER_INPUT' },
  ],
  'B3 one token more than the limit': [
    { query: `{ ${times(1_999, () => 'chains')} }` },
    { ...notParsed, message: /more that 2000 tokens/ },
  ],
  'B4 a selection 20,000 levels deep': [{ query: nested('a', 'a', 20_000) }, notParsed],
  'B5 a list 20,000 levels deep': [
    { query: `{ nodes(ids: ${'['.repeat(20_000)}${']'.repeat(20_000)}) { id } }` },
    notParsed,
  ],
  'B6 a value one level deeper than the limit': [
    { query: `{ chain(chainId: ${'['.repeat(699)}${']'.repeat(699)}) { name } }` },
    { ...notParsed, message: /deep|levels/ },
  ],
  'B8 21 directives on one field': [
    { query: `{ chain { chainId ${times(21, () => '@include(if: true)')} } }` },
    notValid,
  ],
  'B11 fragments in a circle': [
    { query: '{ ...a } fragment a on Query { ...b } fragment b on Query { ...a }' },
    notValid,
  ],
  'B13 both a small first and a large last': [
    { query: '{ chain { blocks(first: 1, last: 1000) { nodes { hash } } } }' },
    // The field is null: what else was asked for is answered.
    { status: 200, code: 'BAD_USER_INPUT', message: /first.*last/ },
  ],
  'B16 deep introspection': [
    { query: '{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }' },
    { ...notValid, message: /Maximum introspection depth/ },
  ],
  'B17 two operations without names': [{ query: '{ chain { chainId } } { chain { name } }' }, badInput],
  'B18 a name that no operation has': [{ query: 'query A { chain { chainId } }', operationName: 'B' }, badInput],
  'B19 fragments only': [{ query: 'fragment a on Query { chain { chainId } }' }, badInput],
  'B20 directives for parts of a response': [
    { query: '{ chains @stream { chainId } ... @defer { chain { chainId } } }' },
    { ...notValid, message: /Unknown directive "@(stream|defer)"/ },
  ],
}

test.each(Object.entries(refused))('%s is refused', async (_, [body, refusal]) => {
  const { status, codes, errors, sent } = await ask(body)
  expect([status, ...codes]).toEqual([refusal.status, refusal.code])
  expect(errors[0]?.message).toMatch(refusal.message ?? /./)
  expect(sent).toEqual([])
})

// Aliases have no limit of their own: each costs as much as its field.
test('B7 31 aliases cost as much as 31 fields, and are refused above the limit', async () => {
  const aliases = (count: number, field: string) => `{ ${times(count, (i) => `a${i}: ${field}`)} }`
  const costOf = async (count: number) => {
    const query = aliases(count, 'chain { block(height: 7) { hash } }')
    const { body, status } = await ask({ query }, { 'graphql-cost-debug': '1' })
    expect([status, Object.keys(body.data).length]).toEqual([200, count])
    return body.extensions.cost.points
  }
  expect(await costOf(31)).toBe(31 * (await costOf(1)))
  const page = 'chain { blocks(first: 100) { nodes { transactions(first: 20) { nodes { hash } } } } }'
  const { status, codes, sent } = await ask({ query: aliases(31, page) })
  expect([status, codes, sent]).toEqual([400, ['QUERY_TOO_COMPLEX'], []])
})

test('B9 200 unknown directives give at most 21 errors', async () => {
  const { status, codes, errors } = await ask({
    query: `{ chain { chainId ${times(200, (i) => `@d${i}`)} } }`,
  })
  expect([status, codes]).toEqual([400, ['GRAPHQL_VALIDATION_FAILED']])
  expect(errors.length).toBeLessThanOrEqual(21)
})

test('B10 300 overlapping selections are merged quickly', async () => {
  const query = `{ ${times(300, () => 'chain { chainId }')} }`
  const started = process.cpuUsage()
  const { status, body } = await ask({ query })
  const { user } = process.cpuUsage(started)
  expect([status, body.data]).toEqual([200, { chain: { chainId: 'harbor-1' } }])
  expect(user / 1_000).toBeLessThan(500)
})

test('B12 a page size in a variable is checked at every use of a document', async () => {
  const query = 'query ($f: Int) { chain { blocks(first: $f) { nodes { height } } } }'
  const { body } = await ask({ query, variables: { f: 1 } })
  expect(body.data.chain.blocks.nodes).toHaveLength(1)
  const { status, codes, sent } = await ask({ query, variables: { f: 1_000_000 } })
  expect([status, codes, sent]).toEqual([400, ['QUERY_TOO_COMPLEX'], []])
})

test('B14 a misspelt field gets no suggestion with introspection off', async () => {
  const messageOf = async ({ url }: TestServer) => (await post(url, { query: '{ helo }' })).body.errors[0].message
  await using open = await serve()
  expect(await messageOf(open)).toMatch(/Did you mean "hello"/)
  expect(await messageOf(closed)).toBe('Cannot query field "helo" on type "Query".')
})

test('B15 introspection that is off is refused on every transport', async () => {
  for (const query of ['{ __schema { description } }', '{ __type(name: "Query") { name } }']) {
    const isRefused = [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }]
    expect((await post(closed.url, { query })).body.errors).toMatchObject(isRefused)
    const socket = await greetedSocket(closed.url)
    socket.send({ id: '1', type: 'subscribe', payload: { query } })
    expect(await socket.next()).toMatchObject({ type: 'error', payload: isRefused })
    await socket.close()
    const stream = await fetch(`${closed.url}?${new URLSearchParams({ query })}`, {
      headers: { accept: 'text/event-stream' },
    })
    expect(await stream.text()).toMatch(/"code":"GRAPHQL_VALIDATION_FAILED"/)
  }
})

test('B21 fifty nodes are found, too many are refused, and a bad id is null', async () => {
  const { chain } = await world.data('{ chain { id block(height: 7) { id } } }')
  const fifty = await ask({
    query: `{ ${times(50, (i) => `n${i}: node(id: "${chain.block.id}") { id }`)} }`,
  })
  expect(Object.values(fifty.body.data)).toEqual(Array(50).fill({ id: chain.block.id }))

  const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }'
  const many = await ask({ query, variables: { ids: Array(1_000).fill(chain.id) } })
  expect([many.codes, many.sent]).toEqual([['BAD_USER_INPUT'], []])
  const mixed = await ask({ query, variables: { ids: [chain.id, 'bad', chain.block.id] } })
  expect(mixed.body.data.nodes).toEqual([{ id: chain.id }, null, { id: chain.block.id }])
  expect(mixed.errors).toMatchObject([{ path: ['nodes', 1], extensions: { code: 'BAD_USER_INPUT' } }])
})

// Ten thousand take a minute.
test('B22 one document with 10,000 different comments takes little memory', async () => {
  const { hostname, port } = new URL(world.url)
  const socket = createConnection(Number(port), hostname)
  const mark = '"data":{"service"'
  let answered = 0
  let end = ''
  socket.on('data', (chunk) => {
    // A chunk can end within a mark.
    const text = end + chunk
    answered += text.split(mark).length - 1
    end = text.slice(1 - mark.length)
  })
  const requestOf = (comment: string) => {
    const body = JSON.stringify({
      query: `#${comment} ${'x'.repeat(5_000)}\n{ service { version } }`,
    })
    const head = ['POST /graphql HTTP/1.1', 'Host: x', 'Content-Type: application/json']
    return [...head, `Content-Length: ${body.length}`, '', body].join('\r\n')
  }
  /** Sends documents, a hundred at a time. */
  const send = async (count: number, comment: string) => {
    for (let sent = 0; sent < count; sent += 100) {
      const before = answered
      socket.write(Array.from({ length: 100 }, (_, n) => requestOf(`${comment}${sent + n}`)).join(''))
      while (answered < before + 100) await once(socket, 'data')
    }
  }
  // The documents of the second round alone have 40 MB. The caches keep a part of them.
  await send(2_000, 'first')
  const before = heapInUse()
  await send(8_000, 'then')
  expect(heapInUse() - before).toBeLessThan(24 * 1024 * 1024)
  socket.destroy()
})
