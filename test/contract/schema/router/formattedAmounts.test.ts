import { expect, test } from 'vitest'
import { denom } from '../../../../packages/sandbox/test/support/sandboxRouter.ts'
import { addressOn, type RouterWorld, startFakeRouter, startRouterWorld } from '../../../support/routerWorld.ts'
import { busyChains, nextSentBy } from '../../../support/sentBy.ts'
import { type Data, testOfPlainRecords } from '../../../support/world.ts'

// Amounts of quotes, messages and hops in whole units, beside those in base units.

const plainTest = testOfPlainRecords()

const quote = `query ($input: RouteInput!) { route(input: $input) {
  routeToken requiredAddresses { chainId }
  amountIn formattedAmountIn assetIn { symbol decimals }
  amountOut formattedAmountOut estimatedAmountOut formattedEstimatedAmountOut assetOut { symbol decimals }
  operations {
    amountIn formattedAmountIn assetIn { decimals } amountOut formattedAmountOut assetOut { decimals }
    details { ... on SwapDetails { paths { amountIn formattedAmountIn } } }
  }
} }`

const messages = `query ($input: TransferMessagesInput!) { transferMessages(input: $input) { minAmountOut formattedMinAmountOut } }`

type End = readonly [string, string]

const inputOf = ([from, asset]: End, [to, wanted]: End, amountIn: string) => ({
  input: { source: { chainId: from, denom: asset }, destination: { chainId: to, denom: wanted }, amountIn },
})

/** The exact decimal text of an amount in whole units. */
function whole(amount: string, decimals: number): string {
  const digits = amount.padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`.replace(/\.?0+$/, '')
}

async function leastOf(world: RouterWorld, route: Data): Promise<Data> {
  const addresses = route.requiredAddresses.map(({ chainId }: Data) => addressOn(chainId))
  const input = { routeToken: route.routeToken, addresses }
  return (await world.data(messages, { input })).transferMessages
}

/** INIT has 6 decimals on the hub, and 18 on the rollup with an EVM. */
const hub = ['harbor-1', 'uinit'] as const
const rollup = ['galley-1', denom('galley-1', 'INIT', 'evm/')] as const
const osmosis = ['osmosis-1', 'uosmo'] as const

test.each([
  ['to an asset with other decimals', hub, rollup, '5000000'],
  ['with a swap', osmosis, hub, '25000000'],
])('a quote %s has all amounts in whole units', async (_what, from, to, amountIn) => {
  await using world = await startRouterWorld()
  const { route } = await world.data(quote, inputOf(from, to, amountIn))
  expect(route.formattedAmountIn).toBe(amountIn.slice(0, -6))
  expect(route.formattedAmountOut).toBe(whole(route.amountOut, route.assetOut.decimals))
  expect(route.formattedEstimatedAmountOut).toBe(whole(route.estimatedAmountOut, route.assetOut.decimals))
  expect(route.operations.length).toBeGreaterThan(0)
  for (const operation of route.operations) {
    expect(operation.formattedAmountIn).toBe(whole(operation.amountIn, operation.assetIn.decimals))
    expect(operation.formattedAmountOut).toBe(whole(operation.amountOut, operation.assetOut.decimals))
    for (const path of operation.details?.paths ?? []) {
      expect(path.formattedAmountIn).toBe(whole(path.amountIn, operation.assetIn.decimals))
    }
  }
  const swaps = route.operations.flatMap(({ details }: Data) => details?.paths ?? [])
  expect(swaps.length > 0).toBe(from === osmosis)
})

test('the minimum has the decimals of the asset that arrives', async () => {
  await using world = await startRouterWorld()
  const { route } = await world.data(quote, inputOf(osmosis, hub, '25000000'))
  const { minAmountOut, formattedMinAmountOut } = await leastOf(world, route)
  expect(BigInt(minAmountOut)).toBeLessThan(BigInt(route.amountOut))
  expect(formattedMinAmountOut).toBe(whole(minAmountOut, 6))
})

test('they cost no request but one for the lists of assets', async () => {
  await using world = await startRouterWorld()
  world.requests()
  await world.data(quote, inputOf(hub, rollup, '5000000'))
  const lists = world.requests().filter((line) => line.startsWith('GET /v2/fungible/assets'))
  expect(lists).toHaveLength(1)
})

test('without decimals, or without the asset, an amount in whole units is null and the rest is there', async () => {
  const bare = { denom: 'ubare', chain_id: 'a-1', symbol: 'BARE' }
  const quoted = {
    ...{ amount_in: '2500000', source_asset_chain_id: 'a-1', source_asset_denom: 'ubare' },
    ...{ amount_out: '2000000', dest_asset_chain_id: 'b-1', dest_asset_denom: 'unone' },
    ...{ chain_ids: ['a-1', 'b-1'], required_chain_addresses: ['harbor-1'], operations: [{ transfer: {} }] },
  }
  const bodies: Record<string, object> = {
    '/v2/fungible/assets': { chain_to_assets_map: { 'a-1': { assets: [bare] }, 'b-1': { assets: [] } } },
    '/v2/fungible/msgs': { txs: [], min_amount_out: '1990000' },
    '/v2/fungible/route': quoted,
  }
  await using router = await startFakeRouter((path) => ({
    body: JSON.stringify(bodies[path.split('?')[0] ?? ''] ?? {}),
  }))
  await using world = await startRouterWorld({ routerUrl: router.url })
  const { route } = await world.data(quote, inputOf(['a-1', 'ubare'], ['b-1', 'unone'], '2500000'))
  expect(route).toMatchObject({
    ...{ amountIn: '2500000', formattedAmountIn: null, amountOut: '2000000', formattedAmountOut: null },
    ...{ estimatedAmountOut: null, formattedEstimatedAmountOut: null },
    operations: [{ formattedAmountIn: null, formattedAmountOut: null }],
  })
  expect(await leastOf(world, route)).toEqual({ minAmountOut: '1990000', formattedMinAmountOut: null })
})

const track = `mutation ($chainId: ChainId!, $hash: String!) {
  trackTransfer(input: { chainId: $chainId, hash: $hash }) { transfer { state } } }`
const transfer = `query ($chainId: ChainId!, $hash: String!) { transfer(chainId: $chainId, hash: $hash) {
  hops { state amountIn formattedAmountIn assetIn { decimals } amountOut formattedAmountOut assetOut { decimals } } } }`

plainTest('a hop has the amounts of the transaction that sent it in whole units', async () => {
  await using world = await startRouterWorld({ chains: busyChains })
  const sent = await nextSentBy(world, 'MsgTransfer', 'lantern-1')
  const variables = { chainId: 'lantern-1', hash: sent.hash }
  await world.data(track, variables)
  const amount = whole(sent.messages[0].body.token.amount, 6)
  const hops = async () => (await world.data(transfer, variables)).transfer.hops
  expect(await hops()).toMatchObject([{ state: 'PENDING', formattedAmountIn: amount, formattedAmountOut: null }])
  await world.clock.advance(40_000)
  expect(await hops()).toMatchObject([{ state: 'COMPLETED', formattedAmountIn: amount, formattedAmountOut: amount }])
})
