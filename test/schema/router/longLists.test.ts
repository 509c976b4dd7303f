import { graphql } from 'graphql'
import { expect, test } from 'vitest'
import type { LiveContext } from '../../../src/engine/graphql/builder.ts'
import { resolveLimits } from '../../../src/engine/limits/limits.ts'
import type { Upstream } from '../../../src/engine/upstream/client.ts'
import { RequestScope } from '../../../src/engine/upstream/requestScope.ts'
import { Feeds } from '../../../src/engine/watch/feeds.ts'
import { noPeers } from '../../../src/engine/watch/peers.ts'
import { Poller } from '../../../src/engine/watch/poller.ts'
import { CacheStore } from '../../../src/kit/cache/cache.ts'
import { systemClock } from '../../../src/kit/clock/clock.ts'
import { createFairScheduler, type WorkScheduler } from '../../../src/kit/clock/fairScheduler.ts'
import { schema } from '../../../src/schema/schema.ts'
import { fakeChain, networkOf } from '../../support/testServer.ts'
import { testSigner } from '../../support/testSigner.ts'
import type { Data } from '../../support/world.ts'

// A list of the router can have tens of thousands of assets, and one document can search it more than a hundred
// times. Each search is cut in pieces of a thousand assets.

const length = 3_500
const pieces = Math.ceil(length / 1_000)

const assets = Array.from({ length }, (_, number) => ({
  chain_id: `chain-${number % 20}`,
  denom: `unit${number}`,
  symbol: `SYM${number}`,
  recommended_symbol: null,
  name: `Asset ${number}`,
  token_contract: `0xCAFE${number}`,
  origin_chain_id: number % 2 ? 'elsewhere-1' : null,
  hidden: number % 10 === 9,
}))

const answers: Record<string, object> = {
  '/v2/fungible/assets_from_source': { dest_assets: { all: { assets } } },
  '/v2/fungible/assets': { chain_to_assets_map: { 'chain-1': { assets } } },
  '/v2/info/chains': { chains: [{ chain_id: 'chain-1', chain_name: 'one' }] },
}

/** A graph over a router with a long list. */
function startGraph() {
  let turnCount = 0
  const scheduler: WorkScheduler = {
    ...createFairScheduler(systemClock),
    run(_client, work) {
      turnCount += 1
      return work()
    },
  }
  const send: Upstream['send'] = async ({ target, read }) =>
    read(structuredClone(answers[target.split('?')[0] ?? '']), '')
  const cache = new CacheStore(systemClock)
  return {
    async data(source: string): Promise<Data> {
      const contextValue: LiveContext = {
        service: { version: '0.0.0', isSandbox: false },
        network: {
          ...networkOf(fakeChain('test-1', async () => null)),
          router: { service: 'router', source: 'router', send },
        },
        clock: systemClock,
        cache,
        limits: resolveLimits({}),
        scheduler,
        poller: new Poller({ cache }),
        feeds: new Feeds(),
        peers: noPeers,
        signer: testSigner,
        scope: new RequestScope(new AbortController().signal, { clock: systemClock, cache }),
        errorsBeside: [],
      }
      const { data, errors } = await graphql({ schema, source, contextValue })
      if (errors) throw new Error(JSON.stringify(errors), { cause: errors[0]?.originalError })
      return data
    },
    /** Pieces that were read since the last question. */
    takeTurns() {
      const taken = turnCount
      turnCount = 0
      return taken
    },
  }
}

test('aliases with equal filters search the list once, and others once each', async () => {
  const graph = startGraph()
  const total = (name: string, args: string) => `${name}: assets(${args}) { totalCount }`
  const data = await graph.data(`{
    ${total('a', 'search: "asset 12", first: 1')} ${total('b', 'search: "asset 12", first: 2')}
    ${total('c', 'search: "asset 12", last: 3')}
  }`)
  const matching = assets.filter(({ name, hidden }) => name.startsWith('Asset 12') && !hidden)
  expect(matching.length).toBeGreaterThan(90)
  const count = { totalCount: matching.length }
  expect(data).toEqual({ a: count, b: count, c: count })
  expect(graph.takeTurns()).toBe(pieces)

  const symbols = '["sym7", "SYM3499", "cafe"]'
  const others = await graph.data(`{
    ${total('a', `filter: { symbols: ${symbols} }`)}
    ${total('b', `filter: { symbols: ${symbols}, includeHidden: true }`)}
    ${total('contract', 'search: "0xcafe12"')}
  }`)
  expect(others).toEqual({
    a: { totalCount: 1 },
    b: { totalCount: 2 },
    contract: { totalCount: 0 },
  })
  expect(graph.takeTurns()).toBe(3 * pieces)
})

