import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, print, separateOperations } from 'graphql'
import { afterAll, expect, test } from 'vitest'
import { type Data, startWorld } from '../../support/world.ts'

// What typical documents cost in upstream requests. Each is asked of a gateway that has cached nothing.

const sandboxes: AsyncDisposable[] = []
afterAll(async () => {
  for (const world of sandboxes) await world[Symbol.asyncDispose]()
})

const evm = 'chain(chainId: "galley-1")'
const person = 'init1wllqcgh04444mr53tegtrkdlc970awqhddazg3'

const documents: [what: string, document: string, requests: number][] = [
  ['a page of blocks', '{ chain { blocks { nodes { hash } } } }', 1],
  ['a page of blocks with the number of blocks', '{ chain { blocks { totalCount nodes { hash } } } }', 3],
  [
    'a page of blocks with their transactions',
    '{ chain { blocks(first: 20) { nodes { hash transactions(first: 50) { totalCount nodes { hash } } } } } }',
    3,
  ],
  [
    'a block, its neighbors and the transactions of all three',
    `{ chain { block(height: 50) {
      transactions { nodes { hash } }
      previous { transactions { nodes { hash } } } next { transactions { nodes { hash } } }
    } } }`,
    4,
  ],
  [
    'blocks by id with their transactions',
    `{ nodes(ids: [${[57, 58, 59, 60].map((height) => `"${Buffer.from(`Block:harbor-1/${height}`).toString('base64')}"`)}]) {
      ... on Block { transactions { nodes { hash } } }
    } }`,
    3,
  ],
  ['a page of transactions', '{ chain { transactions { nodes { hash } } } }', 1],
  ['a page of transactions with its count', '{ chain { transactions { totalCount nodes { hash } } } }', 1],
  ['the number of transactions', '{ chain { transactions { totalCount } } }', 1],
  ['the number of transactions of a block', '{ chain { block(height: 57) { transactions { totalCount } } } }', 1],
  ['a page of transactions with their blocks', '{ chain { transactions { nodes { hash block { hash } } } } }', 2],
  [
    'the page of an account, with counts',
    `{ chain { account(address: "${person}") {
      transactions(first: 2) { totalCount nodes { hash } pageInfo { hasNextPage } }
      nfts(first: 2) { totalCount nodes { tokenId } }
      nftCollections(first: 2) { totalCount nodes { address } }
    } } }`,
    3,
  ],
  ['collections with their estimated number', '{ chain { nftCollections { totalCount nodes { address } } } }', 1],
  ['holders with their number', '{ chain { richList(denom: "uinit") { totalCount nodes { amount } } } }', 1],
  [
    'holders with their number and shares',
    '{ chain { richList(denom: "uinit") { totalCount nodes { amount sharePercent } } } }',
    1,
  ],
  [
    'a page of blocks with their EVM transactions',
    `{ ${evm} { blocks(first: 20) { nodes { evmTransactions { totalCount nodes { hash } } } } } }`,
    3,
  ],
  [
    'the first EVM transactions of a chain with their traces, to the end of the list',
    `{ ${evm} { evmTransactions(first: 20, order: ASC) {
      nodes { internalTransactions { totalCount nodes { index } } }
    } } }`,
    4,
  ],
  [
    'EVM transactions with their number and blocks',
    `{ ${evm} { evmTransactions { totalCount nodes { hash block { hash } } } } }`,
    2,
  ],
]

test.each(documents)('%s', async (_what, document, requests) => {
  const world = await startWorld()
  sandboxes.push(world)
  const { errors, sent } = await world.trace(document)
  expect(errors).toBeUndefined()
  expect(sent).toHaveLength(requests)
})

const read = (path: string) => readFileSync(join(import.meta.dirname, '../../..', path), 'utf8')

