import { expect, test } from 'vitest'
import { startFakeRouter, startRouterWorld } from '../../support/routerWorld.ts'
import { chainIds, type Data, startWorld } from '../../support/world.ts'

const holder = 'init1wllqcgh04444mr53tegtrkdlc970awqhddazg3'

/** The same value with a number in place of all that the keys name. */
function replaced(value: unknown, keys: RegExp, by: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => replaced(item, keys, by))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, keys.test(key) ? by : replaced(item, keys, by)]),
  )
}

test.each([
  [-1, null],
  [78, null],
  [300, null],
  [1.5, null],
  [0, 0],
  [77, 77],
])('decimals of %s are %s in all fields', async (decimals, shown) => {
  await using world = await startRouterWorld()
  const change = (json: unknown) => replaced(json, /^decimals$/, decimals)
  world.sandbox.faults.set('router', '/', { kind: 'change', change })
  const { data, errors } = await world.ask(`{
    assets(chainId: "${chainIds.MOVE}", first: 50) { nodes { decimals } }
    evm: chain(chainId: "1") { evmFeeAsset { decimals } }
    chain(chainId: "${chainIds.MOVE}") { account(address: "${holder}") { balances { decimals } } }
  }`)
  const { assets, evm, chain } = data
  expect(new Set(assets.nodes.map((node: Data) => node.decimals))).toEqual(new Set([shown]))
  expect(evm.evmFeeAsset).toEqual({ decimals: shown })
  expect(chain.account.balances.length).toBeGreaterThan(0)
  for (const balance of chain.account.balances) expect(balance).toEqual({ decimals: shown })
  const fields = assets.nodes.length + 1 + chain.account.balances.length
  expect(errors ?? []).toHaveLength(shown === null ? fields : 0)
})

const entry = { amount: '-5', decimals: -1, formatted_amount: '-5', price: '-2', value_usd: '-10' }

test('an impossible balance is null with an error, and has no price', async () => {
  await using router = await startFakeRouter((path) => {
    if (path !== '/v2/info/balances') return { body: '{}' }
    return { body: JSON.stringify({ chains: { [chainIds.MOVE]: { denoms: { uinit: entry } } } }) }
  })
  await using world = await startRouterWorld({ routerUrl: router.url })
  const { data, errors } = await world.ask(`{
    chain(chainId: "${chainIds.MOVE}") { account(address: "${holder}") {
      balances(denoms: ["uinit"]) { amount formattedAmount decimals usdPrice usdValue }
    } }
  }`)
  expect(data.chain.account.balances).toEqual([
    { amount: null, formattedAmount: null, decimals: null, usdPrice: null, usdValue: null },
  ])
  expect(errors?.map(({ path }) => path?.at(-1))).toEqual([
    ...['amount', 'formattedAmount', 'decimals', 'usdPrice', 'usdValue'],
  ])
})

/** A list of an indexer, fields of its records that are never negative, and how the graph names them. */
const lists = {
  'the price of gas': [
    chainIds.EVM,
    /^effectiveGasPrice$/,
    'evmTransactions(first: 2) { nodes { effectiveGasPrice } }',
  ],
  'an amount of a holder': [chainIds.MOVE, /^amount$/, 'richList(denom: "uinit", first: 2) { nodes { amount } }'],
} as const

test.each(Object.entries(lists))('a record with %s below 0 is null with an error', async (_, row) => {
  const [chainId, keys, field] = row
  await using world = await startWorld()
  const change = (json: unknown) => replaced(json, keys, '-1')
  world.sandbox.faults.set(chainId, '/indexer/', { kind: 'change', change })
  const { data, errors } = await world.ask(`{ chain(chainId: "${chainId}") { list: ${field} } }`)
  expect(data.chain.list.nodes).toEqual([null, null])
  expect(errors?.map(({ extensions }) => extensions?.code)).toEqual([
    'UPSTREAM_INVALID_RESPONSE',
    'UPSTREAM_INVALID_RESPONSE',
  ])
})

const gasLists = {
  'gas of a block': [chainIds.MOVE, /^gas_(used|wanted)$/, 'blocks(first: 2) { nodes { gasUsed } }'],
  'gas of a transaction': [chainIds.MOVE, /^gas_used$/, 'transactions(first: 2) { nodes { gasUsed } }'],
} as const

