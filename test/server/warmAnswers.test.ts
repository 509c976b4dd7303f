import { array, assert, asyncProperty, constantFrom, integer, tuple } from 'fast-check'
import { getNamedType } from 'graphql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFaults } from '../../packages/sandbox/src/faults.ts'
import { type Service, startService } from '../../packages/sandbox/src/http.ts'
import { type Sandbox, startSandbox } from '../../packages/sandbox/src/sandbox.ts'
import { createGateway, type Gateway } from '../../src/gateway.ts'
import { schema } from '../../src/schema/schema.ts'
import { type FakeClock, fakeClock } from '../support/fakeClock.ts'
import { runs } from '../support/property.ts'
import { hashOf } from '../support/routerWorld.ts'
import { randomSelection } from '../support/schemaDocument.ts'
import { now, youngChains } from '../support/world.ts'

// The answers of random documents are asked for again and again while everything below changes. An answer that the
// gateway has kept is compared with that of the same operation past the cache of answers, at the same moment.

let clock: FakeClock
let sandbox: Sandbox
let other: Sandbox
let router: Service
let gateway: Gateway
/** How often each of these has changed. */
const changes = { registry: 0, prices: 1, settings: 0, transfers: 0 }
/** Answers that were sent from the cache. */
let warm = 0
/** What a cache in front has of each query, and until when it may hand it on. A change of the settings empties it. */
const inFront = new Map<string, { readonly data: unknown; readonly until: number }>()
/** Answers that it has handed on. */
let handedOn = 0

