import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import type { Limits } from '../../../../src/gateway.ts'
import { createGateway } from '../../../../src/gateway.ts'
import { fakeClock } from '../../../support/fakeClock.ts'
import { hashOf } from '../../../support/routerWorld.ts'

const symbols = Array.from({ length: 30 }, (_, index) => `S${index}`)

const bodies: Readonly<Record<string, unknown>> = {
  '/v2/info/chains': { chains: [{ chain_id: 'a-1' }] },
  '/v2/fungible/assets': {
    chain_to_assets_map: {
      'a-1': {
        assets: symbols.map((symbol) => ({
          denom: `u${symbol}`,
          chain_id: 'a-1',
          symbol,
          decimals: 6,
        })),
      },
    },
  },
  '/v2/info/balances': { chains: { 'a-1': { denoms: {} } } },
  '/v2/tx/status': { transfers: [{ state: 'STATE_PENDING', transfer_sequence: [] }] },
}

/** A router that never quotes, and answers everything else. */
async function startRouter(
  onStatus: (end: () => void) => void,
  hanging: readonly string[] = [],
  missing: readonly string[] = [],
) {
  const quotes = new Set<ServerResponse>()
  let quoted = 0
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0] ?? ''
    if (missing.includes(path)) {
      response.statusCode = 404
      response.end('{}')
      return
    }
    if (path !== '/v2/fungible/route' && !hanging.includes(path)) {
      response.setHeader('content-type', 'application/json')
      const end = () => void response.end(JSON.stringify(bodies[path] ?? {}))
      if (path === '/v2/tx/status') onStatus(end)
      else end()
      return
    }
    quoted += 1
    quotes.add(response)
    response.on('close', () => quotes.delete(response))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    quotes,
    quoted: () => quoted,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

async function start(limits: Partial<Limits> = {}, statusMs = 0) {
  const clock = fakeClock()
  const asked: number[] = []
  const router = await startRouter((end) => {
    asked.push(clock.now())
    if (statusMs > 0) clock.after(statusMs, end)
    else end()
  })
  const gateway = await createGateway(
    {
      chains: [{ chainId: 'a-1', url: 'http://127.0.0.1:9' }],
      router: { url: router.url, maxRequests: 8 },
      limits: { timeoutMs: 10_000, ...limits },
    },
    { clock, server: { drain: 0 } },
  )
  const send = (query: string, accept: string, signal?: AbortSignal) =>
    fetch(gateway.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept },
      body: JSON.stringify({ query }),
      signal: signal ?? null,
    })
  return {
    ...{ router, clock, send, asked },
    async [Symbol.asyncDispose]() {
      await gateway.close()
      await router[Symbol.asyncDispose]()
    },
  }
}

const prices = `{ ${[0, 1, 2].map(
  (part) =>
    `a${part}: assets(chainId: "a-1", first: 100, filter: { symbols: ${JSON.stringify(
      symbols.slice(part * 10, part * 10 + 10),
    )} }) { nodes { usdPrice } }`,
)} }`

const subscription = `subscription { transfer(chainId: "a-1", hash: "${hashOf('00')}") { state } }`

/** The text of an event stream up to its first event. Until then, `pass` lets time pass. */
async function firstEvent(stream: Response, pass: () => Promise<void>): Promise<string> {
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const read = async () => {
    while (!text.includes('"state"')) text += (await reader?.read())?.value ?? ''
    await reader?.cancel()
    return true
  }
  const isRead = read()
  while (!(await Promise.race([isRead, pass()])));
  return text
}

const until = async (isTrue: () => boolean) => {
  while (!isTrue()) await new Promise((done) => setImmediate(done))
}

test('a transfer is watched at once while quotes of another client hang', async () => {
  await using world = await start()
  const { router, clock, send } = world
  const priced = send(prices, 'application/json')
  await until(() => router.quotes.size >= 4)
  const stream = await send(subscription, 'text/event-stream')
  const text = await firstEvent(stream, () => clock.advance(0))
  expect(text).toContain('"state":"PENDING"')
  await clock.advance(10_000)
  const { data, errors } = await (await priced).json()
  expect(data.a0.nodes).toHaveLength(10)
  expect(errors).toHaveLength(30)
  expect(new Set(errors.map(({ extensions }: { extensions: { code: string } }) => extensions.code))).toEqual(
    new Set(['UPSTREAM_TIMEOUT']),
  )
  await until(() => router.quotes.size === 0)
  const quoted = router.quoted()
  await clock.advance(10_000)
  expect(router.quoted()).toBe(quoted)
})

