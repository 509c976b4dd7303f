import { expect, test } from 'vitest'
import { addressOn, startFakeRouter, startRouterWorld } from '../../../support/routerWorld.ts'
import type { Data } from '../../../support/world.ts'

const document = `query($address: Address!, $chainIds: [ChainId!]) { account(address: $address) {
  balances(chainIds: $chainIds) {
    balances { chain { chainId } denom amount usdValue asset { symbol } }
    count pricedCount usdValue
    unavailableChains { chainId code upstreamMessage }
  }
} }`

const address = addressOn('1')
const postsOf = (requests: readonly string[]) =>
  requests.filter((request) => request.startsWith('POST'))

test('account balances on all chains take one request', async () => {
  await using world = await startRouterWorld()
  const { account } = await world.data(document, { address })
  expect(postsOf(world.requests())).toHaveLength(1)
  const { chains } = await world.data(
    `{ chains { chainId account(address: "${address}") { balances { denom amount usdValue asset { symbol } } } } }`,
  )
  const all = chains.flatMap(({ chainId, account: { balances } }: Data) =>
    balances.map((balance: Data) => ({ chain: { chainId }, ...balance })),
  )
  expect(account.balances.balances).toEqual(all)
  expect(account.balances.count).toBe(all.length)
  expect(account.balances.unavailableChains).toEqual([])
  const cents = all.map(({ usdValue }: Data) => Math.round(100 * Number(usdValue ?? 0)))
  const total = cents.reduce((sum: number, value: number) => sum + value, 0)
  expect(total).toBeGreaterThan(0)
  expect(Math.round(100 * Number(account.balances.usdValue))).toBe(total)
})

test('account balances accept chains without an indexer, and refuse unknown ones', async () => {
  await using world = await startRouterWorld()
  const chains = ['osmosis-1', '1', 'harbor-1', 'osmosis-1']
  const { balances } = (await world.data(document, { address, chainIds: chains })).account
  expect(new Set(balances.balances.map(({ chain }: Data) => chain.chainId))).toEqual(
    new Set(['osmosis-1', '1', 'harbor-1']),
  )
  expect(balances.unavailableChains).toEqual([])
  const { data, errors } = await world.ask(document, { address, chainIds: ['1', 'unknown-1'] })
  expect(data?.account).toEqual({ balances: null })
  expect(errors?.[0]?.extensions).toMatchObject({ reason: 'UNKNOWN_CHAIN' })
})

const chainList = {
  chains: [
    { chain_id: 'harbor-1', chain_type: 'cosmos', bech32_prefix: 'init' },
    { chain_id: 'galley-1', chain_type: 'cosmos', bech32_prefix: 'init' },
  ],
}

test('pricedCount counts balances with a price, and refused chains are unavailable', async () => {
  const denoms = {
    uinit: { amount: '7', value_usd: '0.1' },
    uusd: { amount: '7', value_usd: '0.25' },
    uodd: { amount: '7' },
    ulost: { amount: '0', value_usd: '9', error: { message: 'timeout' } },
  }
  await using router = await startFakeRouter((path, body) => {
    if (path.startsWith('/v2/info/chains')) return { body: JSON.stringify(chainList) }
    if (!path.startsWith('/v2/info/balances')) return { body: '{"chain_to_assets_map":{}}' }
    return 'galley-1' in JSON.parse(body).chains
      ? { status: 400, body: '{"code":3,"message":"invalid address"}' }
      : { body: JSON.stringify({ chains: { 'harbor-1': { denoms } } }) }
  })
  await using world = await startRouterWorld({ routerUrl: router.url })
  const chains = ['harbor-1', 'galley-1']
  const query = document.replace('amount usdValue', '')
  const { balances } = (await world.data(query, { address, chainIds: chains })).account
  expect(balances).toMatchObject({ count: 4, pricedCount: 2, usdValue: '0.35' })
  expect(balances.unavailableChains).toEqual([
    { chainId: 'galley-1', code: 'UPSTREAM_REJECTED', upstreamMessage: 'invalid address' },
  ])
})

test('without a router, all chains are unavailable and usdValue is null', async () => {
  await using world = await startRouterWorld({ routerUrl: null })
  const { balances } = (await world.data(document, { address, chainIds: ['harbor-1'] })).account
  expect(balances).toEqual({
    balances: [],
    count: 0,
    pricedCount: 0,
    usdValue: null,
    unavailableChains: [{ chainId: 'harbor-1', code: 'NOT_CONFIGURED', upstreamMessage: null }],
  })
})
