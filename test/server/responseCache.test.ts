import { expect, test } from 'vitest'
import { resolveLimits } from '../../src/engine/limits/limits.ts'
import { CacheStore } from '../../src/kit/cache/cache.ts'
import { GraphResponse } from '../../src/server/http/fetchClasses.ts'
import { createResponseCache } from '../../src/server/http/responseCache.ts'
import { fakeClock } from '../support/fakeClock.ts'
import { fakeChain, networkOf } from '../support/testServer.ts'
import { startWorld, type World } from '../support/world.ts'

const post = (world: World, body: string, headers: Record<string, string> = {}) =>
  fetch(world.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })

const bodyOf = (query: string, rest: object = {}) => JSON.stringify({ query, ...rest })

const oldBlock = bodyOf('query Old { chain { block(height: 7) { hash } } }', {
  operationName: 'Old',
})

async function metricOf(world: World, name: string, labels: string): Promise<number> {
  const text = await (await fetch(new URL('/metrics', world.url))).text()
  const line = text.split('\n').find((line) => line.startsWith(`${name}{${labels}}`))
  return Number(line?.split(' ').at(-1))
}

test('a repeated operation is answered from the cache with the same bytes', async () => {
  await using world = await startWorld()
  const first = await post(world, oldBlock)
  const text = await first.text()
  expect(world.requests()).toHaveLength(1)
  const second = await post(world, oldBlock)
  expect(await second.text()).toBe(text)
  expect(JSON.parse(text).data.chain.block.hash).toMatch(/^[0-9A-F]{64}$/)
  expect(world.requests()).toEqual([])
  expect(second.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(second.headers.get('access-control-allow-origin')).toBe('*')
  expect(second.headers.get('content-length')).toBe(String(text.length))

  // An answer that another client accepts is kept apart.
  const other = await post(world, oldBlock, { accept: 'application/graphql-response+json' })
  expect(await other.text()).toBe(text)
  expect(other.headers.get('content-type')).toBe('application/graphql-response+json; charset=utf-8')

  expect(await metricOf(world, 'portolan_cache_hits_total', 'cache="answers"')).toBe(1)
  expect(await metricOf(world, 'portolan_cache_misses_total', 'cache="answers"')).toBe(2)
  const bytes = await metricOf(world, 'portolan_cache_bytes', 'cache="answers"')
  expect(bytes).toBeGreaterThan(text.length + oldBlock.length)
  expect(bytes).toBeLessThan(3_000)
  const operations = 'portolan_operation_duration_seconds_count'
  expect(await metricOf(world, operations, 'type="query",outcome="ok"')).toBe(3)
})

test.each([
  ['assets of a list', '{ assets(chainId: "harbor-1", first: 2) { nodes { denom name } } }'],
  ['the chains of the router', '{ routableChains(first: 2) { nodes { chainId prettyName } } }'],
  ['fees that the router prices', '{ chain { feeAssets { denom asset { symbol } } } }'],
  ['bridges and venues', '{ bridges { name } swapVenues { name } }'],
  ['a price', '{ asset(chainId: "harbor-1", denom: "uinit") { usdPrice } }'],
  ['an old block', '{ chain { block(height: 7) { hash } } }'],
  [
    'constants of the schema and service',
    '{ __typename service { limits { maxCost } } __type(name: "Chain") { name } }',
  ],
])('%s: the answer is cached', async (_, query) => {
  await using world = await startWorld()
  const texts = []
  for (const _ of [1, 2]) texts.push(await (await post(world, bodyOf(query))).text())
  expect(texts[0]).not.toContain('errors')
  expect(texts[1]).toBe(texts[0])
  expect(await metricOf(world, 'portolan_cache_hits_total', 'cache="answers"')).toBe(1)
})

test.each([
  ['the age of the newest block', '{ chain { freshness { ageSeconds } } }'],
  ['a balance', `{ account(address: "0x${'1'.repeat(40)}") { balances { balances { amount } } } }`],
  [
    'a mutation',
    `mutation { trackTransfer(input: { chainId: "harbor-1", hash: "${'a'.repeat(64)}" }) { explorerUrl } }`,
  ],
])('%s: the answer is not cached', async (_, query) => {
  await using world = await startWorld()
  for (const _ of [1, 2]) {
    const answer = await post(world, bodyOf(query))
    expect(await answer.text()).not.toContain('"errors"')
  }
  expect(await metricOf(world, 'portolan_cache_hits_total', 'cache="answers"')).toBe(0)
  expect(await metricOf(world, 'portolan_cache_bytes', 'cache="answers"')).toBe(0)
})

test.each([
  ['the newest page', '{ chain { blocks(first: 3) { nodes { hash } } } }'],
  ['a count', '{ chain { transactions(first: 1) { totalCount } } }'],
  ['a block that is not there yet', '{ chain { block(height: 1000000) { hash } } }'],
  ['a status', '{ chain { status { height } } }'],
])('%s is requested each time', async (_, query) => {
  await using world = await startWorld()
  await post(world, bodyOf(query))
  expect(world.requests()).not.toEqual([])
  await post(world, bodyOf(query))
  expect(world.requests()).not.toEqual([])
})

test('errors and mutations are not cached', async () => {
  await using world = await startWorld()
  const broken = bodyOf('{ chain { block(height: 7) { hash } richList(denom: "?") { nodes { amount } } } }')
  const track = bodyOf(
    `mutation { trackTransfer(input: { chainId: "harbor-1", hash: "${'a'.repeat(64)}" }) { explorerUrl } }`,
  )
  for (const body of [broken, broken, track, track]) {
    const answer = await post(world, body)
    expect((await answer.text()).includes('"errors"')).toBe(body === broken)
  }
  expect(await metricOf(world, 'portolan_cache_hits_total', 'cache="answers"')).toBe(0)
})

test('cacheTtlMs 0 turns the cache off', async () => {
  await using world = await startWorld({ limits: { cacheTtlMs: 0 } })
  const texts = [await (await post(world, oldBlock)).text(), await (await post(world, oldBlock)).text()]
  expect(texts[1]).toBe(texts[0])
  expect(await metricOf(world, 'portolan_cache_hits_total', 'cache="answers"')).toBeNaN()
})

const network = networkOf(fakeChain('test-1', async () => null))

test('an answer is cached while it is fresh, up to cacheTtlMs', async () => {
  const clock = fakeClock()
  const cache = new CacheStore(clock)
  const answers = createResponseCache({
    cache,
    clock,
    network,
    limits: { ...resolveLimits(), cacheBytes: 40_000, cacheTtlMs: 1_000 },
  })
  const result = { name: undefined, points: 1, freshUntil: 300, epoch: 0 }
  answers.keep('short', { response: new GraphResponse('{}'), result })
  const forever = { ...result, freshUntil: Number.POSITIVE_INFINITY }
  answers.keep('long', { response: new GraphResponse('[]'), result: forever })
  await clock.advance(300)
  expect(answers.get('short')?.response.text).toBe('{}')
  await clock.advance(1)
  expect(answers.get('short')).toBeUndefined()
  await clock.advance(699)
  expect(answers.get('long')?.response.text).toBe('[]')
  await clock.advance(1)
  expect(answers.get('long')).toBeUndefined()
})

test('a cached answer is dropped when the settings change', () => {
  const { answers, answer, settings } = setup()
  answers.keep('body', answer)
  expect(answers.get('body')).toBe(answer)
  settings.epoch = 1
  expect(answers.get('body')).toBeUndefined()
  // One that began before the change, and ended after it.
  answers.keep('body', answer)
  expect(answers.get('body')).toBeUndefined()
  const next = { ...answer, result: { ...answer.result, epoch: 1 } }
  answers.keep('body', next)
  expect(answers.get('body')).toBe(next)
})

test('cached answers and their bodies stay within a quarter of cacheBytes', () => {
  const { answers, answer } = setup()
  const names = ['a', 'b', 'c'].map((name) => name.repeat(1_000))
  const ask = (name: string) => {
    if (!answers.get(name)) answers.keep(name, answer)
  }
  const [first = '', second = '', third = ''] = names
  for (const name of [first, second, second, third, third, third]) ask(name)
  expect(answers.get(first)).toBeUndefined()
  expect(answers.get(third)).toBeDefined()
  for (const _ of [1, 2]) answers.keep('large', { ...answer, response: new GraphResponse('x'.repeat(10_000)) })
  expect(answers.get('large')).toBeUndefined()
})

test('operations seen once evict none that was seen twice', () => {
  const { answers, answer, region } = setup()
  const shared = 'shared'.repeat(100)
  answers.keep(shared, answer)
  for (const _ of [1, 2]) answers.get(shared)
  for (let i = 0; i < 1_000; i += 1) {
    const body = `${i} `.repeat(100)
    answers.get(body)
    answers.keep(body, answer)
  }
  expect(answers.get(shared)).toBeDefined()
  expect(region()?.bytes).toBeGreaterThan(5_000)
})

function setup() {
  const clock = fakeClock()
  const cache = new CacheStore(clock)
  const settings = { ...network, epoch: 0 }
  const answers = createResponseCache({
    cache,
    clock,
    network: settings,
    limits: { ...resolveLimits(), cacheBytes: 40_000, cacheTtlMs: 1_000 },
  })
  const result = { name: undefined, points: 1, freshUntil: 300, epoch: 0 }
  const answer = { response: new GraphResponse('x'.repeat(1_000)), result }
  return { answers, answer, settings, region: () => cache.regions.get('answers') }
}
