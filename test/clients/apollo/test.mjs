import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import { CombinedGraphQLErrors } from '@apollo/client'
import { WebSocket } from 'ws'
import { startGateway } from '../gateway.mjs'
import { createApollo, quote, readBlocks, readPartial, search, watch } from './__generated__/pages.js'

const url = await startGateway()
const warnings = []
console.warn = (...words) => warnings.push(words)
const sent = []
const recordedFetch = (target, options) => {
  const { pathname, searchParams } = new URL(target)
  const body = options.body ? JSON.parse(options.body) : Object.fromEntries(searchParams)
  sent.push({ method: options.method, pathname, hasQuery: 'query' in body })
  return fetch(target, options)
}
const sha256 = (text) => createHash('sha256').update(text).digest('hex')
const connect = () => createApollo({ url, fetch: recordedFetch, sha256, webSocketImpl: WebSocket })
const { client, close } = connect()
after(close)

test('pages form one list in the cache', async () => {
  const blocks = await readBlocks(client, 4)
  assert.equal(blocks.length, 28)
  const newest = blocks[0].height
  assert.deepEqual(
    blocks.map(({ height }) => height),
    blocks.map((_, index) => newest - index),
  )
  assert.ok(blocks.some(({ gasUsed }) => BigInt(gasUsed) > 0n))
})

test('a hashed query is sent by GET, its document once by POST', async () => {
  sent.length = 0
  const first = await search(client, '1041')
  assert.deepEqual(
    first.map(({ __typename }) => __typename),
    ['Block', 'Block', 'Block'],
  )
  assert.deepEqual(
    sent.map(({ method, hasQuery }) => [method, hasQuery]),
    [
      ['GET', false],
      ['POST', true],
    ],
  )
  // Another client asks for the same document: the gateway knows it.
  sent.length = 0
  const other = connect()
  after(other.close)
  assert.deepEqual(await search(other.client, '1041'), first)
  assert.deepEqual(
    sent.map(({ method, hasQuery }) => [method, hasQuery]),
    [['GET', false]],
  )
})

test('fragments on interfaces and unions match their possible types', async () => {
  const [block] = await search(client, '1041')
  const { data } = await readPartial(client, '0xe68f6048265750f6f3eedd4df39f93cbb4cbf76a')
  const [account] = await search(client, data.chain.account.address)
  assert.equal(block.height, 1041)
  assert.equal(typeof block.transactionCount, 'number')
  assert.equal(account.__typename, 'Account')
  assert.equal(account.hexAddress, data.chain.account.address)
  assert.deepEqual(Object.keys(account).sort(), ['__typename', 'hexAddress', 'id'])
})

test('a quote is read by the cases of its union', async () => {
  const { amountOut, steps } = await quote(client, '25000000')
  assert.ok(amountOut > 0n)
  assert.equal(steps.length, 2)
  assert.match(steps[0], /^SWAP on \w/)
  assert.match(steps[1], /^TRANSFER over channel-\d+$/)
})

test('a field that fails leaves the rest, and its code reaches the client', async () => {
  const { data, error } = await readPartial(client, 'not an address')
  assert.equal(data.chain.prettyName, 'Galley')
  assert.equal(data.chain.account, null)
  assert.ok(CombinedGraphQLErrors.is(error))
  const [{ path, extensions }] = error.errors
  assert.deepEqual(path, ['chain', 'account'])
  assert.equal(extensions.code, 'BAD_USER_INPUT')
})

test('a refusal of the router reaches the client with the words of the router', async () => {
  await assert.rejects(quote(client, '25000000', 'unowhere'), (error) => {
    assert.ok(CombinedGraphQLErrors.is(error))
    const [{ path, extensions }] = error.errors
    assert.deepEqual(path, ['route'])
    assert.equal(extensions.code, 'UPSTREAM_REJECTED')
    assert.equal(extensions.service, 'router')
    assert.equal(extensions.upstreamMessage, 'source asset not found')
    return true
  })
})

test('a transfer is watched over a WebSocket until it ends', async () => {
  const states = await watch(client, `${'a9'.repeat(31)}00`.toUpperCase())
  assert.equal(states[0], 'SUBMITTED')
  assert.equal(states.at(-1), 'COMPLETED_SUCCESS')
  assert.ok(states.includes('PENDING'))
})

test('the cache had nothing to warn of', () => {
  assert.deepEqual(warnings, [])
})
