import { afterAll, expect, test } from 'vitest'
import {
  chainIds,
  type Data,
  everyChain,
  now,
  startWorld,
  testOfPlainRecords,
  youngChains,
} from '../../../support/world.ts'

const plainTest = testOfPlainRecords()

const world = await startWorld()
afterAll(() => world[Symbol.asyncDispose]())

const blockFields = `
  height hash timestamp blockTimeSeconds gasUsed gasWanted transactionCount
  totalFee { denom amount }
  proposer { moniker identity operatorAddress }
`

/** A block as the graph should show the record of an indexer. */
const asGraph = (record: Data) => ({
  height: Number(record.height),
  hash: record.hash,
  timestamp: record.timestamp,
  blockTimeSeconds: record.block_time === '0' ? null : Number(record.block_time) / 1_000,
  gasUsed: record.gas_used,
  gasWanted: record.gas_wanted,
  transactionCount: Number(record.tx_count),
  totalFee: record.total_fee,
  proposer: {
    moniker: record.proposer.moniker || null,
    identity: record.proposer.identity || null,
    operatorAddress: record.proposer.operator_address || null,
  },
})

plainTest.each(everyChain)('$vm: blocks equal those of the indexer', async ({ chainId }) => {
  const { chain } = await world.data(
    `query ($chainId: ChainId) { chain(chainId: $chainId) { blocks(first: 100) { nodes { ${blockFields} } } } }`,
    { chainId },
  )
  const records = await world.rows(chainId, '/indexer/block/v1/blocks')
  expect(chain.blocks.nodes).toEqual(records.map(asGraph))
  // The Wasm chain lacks one.
  expect(chain.blocks.nodes).toHaveLength(chainId === chainIds.WASM ? 59 : 60)
  expect(chain.blocks.nodes.at(-1).blockTimeSeconds).toBeNull()
})

plainTest.each(everyChain)('$vm: a block by height equals that of the indexer', async ({ chainId }) => {
  for (const height of [1, 7, 60]) {
    const { chain } = await world.data(
      `query ($chainId: ChainId, $height: UInt53!) {
        chain(chainId: $chainId) { block(height: $height) { ${blockFields} chain { chainId } } }
      }`,
      { chainId, height },
    )
    const { block } = await world.rest(chainId, `/indexer/block/v1/blocks/${height}`)
    expect(chain.block).toEqual({ ...asGraph(block), chain: { chainId } })
  }
})

test('a block above the newest height is null without an error', async () => {
  const { chain } = await world.data('{ chain { block(height: 61) { hash } } }')
  expect(chain.block).toBeNull()
})

test('the newest block has no next block, and the first no previous one', async () => {
  const { chain } = await world.data(`{ chain {
    first: block(height: 1) { previous { height } next { height } }
    newest: block(height: 60) { previous { height hash } next { height } }
  } }`)
  const { block } = await world.rest('harbor-1', '/indexer/block/v1/blocks/59')
  expect(chain.first).toEqual({ previous: null, next: { height: 2 } })
  expect(chain.newest).toEqual({ previous: { height: 59, hash: block.hash }, next: null })
})

test('a missing block is found once it arrives', async () => {
  let at = now
  await using growing = await startWorld({ clock: () => at })
  const query = '{ chain { block(height: 61) { height } newest: status { height } } }'
  expect(await growing.data(query)).toEqual({ chain: { block: null, newest: { height: 60 } } })
  at += 5_000
  expect(await growing.data(query)).toMatchObject({ chain: { block: { height: 61 } } })
})

plainTest('totalCount of blocks is right if the indexer starts above height 1', async () => {
  const query = '{ chain { blocks(first: 1) { totalCount isTotalCountEstimate } } }'
  expect((await world.data(query)).chain.blocks).toEqual({
    totalCount: 60,
    // Heights may be missing between the oldest and the newest.
    isTotalCountEstimate: true,
  })
  await using late = await startWorld()
  const [oldest] = (await late.rest('harbor-1', '/indexer/block/v1/blocks?pagination.limit=1&pagination.offset=19'))
    .blocks
  late.sandbox.faults.set('harbor-1', '/indexer/block/v1/blocks?pagination.limit=1&pagination.reverse=false', {
    kind: 'answer',
    json: { blocks: [oldest], pagination: { next_key: null, total: '60' } },
  })
  expect((await late.data(query)).chain.blocks.totalCount).toBe(20)
})

