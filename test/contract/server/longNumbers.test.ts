import { createClient } from 'graphql-ws'
import { afterAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createGateway } from '../../../src/gateway.ts'
import { startFakeRouter } from '../../support/routerWorld.ts'
import { chainIds, type Data, startWorld } from '../../support/world.ts'

// The sandbox writes a 64-bit integer into the messages of swaps, as contracts do. Tests that parse a
// response would round it, so these look at the text.

const world = await startWorld()
afterAll(() => world[Symbol.asyncDispose]())

const rows = await world.rows(chainIds.WASM, '/indexer/tx/v1/txs')
const swap: Data = rows.find(({ tx }) => tx.body.messages.some(({ msg }: Data) => msg?.swap))
const sent = await fetchText(
  `${world.sandbox.indexers.find(({ chainId }) => chainId === chainIds.WASM)?.url}/indexer/tx/v1/txs/${swap.txhash}`,
)
const [orderId = ''] = /"order_id":\d{20}/.exec(sent) ?? []

const query = `{ chain(chainId: "${chainIds.WASM}") {
  transaction(hash: "${swap.txhash}") { messages { body } } } }`
const withError = query.replace('{ chain', '{ node(id: "x") { id } chain')
const live = `subscription {
  transaction(chainId: "${chainIds.WASM}", hash: "${swap.txhash}") {
    node { ... on Transaction { messages { body } } } } }`

async function fetchText(url: string, init?: RequestInit): Promise<string> {
  return (await fetch(url, init)).text()
}

const post = (text: string, accept = 'application/json') =>
  fetchText(world.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept },
    body: JSON.stringify({ query: text }),
  })

/** The texts that a WebSocket receives. */
async function overSocket(text: string): Promise<string> {
  const received: string[] = []
  class Recorder extends WebSocket {
    constructor(url: string, protocols: string) {
      super(url, protocols)
      this.on('message', (data) => received.push(String(data)))
    }
  }
  const client = createClient({
    url: world.url.replace('http', 'ws'),
    webSocketImpl: Recorder,
    retryAttempts: 0,
  })
  await new Promise<void>((resolve, reject) => {
    const sink = { next: () => {}, error: reject, complete: () => resolve() }
    client.subscribe({ query: text }, sink)
  })
  await client.dispose()
  return received.join()
}

const ways: Record<string, () => Promise<string>> = {
  'a POST': () => post(query),
  'the same POST again': () => post(query),
  'a GET': () => fetchText(`${world.url}?${new URLSearchParams({ query })}`),
  'a response with an error': () => post(withError),
  'a GET with an error': () => fetchText(`${world.url}?${new URLSearchParams({ query: withError })}`),
  'a query over a WebSocket': () => overSocket(query),
  'a subscription over a WebSocket': () => overSocket(live),
  'server-sent events': () => post(live, 'text/event-stream'),
}

for (const [way, send] of Object.entries(ways)) {
  test(`a 64-bit integer in a message keeps its digits in ${way}`, async () => {
    const text = await send()
    expect(orderId).toMatch(/^"order_id":18446744073709\d{6}$/)
    expect(text).toMatch(new RegExp(`${orderId}[,}]`))
  })
}

test('a number in `extra` keeps its digits from a variable or a literal', async () => {
  await using router = await startFakeRouter(() => ({ status: 404, body: '{}' }))
  await using gateway = await createGateway({
    chains: world.sandbox.indexers,
    router: { url: router.url },
  })
  const ask = (document: string, variables: string) =>
    fetchText(gateway.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"query":${JSON.stringify(document)},"variables":${variables}}`,
    })
  const ends = '{ chainId: "osmosis-1", denom: "uosmo" }'
  const route = (extra: string) =>
    `{ route(input: { source: ${ends}, destination: ${ends}, amountIn: 1, extra: ${extra} }) { amountIn } }`
  await ask(`query ($extra: JSON) ${route('$extra')}`, '{"extra":{"seed":18446744073709551615}}')
  await ask(route('{ seed: 18446744073709551615 }'), '{}')
  const sentToRouter = router.bodies.filter((body) => body.includes('seed'))
  expect(sentToRouter).toHaveLength(2)
  for (const body of sentToRouter) expect(body).toContain('"seed":18446744073709551615')
})
