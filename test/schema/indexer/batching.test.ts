import { expect, test } from 'vitest'
import { chainIds, type Data, startWorld } from '../../support/world.ts'

// A gateway keeps what is immutable, so each claim about requests has one of its own.
const fresh = () => startWorld()

const heights = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i)

/** The paths asked, without their queries. */
const pathsOf = (sent: string[]) => sent.map((one) => one.split('?')[0]?.split(' GET ')[1])

test('ten heights in a row cost one list call', async () => {
  await using world = await fresh()
  const aliases = heights(1, 10).map((height) => `b${height}: block(height: ${height}) { hash }`)
  const { data, sent } = await world.trace(`{ chain { ${aliases.join(' ')} } }`)
  expect(pathsOf(sent)).toEqual(['/indexer/block/v1/blocks'])
  const rows = await world.rows('harbor-1', '/indexer/block/v1/blocks', {
    'pagination.reverse': 'false',
  })
  expect(Object.values<Data>(data.chain).map(({ hash }) => hash)).toEqual(
    rows.slice(0, 10).map(({ hash }) => hash),
  )
})

test('heights far apart are asked singly, those close together share a call', async () => {
  await using world = await fresh()
  const { sent } = await world.trace(`{ chain {
    a: block(height: 3) { hash } b: block(height: 8) { hash }
    c: block(height: 30) { hash } d: block(height: 31) { hash }
    e: block(height: 50) { hash }
  } }`)
  expect(pathsOf(sent).toSorted()).toEqual([
    '/indexer/block/v1/blocks',
    '/indexer/block/v1/blocks',
    '/indexer/block/v1/blocks/50',
  ])
})

test('a block and its neighbours cost two calls', async () => {
  await using world = await fresh()
  const { data, sent } = await world.trace(
    '{ chain { block(height: 30) { hash previous { hash } next { hash } } } }',
  )
  expect(data.chain.block.previous.hash).not.toBe(data.chain.block.next.hash)
  expect(pathsOf(sent)).toEqual(['/indexer/block/v1/blocks/30', '/indexer/block/v1/blocks'])
})

test('equal requests of one operation are sent once', async () => {
  await using world = await fresh()
  const [record] = await world.rows('harbor-1', '/indexer/tx/v1/txs')
  const { sent } = await world.trace(
    `query ($hash: Hash!, $lower: Hash!) {
      a: chain { transaction(hash: $hash) { hash } block(height: 9) { hash } status { height } }
      b: chain(chainId: "harbor-1") { transaction(hash: $lower) { memo } block(height: "9") { hash } status { version } }
      node(id: "${Buffer.from('Block:harbor-1/9').toString('base64')}") { id }
    }`,
    { hash: record.txhash, lower: record.txhash.toLowerCase() },
  )
  expect(pathsOf(sent).toSorted()).toEqual([
    '/indexer/block/v1/blocks/9',
    `/indexer/tx/v1/txs/${record.txhash}`,
    '/status',
  ])
})

test('equal heights of two chains are two requests', async () => {
  await using world = await fresh()
  const { data, sent } = await world.trace('{ chains { block(height: 9) { hash } } }')
  expect(new Set(data.chains.map((chain: Data) => chain.block.hash)).size).toBe(3)
  expect(sent).toHaveLength(3)
})

test('what is immutable is asked once in the life of the gateway', async () => {
  await using world = await fresh()
  const query = '{ chain { block(height: 9) { hash } } }'
  const first = await world.trace(query)
  const second = await world.trace(query)
  expect(first.sent).toHaveLength(1)
  expect(second.sent).toEqual([])
  expect(second.data).toEqual(first.data)
})

test('a record that is not there yet is asked for again', async () => {
  await using world = await fresh()
  const query = '{ chain { block(height: 61) { hash } } }'
  await world.trace(query)
  expect((await world.trace(query)).sent).toHaveLength(1)
})

test('the blocks of a page of transactions cost one call', async () => {
  await using world = await fresh()
  const { data, sent } = await world.trace(
    '{ chain { transactions(first: 20) { nodes { height block { height hash } } } } }',
  )
  for (const one of data.chain.transactions.nodes) expect(one.block.height).toBe(one.height)
  expect(pathsOf(sent)).toEqual(['/indexer/tx/v1/txs', '/indexer/block/v1/blocks'])
})

