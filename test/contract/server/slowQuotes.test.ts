import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createGateway } from '../../../src/gateway.ts'
import { deferred } from '../../support/deferred.ts'
import { post } from '../../support/http.ts'

/** A router that never quotes, and knows every transfer. Resolves when that many quotes are under way. */
async function startSlowRouter(quotes: number) {
  const busy = deferred<void>()
  let underWay = 0
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/v2/tx/status')) {
      response.end(JSON.stringify({ state: 'STATE_SUBMITTED', transfer_sequence: [], transfers: [] }))
      return
    }
    if (request.url === '/v2/tx/track') {
      response.end('{}')
      return
    }
    underWay += 1
    if (underWay === quotes) busy.resolve()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, busy: busy.promise, underWay: () => underWay }
}

const quote = `query ($amount: BigInt!) { route(input: {
  amountIn: $amount
  source: { chainId: "a-1", denom: "a" }, destination: { chainId: "b-1", denom: "b" }
}) { amountOut } }`

test('slow quotes of one client do not block other requests to the router', async () => {
  // Of the 64 slots, a quarter is kept for polls and an eighth for other clients.
  const router = await startSlowRouter(40)
  await using gateway = await createGateway(
    {
      chains: [{ chainId: 'a-1', url: 'http://127.0.0.1:1' }],
      router: { url: router.url, maxRequests: 64 },
    },
    { server: { grace: 0 } },
  )
  const leaving = new AbortController()
  onTestFinished(() => leaving.abort())
  const quotes = Array.from({ length: 100 }, (_, amount) =>
    fetch(gateway.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: quote, variables: { amount: String(amount + 1) } }),
      signal: leaving.signal,
    }).catch(() => undefined),
  )
  await router.busy
  const events = await fetch(gateway.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({
      query: `subscription { transfer(chainId: "a-1", hash: "${'a'.repeat(64)}") { state } }`,
    }),
    signal: leaving.signal,
  })
  let text = ''
  for await (const chunk of events.body ?? []) {
    text += Buffer.from(chunk).toString()
    if (text.includes('data:')) break
  }
  expect(text).toContain('{"data":{"transfer":{"state":"SUBMITTED"}}}')
  expect(router.underWay()).toBe(40)
  const health = await post(gateway.url, { query: '{ __typename }' })
  expect(health.body).toEqual({ data: { __typename: 'Query' } })
  leaving.abort()
  await Promise.all(quotes)
})