test('pairs on many chains search the list once', async () => {
  const graph = startGraph()
  const pairs = [3_499, 12, 5, 77, 8, 9, 10, 11, 31, 4].map(
    (number) => `{ chainId: "chain-${number % 20}", denom: "unit${number}" }`,
  )
  const { assets: found } = await graph.data(
    `{ assets(first: 20, filter: { includeHidden: true }, pairs: [${pairs.join()}]) { nodes { denom } } }`,
  )
  expect(found.nodes.map(({ denom }: Data) => denom)).toEqual(
    [3_499, 12, 5, 77, 8, 9, 10, 11, 31, 4].map((number) => `unit${number}`),
  )
  // The list of all assets, and the ten that were found.
  expect(graph.takeTurns()).toBe(pieces + 1)
})

test('destinations of an asset are loaded once for several aliases', async () => {
  const graph = startGraph()
  const { asset } = await graph.data(`{ asset(chainId: "chain-1", denom: "unit1") {
    a: destinations(first: 1) { totalCount } b: destinations(first: 2) { totalCount }
    c: destinations(chainId: "chain-3", search: "unit3") { totalCount }
  } }`)
  const shown = assets.filter(({ hidden }) => !hidden)
  const there = shown.filter(({ chain_id, denom }) => chain_id === 'chain-3' && denom.startsWith('unit3'))
  expect(there.length).toBeGreaterThan(10)
  const all = { totalCount: shown.length }
  expect(asset).toEqual({ a: all, b: all, c: { totalCount: there.length } })
  expect(graph.takeTurns()).toBe(2 * pieces)
})

test('aliases with equal search text read each list once, and hasMore is exact', async () => {
  const graph = startGraph()
  const fields = '{ hasMore results { match node { ... on Asset { denom } ... on Chain { chainId } } } }'
  const { most, few, exact } = await graph.data(`{
    most: search(text: "ASSET", first: 50) ${fields}
    few: search(text: "ASSET", first: 2) ${fields}
    exact: search(text: "asset 3499") ${fields}
  }`)
  expect(graph.takeTurns()).toBe(2 * (pieces + 1))
  expect(few.results).toEqual(most.results.slice(0, 2))
  expect([most.hasMore, few.hasMore, exact.hasMore]).toEqual([true, true, false])
  // What is hidden is found by its whole name only, and what a bridge made comes last.
  const original = assets.filter(({ hidden, origin_chain_id }) => !hidden && !origin_chain_id)
  expect(most.results).toEqual(original.slice(0, 50).map(({ denom }) => ({ match: 'PREFIX', node: { denom } })))
  expect(exact.results).toEqual([{ match: 'EXACT', node: { denom: 'unit3499' } }])
})

test('a contract address finds its asset, and not names', async () => {
  const graph = startGraph()
  const contract = `0x${'cafe'.repeat(10)}`
  assets.push({ ...(assets[0] ?? fail()), denom: 'of contract', token_contract: contract })
  assets.push({ ...(assets[0] ?? fail()), denom: 'of name', token_contract: '', name: contract })
  const { search } = await graph.data(
    `{ search(text: "${contract.toUpperCase().replace('0X', '0x')}") {
      results { match node { __typename ... on Asset { denom } } } } }`,
  )
  expect(search.results).toEqual([
    { match: 'EXACT', node: { __typename: 'Account' } },
    { match: 'EXACT', node: { __typename: 'Asset', denom: 'of contract' } },
  ])
})

const fail = (): never => {
  throw new Error('no asset')
}