test('a block that is only named by its height is not asked for', async () => {
  await using world = await fresh()
  const { sent } = await world.trace(
    '{ chain { transactions(first: 20) { nodes { block { id height chain { name } } } } } }',
  )
  expect(pathsOf(sent)).toEqual(['/indexer/tx/v1/txs'])
})

test('blocks by their ids cost one call', async () => {
  await using world = await fresh()
  const ids = heights(20, 39).map((height) =>
    Buffer.from(`Block:harbor-1/${height}`).toString('base64'),
  )
  const { data, sent } = await world.trace(
    'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Block { hash } } }',
    { ids },
  )
  expect(data.nodes).toHaveLength(20)
  expect(pathsOf(sent)).toEqual(['/indexer/block/v1/blocks'])
})

test('a block without transactions needs no call for them', async () => {
  await using world = await fresh()
  const lists = `
    transactions { totalCount nodes { hash } pageInfo { hasNextPage } }
    evmTransactions { totalCount nodes { hash } }
    evmInternalTransactions { totalCount nodes { index } }
  `
  const { data, sent } = await world.trace(
    `{ chain(chainId: "${chainIds.EVM}") { block(height: 52) { transactionCount ${lists} } } }`,
  )
  expect(data.chain.block).toEqual({
    transactionCount: '0',
    transactions: { totalCount: '0', nodes: [], pageInfo: { hasNextPage: false } },
    evmTransactions: { totalCount: '0', nodes: [] },
    evmInternalTransactions: { totalCount: '0', nodes: [] },
  })
  expect(pathsOf(sent)).toEqual(['/indexer/block/v1/blocks/52'])
})

test('the transactions of a page of blocks cost a call for each block that has some', async () => {
  await using world = await fresh()
  const { data, sent } = await world.trace(
    '{ chain { blocks(first: 20) { nodes { transactionCount transactions { nodes { hash } } } } } }',
  )
  const full = data.chain.blocks.nodes.filter((one: Data) => one.transactionCount !== '0')
  expect(full.length).toBeLessThan(20)
  expect(sent).toHaveLength(1 + full.length)
  for (const { transactionCount, transactions } of data.chain.blocks.nodes) {
    expect(transactions.nodes).toHaveLength(Number(transactionCount))
  }
})

const list = '/indexer/block/v1/blocks?'

test('a list answer is checked record by record, and what it left out is asked singly', async () => {
  await using world = await fresh()
  const rows = await world.rows('harbor-1', '/indexer/block/v1/blocks')
  const wanted = heights(21, 25)
  const some = rows.filter((one) => ['21', '24', '40'].includes(one.height))
  world.sandbox.faults.set('harbor-1', list, {
    kind: 'answer',
    json: { blocks: some, pagination: { next_key: null, total: '60' } },
  })
  const aliases = wanted.map((height) => `b${height}: block(height: ${height}) { height hash }`)
  const { data, sent } = await world.trace(`{ chain { ${aliases.join(' ')} } }`)
  expect(Object.values(data.chain)).toEqual(
    wanted.map((height) => {
      const { hash } = rows.find((one) => one.height === String(height))
      return { height: String(height), hash }
    }),
  )
  expect(pathsOf(sent).toSorted()).toEqual([
    '/indexer/block/v1/blocks',
    '/indexer/block/v1/blocks/22',
    '/indexer/block/v1/blocks/23',
    '/indexer/block/v1/blocks/25',
  ])
})

test.each([
  ['garbage', { kind: 'garbage', body: '<html>' }],
  ['of another shape', { kind: 'answer', json: { blocks: 'none' } }],
  ['a 500', { kind: 'status', status: 500 }],
  ['a 404', { kind: 'status', status: 404 }],
] as const)('when the list answer is %s, every record is asked singly', async (_claim, fault) => {
  await using world = await fresh()
  world.sandbox.faults.set('harbor-1', list, fault)
  const { data, errors, sent } = await world.trace(
    '{ chain { a: block(height: 5) { height } b: block(height: 6) { height } c: block(height: 61) { height } } }',
  )
  expect(errors).toBeUndefined()
  expect(data.chain).toEqual({ a: { height: '5' }, b: { height: '6' }, c: null })
  expect(
    pathsOf(sent)
      .filter((one) => one !== '/indexer/block/v1/blocks')
      .toSorted(),
  ).toEqual([
    '/indexer/block/v1/blocks/5',
    '/indexer/block/v1/blocks/6',
    '/indexer/block/v1/blocks/61',
  ])
})

