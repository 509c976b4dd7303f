import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../packages/sandbox/src/sandbox.ts'
import { createGateway } from '../../src/gateway.ts'
import type { Gateway, GatewayOptions } from '../../src/server/gatewayOptions.ts'
import { type FakeClock, fakeClock } from '../support/fakeClock.ts'
import { raw } from '../support/http.ts'
import { hashOf } from '../support/routerWorld.ts'
import { type Answer, now, youngChains } from '../support/world.ts'

// What the gateway lets browsers, proxies and routers in front of it keep, and for how long.

let clock: FakeClock
let sandbox: Sandbox

beforeAll(async () => {
  clock = fakeClock(undefined, now)
  sandbox = await startSandbox({ clock: () => clock.date(), chains: youngChains(60) })
})

afterAll(() => sandbox.close())

const open = (options: Partial<GatewayOptions> = {}): Promise<Gateway> =>
  createGateway(
    { chains: sandbox.indexers, router: { url: sandbox.routerUrl }, ...options },
    { clock, random: () => 0.5, upstream: { backoff: () => 0 }, server: { drain: 0 } },
  )

type Params = Readonly<Record<string, unknown>>

/** Headers of a request. */
type Sent = Record<string, string>

const urlOf = (url: string, params: Params) => {
  const texts = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  return `${url}?${new URLSearchParams(Object.fromEntries(texts))}`
}

const get = ({ url }: { url: string }, params: Params | string, headers: Sent = {}) =>
  fetch(urlOf(url, typeof params === 'string' ? { query: params } : params), { headers })

const postTo = ({ url }: { url: string }, query: string, headers: Sent = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
  })

const control = async (response: Response | Promise<Response>) => (await response).headers.get('cache-control')

const oldBlock = '{ chain { block(height: 7) { hash } } }'
const key = 'k'.repeat(32)
const apiKeys = new Map([
  ['friend', key],
  ['router', 'r'.repeat(32)],
])

describe('for how long', () => {
  test('a final record is kept for the rest of its time, and is as new when it is read again', async () => {
    await using gateway = await open()
    const first = await get(gateway, oldBlock)
    expect(await control(first)).toBe('public, max-age=3600')
    await clock.advance(600_500)
    const second = await get(gateway, oldBlock)
    expect(await control(second)).toBe('public, max-age=2999')
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'))
    await clock.advance(3_000_000)
    sandbox.requests.length = 0
    const third = await get(gateway, oldBlock, { 'if-none-match': first.headers.get('etag') ?? '' })
    expect([third.status, await control(third)]).toEqual([304, 'public, max-age=3600'])
    expect(sandbox.requests).toHaveLength(1)
  })

  test('nothing is kept for more than a day', async () => {
    await using gateway = await open({ limits: { cacheTtlMs: 30 * 86_400_000 } })
    expect(await control(get(gateway, oldBlock))).toBe('public, max-age=86400')
  })

  test('an answer of mixed parts is kept for as long as the first of them changes', async () => {
    await using gateway = await open()
    const price = 'asset(chainId: "harbor-1", denom: "uinit") { usdPrice }'
    expect(await control(get(gateway, `{ ${price} }`))).toBe('public, max-age=60')
    await clock.advance(20_000)
    expect(await control(get(gateway, `{ ${price} chain { block(height: 7) { hash } } }`))).toBe('public, max-age=40')
  })

  test('what only settings and the version decide is kept for five minutes', async () => {
    await using gateway = await open()
    for (const query of ['{ __typename }', '{ chain { chainId vm } }', '{ __type(name: "Chain") { name } }']) {
      expect(await control(get(gateway, query))).toBe('public, max-age=300')
    }
  })

  test('a transfer is kept once it has ended', async () => {
    await using gateway = await open()
    const hash = hashOf('00')
    const ask = async () => {
      const fields = 'chainId: "osmosis-1", hash: '
      const response = await get(gateway, `{ transfer(${fields}"${hash}") { state isTerminal } }`)
      return [((await response.json()) as Answer).data.transfer, await control(response)]
    }
    expect(await ask()).toEqual([null, 'no-store'])
    await postTo(
      gateway,
      `mutation { trackTransfer(input: { chainId: "osmosis-1", hash: "${hash}" }) { explorerUrl } }`,
    )
    expect(await ask()).toEqual([expect.objectContaining({ isTerminal: false }), 'no-store'])
    await clock.advance(3_600_000)
    expect(await ask()).toEqual([
      expect.objectContaining({ isTerminal: true }),
      expect.stringMatching(/^public, max-age=/),
    ])
  })

  test.each([
    ['the newest page', '{ chain { blocks(first: 3) { nodes { hash } } } }'],
    [
      'the newest page beside a final block',
      '{ chain { blocks(first: 1) { nodes { hash } } block(height: 7) { hash } } }',
    ],
    ['a count', '{ chain { transactions(first: 1) { totalCount } } }'],
    ['a block that is not there yet', '{ chain { block(height: 1000000) { hash } } }'],
    ['a status', '{ chain { status { height } } }'],
    ['the age of the newest block', '{ chain { freshness { ageSeconds } } }'],
    ['balances', `{ account(address: "0x${'1'.repeat(40)}") { balances { balances { amount } } } }`],
    [
      'a quote',
      `{ route(input: { source: { chainId: "harbor-1", denom: "uinit" }, amountIn: "5000000"
        destination: { chainId: "osmosis-1", denom: "uosmo" } }) { amountOut } }`,
    ],
  ])('%s is not stored', async (_, query) => {
    await using gateway = await open()
    const response = await get(gateway, query)
    expect(await response.text()).not.toContain('"errors"')
    expect([response.status, await control(response), response.headers.get('etag')]).toEqual([200, 'no-store', null])
  })

  test('with cacheTtlMs 0 nothing is', async () => {
    await using gateway = await open({ limits: { cacheTtlMs: 0 } })
    for (const query of [oldBlock, '{ __typename }']) expect(await control(get(gateway, query))).toBe('no-store')
  })

  test('an answer is not stored if the settings changed while it was made', async () => {
    await using gateway = await open()
    sandbox.faults.set('harbor-1', '/', { kind: 'latency', ms: 100 })
    sandbox.requests.length = 0
    const answer = get(gateway, '{ chain { chainId block(height: 8) { hash } } }')
    await expect.poll(() => sandbox.requests.length).toBe(1)
    gateway.updateChains({ chains: sandbox.indexers.slice(0, 2) })
    expect(await (await answer).text()).toContain('"hash":"')
    expect(await control(answer)).toBe('no-store')
    sandbox.faults.clear()
  })
})

