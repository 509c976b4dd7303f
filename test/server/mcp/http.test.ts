import { once } from 'node:events'
import { request as send } from 'node:http'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { tools } from '../../../packages/mcp/src/tools/tools.ts'
import { type Sandbox, startSandbox } from '../../../packages/sandbox/src/sandbox.ts'
import { createWorld } from '../../../packages/sandbox/src/world/world.ts'
import { createGateway } from '../../../src/gateway.ts'
import type { Gateway } from '../../../src/server/gatewayOptions.ts'
import { type Data, now, youngChains } from '../../support/world.ts'

// MCP over HTTP, through the published client, in the revision without sessions and in the one before it.

const person = 'init1wllqcgh04444mr53tegtrkdlc970awqhddazg3'
const usdcOfEthereum = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'

let time = now
let sandbox: Sandbox
let gateway: Gateway

beforeAll(async () => {
  sandbox = await startSandbox({ clock: () => time, chains: youngChains(60) })
  // The first answers of a process take long on a busy machine.
  gateway = await open({ mcp: 'query', limits: { timeoutMs: 30_000 } })
})

afterAll(async () => {
  await gateway.close()
  await sandbox.close()
})
afterEach(() => sandbox.faults.clear())

const open = (options: Partial<Parameters<typeof createGateway>[0]>): Promise<Gateway> =>
  createGateway(
    { chains: sandbox.indexers, router: { url: sandbox.routerUrl }, ...options },
    { upstream: { backoff: () => 0 } },
  )

const urlOf = ({ url }: Gateway) => new URL('/mcp', url)

const revisions = [
  { revision: '2026-07-28', mode: { pin: '2026-07-28' } },
  { revision: '2025', mode: 'legacy' },
] as const

async function connect(
  mode: (typeof revisions)[number]['mode'] = 'legacy',
  headers: Record<string, string> = {},
  to = gateway,
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { capabilities: {}, versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(urlOf(to), { requestInit: { headers } }))
  return client
}

/** What a tool answers, and as how many bytes. */
async function call(name: string, args: object, client?: Client): Promise<Data> {
  const caller = client ?? (await connect())
  const result: Data = await caller.callTool({ name, arguments: { ...args } })
  if (!client) await caller.close()
  const [{ text }] = result.content
  // The library refuses wrong arguments in words.
  if (text.startsWith('Input validation')) return { ...result, answer: text }
  if (result.structuredContent) expect(JSON.parse(text)).toEqual(result.structuredContent)
  return { isError: false, bytes: Buffer.byteLength(text), ...result, answer: JSON.parse(text) }
}

/** A POST as a web page or a proxy could send it. */
const post = (headers: Record<string, string>, body: unknown = list, to = gateway) =>
  fetch(urlOf(to), {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

test.each(revisions)('a client of revision $revision lists and calls every tool', async ({ mode }) => {
  const client = await connect(mode)
  const { tools: listed } = await client.listTools()
  expect(listed.map(({ name }) => name)).toEqual([...tools.map(({ name }) => name), 'graphql_query'])
  for (const { annotations } of listed) {
    expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false })
  }
  const { answer: activity } = await call('account_activity', { address: person }, client)
  const [{ hash }] = activity.transactions
  const { answer: found } = await call('search', { text: 'harbour' }, client)
  const collection = found.results.find(({ kind }: Data) => kind === 'NftCollection')
  const calls: [name: string, args: object][] = [
    ['chain_status', {}],
    ['account_overview', { address: person }],
    ['transaction', { hash, detail: 'full' }],
    ['token_or_nft', { chainId: 'harbor-1', denom: 'uinit' }],
    ['token_or_nft', { chainId: collection.chainId, collection: collection.address }],
    ['transfer_status', { chainId: 'osmosis-1', hash: await endedTransfer() }],
    ['graphql_query', { query: '{ chains { chainId } }' }],
  ]
  for (const [name, args] of calls) {
    const { isError, bytes } = await call(name, args, client)
    expect({ name, isError }).toEqual({ name, isError: false })
    expect(bytes).toBeLessThanOrEqual(24_000)
  }
  const quote = await call('quote_route', quoteOf('25000000'), client)
  expect(quote.answer).toMatchObject({ isFound: true, pays: '25 INIT' })
  await client.close()
})