test('one record of a batch that fails alone is null alone', async () => {
  await using world = await fresh()
  world.sandbox.faults.set('harbor-1', list, { kind: 'status', status: 500 })
  world.sandbox.faults.set('harbor-1', '/indexer/block/v1/blocks/6', {
    kind: 'status',
    status: 500,
  })
  const { data, errors } = await world.ask(
    '{ chain { a: block(height: 5) { height } b: block(height: 6) { height } c: block(height: 7) { height } } }',
  )
  expect(data.chain).toEqual({ a: { height: '5' }, b: null, c: { height: '7' } })
  expect(errors).toMatchObject([
    { path: ['chain', 'b'], extensions: { code: 'UPSTREAM_UNAVAILABLE', service: 'harbor-1' } },
  ])
})

test('the EVM transactions of one block are joined by one list call', async () => {
  await using world = await fresh()
  const { data, sent } = await world.trace(`{ chain(chainId: "${chainIds.EVM}") {
    block(height: 57) { transactions { nodes { hash evmTransaction { hash height } } } }
  } }`)
  const carried = data.chain.block.transactions.nodes.filter((one: Data) => one.evmTransaction)
  expect(carried.length).toBeGreaterThan(1)
  expect(pathsOf(sent)).toEqual([
    '/indexer/block/v1/blocks/57',
    '/indexer/tx/v1/txs/by_height/57',
    '/indexer/tx/v1/evm-txs/by_height/57',
  ])
})

test('what the list of EVM transactions leaves out is asked singly', async () => {
  await using world = await fresh()
  const receipts = await world.rows(chainIds.EVM, '/indexer/tx/v1/evm-txs/by_height/57')
  world.sandbox.faults.set(chainIds.EVM, '/indexer/tx/v1/evm-txs/by_height/57', {
    kind: 'answer',
    json: { txs: receipts.slice(1), pagination: {} },
  })
  const { data, sent } = await world.trace(`{ chain(chainId: "${chainIds.EVM}") {
    block(height: 57) { transactions { nodes { evmTransaction { hash } } } }
  } }`)
  const hashes = data.chain.block.transactions.nodes.flatMap(
    (one: Data) => one.evmTransaction ?? [],
  )
  expect(hashes.map((one: Data) => one.hash).toSorted()).toEqual(
    receipts.map((one) => one.transactionHash).toSorted(),
  )
  expect(pathsOf(sent).slice(2)).toEqual([
    '/indexer/tx/v1/evm-txs/by_height/57',
    `/indexer/tx/v1/evm-txs/${receipts[0].transactionHash}`,
  ])
})

test('the carriers of the EVM transactions of one block cost one call', async () => {
  await using world = await fresh()
  const { data, sent } = await world.trace(`{ chain(chainId: "${chainIds.EVM}") {
    block(height: 57) { evmTransactions(first: 2) { nodes { transaction { hash } } } }
  } }`)
  for (const one of data.chain.block.evmTransactions.nodes) expect(one.transaction).not.toBeNull()
  expect(pathsOf(sent)).toEqual([
    '/indexer/block/v1/blocks/57',
    '/indexer/tx/v1/evm-txs/by_height/57',
    '/indexer/tx/v1/txs/by_height/57',
  ])
})

test('the collection of a page of NFTs costs one call, and none for its address', async () => {
  await using world = await fresh()
  const [, collection] = await world.rows('harbor-1', '/indexer/nft/v1/collections')
  const nfts = (fields: string) =>
    world.trace(
      `query ($address: Address!) { chain { nftCollection(address: $address) {
        nfts(first: 30) { nodes { collection { ${fields} } } }
      } } }`,
      { address: collection.object_addr },
    )
  expect((await nfts('address')).sent).toHaveLength(2)
  expect((await nfts('address name nftCount')).sent).toHaveLength(2)
})

test('one page is asked for with one record more than wanted, in one request', async () => {
  await using world = await fresh()
  const { sent } = await world.trace('{ chain { blocks(first: 5) { pageInfo { hasNextPage } } } }')
  expect(sent).toHaveLength(1)
  expect(sent[0]).toContain('pagination.limit=6')
})
