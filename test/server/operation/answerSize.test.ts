import type { Socket } from 'node:net'
import { buildSchema, parse } from 'graphql'
import { describe, expect, test } from 'vitest'
import { resolveLimits } from '../../../src/engine/limits/limits.ts'
import { createAnswerSize } from '../../../src/server/operation/answerSize.ts'
import { createCompiledExecutor } from '../../../src/server/operation/compiled/compiledExecutor.ts'
import { JsonText } from '../../../src/server/operation/result.ts'
import { createUnreadAnswers } from '../../../src/server/operation/unreadAnswers.ts'
import { post } from '../../support/http.ts'
import { greetedSocket } from '../../support/socketClient.ts'
import { leaveUnread } from '../../support/unreadAnswers.ts'
import { chainIds, startWorld } from '../../support/world.ts'

const kibibyte = 1024
const mebibyte = 1024 * kibibyte

/** Some 150 KB of a chain, eight times over, and a few bytes. */
const fields = '(first: 50) { nodes { messages { body } events { type attributes { key value } } } }'
const pages = Array.from({ length: 8 }, (_, index) => `a${index}: transactions${fields}`)
const page = `chain(chainId: "${chainIds.EVM}") { ${pages.join(' ')} }`
const few = `chain(chainId: "${chainIds.EVM}") { chainId }`
const query = `{ few: ${few} many: ${page} last: ${few} }`

const maxAnswerBytes = 512 * kibibyte

const tooLarge = {
  message: `The answer is larger than ${maxAnswerBytes} bytes. Select fewer fields, or use smaller pages.`,
  extensions: { code: 'QUERY_TOO_COMPLEX' },
}

describe.each([
  ['plain requests', {}],
  ['requests that yoga reads', { accept: 'application/json, */*;q=0.1' }],
])('over HTTP, for %s', (_, headers) => {
  test('the root field over maxAnswerBytes is null, and the error has its path', async () => {
    await using world = await startWorld({ limits: { maxAnswerBytes } })
    const { body } = await post(world.url, { query }, headers)
    const { data, errors } = body
    expect(errors).toHaveLength(1)
    expect(errors[0]).toMatchObject(tooLarge)
    expect([errors[0].path[0], errors[0].path[2]]).toEqual(['many', 'nodes'])
    const rest = { chainId: chainIds.EVM }
    expect(data).toEqual({ few: rest, many: null, last: rest })
  })
})

test('introspection over maxAnswerBytes has no data', async () => {
  await using world = await startWorld({ limits: { maxAnswerBytes: 64 * kibibyte } })
  const all = '{ __schema { types { name description fields { name description } } } }'
  const { body } = await post(world.url, { query: all })
  expect(body.data).toBeNull()
  expect(body.errors).toMatchObject([{ extensions: { code: 'QUERY_TOO_COMPLEX' } }])
})

test('maxAnswerBytes applies to WebSockets', async () => {
  await using world = await startWorld({ limits: { maxAnswerBytes } })
  const socket = await greetedSocket(world.url)
  socket.send({ id: '1', type: 'subscribe', payload: { query } })
  const { payload } = await socket.next()
  expect(payload.data.many).toBeNull()
  expect(payload.errors[0]).toMatchObject(tooLarge)
  await socket.close()
})

test('an answer within the default limit is complete', async () => {
  await using world = await startWorld()
  const { data, errors } = await world.ask(query)
  expect(errors).toBeUndefined()
  expect(JSON.stringify(data).length).toBeGreaterThan(maxAnswerBytes)
})

const schema = buildSchema(`
  type Query { text: String late: String body: Body list: [Query] must: Query! can: Query }
  scalar Body
`)
const body = { log: 'x'.repeat(1_000), parts: [1, true, null, { a: 'é'.repeat(500) }] }
const rootValue: Record<string, unknown> = { text: 'y'.repeat(1_000), body }
rootValue.list = [rootValue, rootValue, rootValue]
rootValue.late = async () => rootValue.text
rootValue.must = rootValue
rootValue.can = rootValue