/** A transfer that the sandbox ends while nobody waits for it. */
async function endedTransfer(): Promise<string> {
  const hash = `${'A'.repeat(62)}01`
  const input = { chainId: 'osmosis-1', hash }
  const body = JSON.stringify({
    query: 'mutation($input: TrackTransferInput!) { trackTransfer(input: $input) { transfer { state } } }',
    variables: { input },
  })
  await fetch(gateway.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  time += 120_000
  return hash
}

const quoteOf = (amountIn: string) => ({
  sourceChainId: 'harbor-1',
  sourceDenom: 'uinit',
  destinationChainId: '1',
  destinationDenom: usdcOfEthereum,
  amountIn,
})

test('a request from another origin is refused', async () => {
  expect((await post({ origin: 'https://evil.example' })).status).toBe(403)
  expect((await post({ origin: 'null' })).status).toBe(403)
  const local = await post({ origin: 'http://localhost:6274' })
  expect(local.status).toBe(200)
  expect(local.headers.get('access-control-allow-origin')).toBe('http://localhost:6274')
})

test('only the hosts of mcpHosts are allowed', async () => {
  await using named = await open({ mcp: true, mcpHosts: ['graph.example'] })
  const statusFor = async (host: string) => {
    const { request } = await import('undici')
    const { statusCode, body } = await request(urlOf(named), {
      method: 'POST',
      headers: {
        host,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      },
      body: JSON.stringify(list),
    })
    await body.dump()
    return statusCode
  }
  expect(await statusFor('graph.example')).toBe(200)
  expect(await statusFor('graph.example:8443')).toBe(200)
  expect(await statusFor('evil.example')).toBe(403)
})

test('MCP is off by default, and so is the tool graphql_query', async () => {
  await using plain = await open({})
  expect((await post({}, list, plain)).status).toBe(404)
  await using tooled = await open({ mcp: true })
  const client = await connect('legacy', {}, tooled)
  const { tools: listed } = await client.listTools()
  expect(listed.map(({ name }) => name)).not.toContain('graphql_query')
  await client.close()
})

test('MCP requires the API key of the graph, and spends rate limit points', async () => {
  const keys = { apiKeys: new Map([['wallet', 'k'.repeat(32)]]), requireApiKey: true }
  await using keyed = await open({
    mcp: true,
    ...keys,
    // The first three requests cost 50 points each besides their operations.
    rateLimit: { pointsPerSecond: 1, burst: 300 },
  })
  expect((await post({}, list, keyed)).status).toBe(401)
  const client = await connect('legacy', { authorization: `Bearer ${'k'.repeat(32)}` }, keyed)
  const first = await call('chain_status', {}, client)
  expect(first.isError).toBe(false)
  const second = await call('account_overview', { address: person }, client)
  expect(second).toMatchObject({ isError: true, answer: { problems: [{ code: 'RATE_LIMITED' }] } })
  await client.close()
})

test('each MCP request costs points, also without an operation', async () => {
  await using limited = await open({
    ...{ mcp: true, trustedProxies: [] },
    rateLimit: { pointsPerSecond: 1, burst: 120 },
  })
  const statuses = []
  for (let n = 0; n < 3; n += 1) statuses.push((await post({}, list, limited)).status)
  expect(statuses).toEqual([200, 200, 429])
})

test('the method TRACE gets status 405', async () => {
  const request = send(urlOf(gateway), { method: 'TRACE' })
  request.end()
  const [response] = await once(request, 'response')
  expect([response.statusCode, response.headers.allow]).toEqual([405, 'POST, OPTIONS'])
  response.resume()
})

test('malformed JSON, a large body and GET get status 400, 413 and 405', async () => {
  expect((await post({}, '{')).status).toBe(400)
  expect((await post({}, ' '.repeat(2_000_000))).status).toBe(413)
  expect((await fetch(urlOf(gateway))).status).toBe(405)
  const { isError } = await call('search', { text: '' })
  expect(isError).toBe(true)
})

test('pages linked by `next` neither lose nor repeat rows', async () => {
  const client = await connect()
  const seen: string[] = []
  let args: object = { address: person }
  for (let page = 0; page < 4; page += 1) {
    const { answer } = await call('account_activity', args, client)
    seen.push(...answer.transactions.map(({ chainId, hash }: Data) => `${chainId} ${hash}`))
    if (!answer.next) break
    expect(answer.next.tool).toBe('account_activity')
    args = answer.next.arguments
  }
  await client.close()
  const body = JSON.stringify({
    query: `{ account(address: "${person}") { activity(first: ${seen.length}) {
      nodes { hash chain { chainId } } } } }`,
  })
  const answer: Data = await fetch(gateway.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  }).then((response) => response.json())
  const listed = answer.data.account.activity.nodes.map(({ hash, chain }: Data) => `${chain.chainId} ${hash}`)
  expect(seen.length).toBeGreaterThanOrEqual(20)
  expect(seen).toEqual(listed)
})

