import { afterAll, beforeAll, expect, test } from 'vitest'
import { startLoggedGateway } from '../../support/gatewayLog.ts'
import { post } from '../../support/http.ts'
import { transactionRow } from '../../support/listRows.ts'
import { type Data, startWorld, type World } from '../../support/world.ts'

// What a client gets wrong about pages, and what an upstream does, numbered D1 to D16.

let world: World

beforeAll(async () => {
  world = await startWorld()
})

afterAll(async () => {
  await world[Symbol.asyncDispose]()
})

const document = (args: string, list = 'blocks') =>
  `{ chain { ${list}(${args}) { edges { cursor } pageInfo { startCursor endCursor } } } }`

const encoded = (text: string) => Buffer.from(text).toString('base64url')

const refused: Record<string, string[]> = {
  'D1 a negative first': ['first: -1'],
  'D2 a negative last': ['last: -1'],
  'D4 a first above the maximum': ['first: 101'],
  'D6 both first and last': ['first: 1, last: 1'],
  // Lists are read in both directions, so a last needs no before.
  'D7 before with first': ['first: 1, before: "AAAA", after: "AAAA"'],
  'D8 a cursor of garbage': ['first: 1, after: "garbage"'],
  'D9 an empty cursor': ['first: 1, after: ""'],
  'D10 a cursor of 10 KB': [`first: 1, after: "${'A'.repeat(10_240)}"`],
  'D13 a cursor that holds a path or an offset': ['/../status', '{"offset":1e9}', 's1000000000'].map(
    (text) => `first: 1, after: "${encoded(text)}"`,
  ),
}

test.each(Object.entries(refused))('%s is refused without an upstream request', async (_, all) => {
  for (const args of all) {
    const { errors = [], sent } = await world.trace(document(args))
    expect(errors.map(({ extensions }) => extensions?.code)).toEqual(['BAD_USER_INPUT'])
    expect(sent).toEqual([])
  }
})

test('D5 the largest first is too complex', async () => {
  const { errors = [], sent } = await world.trace(document('first: 2147483647'))
  expect(errors.map(({ extensions }) => extensions?.code)).toEqual(['QUERY_TOO_COMPLEX'])
  expect(sent).toEqual([])
})

test('D3 first: 0 gives no records and no cursors', async () => {
  const { chain } = await world.data(document('first: 0'))
  expect(chain.blocks).toEqual({ edges: [], pageInfo: { startCursor: null, endCursor: null } })
})

async function blockCursor(): Promise<string> {
  const { chain } = await world.data(document('first: 1'))
  return chain.blocks.pageInfo.endCursor
}

test('D11 a cursor of another list is refused without an upstream request', async () => {
  const cursor = await blockCursor()
  for (const list of ['transactions', 'nftCollections']) {
    const { errors = [], sent } = await world.trace(document(`first: 1, after: "${cursor}"`, list))
    expect(errors.map(({ extensions }) => extensions?.code)).toEqual(['BAD_USER_INPUT'])
    expect(sent).toEqual([])
  }
})

test('D12 a cursor with one character changed is refused without an upstream request', async () => {
  const cursor = await blockCursor()
  for (const index of [0, 5, cursor.length - 2]) {
    const other = cursor[index] === 'A' ? 'B' : 'A'
    const changed = cursor.slice(0, index) + other + cursor.slice(index + 1)
    const { errors = [], sent } = await world.trace(document(`first: 1, after: "${changed}"`))
    expect(errors.map(({ extensions }) => extensions?.code)).toEqual(['BAD_USER_INPUT'])
    expect(sent).toEqual([])
  }
})

/** A page as an indexer sends it. */
interface IndexerPage {
  readonly sequences: readonly number[]
  /** The text in its next key. A page without records has none. */
  readonly next: string | Buffer
}

const keyOf = (text: string | Buffer) => Buffer.from(text).toString('base64')

/** A gateway over an indexer whose list of transactions is what `pageAt` returns for the key of a request. */
async function startListGateway(pageAt: (key: string | null) => IndexerPage) {
  const indexer = await startLoggedGateway((request, response) => {
    const { sequences, next } = pageAt(new URL(request.url ?? '', 'http://x').searchParams.get('pagination.key'))
    const txs = sequences.map((sequence) => transactionRow(sequence, sequence).json)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ txs, pagination: { next_key: txs.length > 0 ? keyOf(next) : null } }))
  })
  return {
    keys: () =>
      indexer.received.splice(0).map(({ url = '' }) => new URL(url, 'http://x').searchParams.get('pagination.key')),
    async page(args: string) {
      const query = `{ chain { transactions(${args}) { nodes { hash } pageInfo { endCursor } } } }`
      const { body } = await post(indexer.gateway.url, { query })
      const { nodes = [], pageInfo } = body.data.chain.transactions ?? {}
      return {
        codes: body.errors?.map(({ extensions }: Data) => extensions.code) ?? [],
        sequences: nodes.map(({ hash }: Data) => Number.parseInt(hash, 16)),
        cursor: pageInfo?.endCursor,
      }
    },
    [Symbol.asyncDispose]: () => indexer[Symbol.asyncDispose](),
  }
}

test('D14 an upstream that always repeats a page key is an error after few requests', async () => {
  for (const next of ['{"sequence":7}', 'opaque']) {
    await using list = await startListGateway(() => ({ sequences: [7], next }))
    expect((await list.page('first: 50')).codes).toEqual(['UPSTREAM_INVALID_RESPONSE'])
    expect(list.keys().length).toBeLessThanOrEqual(4)
  }
})

test('D15 a page key with URL-escaped characters is sent back unchanged', async () => {
  const next = Buffer.from([0xfb, 0xff, 0xbf, 0xfe])
  expect(keyOf(next)).toMatch(/[+].*[/].*=/)
  await using list = await startListGateway((key) =>
    key === null ? { sequences: [9, 8], next } : { sequences: key === keyOf(next) ? [7, 6] : [], next: 'end' },
  )
  const { cursor } = await list.page('first: 2')
  list.keys()
  expect(await list.page(`first: 2, after: "${cursor}"`)).toMatchObject({
    codes: [],
    sequences: [7, 6],
  })
  expect(new Set(list.keys())).toContain(keyOf(next))
})

test('D16 records removed between pages do not repeat others or cause errors', async () => {
  let rows = [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]
  await using list = await startListGateway((key) => {
    const bound = /\d+/.exec(Buffer.from(key ?? '', 'base64').toString())?.[0] ?? '99'
    const sequences = rows.filter((row) => row < Number(bound)).slice(0, 4)
    return { sequences, next: `{"sequence":${sequences.at(-1)}}` }
  })
  const first = await list.page('first: 3')
  rows = [9, 7, 5, 4, 3, 1]
  const second = await list.page(`first: 3, after: "${first.cursor}"`)
  rows = [4]
  const third = await list.page(`first: 3, after: "${second.cursor}"`)
  expect([first, second, third].flatMap(({ codes }) => codes)).toEqual([])
  expect(first.sequences).toEqual([10, 9, 8])
  const rest = [...second.sequences, ...third.sequences]
  expect(new Set([...first.sequences, ...rest]).size).toBe(3 + rest.length)
  expect(second.sequences).toEqual([7, 5, 4])
})
