import { afterAll, expect, test } from 'vitest'
import { startFakeRouter, startRouterWorld } from '../../../support/routerWorld.ts'
import type { Data } from '../../../support/world.ts'

const world = await startRouterWorld()
afterAll(() => world[Symbol.asyncDispose]())

test('origin of listed assets takes no further request', async () => {
  await using fresh = await startRouterWorld()
  fresh.requests()
  const { assets } = await fresh.data(`{ assets(first: 100) { nodes {
    originChainId originDenom origin { chainId denom symbol }
  } } }`)
  expect(assets.nodes.length).toBeGreaterThan(10)
  for (const { originChainId, originDenom, origin } of assets.nodes) {
    expect(origin).toMatchObject({ chainId: originChainId, denom: originDenom })
  }
  expect(fresh.requests().filter((request) => request.startsWith('POST'))).toEqual([])
})

test('origins missing from the list are requested together', async () => {
  const asset = (denom: string) => ({ chain_id: 'a-1', denom, symbol: denom })
  await using router = await startFakeRouter((path, body) => {
    if (path.startsWith('/v2/fungible/ibc_origin_assets')) {
      const { assets } = JSON.parse(body)
      const known = { asset: { chain_id: 'z-1', denom: 'uz', symbol: 'Z' }, asset_found: true }
      const entries = assets.map(({ denom }: Data) => (denom === 'ibc/1' ? known : { asset_found: false }))
      return { body: JSON.stringify({ origin_assets: entries }) }
    }
    const listed = { 'a-1': { assets: [asset('ibc/1'), asset('ibc/2')] } }
    return { body: JSON.stringify({ chain_to_assets_map: listed }) }
  })
  await using odd = await startRouterWorld({ routerUrl: router.url })
  const query = '{ assets(chainId: "a-1") { nodes { denom origin { chainId symbol } } } }'
  expect((await odd.data(query)).assets.nodes).toEqual([
    { denom: 'ibc/1', origin: { chainId: 'z-1', symbol: 'Z' } },
    { denom: 'ibc/2', origin: null },
  ])
  const asked = router.bodies.filter((body) => body.startsWith('{"assets"'))
  expect(asked).toEqual(['{"assets":[{"chain_id":"a-1","denom":"ibc/1"},{"chain_id":"a-1","denom":"ibc/2"}]}'])
})

const between = `query ($from: ChainId!, $to: ChainId!, $multi: Boolean) {
  assetsBetweenChains(sourceChainId: $from, destinationChainId: $to, allowMultiTransaction: $multi) {
    assetIn { chainId symbol } assetOut { chainId symbol denom } transactionCount bridges rawBridges
  }
}`

test('assetsBetweenChains lists pairs of assets with their bridges', async () => {
  world.requests()
  const pairs = (await world.data(between, { from: 'harbor-1', to: 'galley-1' })).assetsBetweenChains
  expect(world.requests()).toContain('POST /v2/fungible/assets_between_chains')
  expect(pairs).toContainEqual({
    assetIn: { chainId: 'harbor-1', symbol: 'INIT' },
    assetOut: { chainId: 'galley-1', symbol: 'INIT', denom: expect.any(String) },
    transactionCount: 1,
    bridges: ['OPINIT'],
    rawBridges: ['OPINIT'],
  })
  expect(pairs.every(({ assetIn, assetOut }: Data) => assetIn.symbol === assetOut.symbol)).toBe(true)
  const ends = { from: '1', to: 'galley-1' }
  const single = (await world.data(between, ends)).assetsBetweenChains
  const multi = (await world.data(between, { ...ends, multi: true })).assetsBetweenChains
  expect(multi.length).toBeGreaterThanOrEqual(single.length)
  expect(single.every(({ transactionCount }: Data) => transactionCount === 1)).toBe(true)
})

test('assetsBetweenChains of an unknown chain has the error of the router', async () => {
  const { data, errors } = await world.ask(between, { from: 'harbor-1', to: 'nowhere-1' })
  expect(data).toEqual({ assetsBetweenChains: null })
  expect(errors?.[0]?.extensions).toMatchObject({
    code: 'UPSTREAM_REJECTED',
    upstreamMessage: 'dest chain not found',
  })
  expect(await world.fault(between, { from: 'no such chain!', to: '1' })).toEqual(['BAD_USER_INPUT'])
})
