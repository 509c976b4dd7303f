import { expect, test } from 'vitest'
import { chainIds, type Data, startWorld } from '../../support/world.ts'

// Lists of one block or transaction: their records are written together, so their count says when they are whole.

const path = '/indexer/tx/v1/evm-txs/by_height/57'
const document = `query ($after: String) { chain(chainId: "${chainIds.EVM}") { block(height: 57) {
  evmTransactions(first: 50, after: $after) { totalCount nodes { hash } pageInfo { hasNextPage } } } } }`
const linked = `{ chain(chainId: "${chainIds.EVM}") { block(height: 57) {
  transactions { nodes { evmTransaction { hash } } } } } }`

const listOf = ({ data }: { data?: Data }) => data.chain.block.evmTransactions
const toList = (sent: readonly string[]) => sent.filter((request) => request.includes(path))

test('a list of a block with a matching count takes one request, and is cached', async () => {
  await using world = await startWorld()
  const first = await world.trace(document)
  expect(listOf(first).nodes.length).toBeGreaterThan(1)
  expect(listOf(first)).toMatchObject({
    totalCount: listOf(first).nodes.length,
    pageInfo: { hasNextPage: false },
  })
  expect(toList(first.sent)).toHaveLength(1)
  const again = await world.trace(document)
  expect(listOf(again)).toEqual(listOf(first))
  expect(again.sent).toEqual([])
})

test('links of a block take two list requests, and are cached', async () => {
  await using world = await startWorld()
  const height = (await world.trace(linked)).sent.map((request) => request.split('?')[0])
  expect(height.toSorted()).toEqual(
    [
      `galley-1 GET ${path}`,
      'galley-1 GET /indexer/block/v1/blocks/57',
      'galley-1 GET /indexer/tx/v1/txs/by_height/57',
    ].toSorted(),
  )
  expect((await world.trace(linked)).sent).toEqual([])
})

/** What the upstream says of the number of records, and what is cut from its page. */
const doubtful: readonly [what: string, change: (body: Data) => Data][] = [
  ['no count', ({ txs, pagination: { total: _, ...rest } }) => ({ txs, pagination: rest })],
  ['a count that was given up', ({ txs, pagination }) => ({ txs, pagination: { ...pagination, total: '-1' } })],
  ['a count of nothing', ({ txs, pagination }) => ({ txs, pagination: { ...pagination, total: '0' } })],
  ['a larger count', ({ txs, pagination }) => ({ txs, pagination: { ...pagination, total: '9' } })],
]

test.each(doubtful)('%s is not taken for the whole list: one more request is sent', async (_what, change) => {
  await using world = await startWorld()
  const whole = listOf(await world.trace(document)).nodes
  await using other = await startWorld()
  other.sandbox.faults.set(chainIds.EVM, path, { kind: 'change', change: change as never })
  const { data, errors, sent } = await other.trace(document.replace('totalCount', ''))
  expect(errors).toBeUndefined()
  expect(listOf({ data }).nodes).toEqual(whole)
  expect(toList(sent)).toHaveLength(2)
  expect(toList((await other.trace(document.replace('totalCount', ''))).sent)).not.toEqual([])
})

test('a page cut by a cap is continued', async () => {
  await using world = await startWorld()
  const whole = listOf(await world.trace(document)).nodes
  await using capped = await startWorld()
  capped.sandbox.faults.set(chainIds.EVM, `${path}?pagination.limit`, {
    kind: 'change',
    change: (json) => {
      const { txs, pagination } = json as Data
      const key = JSON.parse(Buffer.from(pagination.next_key, 'base64').toString())
      const before = { sequence: key.sequence - txs.length + 1 }
      const next_key = Buffer.from(JSON.stringify(before)).toString('base64')
      return { txs: txs.slice(0, 1), pagination: { ...pagination, next_key } }
    },
  })
  const { data, errors } = await capped.trace(document)
  expect(errors).toBeUndefined()
  expect(listOf({ data }).nodes).toEqual(whole)
})
