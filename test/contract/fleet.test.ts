import { createClient } from 'graphql-ws'
import { expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { type Sandbox, startSandbox } from '../../packages/sandbox/src/sandbox.ts'
import { createGateway, type Gateway } from '../../src/gateway.ts'
import { hasRedis, startRedis } from '../support/redisServer.ts'
import type { Data } from './gateway.ts'

// Several gateways on one Redis are one gateway: what one has signed another one reads, and upstreams get the polls of one.

const begin = Date.UTC(2026, 9, 1, 12)
const hash = `${'ab'.repeat(31)}00`

const openOn = (sandbox: Sandbox, url: string) =>
  createGateway({
    chains: sandbox.indexers.map(({ chainId, url, vm }) => ({ chainId, url, vm })),
    router: { url: sandbox.routerUrl },
    redis: { url },
  })

const ask = async ({ url }: Gateway, query: string, variables = {}): Promise<Data> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  })
  return response.json()
}

test.skipIf(!hasRedis)(
  'two gateways on one Redis share cursors and polls',
  async () => {
    let now = begin
    await using redis = await startRedis()
    await using sandbox = await startSandbox({ clock: () => now })
    await using first = await openOn(sandbox, redis.url)
    await using second = await openOn(sandbox, redis.url)

    const page = `query ($after: String) { chain(chainId: "galley-1") {
    blocks(first: 3, after: $after) { nodes { height } pageInfo { endCursor } } } }`
    const { chain } = (await ask(first, page)).data
    const next = await ask(second, page, { after: chain.blocks.pageInfo.endCursor })
    expect(next.errors).toBeUndefined()
    expect(next.data.chain.blocks.nodes[0].height).toBe(chain.blocks.nodes[2].height - 1)

    const watch = 'subscription { transfer(chainId: "harbor-1", hash: "HASH", track: true) { state } }'
    const states: string[][] = []
    const clients = [first, second].flatMap(({ url }) =>
      Array.from({ length: 10 }, () => {
        const client = createClient({ url: url.replace('http', 'ws'), webSocketImpl: WebSocket })
        const seen: string[] = []
        states.push(seen)
        client.subscribe(
          { query: watch.replace('HASH', hash) },
          {
            next: ({ data }) => void seen.push((data as Data).transfer.state),
            error: (error) => void seen.push(String(error)),
            complete: () => void seen.push('complete'),
          },
        )
        return client
      }),
    )
    await vi.waitFor(() => expect(states.every(({ length }) => length > 0)).toBe(true), 20_000)
    now += 120_000
    await vi.waitFor(() => expect(states.every((seen) => seen.at(-1) === 'complete')).toBe(true), {
      timeout: 30_000,
      interval: 50,
    })
    for (const seen of states) expect(seen.at(-2)).toBe('COMPLETED_SUCCESS')
    const polls = sandbox.requests.filter((request) => request.includes('/v2/tx/status'))
    // Twenty watchers that polled for themselves would have sent more than twenty at once.
    expect(polls.length).toBeLessThan(20)
    for (const client of clients) await client.dispose()
  },
  60_000,
)

test.skipIf(!hasRedis)(
  'two gateways on one Redis say both what the router has not seen',
  async () => {
    await using redis = await startRedis()
    await using sandbox = await startSandbox({ clock: () => begin })
    await using first = await openOn(sandbox, redis.url)
    await using second = await openOn(sandbox, redis.url)
    sandbox.faults.set('router', '/v2/tx/status', { kind: 'status', status: 404 })
    const query = `subscription { transfer(chainId: "harbor-1", hash: "${hash}") {
      state search { isTracked } } }`
    const searched = { state: 'SUBMITTED', search: { isTracked: true } }
    const clients = [first, second].map(({ url }) =>
      createClient({ url: url.replace('http', 'ws'), webSocketImpl: WebSocket }),
    )
    const streams = clients.map((client) => client.iterate<Data>({ query }))
    const read = () => Promise.all(streams.map(async (stream) => (await stream.next()).value?.data))
    expect(await read()).toEqual([{ transfer: searched }, { transfer: searched }])
    sandbox.faults.clear()
    for (const { transfer } of await read()) expect(transfer).toEqual({ state: 'SUBMITTED', search: null })
    for (const client of clients) await client.dispose()
  },
  60_000,
)