/** Runs a document with a bound, and gives the result and what was counted. */
async function run(document: string, maxAnswerBytes: number, isText: boolean) {
  const unread = createUnreadAnswers(resolveLimits())
  const size = createAnswerSize('a', { ...resolveLimits(), maxAnswerBytes }, unread)
  const executor = createCompiledExecutor(schema)
  const result = await executor.execute({
    ...{ document: parse(document), operationName: undefined, variables: {}, rootValue },
    // The resolvers of this schema read no context.
    context: {} as never,
    ...{ isText, size },
  })
  const text = result.data instanceof JsonText ? `${result.data}` : JSON.stringify(result.data)
  return { ...result, text, size, unread }
}

describe.each([true, false])('with isText %s', (isText) => {
  test('the counted bytes are within 20% of the written bytes', async () => {
    const document = `{ ${Array.from({ length: 50 }, (_, i) => `a${i}: body list { text __typename }`).join(' ')} }`
    const { text, size } = await run(document, mebibyte, isText)
    expect(size.bytes).toBeGreaterThan(Buffer.byteLength(text) * 0.9)
    expect(size.bytes).toBeLessThan(Buffer.byteLength(text) * 1.2)
  })

  test('every root field over the bound is null', async () => {
    const document = `{ a: list { list { list { text } } } b: text }`
    const { data, errors, text } = await run(document, 10_000, isText)
    // The tenth text of some 1,000 bytes is the one over the bound.
    const tenth = ['a', 1, 'list', 0, 'list', 0, 'text']
    expect(errors?.map(({ path }) => path)).toEqual([tenth, ['b']])
    expect(text).toBe('{"a":null,"b":null}')
    expect(JSON.stringify(data)).toContain('"a":null')
  })

  test.each([
    ['are available at once', 'text'],
    ['are promised', 'late'],
  ])('texts that %s grow an answer beyond its bound by one text at most', async (_when, field) => {
    const wide = Array.from({ length: 50 }, (_, i) => `a${i}: list { list { ${field} } }`)
    const { size } = await run(`{ ${wide.join(' ')} }`, 10_000, isText)
    expect(size.bytes).toBeGreaterThan(10_000)
    expect(size.bytes).toBeLessThan(10_000 + 1_020)
  })
})

test('an answer that is being written counts as unread until it is closed', async () => {
  const { size, unread } = await run(
    `{ ${Array.from({ length: 200 }, (_, i) => `a${i}: text`).join(' ')} }`,
    mebibyte,
    true,
  )
  expect(unread.bytes).toBe(3 * 64 * kibibyte)
  size.close()
  size.close()
  expect(unread.bytes).toBe(0)
})

test('a client with too many unread bytes is refused, and all are at the total limit', () => {
  const unread = createUnreadAnswers({ maxAnswerBytes: 50 })
  const release = unread.hold('a', 100)
  expect(unread.refuse('a')?.extensions).toMatchObject({
    ...{ code: 'RATE_LIMITED', retryAfter: 1, http: { status: 429 } },
  })
  expect(unread.refuse('b')).toBeUndefined()
  unread.hold('c', 300)
  expect(unread.refuse('b')?.extensions).toMatchObject({
    ...{ code: 'RATE_LIMITED', retryAfter: 1, http: { status: 503 } },
  })
  release()
  release()
  expect(unread.bytes).toBe(300)
  expect(unread.refuse('a')).toBeUndefined()
})

test('a client with unread answers is refused, and others are answered', async () => {
  await using world = await startWorld({
    limits: {
      ...{ maxAnswerBytes: 16 * mebibyte, maxCost: 1_000_000 },
    },
  })
  const wide = `{ ${Array.from({ length: 10 }, (_, i) => `a${i}: ${page}`).join(' ')} }`
  const stalled: Socket[] = []
  for (let i = 0; i < 4; i += 1) stalled.push(await leaveUnread(world.url, '192.0.2.1', wide))
  const refused = await post(world.url, { query: wide }, { 'x-forwarded-for': '192.0.2.1' })
  expect(refused.body.errors?.[0].extensions).toMatchObject({ code: 'RATE_LIMITED', retryAfter: 1 })
  const other = await post(world.url, { query: wide }, { 'x-forwarded-for': '192.0.2.2' })
  expect(other.body.errors).toBeUndefined()
  for (const socket of stalled) socket.destroy()
})