/** The headers of a response that are not of its body, and do not change with time. */
const headOf = ({ headers }: Response) =>
  [...headers].filter(([name]) => !/^(content-|transfer-encoding|date|connection|keep-alive)/.test(name))

describe('what is told apart', () => {
  test('a 304 has the headers of its 200, and no body', async () => {
    await using gateway = await open()
    const kinds: Sent[] = [{}, { 'x-api-key': 'any' }, { 'accept-encoding': 'gzip' }]
    for (const kind of kinds) {
      const headers = { ...kind, 'x-request-id': 'a' }
      const whole = await get(
        gateway,
        '{ chain { block(height: 7) { hash transactions { nodes { hash } } } } }',
        headers,
      )
      const etag = whole.headers.get('etag') ?? ''
      expect(etag).toMatch(/^"[\w-]{43}"$/)
      for (const tags of [etag, `"other", ${etag}`, `W/${etag}`]) {
        const known = await get(gateway, '{ chain { block(height: 7) { hash transactions { nodes { hash } } } } }', {
          ...headers,
          'if-none-match': tags,
        })
        expect([known.status, await known.text()]).toEqual([304, ''])
        expect(headOf(known)).toEqual(headOf(whole))
      }
    }
  })

  test('each media type and coding of an answer has a tag of its own, whoever asks', async () => {
    await using gateway = await open()
    await using other = await open()
    const long = '{ __schema { types { name } } }'
    const tags = new Map<string | null, string>()
    for (const accept of ['application/json', 'application/graphql-response+json']) {
      for (const coding of ['identity', 'gzip', 'br']) {
        const headers = { accept, 'accept-encoding': coding }
        const response = await get(gateway, long, headers)
        expect(response.headers.get('content-encoding') ?? 'identity').toBe(coding)
        const etag = response.headers.get('etag')
        tags.set(etag, `${accept} ${coding}`)
        expect((await get(other, long, headers)).headers.get('etag')).toBe(etag)
      }
    }
    expect(tags.size).toBe(6)
    const identity = { accept: 'application/json', 'accept-encoding': 'identity' }
    const statuses = []
    for (const tag of tags.keys())
      statuses.push((await get(gateway, long, { ...identity, 'if-none-match': `${tag}` })).status)
    expect(statuses).toEqual([304, 200, 200, 200, 200, 200])
    expect(
      (await get(gateway, '{ __schema { types { kind } } }', { ...identity, 'if-none-match': [...tags.keys()].join() }))
        .status,
    ).toBe(200)
  })

  test('an answer that is sent as it is, since others are compressed, has the tag of that', async () => {
    await using busy = await open()
    const long = '{ __schema { types { name fields { name } } } }'
    const tag = (await get(busy, long, { 'accept-encoding': 'identity' })).headers.get('etag')
    const { origin, pathname, search } = new URL(urlOf(busy.url, { query: long }))
    const request = (connection: string) =>
      `GET ${pathname}${search} HTTP/1.1\r\nHost: a\r\nAccept-Encoding: br\r\nConnection: ${connection}\r\n\r\n`
    const text = await raw(origin, `${request('keep-alive').repeat(9)}${request('close')}`)
    const heads = text.match(/HTTP\/1\.1 200 [\s\S]*?\r\n\r\n/g) ?? []
    const tags = heads.map((head) => [head.includes('content-encoding: br'), /etag: (.*)\r/.exec(head)?.[1] === tag])
    expect(tags).toHaveLength(10)
    expect(new Set(tags.map(String))).toEqual(new Set(['true,false', 'false,true']))
  })

  test('Vary names each header that decides the answer, once', async () => {
    const decisive = 'Accept, Accept-Encoding, Authorization, X-API-Key, graphql-cost-debug'
    await using gateway = await open()
    const response = await get(gateway, oldBlock)
    expect([response.headers.get('vary'), response.headers.get('access-control-allow-origin')]).toEqual([decisive, '*'])
    await using listed = await open({ allowedOrigins: ['https://a.example'] })
    const allowed = await get(listed, oldBlock, { origin: 'https://a.example' })
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://a.example')
    const refused = await get(listed, oldBlock, { origin: 'https://b.example' })
    expect(refused.headers.get('access-control-allow-origin')).toBeNull()
    // One header: nginx before 1.23 reads only the last one.
    const { hostname, port } = new URL(listed.url)
    const text = await raw(
      `http://${hostname}:${port}`,
      `GET /graphql?query={__schema{types{name}}} HTTP/1.1\r\nHost: a\r\nAccept-Encoding: br\r\nConnection: close\r\n\r\n`,
    )
    expect(text.match(/^vary: .*$/gim)).toEqual([`vary: ${decisive}, Origin`])
  })
})