/** The router of the sandbox, whose names and prices the test changes. */
const startRouter = () =>
  startService({
    ...{ name: 'router', host: '127.0.0.1', requests: [], port: 0, faults: createFaults() },
    async handler({ method, path, query, body, headers }) {
      const response = await fetch(`${sandbox.routerUrl}${path}${query.size > 0 ? '?' : ''}${query}`, {
        method,
        ...(method === 'POST' && { body }),
        headers: { 'content-type': headers['content-type'] ?? 'application/json' },
      })
      const text = (await response.text())
        .replaceAll(/"(name|pretty_name)":"([^"]*)"/g, `"$1":"$2 ${changes.registry}"`)
        .replaceAll(/"usd_amount_in":"(\d+)/g, `"usd_amount_in":"${changes.prices}$1`)
      return { status: response.status, text, headers: { 'content-type': 'application/json' } }
    },
  })

const settingsNow = () => ({
  chains: sandbox.indexers.map(({ chainId, url, vm, prettyName }, index) => ({
    chainId,
    // The last chain has moved to another indexer whenever the number is odd.
    url: index === 2 && changes.settings % 2 === 1 ? (other.indexers[2]?.url ?? url) : url,
    vm: index === 0 ? undefined : vm,
    prettyName: index === 1 ? `${prettyName} ${changes.settings}` : undefined,
  })),
})

beforeAll(async () => {
  clock = fakeClock(undefined, now)
  const options = { clock: () => clock.date(), chains: youngChains(60) }
  sandbox = await startSandbox(options)
  other = await startSandbox({ ...options, seed: 'other' })
  router = await startRouter()
  gateway = await createGateway(
    {
      ...settingsNow(),
      router: { url: router.url },
    },
    { clock, random: () => 0.5, upstream: { backoff: () => 0 }, server: { drain: 0 } },
  )
})

afterAll(async () => {
  await gateway.close()
  for (const part of [router, sandbox, other]) await part.close()
})

const ask = async (query: string, headers: Record<string, string> = {}) => {
  const response = await fetch(gateway.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
  })
  return (await response.json()) as { data?: unknown; errors?: unknown }
}

/** The fields that documents begin with. */
const roots = [
  ...['chain', 'chain(chainId: "lantern-1")', 'chain(chainId: "galley-1")', 'chains'],
  ...['chain(chainId: "osmosis-1")', 'service', 'bridges', 'swapVenues'],
  ...['block(chainId: "lantern-1", height: 7)', 'block(chainId: "harbor-1", height: 62)'],
  ...['asset(chainId: "harbor-1", denom: "uinit")', 'assets(chainId: "harbor-1", first: 2)'],
  ...['routableChains(first: 2)', `account(address: "0x${'1'.repeat(40)}")`],
  ...['00', 'hash', 'hash'].map((hash) => `transfer(chainId: "harbor-1", hash: "${hash}")`),
]

/** One document for each kind of read. They are part of every run. */
const simple = [
  '{ transfer(chainId: "harbor-1", hash: "hash") { state } }',
  '{ asset(chainId: "harbor-1", denom: "uinit") { usdPrice } }',
  '{ asset(chainId: "harbor-1", denom: "uinit") { name } }',
  '{ chain(chainId: "galley-1") { prettyName block(height: 7) { hash } } }',
  '{ chain(chainId: "lantern-1") { block(height: 7) { hash } } }',
  '{ chain { blocks(first: 1) { nodes { height } } } }',
  '{ chain { block(height: 62) { hash } } }',
  '{ chain { freshness { ageSeconds } } }',
  `{ route(input: {
    source: { chainId: "harbor-1", denom: "uinit" }, amountIn: "5000000"
    destination: { chainId: "osmosis-1", denom: "uosmo" }
  }) { usdAmountIn } }`,
  '{ chain { chainId vm bech32Prefix } }',
]

/** A document of a few fields. What it selects depends on the numbers alone. */
function documentOf(numbers: readonly number[]): string {
  let next = 0
  const choose = (count: number) => (numbers[next++ % numbers.length] ?? 0) % count
  const fields = Array.from({ length: 1 + choose(2) }, (_, i) => {
    const root = roots[choose(roots.length)] ?? 'service'
    const field = schema.getQueryType()?.getFields()[/^\w+/.exec(root)?.[0] ?? '']
    if (!field) throw new Error(`no field ${root}`)
    return `a${i}: ${root} ${randomSelection(getNamedType(field.type), 3, choose)}`
  })
  return `{ ${fields.join(' ')} }`
}

const steps = {
  aMoment: () => clock.advance(1),
  halfASecond: () => clock.advance(500),
  aBlock: () => clock.advance(6_000),
  aMinute: () => clock.advance(61_000),
  fiveMinutes: () => clock.advance(301_000),
  newRegistry: async () => {
    changes.registry += 1
  },
  newPrices: async () => {
    changes.prices += 1
  },
  newSettings: async () => {
    changes.settings += 1
    gateway.updateChains(settingsNow())
    inFront.clear()
  },
}

/** Compares a kept answer, if there is one, with what the operation answers now. */
async function check(query: string): Promise<void> {
  const answers = gateway.shared.cache.regions.get('answers')
  const before = answers?.hits ?? 0
  const { data } = await ask(query)
  if ((answers?.hits ?? 0) === before) return
  warm += 1
  const cold = await ask(query, { 'graphql-cost-debug': '1' })
  expect({ query, data }).toEqual({ query, data: cold.data })
}

/** Compares what a cache in front has, if it may still hand it on, with what the operation answers now. */
async function checkInFront(query: string): Promise<void> {
  const kept = inFront.get(query)
  if (kept && clock.now() < kept.until) {
    handedOn += 1
    const { data } = await ask(query, { 'graphql-cost-debug': '1' })
    expect({ query, data: kept.data }).toEqual({ query, data })
    return
  }
  const response = await fetch(`${gateway.url}?${new URLSearchParams({ query })}`)
  const { data } = (await response.json()) as { data?: unknown }
  const [, seconds] = /^public, max-age=(\d+)$/.exec(response.headers.get('cache-control') ?? '') ?? []
  if (seconds) inFront.set(query, { data, until: clock.now() + 1000 * Number(seconds) })
}

const documents = array(array(integer({ min: 0, max: 10_000 }), { minLength: 20, maxLength: 40 }).map(documentOf), {
  minLength: 3,
  maxLength: 5,
})
const names = Object.keys(steps) as (keyof typeof steps)[]
const lastSteps = [
  'newRegistry',
  'newPrices',
  'aMinute',
  'fiveMinutes',
  'newSettings',
  'aMinute',
  'halfASecond',
  'aBlock',
] as const

test('a cached answer, here or in front, equals a fresh answer at any time', async () => {
  const property = asyncProperty(
    tuple(documents, array(constantFrom(...names), { minLength: 2, maxLength: 6 })),
    async ([queries, script]) => {
      const hash = hashOf(`${10 + changes.transfers}`)
      changes.transfers += 1
      const asked = [...simple, ...queries].map((query) => query.replaceAll('"hash"', `"${hash}"`))
      await ask(`mutation { trackTransfer(input: { chainId: "harbor-1", hash: "${hash}" }) { explorerUrl } }`)
      for (const query of asked) await check(query)
      // Every run ends with all changes, and with enough time for each of them to be seen.
      for (const name of [...script, ...lastSteps]) {
        await steps[name]()
        for (const query of asked) {
          await check(query)
          await checkInFront(query)
        }
      }
    },
  )
  await assert(property, { numRuns: runs(6), endOnFailure: true })
  // Else nothing was compared.
  expect(warm).toBeGreaterThan(100)
  expect(handedOn).toBeGreaterThan(100)
}, 120_000)
