import { afterAll, expect, test } from 'vitest'
import { denom } from '../../../../packages/sandbox/test/support/sandboxRouter.ts'
import { startFakeRouter, startRouterWorld } from '../../../support/routerWorld.ts'
import { type Data, startWorld, testOfPlainRecords } from '../../../support/world.ts'

const plainTest = testOfPlainRecords()

const world = await startRouterWorld()
afterAll(() => world[Symbol.asyncDispose]())

const search = `query ($chainId: ChainId, $search: String, $filter: AssetFilter, $pairs: [AssetInput!],
  $first: Int, $after: String) {
  assets(chainId: $chainId, search: $search, filter: $filter, pairs: $pairs, first: $first,
    after: $after) {
    totalCount nodes { chainId denom symbol recommendedSymbol } pageInfo { endCursor hasNextPage }
  }
}`
const found = async (variables: Record<string, unknown>): Promise<Data[]> =>
  (await world.data(search, { first: 100, ...variables })).assets.nodes

plainTest('assets of all chains are found by symbol with one request', async () => {
  world.requests()
  const assets = await found({ filter: { symbols: ['usdc'] } })
  expect(new Set(assets.map(({ chainId }) => chainId)).size).toBeGreaterThan(3)
  expect(assets.every(({ symbol }) => symbol === 'USDC')).toBe(true)
  await found({ filter: { symbols: ['INIT', 'OSMO'] } })
  expect(world.requests()).toEqual([
    'GET /v2/fungible/assets?include_evm_assets=true&include_svm_assets=true&include_cw20_assets=true',
  ])
})

plainTest('symbol is that of the issuer, and recommendedSymbol tells copies apart', async () => {
  const assets = await found({ filter: { symbols: ['GAL'] } })
  const recommended = assets.map(({ recommendedSymbol }) => recommendedSymbol)
  expect(assets.every(({ symbol }) => symbol === 'GAL')).toBe(true)
  expect(recommended).toContain('GAL')
  expect(recommended).toContain('GAL.ibc2')
  expect(await found({ filter: { symbols: ['gal.ibc2'] } })).toHaveLength(1)
})

test('assets are found by origin chain and denom', async () => {
  const assets = await found({ filter: { originChainId: 'noble-1', originDenom: 'uusdc' } })
  expect(assets.length).toBeGreaterThan(2)
  expect(assets).toContainEqual(expect.objectContaining({ chainId: 'noble-1', denom: 'uusdc' }))
  expect(await found({ filter: { originDenom: 'unothing' } })).toEqual([])
})

test('assets by pairs keep the order of the pairs, in any case of an address', async () => {
  const usdc = denom('1', 'USDC')
  const pairs = [
    { chainId: '1', denom: usdc.toLowerCase() },
    { chainId: 'nowhere-1', denom: 'a' },
    { chainId: 'osmosis-1', denom: 'uosmo' },
    { chainId: 'osmosis-1', denom: 'unothing' },
  ]
  const denoms = (await found({ pairs })).map((asset) => asset.denom)
  expect(denoms).toEqual([usdc, 'uosmo'])
  const many = ['1', 'osmosis-1', 'noble-1', 'harbor-1', 'galley-1', 'lantern-1', 'x', 'y', 'z']
  const wide = many.map((chainId) => ({ chainId, denom: 'uosmo' }))
  expect((await found({ pairs: wide })).map(({ chainId }) => chainId)).toEqual(['osmosis-1'])
  const crowd = Array.from({ length: 101 }, () => ({ chainId: '1', denom: 'a' }))
  expect(await world.fault(search, { pairs: crowd })).toEqual(['BAD_USER_INPUT'])
  expect(await world.fault(search, { filter: { symbols: crowd.map(String) } })).toEqual(['BAD_USER_INPUT'])
})