describe('for whom', () => {
  test('what came with a key is only for who has it, and is asked for again', async () => {
    await using gateway = await open({ apiKeys })
    await get(gateway, oldBlock)
    const keyed: Sent[] = [{ 'x-api-key': key }, { authorization: `Bearer ${key}` }, { authorization: 'Basic YTpi' }]
    for (const headers of keyed) {
      const response = await get(gateway, oldBlock, headers)
      expect([response.status, await control(response)]).toEqual([200, 'private, no-cache'])
      expect(response.headers.get('x-request-id')).not.toBeNull()
    }
    await using closed = await open({ apiKeys, requireApiKey: true })
    expect(await control(get(closed, oldBlock, { 'x-api-key': key }))).toBe('private, no-cache')
    const keyless: Sent[] = [{ 'x-api-key': 'wrong' }, {}]
    for (const headers of keyless) {
      const refused = await get(closed, oldBlock, headers)
      expect([refused.status, await control(refused)]).toEqual([401, 'no-store'])
    }
  })

  test('the schema that only the router may read is not stored', async () => {
    await using gateway = await open({ apiKeys, federation: true, introspection: false })
    const headers = { 'x-api-key': apiKeys.get('router') ?? '' }
    for (const send of [get, postTo]) {
      const response = await send(gateway, '{ _service { sdl } }', headers)
      expect([await control(response), (await response.text()).slice(0, 9)]).toEqual(['no-store', '{"data":{'])
    }
  })

  test('others get no id of a request, whoever chose it', async () => {
    await using gateway = await open()
    const first = await get(gateway, oldBlock, { 'x-request-id': 'mine', cookie: 'session=1' })
    expect(first.headers.get('x-request-id')).toBeNull()
    expect(first.headers.get('set-cookie')).toBeNull()
    const failed = await get(gateway, '{ chain { status { height } } }', { 'x-request-id': 'mine' })
    expect(failed.headers.get('x-request-id')).toBe('mine')
  })

  test.each([
    ['a refused document', '{ nothing }', {}],
    ['an invalid argument', '{ chain(chainId: "?") { chainId } }', {}],
    ['an unknown hash', { extensions: { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } } }, {}],
    ['variables that are no JSON', { query: '{ __typename }', variables: '{' }, {}],
    ['a mutation', 'mutation { trackTransfer(input: { chainId: "harbor-1", hash: "a" }) { explorerUrl } }', {}],
    ['an image', '{ __typename }', { accept: 'image/png' }],
    ['an answer with its cost', '{ __typename }', { 'graphql-cost-debug': '1' }],
    ['partial data', '{ chain { block(height: 7) { hash } richList(denom: "?") { nodes { amount } } } }', {}],
  ])('%s is not stored', async (_, params: Params | string, headers: Sent) => {
    await using gateway = await open()
    const response = await get(gateway, params, headers)
    expect([await control(response), response.headers.get('etag')]).toEqual(['no-store', null])
  })

  test('a chain that is down, and an answer that lacks it, are not stored', async () => {
    await using gateway = await open()
    sandbox.faults.set('harbor-1', '/', { kind: 'status', status: 503 })
    for (const query of [
      '{ chain { block(height: 12) { hash } } }',
      '{ search(text: "12") { unavailableChains { chainId } } }',
    ]) {
      expect(await control(get(gateway, query))).toBe('no-store')
    }
    sandbox.faults.clear()
    expect(await control(get(gateway, '{ chain { block(height: 12) { hash } } }'))).toBe('public, max-age=3600')
  })

  test('a refusal for the budget is not stored', async () => {
    await using gateway = await open({ rateLimit: { pointsPerSecond: 1, burst: 1_000 } })
    const statuses = new Map<number, string | null>()
    for (let i = 0; i < 200; i += 1) {
      const response = await get(
        gateway,
        '{ chain { block(height: 7) { hash transactions(first: 50) { nodes { hash } } } } }',
      )
      statuses.set(response.status, await control(response))
    }
    expect(statuses.get(429)).toBe('no-store')
  })

  test('persisted and trusted documents are kept like others', async () => {
    await using gateway = await open({ trustedDocuments: new Map([['old-block', oldBlock]]) })
    const extensions = {
      persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(oldBlock).digest('hex') },
    }
    expect(await control(get(gateway, { extensions }))).toBe('no-store')
    const tags = []
    for (const params of [{ query: oldBlock, extensions }, { extensions }, { documentId: 'old-block' }]) {
      const response = await get(gateway, params)
      expect(await control(response)).toBe('public, max-age=3600')
      tags.push(response.headers.get('etag'))
    }
    expect(new Set(tags).size).toBe(1)
  })
})