test('a price request is aborted when its last operation leaves', async () => {
  await using world = await start()
  const { router, send } = world
  const one = prices.replace(/ a1.*/s, ' }')
  const [first, second] = [new AbortController(), new AbortController()]
  const left = [first, second].map(({ signal }) => send(one, 'application/json', signal).catch(() => 'left'))
  await until(() => router.quotes.size === 5)
  const quoted = router.quoted()
  first.abort()
  await left[0]
  expect(router.quotes.size).toBe(5)
  second.abort()
  await left[1]
  await until(() => router.quotes.size === 0)
  expect(router.quoted()).toBe(quoted)
})

test('lists and prices are paid for before any of them is requested', async () => {
  await using world = await start({ maxCost: 1_500 })
  const { router, send } = world
  const { errors } = await (await send(prices, 'application/json')).json()
  expect(errors.map(({ extensions }: { extensions: { code: string } }) => extensions.code)).toEqual([
    'QUERY_TOO_COMPLEX',
  ])
  expect(router.quoted()).toBe(0)
})

test('a slow status has the full upstream timeout, and is requested once', async () => {
  await using world = await start({ upstreamTimeoutMs: 9_000 }, 6_000)
  const { clock, send, asked } = world
  const stream = await send(subscription, 'text/event-stream')
  const reading = firstEvent(stream, () => clock.advance(asked.length > 0 ? 100 : 0))
  expect(await reading).toContain('"state":"PENDING"')
  // The tracking, and the status.
  expect(asked).toHaveLength(2)
})

test('fee assets of the registry do not wait for a router that hangs', async () => {
  await using router = await startRouter(() => {}, ['/v2/info/chains'])
  const clock = fakeClock()
  const gateway = await createGateway(
    {
      chains: [
        {
          ...{ chainId: 'a-1', url: 'http://127.0.0.1:9' },
          feeAssets: [{ denom: 'uinit', low: null, average: null, high: null }],
        },
      ],
      router: { url: router.url },
    },
    { clock, server: { drain: 0 } },
  )
  const query = '{ chain(chainId: "a-1") { feeDenoms feeAssets { denom } } }'
  const asked = fetch(gateway.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  await until(() => router.quotes.size > 0)
  await clock.advance(1_000)
  expect(await (await asked).json()).toEqual({
    data: { chain: { feeDenoms: ['uinit'], feeAssets: [{ denom: 'uinit' }] } },
  })
  await gateway.close()
})

test('fee assets of a router that hangs are an error after two seconds', async () => {
  await using router = await startRouter(() => {}, ['/v2/info/chains'])
  const clock = fakeClock()
  await using gateway = await createGateway(
    { chains: [{ chainId: 'a-1', url: 'http://127.0.0.1:9' }], router: { url: router.url } },
    { clock, server: { drain: 0 } },
  )
  const query = '{ chain(chainId: "a-1") { chainId feeDenoms feeAssets { denom } } }'
  const asked = fetch(gateway.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  await until(() => router.quotes.size > 0)
  await clock.advance(2_000)
  const { data, errors } = await (await asked).json()
  expect(data).toEqual({ chain: { chainId: 'a-1', feeDenoms: null, feeAssets: null } })
  const late = { code: 'UPSTREAM_TIMEOUT', service: 'router' }
  expect(errors).toMatchObject([
    { path: ['chain', 'feeDenoms'], extensions: late },
    { path: ['chain', 'feeAssets'], extensions: late },
  ])
  expect(router.quoted()).toBe(1)
})

test('balances of a bech32 address are read without the list of chains', async () => {
  await using router = await startRouter(() => {}, [], ['/v2/info/chains'])
  await using gateway = await createGateway({
    chains: [{ chainId: 'a-1', url: 'http://127.0.0.1:9' }],
    router: { url: router.url },
  })
  const query = `{ chain(chainId: "a-1") {
    account(address: "init1wllqcgh04444mr53tegtrkdlc970awqhddazg3") { balances { denom } }
  } }`
  const response = await fetch(gateway.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  expect(await response.json()).toMatchObject({
    data: { chain: { account: { balances: [] } } },
  })
})
