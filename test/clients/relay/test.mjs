import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import relay from 'relay-runtime'
import blockFragment from './__generated__/documentsBlock_block.graphql.js'
import refetchQuery from './__generated__/documentsBlockRefetchQuery.graphql.js'
import blocksFragment from './__generated__/documentsBlocks_chain.graphql.js'
import paginationQuery from './__generated__/documentsBlocksPaginationQuery.graphql.js'
import chainQuery from './__generated__/documentsChainQuery.graphql.js'
import nodeQuery from './__generated__/documentsNodeQuery.graphql.js'

const { Environment, Network, RecordSource, Store, createOperationDescriptor, fetchQuery } = relay

/** Starts the gateway as a user does, and gives the address it prints. */
async function startGateway() {
  const gateway = spawn(process.execPath, ['dist/main.js', '--sandbox', '--port', '0'], {
    cwd: new URL('../../../', import.meta.url),
    env: {},
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // However this ends, and however long it hangs, the gateway goes with it.
  process.on('exit', () => gateway.kill())
  setTimeout(() => gateway.kill(), 100_000).unref()
  after(() => gateway.kill())
  for await (const line of createInterface(gateway.stdout)) {
    const url = /http:\S+\/graphql/.exec(line)?.[0]
    if (url) return url
  }
  throw new Error('the gateway ended before it served')
}

const url = await startGateway()

let sent = 0
const environment = new Environment({
  network: Network.create(async ({ text }, variables) => {
    sent += 1
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: text, variables }),
    })
    const answer = await response.json()
    assert.equal(answer.errors, undefined)
    return answer
  }),
  store: new Store(new RecordSource()),
})

/** Sends a query, and keeps what it brought in the store. */
async function load(query, variables) {
  const data = await fetchQuery(environment, query, variables).toPromise()
  environment.retain(createOperationDescriptor(query, variables))
  return data
}

/** What the store holds of a fragment. */
const read = (fragment, reference) =>
  environment.lookup(relay.getSingularSelector(fragment, reference))

const size = 10
const { chain } = await load(chainQuery, { count: size })
const blocks = () => read(blocksFragment, chain).data.blocks
const heights = () => blocks().edges.map(({ node }) => Number(node.height))

test('a page is a connection as Relay understands it', () => {
  assert.equal(chain.chainId, 'harbor-1')
  assert.equal(heights().length, size)
  assert.equal(blocks().pageInfo.hasNextPage, true)
})

test('pages refetched by the id of the chain grow into one list, no block lost and none twice', async () => {
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

test('a block is found by its id alone, as the same record of the store', async () => {
  const [{ node }] = blocks().edges
  const { node: found } = await load(nodeQuery, { id: node.__id })
  assert.equal(found.__typename, 'Block')
  assert.equal(found.height, node.height)
  assert.equal(found.hash, read(blockFragment, node).data.hash)
  assert.equal(environment.getStore().getSource().get(node.__id).__typename, 'Block')
})

test('an operation is one request', () => {
  assert.equal(sent, 1 + 4 + size + 1)
})
