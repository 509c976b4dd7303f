import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, test } from 'node:test'
import { WebSocket } from 'ws'
import { startGateway } from '../gateway.mjs'
import { createUrql, nextHeights, readBlocks, readPartial, search, watch } from './__generated__/pages.js'

const url = await startGateway()
const warnings = []
console.warn = (...words) => warnings.push(words)

function connect(transport) {
  const { client, close } = createUrql({ url, transport, webSocketImpl: WebSocket })
  after(close)
  return client
}
const client = connect('websocket')

test('pages form one list in the cache, which knows the schema', async () => {
  const blocks = await readBlocks(client, 4)
  assert.equal(blocks.length, 28)
  const newest = blocks[0].height
  assert.deepEqual(
    blocks.map(({ height }) => height),
    blocks.map((_, index) => newest - index),
  )
  assert.ok(blocks.some(({ totalFee }) => totalFee.some(({ amount }) => BigInt(amount) > 0n)))
})

test('fragments on interfaces and unions match', async () => {
  const { found } = await search(client, '1041')
  assert.deepEqual(
    found.map(({ __typename, height }) => [__typename, height]),
    [
      ['Block', 1041],
      ['Block', 1041],
      ['Block', 1041],
    ],
  )
  const address = '0xe68f6048265750f6f3eedd4df39f93cbb4cbf76a'
  const [account] = (await search(client, address)).found
  assert.equal(account.__typename, 'Account')
  assert.equal(account.hexAddress, address)
})

test('a field that fails leaves the rest, and its code reaches the client', async () => {
  const { data, error } = await readPartial(client, 'not an address')
  assert.equal(data.chain.prettyName, 'Galley')
  assert.equal(data.chain.account, null)
  const [{ path, extensions }] = error.graphQLErrors
  assert.deepEqual(path, ['chain', 'account'])
  assert.equal(extensions.code, 'BAD_USER_INPUT')
})

test('new blocks arrive over WebSocket and server-sent events', async () => {
  const transports = ['websocket', 'sse']
  const read = await Promise.all(transports.map((name) => nextHeights(connect(name), 3)))
  for (const [first, second, third] of read) {
    assert.ok(first > 0)
    assert.deepEqual([second, third], [first + 1, first + 2])
  }
})

test('urql reads the stream of a subscription by itself until its end', async () => {
  const states = await watch(connect('fetch'), `${'a8'.repeat(31)}00`.toUpperCase())
  assert.deepEqual(states, ['SUBMITTED', 'PENDING', 'COMPLETED_SUCCESS'])
})

test('the cache had nothing to warn of', () => {
  assert.deepEqual(warnings, [])
})

test('the check of gql.tada refuses a field that the schema does not have', () => {
  // npx would run it in the folder of the workspace.
  const { status, stdout, stderr } = spawnSync('../../node_modules/.bin/gql.tada', ['check'], {
    cwd: 'wrong',
    encoding: 'utf8',
  })
  assert.match(stdout + stderr, /Cannot query field "heigth" on type "Chain"/)
  assert.notEqual(status, 0)
})