test.each([
  ['the example', read('examples/documents/quote.graphql'), {}],
  [
    'the page of the explorer',
    read('apps/explorer/src/documents/quote.graphql') + read('apps/explorer/src/documents/fragments.graphql'),
    {
      input: {
        amountIn: '250000000',
        source: { chainId: 'harbor-1', denom: 'uinit' },
        destination: { chainId: '1', denom: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48' },
      },
    },
  ],
])('a quote of %s takes three requests, and then one', async (_what, text, variables) => {
  const world = await startWorld()
  sandboxes.push(world)
  const quote = operationOf(text, 'Quote')
  const { data, errors, sent } = await world.trace(quote, variables)
  expect(errors).toBeUndefined()
  expect(data.route.operations.length).toBeGreaterThan(2)
  for (const { assetOut } of data.route.operations) expect(assetOut.symbol).toBeTruthy()
  expect(sent.map((line) => line.split('&')[0])).toEqual([
    'router POST /v2/fungible/route',
    'router GET /v2/info/chains?include_evm=true',
    'router GET /v2/fungible/assets?chain_ids=harbor-1%2C1%2Cnoble-1',
  ])
  const next = await world.trace(quote, variables)
  expect(next.data).toEqual(data)
  expect(next.sent).toEqual(['router POST /v2/fungible/route'])
})

/** An operation of a document, with the fragments that it uses. */
function operationOf(text: string, name: string): string {
  const operation = separateOperations(parse(text))[name]
  if (!operation) throw new Error(`There is no operation ${name}.`)
  return print(operation)
}

test('Cosmos transactions of EVM transactions take five more requests', async () => {
  const world = await startWorld()
  sandboxes.push(world)
  const page = `evmTransactions(first: 20) { nodes { hash transaction { hash evmTransaction { hash } } } }`
  const { data, sent } = await world.trace(`{ ${evm} { ${page} } }`)
  for (const { hash, transaction } of data.chain.evmTransactions.nodes) {
    expect(transaction.evmTransaction.hash).toBe(hash)
  }
  const paths = sent.map((request) => request.split(/ GET |[?]/)[1])
  expect(paths).toEqual([
    '/indexer/tx/v1/evm-txs',
    '/indexer/block/v1/blocks',
    '/indexer/tx/v1/txs/by_height/60',
    '/indexer/tx/v1/txs',
    // The EVM transactions of all these blocks, as the page may hold a part of the last one.
    '/indexer/tx/v1/evm-txs/by_height/60',
    '/indexer/tx/v1/evm-txs',
  ])
})

test('EVM transactions of a complete page of a block take one more request', async () => {
  const world = await startWorld()
  sandboxes.push(world)
  const inBlock = `block(height: 57) {
    transactions { nodes { hash evmTransaction { hash transaction { hash } } } }
  }`
  const { data, sent } = await world.trace(`{ ${evm} { ${inBlock} } }`)
  const { nodes } = data.chain.block.transactions
  const linked = nodes.filter((node: Data) => node.evmTransaction)
  expect(linked.length).toBeGreaterThan(1)
  for (const { hash, evmTransaction } of linked) {
    expect(evmTransaction.transaction.hash).toBe(hash)
  }
  const paths = sent.map((request) => request.split(/ GET |[?]/)[1])
  expect(paths).toEqual([
    '/indexer/block/v1/blocks/57',
    '/indexer/tx/v1/txs/by_height/57',
    '/indexer/tx/v1/evm-txs/by_height/57',
  ])
})

test('the lists of a block are linked without reading them again', async () => {
  const world = await startWorld()
  sandboxes.push(world)
  const lists = (order: string) => `block(height: 57) {
    transactions(order: ${order}) { nodes { hash } }
    evmTransactions(order: ${order}) { nodes { hash transaction { hash evmTransaction { hash } } } }
  }`
  const { data, sent } = await world.trace(`{ ${evm} { ${lists('DESC')} } }`)
  const { nodes } = data.chain.block.evmTransactions
  expect(nodes.filter((node: Data) => node.transaction).length).toBeGreaterThan(1)
  for (const { hash, transaction } of nodes) {
    if (transaction) expect(transaction.evmTransaction.hash).toBe(hash)
  }
  expect(sent).toHaveLength(3)
  const { data: ascending } = await world.trace(`{ ${evm} { ${lists('ASC')} } }`)
  expect(ascending.chain.block.evmTransactions.nodes).toEqual(nodes.toReversed())
})

test('an incomplete page of a block is not used as the whole list', async () => {
  const world = await startWorld()
  sandboxes.push(world)
  const { sent } = await world.trace(
    `{ ${evm} { block(height: 57) { transactions(first: 1) { nodes { hash evmTransaction { hash } } } } } }`,
  )
  expect(sent).toHaveLength(4)
})

test('a page after a cursor within a page takes one request', async () => {
  const world = await startWorld()
  sandboxes.push(world)
  const page = (after: string | null, first: number) =>
    world.trace(
      `query ($after: String, $first: Int) { chain { transactions(first: $first, after: $after) {
        edges { cursor } pageInfo { endCursor }
      } } }`,
      { after, first },
    )
  const head = await page(null, 5)
  const second = await page(head.data.chain.transactions.pageInfo.endCursor, 20)
  for (const { cursor } of second.data.chain.transactions.edges) {
    expect((await page(cursor, 3)).sent).toHaveLength(1)
  }
})

test('totalCount is not requested if skipped, also in a fragment', async () => {
  const world = await startWorld()
  sandboxes.push(world)
  const counted = async (selection: string, fragment = '') => {
    const { errors, sent } = await world.trace(
      `query ($no: Boolean = false) { chain { transactions { nodes { hash } ${selection} } } } ${fragment}`,
    )
    expect(errors).toBeUndefined()
    return sent.map((request) => request.includes('count_total=true'))
  }
  const fragment = 'fragment Count on TransactionConnection { ... on TransactionConnection { total: totalCount } }'
  expect(await counted('totalCount @include(if: $no)')).toEqual([false])
  expect(await counted('... @include(if: $no) { totalCount }')).toEqual([false])
  expect(await counted('totalCount @skip(if: $no)')).toEqual([true])
  expect(await counted('...Count @skip(if: $no)', fragment)).toEqual([true])
})
