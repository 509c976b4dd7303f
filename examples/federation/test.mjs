// Portolan as a subgraph beside another graph: composed by two composers, and joined in Hive Gateway.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { composeServices as composeApollo } from '@apollo/composition'
import { composeServices as composeHive } from '@theguild/federation-composition'
import { createClient } from 'graphql-ws'
import WebSocket from 'ws'
import { startGateway } from '../../test/clients/gateway.mjs'
import { portolanSdl, servicesOf, start } from './start.mjs'

let portolan
let joined

const ask = async (query) => {
  const response = await fetch(joined.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  return response.json()
}

before(async () => {
  portolan = await startGateway('--federation', 'true')
  joined = await start(portolan, 20_000 + (process.pid % 20_000))
})

after(() => joined.stop())

test('a join over both graphs is answered through Hive Gateway', async () => {
  const { data, errors } = await ask(`{ users(first: 2) { nodes { name account { hexAddress
    balances { usdValue }
    activity(first: 2) { edges { chain { prettyName } node { hash } } pageInfo { hasNextPage } } } } } }`)
  assert.equal(errors, undefined)
  const [ada] = data.users.nodes
  assert.equal(ada.name, 'ada')
  assert.equal(ada.account.hexAddress, '0x77fe0c22efad6b5d8e915e50b1d9bfc17cfeb817')
  assert.equal(ada.account.activity.edges.length, 2)
  assert.match(ada.account.balances.usdValue, /^\d/)
})

test('queries of Portolan alone are answered, and `node` of one graph is hidden', async () => {
  const alone = await ask('{ chains { chainId latestBlock { height } } }')
  assert.equal(alone.errors, undefined)
  assert.equal(alone.data.chains.length, 3)
  const hidden = await ask('{ node(id: "1") { id } }')
  assert.match(hidden.errors[0].message, /Cannot query field "node"/)
})

const subscription = 'subscription { blocks(chainId: "galley-1") { cursor node { height } } }'

test('a subscription arrives over server-sent events', async () => {
  const abort = new AbortController()
  const response = await fetch(joined.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query: subscription }),
    signal: abort.signal,
  })
  let text = ''
  let heights = []
  for await (const part of response.body) {
    text += Buffer.from(part).toString()
    const events = [...text.matchAll(/^data: (\{.*\})$/gm)].map(([, data]) => JSON.parse(data))
    heights = events.map(({ data }) => data?.blocks?.node?.height).filter(Boolean)
    if (heights.length >= 2) break
  }
  abort.abort()
  assert.equal(heights[1], heights[0] + 1)
})

test('a subscription arrives over a WebSocket', async () => {
  const client = createClient({ url: joined.url.replace('http', 'ws'), webSocketImpl: WebSocket })
  const heights = []
  for await (const { data } of client.iterate({ query: subscription })) {
    if (data?.blocks.node) heights.push(data.blocks.node.height)
    if (heights.length === 2) break
  }
  await client.dispose()
  assert.equal(heights[1], heights[0] + 1)
})

test('while the other graph is down, what Portolan has is still answered', async () => {
  joined.users.server.closeAllConnections()
  await new Promise((resolve) => joined.users.server.close(resolve))
  const { data, errors } = await ask('{ chains { chainId } user(name: "ada") { name } }')
  assert.equal(data.chains.length, 3)
  assert.equal(data.user, null)
  assert.ok(errors.length > 0)
})

// Last, as composers block the event loop for seconds: a connection that its server closed meanwhile would be used.
for (const [name, compose] of [
  ['Hive', composeHive],
  ['Apollo', composeApollo],
]) {
  test(`it composes alone and beside another graph (${name})`, async () => {
    const services = servicesOf(await portolanSdl(portolan), portolan, 'http://localhost/users')
    for (const list of [services.slice(0, 1), services]) {
      const { errors, supergraphSdl } = compose(list)
      assert.deepEqual(errors?.map(({ message }) => message) ?? [], [])
      assert.match(supergraphSdl, /type Account/)
    }
  })
}