test('answers about the busiest accounts have at most 24 kB, in whole rows', async () => {
  for (const chain of youngChains(60)) {
    const { relayer, feeCollector, dex } = createWorld(chain, 'portolan', () => now).fixtures
    for (const { hex } of [relayer, feeCollector, dex]) {
      for (const name of ['account_activity', 'account_overview']) {
        const { bytes, isError, answer } = await call(name, { address: hex })
        expect(isError).toBe(false)
        expect(bytes).toBeLessThanOrEqual(24_000)
        for (const row of answer.transactions ?? []) expect(row.hash).toBeDefined()
      }
    }
  }
})

test('a failed chain is listed in unavailableChains, beside the rows of others', async () => {
  sandbox.faults.set('lantern-1', '/', { kind: 'status', status: 500 })
  const { isError, answer } = await call('account_activity', { address: person, signedOnly: true })
  expect(isError).toBe(false)
  expect(answer.transactions.length).toBeGreaterThan(0)
  expect(answer.unavailableChains).toMatchObject([{ chainId: 'lantern-1' }])
})

test('a missing transaction has isFound false, and invalid input is a problem', async () => {
  const nothing = await call('transaction', { hash: '9'.repeat(64) })
  expect(nothing).toMatchObject({ isError: false, answer: { isFound: false } })
  const unknown = await call('account_overview', { address: 'nobody' })
  expect(unknown).toMatchObject({
    isError: true,
    answer: { problems: [{ code: 'BAD_USER_INPUT' }] },
  })
})

test('transfer_status waits until the transfer ends', async () => {
  const { answer } = await call('transfer_status', {
    chainId: 'osmosis-1',
    hash: await endedTransfer(),
  })
  expect(answer).toMatchObject({ isEnded: true, state: 'COMPLETED_SUCCESS' })
  expect(answer.next).toBeUndefined()
})

test('graphql_query is read-only and cuts lists at ten rows', async () => {
  const mutation = await call('graphql_query', {
    query: 'mutation { trackTransfer(input: { chainId: "osmosis-1", hash: "AA" }) { transfer { state } } }',
  })
  expect(mutation).toMatchObject({ isError: true })
  const long = await call('graphql_query', {
    query: '{ chain { blocks(first: 50) { nodes { height } } } }',
  })
  expect(long.answer.truncated).toBe(true)
  expect(long.answer.data.chain.blocks.nodes).toHaveLength(10)
  const client = await connect()
  const { contents } = await client.readResource({ uri: 'portolan://schema.graphql' })
  const [{ text }] = contents as Data
  expect(text).toContain('type Query {')
  expect(text).not.toContain('"""')
  await client.close()
})