test.each(Object.entries(gasLists))('%s below 0 is null with an error, and its record is returned', async (_, row) => {
  const [chainId, keys, field] = row
  await using world = await startWorld()
  const change = (json: unknown) => replaced(json, keys, '-1')
  world.sandbox.faults.set(chainId, '/indexer/', { kind: 'change', change })
  const { data, errors } = await world.ask(`{ chain(chainId: "${chainId}") { list: ${field} } }`)
  expect(data.chain.list.nodes).toEqual([{ gasUsed: null }, { gasUsed: null }])
  expect(errors?.map(({ path, extensions }) => [path?.at(-1), extensions?.code])).toEqual([
    ['gasUsed', 'UPSTREAM_INVALID_RESPONSE'],
    ['gasUsed', 'UPSTREAM_INVALID_RESPONSE'],
  ])
})

test('negative block times and averages are null with an error', async () => {
  await using world = await startWorld()
  const change = (json: unknown) => replaced(json, /^(block_time|avg_block_time|average.*)$/, -7)
  world.sandbox.faults.set(chainIds.MOVE, '/indexer/block', { kind: 'change', change })
  world.sandbox.faults.set(chainIds.MOVE, '/indexer/block/v1/avg_blocktime', {
    kind: 'answer',
    json: -7,
  })
  const { data, errors } = await world.ask(
    `{ chain(chainId: "${chainIds.MOVE}") { averageBlockTimeSeconds blocks(first: 1) { nodes { blockTimeSeconds } } } }`,
  )
  expect(data.chain).toEqual({
    averageBlockTimeSeconds: null,
    blocks: { nodes: [{ blockTimeSeconds: null }] },
  })
  expect(errors?.map(({ extensions }) => extensions?.code)).toEqual([
    'UPSTREAM_INVALID_RESPONSE',
    'UPSTREAM_INVALID_RESPONSE',
  ])
})

test.each(['1e400', '{"avg_block_time": 1e400}', `"${'9'.repeat(400)}"`])(
  'an average block time of %.30s… is null with an error',
  async (body) => {
    await using world = await startWorld()
    const path = '/indexer/block/v1/avg_blocktime'
    world.sandbox.faults.set(chainIds.MOVE, path, { kind: 'garbage', body })
    const { data, errors } = await world.ask(`{ chain(chainId: "${chainIds.MOVE}") { averageBlockTimeSeconds } }`)
    expect(data.chain).toEqual({ averageBlockTimeSeconds: null })
    expect(errors?.map(({ extensions }) => extensions?.code)).toEqual(['UPSTREAM_INVALID_RESPONSE'])
  },
)

const quoted = `query ($input: RouteInput!) { route(input: $input) {
  amountIn usdAmountIn usdAmountOut swapPriceImpactPercent estimatedDurationSeconds transactionCount
  operations { amountIn transactionIndex } fees { amount usdValue }
} }`
const input = {
  amountIn: '1000000',
  source: { chainId: chainIds.MOVE, denom: 'uinit' },
  destination: { chainId: 'osmosis-1', denom: 'uosmo' },
}

test.each([
  ['usdAmountIn', /^usd_amount_in$/, '-3'],
  ['swapPriceImpactPercent', /^swap_price_impact_percent$/, '101'],
  ['estimatedDurationSeconds', /^estimated_route_duration_seconds$/, -4],
])('%s of a quote out of its range is null with an error', async (field, keys, by) => {
  await using world = await startRouterWorld()
  const change = (json: unknown) => replaced(json, keys, by)
  world.sandbox.faults.set('router', '/v2/fungible/route', { kind: 'change', change })
  const { data, errors } = await world.ask(quoted, { input })
  expect(data.route).toMatchObject({ [field]: null, amountIn: '1000000' })
  expect(errors?.map(({ path }) => path)).toEqual([['route', field]])
})

test('a quote with a negative amount is an error', async () => {
  await using world = await startRouterWorld()
  const change = (json: unknown) => replaced(json, /^amount_out$/, '-5')
  world.sandbox.faults.set('router', '/v2/fungible/route', { kind: 'change', change })
  expect(await world.fault(quoted, { input })).toEqual(['UPSTREAM_INVALID_RESPONSE'])
})