test.each(['0', '-1', '9007199254740992', '1.0', '0x1', '1e3', '', 'ten', '9'.repeat(79)])(
  'invalid height %s is refused without an upstream request',
  async (height) => {
    const { errors, sent } = await world.trace(
      'query ($height: UInt53!) { chain { block(height: $height) { hash } } }',
      { height },
    )
    expect(errors?.map(({ extensions }) => extensions?.code)).toEqual(['BAD_USER_INPUT'])
    expect(sent).toEqual([])
  },
)

test('a height can be an integer or a string, up to 2^53 - 1', async () => {
  const { chain } = await world.data(`{ chain {
    a: block(height: 3) { height }
    b: block(height: "3") { height }
    c: block(height: "0003") { height }
    far: block(height: "9007199254740991") { height }
  } }`)
  expect(chain).toEqual({ a: { height: 3 }, b: { height: 3 }, c: { height: 3 }, far: null })
})

test('timestamps with a zone and numbers instead of strings are read', async () => {
  await using odd = await startWorld()
  const { block } = await odd.rest('harbor-1', '/indexer/block/v1/blocks/7')
  odd.sandbox.faults.set('harbor-1', '/indexer/block/v1/blocks/7', {
    kind: 'answer',
    json: {
      ...block,
      height: 7,
      gas_used: 12,
      total_fee: null,
      timestamp: '2026-11-21T20:55:30.25+09:00',
      proposer: { moniker: '', identity: '', operator_address: '' },
    },
  })
  const { chain } = await odd.data(
    `{ chain { block(height: 7) { height gasUsed totalFee { denom } timestamp proposer { moniker } } } }`,
  )
  expect(chain.block).toEqual({
    height: 7,
    gasUsed: '12',
    totalFee: [],
    timestamp: '2026-11-21T11:55:30.25Z',
    proposer: { moniker: null },
  })
})

const byHash = 'query ($hash: Hash!) { chain { block: blockByHash(hash: $hash) { height hash } } }'

test('a block is found by hash in any form, and then by height', async () => {
  const { block } = await world.rest('harbor-1', '/indexer/block/v1/blocks/33')
  const expected = { chain: { block: { height: 33, hash: block.hash } } }
  const first = await world.trace(byHash, { hash: `0x${block.hash.toLowerCase()}` })
  expect(first.data).toEqual(expected)
  expect(first.sent).toHaveLength(1)
  expect(first.sent[0]).toContain('/indexer/block/v1/blocks?pagination.limit=1000')
  const again = await world.trace(byHash, { hash: block.hash })
  expect(again.data).toEqual(expected)
  expect(again.sent.filter((line) => line.includes('limit=1000'))).toEqual([])
})

test('an unknown block hash is null, and an invalid one is refused', async () => {
  expect(await world.data(byHash, { hash: 'A'.repeat(64) })).toEqual({ chain: { block: null } })
  for (const hash of ['', '33', 'A'.repeat(63), `0x${'g'.repeat(64)}`]) {
    const { errors, sent } = await world.trace(byHash, { hash })
    expect(errors).toMatchObject([{ path: ['chain', 'block'], extensions: { code: 'BAD_USER_INPUT' } }])
    expect(sent).toEqual([])
  }
})

test('a block is found by hash only in the newest page of an indexer with small pages', async () => {
  const chains = youngChains(60).map((chain) => ({ ...chain, quirks: { maxLimit: 20 } }))
  await using small = await startWorld({ chains })
  const find = async (height: number) => {
    const { block } = await small.rest('harbor-1', `/indexer/block/v1/blocks/${height}`)
    return (await small.data(byHash, { hash: block.hash })).chain.block
  }
  expect(await find(45)).toMatchObject({ height: 45 })
  expect(await find(5)).toBeNull()
})

test('an indexer without blocks has empty lists, and only status is an error', async () => {
  await using empty = await startWorld({ chains: youngChains(0) })
  const { data, errors } = await empty.ask(`{ chain {
    status { height }
    blocks { nodes { height } totalCount pageInfo { hasNextPage endCursor } }
    transactions { totalCount nodes { hash } }
  } }`)
  expect(data.chain).toEqual({
    status: null,
    blocks: { nodes: [], totalCount: 0, pageInfo: { hasNextPage: false, endCursor: null } },
    transactions: { totalCount: 0, nodes: [] },
  })
  expect(errors).toMatchObject([
    {
      path: ['chain', 'status'],
      extensions: { code: 'UPSTREAM_UNAVAILABLE', service: 'harbor-1' },
    },
  ])
})
