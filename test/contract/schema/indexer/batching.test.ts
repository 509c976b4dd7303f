import { expect, test } from 'vitest'
import { chainIds, type Data, startWorld, youngChains } from '../../../support/world.ts'

// A gateway caches immutable records, so each test that counts requests starts a gateway.
const fresh = () => startWorld()

const heights = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)

/** The paths of the requests, without their queries. */
const pathsOf = (sent: string[]) => sent.map((request) => request.split('?')[0]?.split(' GET ')[1])

test('ten consecutive blocks take one list request', async () => {
  await using world = await fresh()
  const aliases = heights(1, 10).map((height) => `b${height}: block(height: ${height}) { hash }`)
  const { data, sent } = await world.trace(`{ chain { ${aliases.join(' ')} } }`)
  expect(pathsOf(sent)).toEqual(['/indexer/block/v1/blocks'])
  const rows = await world.rows('harbor-1', '/indexer/block/v1/blocks', {
    'pagination.reverse': 'false',
  })
  expect(Object.values<Data>(data.chain).map(({ hash }) => hash)).toEqual(rows.slice(0, 10).map(({ hash }) => hash))
})

test('nearby blocks share a list request, and others are requested one by one', async () => {
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

test('blocks six heights apart are requested one by one', async () => {
  await using world = await fresh()
  const { sent } = await world.trace('{ chain { a: block(height: 3) { hash } b: block(height: 9) { hash } } }')
  expect(pathsOf(sent).toSorted()).toEqual(['/indexer/block/v1/blocks/3', '/indexer/block/v1/blocks/9'])
})

test('a list request has at most 100 blocks', async () => {
  await using world = await startWorld({ chains: youngChains(110) })
  const ids = heights(1, 100).map((height) => Buffer.from(`Block:harbor-1/${height}`).toString('base64'))
  const aliases = heights(101, 105).map((height) => `b${height}: block(height: ${height}) { hash }`)
  const { data, sent } = await world.trace(
    `query ($ids: [ID!]!) {
      nodes(ids: $ids) { ... on Block { hash } }
      chain { ${aliases.join(' ')} }
    }`,
    { ids },
  )
  expect(new Set(data.nodes.map(({ hash }: Data) => hash)).size).toBe(100)
  const limits = sent.map((request) => /pagination\.limit=(\d+)/.exec(request)?.[1])
  expect(limits.toSorted()).toEqual(['100', '5'])
})

test('a block missing at its height is found in the list', async () => {
  await using world = await startWorld({ limits: { cacheTtlMs: 0 } })
  const fields = '{ chain { transactions(first: 1) { nodes { height block { height hash } } } } }'
  world.sandbox.faults.set('harbor-1', '/indexer/block/v1/blocks/', { kind: 'status', status: 404 })
  const { data, sent } = await world.trace(fields)
  const [tx] = data.chain.transactions.nodes
  expect(tx.block.height).toBe(tx.height)
  expect(pathsOf(sent)).toEqual([
    '/indexer/tx/v1/txs',
    `/indexer/block/v1/blocks/${tx.height}`,
    '/indexer/block/v1/blocks',
  ])
  world.sandbox.faults.set('harbor-1', '/indexer/block/v1/blocks', { kind: 'status', status: 404 })
  const [error] = await world.errors(fields)
  expect(error?.extensions).toMatchObject({
    code: 'UPSTREAM_INVALID_RESPONSE',
    service: 'harbor-1',
  })
})

test('a block with its neighbors takes two requests', async () => {
  await using world = await fresh()
  const { data, sent } = await world.trace('{ chain { block(height: 30) { hash previous { hash } next { hash } } } }')
  expect(data.chain.block.previous.hash).not.toBe(data.chain.block.next.hash)
  expect(pathsOf(sent)).toEqual(['/indexer/block/v1/blocks/30', '/indexer/block/v1/blocks'])
})

test('equal requests of an operation are sent once', async () => {
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

test('equal heights of two chains are separate requests', async () => {
  await using world = await fresh()
  const { data, sent } = await world.trace('{ chains { block(height: 9) { hash } } }')
  expect(new Set(data.chains.map((chain: Data) => chain.block.hash)).size).toBe(3)
  expect(sent).toHaveLength(3)
})

test('an immutable record is requested once', async () => {
  await using world = await fresh()
  const query = '{ chain { block(height: 9) { hash } } }'
  const first = await world.trace(query)
  const second = await world.trace(query)
  expect(first.sent).toHaveLength(1)
  expect(second.sent).toEqual([])
  expect(second.data).toEqual(first.data)
})

test('a missing record is requested again by the next operation', async () => {
  await using world = await fresh()
  const query = '{ chain { block(height: 61) { hash } } }'
  await world.trace(query)
  expect((await world.trace(query)).sent).toHaveLength(1)
})

test('blocks of a page of transactions take one request', async () => {
  await using world = await fresh()
  const { data, sent } = await world.trace(
    '{ chain { transactions(first: 20) { nodes { height block { height hash } } } } }',
  )
  for (const tx of data.chain.transactions.nodes) expect(tx.block.height).toBe(tx.height)
  expect(pathsOf(sent)).toEqual(['/indexer/tx/v1/txs', '/indexer/block/v1/blocks'])
})

test('id, height and chain of a block take no request', async () => {
  await using world = await fresh()
  const { sent } = await world.trace(
    '{ chain { transactions(first: 20) { nodes { block { id height chain { name } } } } } }',
  )
  expect(pathsOf(sent)).toEqual(['/indexer/tx/v1/txs'])
})

test('nearby blocks by id take one request', async () => {
  await using world = await fresh()
  const ids = heights(20, 39).map((height) => Buffer.from(`Block:harbor-1/${height}`).toString('base64'))
  const { data, sent } = await world.trace('query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Block { hash } } }', {
    ids,
  })
  expect(data.nodes).toHaveLength(20)
  expect(pathsOf(sent)).toEqual(['/indexer/block/v1/blocks'])
})

test('lists of a block without transactions take no request', async () => {
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
    transactionCount: 0,
    transactions: { totalCount: 0, nodes: [], pageInfo: { hasNextPage: false } },
    evmTransactions: { totalCount: 0, nodes: [] },
    evmInternalTransactions: { totalCount: 0, nodes: [] },
  })
  expect(pathsOf(sent)).toEqual(['/indexer/block/v1/blocks/52'])
})

test('transactions of a page of blocks take two more requests', async () => {
  await using world = await fresh()
  const { data, sent } = await world.trace(
    '{ chain { blocks(first: 20) { nodes { transactionCount transactions { nodes { hash } } } } } }',
  )
  const full = data.chain.blocks.nodes.filter((block: Data) => block.transactionCount !== 0)
  expect(full.length).toBeLessThan(20)
  expect(pathsOf(sent)).toEqual(['/indexer/block/v1/blocks', '/indexer/tx/v1/txs/by_height/60', '/indexer/tx/v1/txs'])
  for (const { transactionCount, transactions } of data.chain.blocks.nodes) {
    expect(transactions.nodes).toHaveLength(Number(transactionCount))
  }
})

const list = '/indexer/block/v1/blocks?'

test('records missing from a list response are requested one by one', async () => {
  await using world = await fresh()
  const rows = await world.rows('harbor-1', '/indexer/block/v1/blocks')
  const requested = heights(21, 25)
  const listed = rows.filter((block) => ['21', '24', '40'].includes(block.height))
  world.sandbox.faults.set('harbor-1', list, {
    kind: 'answer',
    json: { blocks: listed, pagination: { next_key: null, total: '60' } },
  })
  const aliases = requested.map((height) => `b${height}: block(height: ${height}) { height hash }`)
  const { data, sent } = await world.trace(`{ chain { ${aliases.join(' ')} } }`)
  expect(Object.values(data.chain)).toEqual(
    requested.map((height) => {
      const { hash } = rows.find((block) => block.height === String(height))
      return { height: height, hash }
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
  ['an unexpected shape', { kind: 'answer', json: { blocks: 'none' } }],
  ['a 500', { kind: 'status', status: 500 }],
  ['a 404', { kind: 'status', status: 404 }],
] as const)('when the list response is %s, records are requested one by one', async (_claim, fault) => {
  await using world = await fresh()
  world.sandbox.faults.set('harbor-1', list, fault)
  const { data, errors, sent } = await world.trace(
    '{ chain { a: block(height: 5) { height } b: block(height: 6) { height } c: block(height: 61) { height } } }',
  )
  expect(errors).toBeUndefined()
  expect(data.chain).toEqual({ a: { height: 5 }, b: { height: 6 }, c: null })
  expect(
    pathsOf(sent)
      .filter((path) => path !== '/indexer/block/v1/blocks')
      .toSorted(),
  ).toEqual(['/indexer/block/v1/blocks/5', '/indexer/block/v1/blocks/6', '/indexer/block/v1/blocks/61'])
})

test('a failed record of a batch is null, and others are returned', async () => {
  await using world = await fresh()
  world.sandbox.faults.set('harbor-1', list, { kind: 'status', status: 500 })
  world.sandbox.faults.set('harbor-1', '/indexer/block/v1/blocks/6', {
    kind: 'status',
    status: 500,
  })
  const { data, errors } = await world.ask(
    '{ chain { a: block(height: 5) { height } b: block(height: 6) { height } c: block(height: 7) { height } } }',
  )
  expect(data.chain).toEqual({ a: { height: 5 }, b: null, c: { height: 7 } })
  expect(errors).toMatchObject([
    { path: ['chain', 'b'], extensions: { code: 'UPSTREAM_UNAVAILABLE', service: 'harbor-1' } },
  ])
})

test('EVM links of a block take two list requests, in both directions', async () => {
  const lists = ['/indexer/tx/v1/txs/by_height/57', '/indexer/tx/v1/evm-txs/by_height/57']
  const links = async (page: string) => {
    await using world = await fresh()
    const { data, sent } = await world.trace(`{ chain(chainId: "${chainIds.EVM}") { block(height: 57) { ${page} } } }`)
    return { block: data.chain.block, lists: pathsOf(sent).slice(-2) }
  }
  const forth = await links('transactions { nodes { hash evmTransaction { hash height } } }')
  const linked = forth.block.transactions.nodes.filter((tx: Data) => tx.evmTransaction)
  expect(linked.length).toBeGreaterThan(1)
  expect(forth.lists).toEqual(lists)
  const back = await links('evmTransactions(first: 2) { nodes { transaction { hash } } }')
  for (const tx of back.block.evmTransactions.nodes) expect(tx.transaction).not.toBeNull()
  expect(back.lists).toEqual(lists)
})

test('old EVM transactions are not searched among the newest', async () => {
  await using world = await startWorld({ chains: youngChains(120) })
  const query = `{ chain(chainId: "${chainIds.EVM}") {
    evmInternalTransactions(first: 30, order: ASC) { nodes { transaction { hash height } } }
  } }`
  const newest = '/indexer/tx/v1/evm-txs'
  const first = await world.trace(query)
  const second = await world.trace(query)
  const heights = first.data.chain.evmInternalTransactions.nodes.map((call: Data) => call.transaction.height)
  expect(new Set(heights).size).toBeGreaterThan(3)
  expect(second.data).toEqual(first.data)
  expect(pathsOf(first.sent)).toContain(newest)
  expect(pathsOf(second.sent)).not.toContain(newest)
})

test('EVM transactions missing from the list of their block are requested one by one', async () => {
  await using world = await fresh()
  const list = '/indexer/tx/v1/evm-txs/by_height/57'
  const receipts = await world.rows(chainIds.EVM, list)
  const document = `{ chain(chainId: "${chainIds.EVM}") {
    block(height: 57) { evmInternalTransactions(first: 20) { nodes { transaction { hash } } } }
  } }`
  const answers = [
    { kind: 'answer', json: { txs: receipts.slice(1), pagination: {} } },
    { kind: 'status', status: 500 },
  ] as const
  for (const fault of answers) {
    world.sandbox.faults.set(chainIds.EVM, list, fault)
    const { data, errors } = await world.trace(document)
    expect(errors).toBeUndefined()
    const calls = data.chain.block.evmInternalTransactions.nodes
    expect(new Set(calls.map((call: Data) => call.transaction.hash))).toEqual(
      new Set(receipts.map((receipt) => receipt.transactionHash)),
    )
  }
})

test('collections of a page of NFTs take one request, and address and name none', async () => {
  await using world = await fresh()
  const [, collection] = await world.rows('harbor-1', '/indexer/nft/v1/collections')
  const nfts = (fields: string) =>
    world.trace(
      `query ($address: Address!) { chain { nftCollection(address: $address) {
        nfts(first: 30) { nodes { collection { ${fields} } } }
      } } }`,
      { address: collection.object_addr },
    )
  const { data, sent } = await nfts('id address name chain { chainId }')
  expect(sent).toHaveLength(2)
  expect(data.chain.nftCollection.nfts.nodes[0].collection.name).toBe(collection.collection.name)
  expect((await nfts('address name nftCount')).sent).toHaveLength(2)
})

test('a page takes one request, with one extra record', async () => {
  await using world = await fresh()
  const { sent } = await world.trace('{ chain { blocks(first: 5) { pageInfo { hasNextPage } } } }')
  expect(sent).toHaveLength(1)
  expect(sent[0]).toContain('pagination.limit=6')
})