test('pages of an asset search have each asset once', async () => {
  const all = await found({ search: 'init' })
  const read: Data[] = []
  let after: string | null = null
  do {
    const { assets }: Data = await world.data(search, { search: 'init', first: 3, after })
    read.push(...assets.nodes)
    after = assets.pageInfo.hasNextPage ? assets.pageInfo.endCursor : null
  } while (after)
  expect(read).toEqual(all)
})

const destinations = `query ($chainId: ChainId!, $denom: Denom!, $to: ChainId, $swaps: Boolean) {
  asset(chainId: $chainId, denom: $denom) {
    destinations(chainId: $to, includeSwaps: $swaps, first: 100) { totalCount nodes { chainId symbol denom } }
  }
}`

test('destinations of an asset are those that the router can reach', async () => {
  const init = { chainId: 'harbor-1', denom: 'uinit' }
  world.requests()
  const direct = (await world.data(destinations, init)).asset.destinations
  expect(world.requests()).toContain('POST /v2/fungible/assets_from_source')
  expect(direct.nodes.every(({ symbol }: Data) => symbol === 'INIT')).toBe(true)
  expect(direct.nodes.map(({ chainId }: Data) => chainId)).toContain('galley-1')
  const swapped = (await world.data(destinations, { ...init, swaps: true })).asset.destinations
  expect(Number(swapped.totalCount)).toBeGreaterThan(Number(direct.totalCount))
  const there = (await world.data(destinations, { ...init, to: 'osmosis-1' })).asset.destinations
  expect(there.nodes.map(({ chainId }: Data) => chainId)).toEqual(['osmosis-1'])
})

test('recommendedDestinations on all chains costs more than on one', async () => {
  await using poor = await startWorld({ limits: { maxCost: 100 } })
  const costOf = async (args: string) => {
    const fields = Array.from(
      { length: 20 },
      (_, index) => `a${index}: recommendedDestinations${args} { asset { symbol } }`,
    )
    const [error] = await poor.errors(`{ asset(chainId: "harbor-1", denom: "uinit") { ${fields} } }`)
    return Number(/costs (\d+) points/.exec(error?.message ?? '')?.[1])
  }
  const ofOne = await costOf('(chainId: "osmosis-1")')
  expect(await costOf('')).toBeGreaterThan(ofOne + 20 * 40)
})

plainTest('recommendedDestinations are those of the router', async () => {
  const { asset } = await world.data(`{ asset(chainId: "harbor-1", denom: "uinit") {
    recommendedDestinations(chainId: "osmosis-1") { reason rawReason asset { symbol chainId decimals } }
  } }`)
  expect(asset.recommendedDestinations).toEqual([
    {
      reason: 'DIRECT',
      rawReason: 'DIRECT',
      asset: { symbol: 'INIT', chainId: 'osmosis-1', decimals: 6 },
    },
    {
      reason: 'BASE_TOKEN',
      rawReason: 'BASE_TOKEN',
      asset: { symbol: 'OSMO', chainId: 'osmosis-1', decimals: 6 },
    },
  ])
})

test('an error in recommendations of the router is passed on', async () => {
  world.sandbox.faults.set('router', '/v2/fungible/recommend_assets', {
    kind: 'answer',
    json: { recommendation_entries: [{ error: { message: 'no asset of that chain is known' } }] },
  })
  const { data, errors } = await world.ask(
    '{ asset(chainId: "harbor-1", denom: "uinit") { recommendedDestinations(chainId: "1") { reason } } }',
  )
  world.sandbox.faults.clear()
  expect(data?.asset).toEqual({ recommendedDestinations: null })
  expect(errors?.[0]?.extensions).toMatchObject({
    ...{ code: 'UPSTREAM_REJECTED', upstreamMessage: 'no asset of that chain is known' },
  })
})