describe('answers to POST', () => {
  test('they are not stored', async () => {
    await using gateway = await open({ apiKeys })
    for (const _ of [1, 2]) expect(await control(postTo(gateway, oldBlock))).toBe('no-store')
  })

  test('those of a subgraph tell the router for how long, without a key or with its own', async () => {
    await using gateway = await open({ apiKeys, federation: true })
    const entity =
      '{ _entities(representations: [{ __typename: "Chain", chainId: "harbor-1" }]) { ... on Chain { chainId block(height: 9) { hash } } } }'
    const routers: Sent[] = [{}, { 'x-api-key': apiKeys.get('router') ?? '' }]
    for (const headers of routers) {
      const response = await postTo(gateway, entity, headers)
      expect(await response.text()).toContain('"hash":"')
      expect(await control(response)).toBe('public, max-age=3600')
      // Without it no HTTP cache keeps an answer to a POST (RFC 9110, 9.3.3).
      expect(response.headers.get('content-location')).toBeNull()
    }
    expect(await control(postTo(gateway, entity, { 'x-api-key': key }))).toBe('no-store')
    expect(await control(postTo(gateway, '{ chain { status { height } } }'))).toBe('no-store')
    expect(await control(postTo(gateway, '{ _entities(representations: [{}]) { __typename } }'))).toBe('no-store')
  })
})
