import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from '../support/world.ts'

// The arguments of pages that a client gets wrong, numbered D1 to D13.

let world: World

beforeAll(async () => {
  world = await startWorld()
})

afterAll(async () => {
  await world[Symbol.asyncDispose]()
})

const document = (args: string, list = 'blocks') =>
  `{ chain { ${list}(${args}) { edges { cursor } pageInfo { startCursor endCursor } } } }`

const refused: Record<string, string> = {
  'D1 a negative first': 'first: -1',
  'D2 a negative last': 'last: -1',
  'D4 a first above the maximum': 'first: 101',
  'D6 both first and last': 'first: 1, last: 1',
  'D7 before with first': 'first: 1, before: "AAAA", after: "AAAA"',
  'D8 a cursor of garbage': 'first: 1, after: "garbage"',
  'D9 an empty cursor': 'first: 1, after: ""',
  'D10 a cursor of 10 KB': `first: 1, after: "${'A'.repeat(10_240)}"`,
  'D13 a cursor that holds a path': `first: 1, after: "${Buffer.from('/../status').toString('base64url')}"`,
  'D13 a cursor that holds an offset': `first: 1, after: "${Buffer.from('{"offset":1e9}').toString('base64url')}"`,
}

test.each(Object.entries(refused))('%s is refused without an upstream request', async (_, args) => {
  const { errors = [], sent } = await world.trace(document(args))
  expect(errors.map(({ extensions }) => extensions?.code)).toEqual(['BAD_USER_INPUT'])
  expect(sent).toEqual([])
})

test('D5 the largest first costs too much', async () => {
  const { errors = [], sent } = await world.trace(document('first: 2147483647'))
  expect(errors.map(({ extensions }) => extensions?.code)).toEqual(['QUERY_TOO_COMPLEX'])
  expect(sent).toEqual([])
})

test('D3 a first of 0 gives no records and no cursors', async () => {
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