test('usdPrice is known without a balance, and cached', async () => {
  const query = `query ($denom: Denom!, $chainId: ChainId!) {
    asset(chainId: $chainId, denom: $denom) { usdPrice }
  }`
  const priceOf = async (chainId: string, name: string) =>
    (await world.data(query, { chainId, denom: name })).asset.usdPrice
  world.requests()
  expect(await priceOf('osmosis-1', 'uosmo')).toBe('0.24')
  expect(await priceOf('osmosis-1', 'uosmo')).toBe('0.24')
  expect(world.requests().filter((request) => request.startsWith('POST'))).toHaveLength(1)
  expect(await priceOf('1', 'ethereum-native')).toBe('3200')
  expect(await priceOf('lantern-1', 'ulant')).toBeNull()
})

test('bridges and swapVenues have names and logos, and take one request each', async () => {
  const query = `{ bridges { bridge rawBridge name logoUrl } swapVenues { name chainId logoUrl } }`
  world.requests()
  const { bridges, swapVenues } = await world.data(query)
  await world.data(query)
  expect(world.requests().toSorted()).toEqual(['GET /v2/fungible/venues', 'GET /v2/info/bridges'])
  expect(bridges).toContainEqual({
    ...{ bridge: 'EUREKA', rawBridge: 'EUREKA', name: 'IBC Eureka' },
    logoUrl: 'https://assets.example/eureka.png',
  })
  expect(swapVenues).toContainEqual({
    ...{ name: 'osmosis-poolmanager', chainId: 'osmosis-1' },
    logoUrl: 'https://assets.example/osmosis-poolmanager.png',
  })
})

test('the asset of a fee is completed from the list of assets', async () => {
  const { route } = await world.data(`{ route(input: {
    source: { chainId: "noble-1", denom: "uusdc" }, amountIn: "250000000"
    destination: { chainId: "1", denom: "${denom('1', 'USDC')}" }
  }) { fees { asset { symbol decimals logoUrl denom } } } }`)
  expect(route.fees).toEqual([
    {
      asset: {
        ...{ symbol: 'USDC', decimals: 6, denom: 'uusdc' },
        logoUrl: 'https://assets.example/usdc.png',
      },
    },
  ])
})

test('a coin without denom, a venue without name and a release without chain are read', async () => {
  const coin = { chain_id: '5', denom: '', symbol: 'ETH', decimals: 18 }
  const replies: Record<string, object> = {
    '/v2/fungible/assets': { chain_to_assets_map: { '5': { assets: [coin] } } },
    '/v2/fungible/venues': { venues: [{ chain_id: '5' }] },
    '/v2/tx/status': {
      state: 'STATE_COMPLETED_ERROR',
      transfer_asset_release: { amount: '7', released: true },
    },
    '/v2/fungible/route': { amount_out: '5', operations: [] },
  }
  await using router = await startFakeRouter((path) => ({
    body: JSON.stringify(replies[path.replace(/\?.*/, '')] ?? {}),
  }))
  await using odd = await startRouterWorld({ routerUrl: router.url })
  const { assets, asset, swapVenues, transfer, route } = await odd.data(`{
    assets(chainId: "5") { nodes { id denom symbol } }
    asset(chainId: "5", denom: "") { symbol }
    swapVenues { name chainId }
    transfer(chainId: "5", hash: "${'ab'.repeat(32)}") { assetRelease { chainId denom amount isReleased asset { symbol } } }
    route(input: { source: { chainId: "5", denom: "" }, amountIn: "7",
      destination: { chainId: "a-1", denom: "a" } }) { assetIn { symbol } }
  }`)
  expect(assets.nodes).toMatchObject([{ denom: '', symbol: 'ETH' }])
  expect(asset).toEqual({ symbol: 'ETH' })
  expect(swapVenues).toEqual([{ name: null, chainId: '5' }])
  expect(transfer.assetRelease).toEqual({
    ...{ chainId: null, denom: null, amount: '7', isReleased: true, asset: null },
  })
  expect(route).toEqual({ assetIn: { symbol: 'ETH' } })
  const [{ id }] = assets.nodes
  expect(await odd.data(`{ node(id: "${id}") { ... on Asset { symbol } } }`)).toEqual({
    node: { symbol: 'ETH' },
  })
})
