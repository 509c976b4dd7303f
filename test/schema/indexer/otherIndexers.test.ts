import { afterAll, afterEach, expect, test } from 'vitest'
import { fetchPage, type PageQuery } from '../../../src/engine/pagination/page.ts'
import { learntCaps } from '../../../src/engine/pagination/pageCaps.ts'
import { UpstreamHttpError } from '../../../src/engine/upstream/upstreamError.ts'
import type { Page } from '../../../src/engine/wire/decode.ts'
import { CacheStore } from '../../../src/kit/cache/cache.ts'
import { chainIds, type Data, startWorld, testOfPlainRecords, youngChains } from '../../support/world.ts'

const plainTest = testOfPlainRecords()

// Indexers by other makers keep to the published contract and differ where it is silent.

const world = await startWorld()
afterAll(() => world[Symbol.asyncDispose]())
afterEach(() => world.sandbox.faults.clear())

const answer = (path: string, json: unknown) => world.sandbox.faults.set('harbor-1', path, { kind: 'answer', json })

test.each([
  ['a number', 0.5],
  ['a number as text', '0.5'],
  ['another name', { average_block_time: 0.5 }],
  ['text under another name', { avg_blocktime: '0.5', unit: 'seconds' }],
  ['a field beside other numbers', { height: 100, timestamp: 9, avg_block_time: 0.5 }],
  ['a field beside a time of another kind', { time: 9, average: 0.5 }],
  ['the only field', { value: 0.5 }],
])('the average block time is read from %s', async (_what, json) => {
  answer('/indexer/block/v1/avg_blocktime', json)
  expect(await world.data('{ chain { averageBlockTimeSeconds } }')).toEqual({
    chain: { averageBlockTimeSeconds: 0.5 },
  })
})

test('the code of an error with status 200 is no average block time', async () => {
  answer('/indexer/block/v1/avg_blocktime', { code: 5, message: 'not ready' })
  const errors = await world.errors('{ chain { averageBlockTimeSeconds } }')
  expect(errors.map(({ extensions }) => extensions?.code)).toEqual(['UPSTREAM_INVALID_RESPONSE'])
})

test('a record is read bare or wrapped in any field', async () => {
  const path = '/indexer/tx/v1/txs'
  const [, wrapped, bare] = await world.rows('harbor-1', path)
  answer(`${path}/${wrapped.txhash}`, { tx: wrapped.tx, tx_response: wrapped })
  answer(`${path}/${bare.txhash}`, bare)
  for (const { txhash } of [wrapped, bare]) {
    const { chain } = await world.data('query ($hash: Hash!) { chain { transaction(hash: $hash) { hash } } }', {
      hash: txhash,
    })
    expect(chain.transaction.hash).toBe(txhash)
  }
})

test('numbers and times in other formats are read', async () => {
  const [block] = await world.rows('harbor-1', '/indexer/block/v1/blocks')
  const [collection] = await world.rows('harbor-1', '/indexer/nft/v1/collections')
  const [token] = await world.rows('harbor-1', `/indexer/nft/v1/tokens/by_collection/${collection.object_addr}`)
  const [sent] = await world.rows('harbor-1', '/indexer/tx/v1/txs')
  const { auth_info: signed, ...rest } = sent.tx
  const tx = { ...rest, auth_info: { ...signed, fee: { ...signed.fee, gas_limit: 200000 } } }
  answer('/indexer/block/v1/blocks?', {
    blocks: [{ ...block, block_time: Number(block.block_time), height: Number(block.height) }],
    pagination: { next_key: null, total: '' },
  })
  answer('/indexer/nft/v1/tokens', { tokens: [{ ...token, nft: { token_id: 7, uri: null } }] })
  answer('/indexer/tx/v1/txs?', { txs: [{ ...sent, code: '0', tx }], pagination: {} })
  const { chain } = await world.data(
    `query ($address: Address!) { chain {
      blocks(first: 1) { nodes { height blockTimeSeconds } }
      nftCollection(address: $address) { nfts(first: 1) { nodes { tokenId uri } } }
      transactions(first: 1) { nodes { code fee { gasLimit } } }
    } }`,
    { address: collection.object_addr },
  )
  expect(chain.blocks.nodes).toEqual([
    { height: Number(block.height), blockTimeSeconds: Number(block.block_time) / 1_000 },
  ])
  expect(chain.nftCollection.nfts.nodes).toEqual([{ tokenId: '7', uri: null }])
  expect(chain.transactions.nodes).toEqual([{ code: 0, fee: { gasLimit: '200000' } }])
})

test.each([
  ['0 beside a record', '0'],
  ['empty', ''],
  ['null', null],
])('a total that is %s is null', async (_what, total) => {
  const txs = await world.rows('harbor-1', '/indexer/tx/v1/txs')
  answer('/indexer/tx/v1/txs?', { txs: txs.slice(0, 1), pagination: { next_key: null, total } })
  const { chain } = await world.data('{ chain { transactions(first: 1) { totalCount } } }')
  expect(chain.transactions.totalCount).toBeNull()
})

