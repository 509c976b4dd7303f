import { expect, test } from 'vitest'
import { greetedSocket } from '../../../support/socketClient.ts'
import { startWorld } from '../../../support/world.ts'

const prices = '{ assets(first: 100) { nodes { symbol usdPrice } } }'

test('quotes that hang do not block a transfer of another client, and time out', async () => {
  await using world = await startWorld({ limits: { timeoutMs: 1_500 }, routerRequests: 8 })
  world.sandbox.faults.set('router', '/v2/fungible/route', { kind: 'hang' })
  let isAnswered = false
  const answer = world.ask(prices).then((result) => {
    isAnswered = true
    return result
  })
  const socket = await greetedSocket(world.url)
  const query = `subscription { transfer(chainId: "harbor-1", hash: "${'ab'.repeat(31)}00") { state } }`
  socket.send({ id: '1', type: 'subscribe', payload: { query } })
  expect((await socket.next()).payload.data.transfer.state).toBeTruthy()
  expect(isAnswered).toBe(false)
  await socket.close()

  const { data, errors = [] } = await answer
  expect(data.assets.nodes.length).toBeGreaterThan(1)
  expect(errors.length).toBeGreaterThan(1)
  for (const { extensions } of errors) expect(extensions?.code).toBe('UPSTREAM_TIMEOUT')
  // Those that were still waiting are never sent.
  const sent = world.requests().filter((line) => line.includes('/v2/fungible/route'))
  expect(sent.length).toBeGreaterThan(0)
  expect(sent.length).toBeLessThanOrEqual(8)
  expect(sent.length).toBeLessThan(errors.length)
})

test('an operation sends at most one request for each 20 points of maxCost, prices included', async () => {
  await using world = await startWorld({ limits: { maxCost: 300 } })
  const { errors = [], sent } = await world.trace(prices.replace('first: 100', 'first: 40'))
  expect(sent.length).toBeLessThanOrEqual(15)
  expect(errors[0]?.extensions?.code).toBe('QUERY_TOO_COMPLEX')
})

test('a client that leaves does not abort a load that another waits for', async () => {
  await using world = await startWorld({ limits: { timeoutMs: 5_000 } })
  world.sandbox.faults.set('router', '/v2/info/bridges', { kind: 'latency', ms: 300, times: 1 })
  const body = JSON.stringify({ query: '{ bridges { rawBridge } }' })
  const headers = { 'content-type': 'application/json' }
  const leaving = new AbortController()
  const gone = fetch(world.url, { method: 'POST', headers, body, signal: leaving.signal })
  const staying = world.ask('{ all: bridges { rawBridge } }')
  while (world.sandbox.requests.length === 0) await new Promise(setImmediate)
  leaving.abort()
  await expect(gone).rejects.toThrow()
  expect((await staying).data.all.length).toBeGreaterThan(0)
})
