import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import relay from 'relay-runtime'
import { startGateway } from '../gateway.mjs'
import blockFragment from './__generated__/documentsBlock_block.graphql.js'
import refetchQuery from './__generated__/documentsBlockRefetchQuery.graphql.js'
import blocksFragment from './__generated__/documentsBlocks_chain.graphql.js'
import paginationQuery from './__generated__/documentsBlocksPaginationQuery.graphql.js'
import chainQuery from './__generated__/documentsChainQuery.graphql.js'
import nodeQuery from './__generated__/documentsNodeQuery.graphql.js'

const { Environment, Network, RecordSource, Store, createOperationDescriptor, fetchQuery } = relay

const url = await startGateway()

let sent = 0
/** What the gateway answered last. */
let answer
const environment = new Environment({
  network: Network.create(async ({ text }, variables) => {
    sent += 1
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: text, variables }),
    })
    const result = await response.json()
    assert.equal(result.errors, undefined)
    answer = result.data
    return result
  }),
  store: new Store(new RecordSource()),
})

/** Sends a query and keeps its data in the store. */
async function load(query, variables) {
  const data = await fetchQuery(environment, query, variables).toPromise()
  environment.retain(createOperationDescriptor(query, variables))
  return data
}

/** Reads a fragment from the store. */
const read = (fragment, reference) => environment.lookup(relay.getSingularSelector(fragment, reference))

const size = 10
const { chain } = await load(chainQuery, { count: size })
const blocks = () => read(blocksFragment, chain).data.blocks
const heights = () => blocks().edges.map(({ node }) => node.height)

test('Relay reads a page as a connection', () => {
  assert.equal(chain.chainId, 'harbor-1')
  assert.equal(heights().length, size)
  assert.equal(blocks().pageInfo.hasNextPage, true)
})

test('pages fetched by the id of the chain form one list without gaps or duplicates', async () => {
  const newest = heights()[0]
  for (let pages = 2; pages <= 5; pages++) {
    const { endCursor } = blocks().pageInfo
    await load(paginationQuery, { id: chain.__id, count: size, cursor: endCursor })
    assert.deepEqual(
      heights(),
      Array.from({ length: pages * size }, (_, i) => newest - i),
    )
  }
})

test('a block is refetched by its id, with its transactions', async () => {
  for (const { node } of blocks().edges.slice(0, size)) {
    const before = read(blockFragment, node).data
    await load(refetchQuery, { id: node.__id })
    assert.deepEqual(read(blockFragment, node).data, before)
  }
})

test('a block fetched by its id alone is the same record in the store', async () => {
  const [{ node }] = blocks().edges
  const { node: block } = await load(nodeQuery, { id: node.__id })
  assert.equal(block.__typename, 'Block')
  assert.equal(block.height, node.height)
  assert.equal(block.hash, read(blockFragment, node).data.hash)
  assert.equal(environment.getStore().getSource().get(node.__id).__typename, 'Block')
})

test('the compiler knows the types of the scalars', () => {
  const types = readFileSync('typed/__generated__/documentsTypesQuery.graphql.ts', 'utf8')
  assert.match(types, /readonly height: number/)
  assert.match(types, /readonly timestamp: string/)
  assert.match(types, /readonly amount: string/)
  assert.doesNotMatch(types, /: any\b/)
})

test('an operation is one request', () => {
  assert.equal(sent, 1 + 4 + size + 1)
})

/** Data without what Relay asks for itself: types, and the ids of records. */
const plain = (data) =>
  JSON.parse(JSON.stringify(data, (name, value) => (/^(__|id$)/.test(name) ? undefined : (value ?? null))))

/** All ids in some data. */
const idsOf = (data) => (JSON.stringify(data).match(/"id":"[^"]+"/g) ?? []).toSorted()

const lists = JSON.parse(readFileSync('lists/names.json', 'utf8'))
for (const [index, name] of lists.entries()) {
  test(`Relay has the rows that were sent: ${name}`, async () => {
    const module = await import(`./lists/__generated__/list${index}Query.graphql.js`)
    const kept = await load(module.default, {})
    assert.deepEqual(plain(kept), plain(answer))
    // The documents ask for all ids, but for these.
    if (!/without an id|cursors alone/.test(name)) assert.deepEqual(idsOf(kept), idsOf(answer))
  })
}