test('a 200 response without a list is an error, not an empty list', async () => {
  answer('/indexer/tx/v1/txs?', { code: 13, message: 'database is gone' })
  const [error] = await world.errors('{ chain { transactions { nodes { hash } } } }')
  expect(error?.extensions).toMatchObject({
    code: 'UPSTREAM_INVALID_RESPONSE',
    service: 'harbor-1',
  })
})

plainTest('the Cosmos transaction is found if a page cap splits its block', async () => {
  const chains = youngChains(60).map((chain) => ({ ...chain, quirks: { maxLimit: 1 } }))
  await using capped = await startWorld({ chains })
  const { chain } = await capped.data(`{ chain(chainId: "${chainIds.EVM}") {
    block(height: 57) { evmTransactions { nodes { transaction { evmTransaction { hash } } hash } } }
  } }`)
  const evmTransactions = chain.block.evmTransactions.nodes
  expect(evmTransactions.length).toBeGreaterThan(1)
  for (const tx of evmTransactions) expect(tx.transaction.evmTransaction.hash).toBe(tx.hash)
})

test('a response that is not a list does not show an EVM', async () => {
  await using probed = await startWorld({ vms: 'probed' })
  const probe = '/indexer/tx/v1/evm-txs/by_account/0x000'
  probed.sandbox.faults.set('harbor-1', probe, { kind: 'answer', json: null })
  const [error] = await probed.errors('{ chain { vm } }')
  expect(error?.extensions?.code).toBe('UPSTREAM_INVALID_RESPONSE')
  probed.sandbox.faults.clear()
  expect(await probed.data('{ chain { vm } }')).toEqual({ chain: { vm: null } })
})

/** A list of an upstream that refuses limits over `cap` in words of its own, and what it was asked. */
function refusing(cap: number, says: (limit: number) => string) {
  const limits: number[] = []
  const fetchPage = async ({ limit }: PageQuery): Promise<Page<number>> => {
    limits.push(limit)
    if (limit > cap) throw new UpstreamHttpError('chain', 400, says(limit))
    return { items: [], nextKey: null, total: null }
  }
  const caps = learntCaps(new CacheStore({ now: () => 0 }), 'chain', '/list')
  return { limits, list: { fetchPage, caps } }
}

test.each<[string, (limit: number) => string, number[]]>([
  ['a range', () => 'pagination.limit must be between 1 and 10', [21, 10]],
  ['both numbers', (limit) => `limit ${limit} exceeds the allowed 10`, [21, 10]],
  ['an error in JSON', () => '{"error":{"code":3,"message":"max limit is 10"}}', [21, 10]],
  ['no number', () => 'page size too large', [21, 10]],
])('a page limit is learned from a refusal with %s', async (_what, says, limits) => {
  const upstream = refusing(10, says)
  const query = { limit: 21, isReverse: true }
  await fetchPage(upstream.list, query)
  expect(upstream.limits).toEqual(limits)
  await fetchPage(upstream.list, query)
  expect(upstream.limits.slice(limits.length)).toEqual([10])
})

test('a refusal that only quotes the client does not change the page limit', async () => {
  const upstream = refusing(0, () => 'unknown denom limit9.8.7.6.5.4.3.2.1')
  await expect(fetchPage(upstream.list, { limit: 21, isReverse: true })).rejects.toThrow('400')
  expect(upstream.limits).toEqual([21, 9, 8, 7])
  expect(upstream.list.caps.current().maxLimit).toBe(1000)
})

plainTest('EVM transactions of a page of transactions take five more requests', async () => {
  const document = `{ chain(chainId: "${chainIds.EVM}") {
    transactions(first: 30) { nodes { height evmTransaction { height } } }
  } }`
  const { data, sent } = await world.trace(document)
  const wrapping = data.chain.transactions.nodes.filter((tx: Data) => tx.evmTransaction)
  expect(new Set(wrapping.map((tx: Data) => tx.height)).size).toBeGreaterThan(3)
  for (const tx of wrapping) expect(tx.evmTransaction.height).toBe(tx.height)
  expect(sent.map((request) => request.split('?')[0])).toEqual([
    `${chainIds.EVM} GET /indexer/tx/v1/txs`,
    `${chainIds.EVM} GET /indexer/block/v1/blocks`,
    `${chainIds.EVM} GET /indexer/tx/v1/txs/by_height/60`,
    `${chainIds.EVM} GET /indexer/tx/v1/txs`,
    `${chainIds.EVM} GET /indexer/tx/v1/evm-txs/by_height/60`,
    `${chainIds.EVM} GET /indexer/tx/v1/evm-txs`,
  ])
})
