import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { addressOn, startFakeRouter, startRouterWorld } from '../../../support/routerWorld.ts'
import { type Data, testOfPlainRecords } from '../../../support/world.ts'

const plainTest = testOfPlainRecords()

const document = `query($address: Address!, $chainIds: [ChainId!]) { account(address: $address) {
  balances(chainIds: $chainIds) {
    balances { chain { chainId } denom amount usdValue exclusion asset { symbol } }
    count pricedCount usdValue excluded { reason count usdValue }
    unavailableChains { chainId code upstreamMessage }
  }
} }`

const address = addressOn('1')
const postsOf = (requests: readonly string[]) => requests.filter((request) => request.startsWith('POST'))

test('account balances on all chains take one request', async () => {
  await using world = await startRouterWorld()
  const { account } = await world.data(document, { address })
  expect(postsOf(world.requests())).toHaveLength(1)
  const { chains } = await world.data(
    `{ chains { chainId account(address: "${address}") { balances { denom amount usdValue exclusion asset { symbol } } } } }`,
  )
  const all = chains.flatMap(({ chainId, account: { balances } }: Data) =>
    balances.map((balance: Data) => ({ chain: { chainId }, ...balance })),
  )
  expect(account.balances.balances).toEqual(all)
  expect(account.balances.count).toBe(all.length)
  expect(account.balances.unavailableChains).toEqual([])
  const centsOf = (values: readonly Data[]) =>
    values.reduce((sum: number, value) => sum + Math.round(100 * Number(value ?? 0)), 0)
  const valuesOf = (reason: string | null) =>
    all.filter(({ exclusion }: Data) => exclusion === reason).map(({ usdValue }: Data) => usdValue)
  expect(centsOf(valuesOf(null))).toBeGreaterThan(0)
  expect(centsOf([account.balances.usdValue])).toBe(centsOf(valuesOf(null)))
  for (const { reason, count, usdValue } of account.balances.excluded) {
    expect(valuesOf(reason)).toHaveLength(count)
    expect(centsOf([usdValue])).toBe(centsOf(valuesOf(reason)))
  }
  const excluded = account.balances.excluded.map(({ count }: Data) => count)
  const inTotal = valuesOf(null).length
  expect(excluded.reduce((sum: number, count: number) => sum + count, inTotal)).toBe(all.length)
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

const listed = (denom: string, more: object = {}) => ({
  ...{ denom, chain_id: 'harbor-1', origin_denom: denom, origin_chain_id: 'harbor-1' },
  ...{ symbol: 'INIT', decimals: 6, ...more },
})
const voucher = (trace: string, base: string) =>
  `ibc/${createHash('sha256').update(`${trace}/${base}`).digest('hex').toUpperCase()}`

const fromHub = { origin_denom: 'uinit', origin_chain_id: 'harbor-1' }
// Harbor knows channel-20 from the coin of Galley, and no other channel.
const [known, unknown] = ['transfer/channel-20', 'transfer/channel-66']
const [own, proven] = [voucher(known, 'ugal'), voucher(known, 'l2/init')]
const [stray, twin] = [voucher(unknown, 'l2/init'), voucher(known, 'factory/twin/uinit')]
const assetMap = {
  'harbor-1': {
    assets: [
      listed('uinit'),
      listed('uusd'),
      listed('uodd'),
      listed('ulost'),
      listed(own, { origin_denom: 'ugal', origin_chain_id: 'galley-1', trace: known }),
      listed(proven, { ...fromHub, trace: known, hidden: true }),
      listed(stray, { ...fromHub, trace: unknown, hidden: true }),
      // It says that it is INIT, and came over a known channel.
      listed(twin, { ...fromHub, trace: known, hidden: true }),
    ],
  },
  'galley-1': {
    assets: [
      listed('ugal', { chain_id: 'galley-1', origin_denom: 'ugal', origin_chain_id: 'galley-1' }),
      listed('l2/init', { chain_id: 'galley-1', ...fromHub }),
    ],
  },
}

const startListingRouter = (
  denoms: Record<string, object>,
  assets: { status?: number; body: string } = {
    body: JSON.stringify({ chain_to_assets_map: assetMap }),
  },
) =>
  startFakeRouter((path, body) => {
    if (path.startsWith('/v2/info/chains')) return { body: JSON.stringify(chainList) }
    if (!path.startsWith('/v2/info/balances')) return assets
    return 'galley-1' in JSON.parse(body).chains
      ? { status: 400, body: '{"code":3,"message":"invalid address"}' }
      : { body: JSON.stringify({ chains: { 'harbor-1': { denoms } } }) }
  })

test('the total has what is listed and priced, and the rest has sums by its reason', async () => {
  const denoms = {
    uinit: { amount: '7', value_usd: '0.1' },
    uusd: { amount: '7', value_usd: '0.25' },
    uodd: { amount: '7' },
    ulost: { amount: '0', value_usd: '9', error: { message: 'timeout' } },
    'factory/stranger/uinit': { amount: '7', value_usd: '1000' },
    'factory/stranger/uusd': { amount: '7', value_usd: '0.5' },
  }
  await using router = await startListingRouter(denoms)
  await using world = await startRouterWorld({ routerUrl: router.url })
  const chains = ['harbor-1', 'galley-1']
  const query = document.replace('amount usdValue', 'usdValue')
  const { balances } = (await world.data(query, { address, chainIds: chains })).account
  expect(balances).toMatchObject({ count: 6, pricedCount: 4, usdValue: '0.35' })
  expect(balances.excluded).toEqual([
    { reason: 'UNREADABLE', count: 1, usdValue: null },
    { reason: 'UNLISTED', count: 2, usdValue: '1000.5' },
    { reason: 'UNPRICED', count: 1, usdValue: null },
  ])
  expect(balances.unavailableChains).toEqual([
    { chainId: 'galley-1', code: 'UPSTREAM_REJECTED', upstreamMessage: 'invalid address' },
  ])
})

test('a hidden coin is in the total if its denom proves its origin, and a false twin is not', async () => {
  const denoms = {
    [proven]: { amount: '7', value_usd: '1' },
    [stray]: { amount: '7', value_usd: '20' },
    [twin]: { amount: '7', value_usd: '300' },
  }
  await using router = await startListingRouter(denoms)
  await using world = await startRouterWorld({ routerUrl: router.url })
  const { balances } = (await world.data(document, { address, chainIds: ['harbor-1'] })).account
  expect(balances.balances.map(({ denom, exclusion }: Data) => [denom, exclusion])).toEqual([
    [proven, null],
    [stray, 'HIDDEN'],
    [twin, 'HIDDEN'],
  ])
  expect(balances).toMatchObject({
    usdValue: '1',
    excluded: [{ reason: 'HIDDEN', count: 2, usdValue: '320' }],
  })
})

plainTest('all coins of the sandbox are in the total, but its false twin', async () => {
  await using world = await startRouterWorld()
  const { balances } = (await world.data(document, { address })).account
  const left = balances.balances.filter(({ exclusion }: Data) => exclusion !== null)
  for (const { denom, exclusion } of left) {
    expect(exclusion).toBe(denom.startsWith('factory/') ? 'UNLISTED' : 'UNPRICED')
  }
})

test('without the list of assets there is no total, and an error says so', async () => {
  const denoms = { uinit: { amount: '7', value_usd: '0.1' } }
  await using router = await startListingRouter(denoms, { status: 500, body: 'no' })
  await using world = await startRouterWorld({ routerUrl: router.url })
  const query =
    '{ account(address: "ADDRESS") { balances { count usdValue excluded { count } unavailableChains { code } } } }'
  const { data, errors } = await world.ask(query.replace('ADDRESS', address))
  expect(data?.account.balances).toMatchObject({ count: 1, usdValue: null, excluded: null })
  expect(errors?.map(({ path }) => path?.at(-1))).toEqual(['usdValue', 'excluded'])
})

test('without a router, all chains are unavailable and usdValue is null', async () => {
  await using world = await startRouterWorld({ routerUrl: null })
  const { balances } = (await world.data(document, { address, chainIds: ['harbor-1'] })).account
  expect(balances).toEqual({
    balances: [],
    count: 0,
    pricedCount: 0,
    usdValue: null,
    excluded: [],
    unavailableChains: [{ chainId: 'harbor-1', code: 'NOT_CONFIGURED', upstreamMessage: null }],
  })
})
