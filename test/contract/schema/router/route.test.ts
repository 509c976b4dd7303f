import { createHash, randomBytes } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { denom } from '../../../../packages/sandbox/test/support/sandboxRouter.ts'
import {
  addressOn,
  type FakeRouter,
  type RouterWorld,
  startFakeRouter,
  startRouterWorld,
} from '../../../support/routerWorld.ts'
import type { Data } from '../../../support/world.ts'

const route = `query ($input: RouteInput!) {
  route(input: $input) {
    routeToken amountIn amountOut estimatedAmountOut usdAmountIn usdAmountOut
    assetIn { symbol decimals } assetOut { symbol chain { chainId } }
    operations {
      kind index transactionIndex requiresSignature rawKind amountIn amountOut
      fromChainId fromChain { chainId prettyName } toChainId toChain { chainId }
      denomIn denomOut assetIn { symbol } assetOut { symbol }
      bridge rawBridge isRelayed fees { kind amount usdValue asset { symbol } }
      relayQuoteExpiresAt
      details {
        __typename
        ... on IbcTransferDetails { port channel isForwarding }
        ... on OpInitTransferDetails { opInitBridgeId }
        ... on SwapDetails {
          venues { name chainId } isExactOut priceImpactPercent affiliateFee { denom amount asset { symbol } }
          paths { amountIn steps { pool denomIn denomOut } }
        }
        ... on EvmSwapDetails { inputToken calldata venues { name } }
        ... on CctpTransferDetails { burnToken }
        ... on UnknownOperationDetails { body }
      }
    }
    transactionCount requiredAddresses { chainId chain { chainId kind bech32Prefix } }
    requiresOpHook chainIds chains { chainId }
    doesSwap swapVenues { name } swapPriceImpactPercent
    fees { kind behavior rawBehavior bridge amount usdValue asset { symbol } chainId operationIndex }
    estimatedDurationSeconds expiresAt warning { kind message } extraInfos extraWarnings
  }
}`

const input = (
  from: readonly [string, string],
  to: readonly [string, string],
  amountIn: string,
  more: object = {},
) => ({
  input: {
    source: { chainId: from[0], denom: from[1] },
    destination: { chainId: to[0], denom: to[1] },
    amountIn,
    ...more,
  },
})

const hub = ['harbor-1', 'uinit'] as const
const osmo = ['osmosis-1', 'uosmo'] as const
const usdc = ['noble-1', 'uusdc'] as const
const ethUsdc = ['1', denom('1', 'USDC')] as const
const galleyInit = (prefix: string) => ['galley-1', denom('galley-1', 'INIT', prefix)] as const

test('a deposit is one operation between two indexed chains', async () => {
  await using world = await startRouterWorld()
  const { route: quote } = await world.data(route, input(hub, galleyInit('l2/'), '2500000'))
  expect(quote).toMatchObject({
    amountIn: '2500000',
    amountOut: '2500000',
    assetIn: { symbol: 'INIT', decimals: 6 },
    assetOut: { symbol: 'INIT', chain: { chainId: 'galley-1' } },
    operations: [
      {
        kind: 'TRANSFER',
        index: 0,
        transactionIndex: 0,
        requiresSignature: true,
        rawKind: 'op_init_transfer',
        fromChain: { chainId: 'harbor-1', prettyName: 'Harbor' },
        toChain: { chainId: 'galley-1' },
        bridge: 'OPINIT',
        details: { opInitBridgeId: expect.stringMatching(/^\d+$/) },
      },
    ],
    transactionCount: 1,
    requiredAddresses: [{ chainId: 'harbor-1' }, { chainId: 'galley-1' }],
    requiresOpHook: false,
    chains: [{ chainId: 'harbor-1' }, { chainId: 'galley-1' }],
    doesSwap: false,
    estimatedDurationSeconds: 30,
    warning: null,
    extraInfos: [],
    extraWarnings: [],
  })
  expect(world.requests()).toContain('POST /v2/fungible/route')
})

test('a route with a swap has venues, pools and assets', async () => {
  await using world = await startRouterWorld()
  const { route: quote } = await world.data(route, input(osmo, hub, '5000000'))
  expect(quote.doesSwap).toBe(true)
  expect(quote.operations.length).toBeGreaterThan(1)
  const swap = quote.operations.find((operation: Data) => operation.kind === 'SWAP')
  expect(swap).toMatchObject({ bridge: null, details: { isExactOut: false, venues: [{}] } })
  expect(swap.details.paths[0].steps[0]).toMatchObject({ pool: expect.any(String) })
  expect(swap.details.affiliateFee).toEqual({
    ...{ denom: swap.denomOut, amount: '0' },
    asset: { symbol: 'INIT' },
  })
  const transfer = quote.operations.find((operation: Data) => operation.bridge === 'IBC')
  expect(transfer).toMatchObject({
    bridge: 'IBC',
    details: { port: 'transfer', channel: expect.stringMatching(/^channel-\d+$/) },
    fromChain: { chainId: 'osmosis-1', prettyName: 'Osmosis' },
    assetIn: { symbol: expect.any(String) },
    toChain: { chainId: 'harbor-1' },
  })
})

test('fees are read from the route and from its operations', async () => {
  await using world = await startRouterWorld()
  const { route: quote } = await world.data(route, input(usdc, ethUsdc, '250000000'))
  expect(quote.fees[0]).toMatchObject({
    kind: 'SMART_RELAY',
    behavior: 'DEDUCTED',
    rawBehavior: 'FEE_BEHAVIOR_DEDUCTED',
    bridge: 'CCTP',
    amount: '150000',
    asset: { symbol: 'USDC' },
    chainId: 'noble-1',
    operationIndex: 0,
  })
  expect(quote.operations[0]).toMatchObject({
    details: { __typename: 'CctpTransferDetails' },
    isRelayed: true,
    relayQuoteExpiresAt: quote.expiresAt,
    fees: [{ kind: 'RELAY', amount: '150000', asset: { symbol: 'USDC' } }],
  })
  expect(quote.requiredAddresses).toMatchObject([
    { chain: { kind: 'COSMOS', bech32Prefix: 'noble' } },
    { chainId: '1', chain: { kind: 'EVM', bech32Prefix: null } },
  ])
})

test('a route to an ERC-20 requires the op hook', async () => {
  await using world = await startRouterWorld()
  const { route: quote } = await world.data(route, input(hub, galleyInit('evm/'), '2500000'))
  expect(quote.requiresOpHook).toBe(true)
  expect(quote.extraInfos).toHaveLength(1)
})

test('transactionIndex shows where the second transaction begins', async () => {
  await using world = await startRouterWorld()
  const from = ['galley-1', denom('galley-1', 'USDC', 'evm/')] as const
  const to = ['1', denom('1', 'ETH')] as const
  const variables = input(from, to, '500000000000000000000', { allowMultiTransaction: true })
  const { route: quote } = await world.data(route, variables)
  expect(quote.transactionCount).toBe(2)
  expect(quote.operations.map((operation: Data) => [operation.transactionIndex, operation.requiresSignature])).toEqual([
    [0, true],
    [1, true],
  ])
})

test('route is null if there is no route', async () => {
  await using world = await startRouterWorld()
  expect(await world.data(route, input(osmo, hub, '1000000', { allowSwaps: false }))).toEqual({
    route: null,
  })
})

test('all responses that mean no route give null', async () => {
  const responses = [
    { status: 404, body: '{"code":5,"message":"no routes found","details":[]}' },
    { status: 501, body: '{"code":12,"message":"not supported"}' },
    { status: 400, body: '{"statusCode":400,"message":["No routes found"]}' },
    { status: 500, body: '{"error_message":"no routes found","source":"quotes"}' },
  ]
  for (const response of responses) {
    await using router = await startFakeRouter(() => response)
    await using world = await startRouterWorld({ routerUrl: router.url })
    expect(await world.data(route, input(hub, osmo, '1'))).toEqual({ route: null })
  }
})

test('other rejections are errors, not null', async () => {
  const detail = '{"reason":"LOW_INFO_ERROR"}'
  const responses: [body: string, fault: string[]][] = [
    [`{"message":"no routes found","details":[${detail}]}`, ['UPSTREAM_REJECTED', 'LOW_INFO_ERROR']],
    ['{"statusCode":404,"message":"Cannot POST /v2/fungible/route"}', ['UPSTREAM_REJECTED']],
    ['<html><h1>404</h1></html>', ['UPSTREAM_REJECTED']],
    ['{"code":5,"message":"source asset not found"}', ['UPSTREAM_REJECTED']],
    ['{"code":5,"message":"chain ID not supported"}', ['UPSTREAM_REJECTED']],
    ['{}', ['UPSTREAM_REJECTED']],
  ]
  for (const [body, fault] of responses) {
    await using router = await startFakeRouter(() => ({ status: 404, body }))
    await using world = await startRouterWorld({ routerUrl: router.url })
    expect(await world.fault(route, input(hub, osmo, '1'))).toEqual(fault)
  }
})

test('a route rejected for its price is an error, or has a warning if allowed', async () => {
  await using world = await startRouterWorld()
  const huge = (more: object) => input(osmo, hub, '900000000000000', more)
  expect(await world.fault(route, huge({ allowUnsafe: false }))).toEqual([
    'UPSTREAM_REJECTED',
    expect.stringMatching(/^(BAD_PRICE|HIGH_LOSS)_ERROR$/),
  ])
  const { route: quote } = await world.data(route, huge({ allowUnsafe: true }))
  expect(quote.warning).toMatchObject({ kind: 'BAD_PRICE', message: expect.any(String) })
})

test('an asset without a price has no USD value', async () => {
  await using world = await startRouterWorld()
  const lant = ['lantern-1', denom('lantern-1', 'LANT')] as const
  const { route: quote } = await world.data(route, input(lant, hub, '5000000'))
  expect(quote).toMatchObject({ usdAmountIn: null, warning: { kind: 'LOW_INFO' } })
})

test('invalid input is refused without a request', async () => {
  await using world = await startRouterWorld()
  const bad = [
    input(hub, osmo, '0'),
    input(hub, osmo, '-1'),
    input(['..', 'uinit'], osmo, '1'),
    input(['a b', 'uinit'], osmo, '1'),
    input(['harbor-1', ''], osmo, '1'),
    input(['harbor-1', 'a b'], osmo, '1'),
    input(['harbor-1', 'x'.repeat(257)], osmo, '1'),
    input(hub, osmo, '1', { bridges: ['UNKNOWN'] }),
    input(hub, osmo, '1', { swapVenues: [{ name: '', chainId: 'osmosis-1' }] }),
    input(hub, osmo, '1', { affiliateFeeBps: 10_001 }),
    input(hub, osmo, '1', { amountOut: '1' }),
    input(hub, osmo, '1', { amountIn: null }),
    input(hub, osmo, '1', { amountIn: null, amountOut: '0' }),
    input(hub, osmo, '1', { experimentalFeatures: ['a b'] }),
    input(hub, osmo, '1', { extra: ['a'] }),
    input(hub, osmo, '1', { extra: { amount_out: '1' } }),
    input(hub, osmo, '1', { extra: { allow_unsafe: true } }),
    input(hub, osmo, '1', {
      extra: JSON.parse(`{"a":${'['.repeat(2_000)}${']'.repeat(2_000)}}`),
    }),
  ]
  for (const variables of bad) {
    expect(await world.fault(route, variables)).toEqual(['BAD_USER_INPUT'])
  }
  for (const amount of ['1e18', '0x10', '1.5', '', '٣', '9'.repeat(80)]) {
    expect((await world.ask(route, input(hub, osmo, amount))).errors).toHaveLength(1)
  }
  expect(world.requests()).toEqual([])
})

test('the request uses router field names, and only fields of the input', async () => {
  await using router = await startFakeRouter(() => ({ status: 501, body: '{}' }))
  await using world = await startRouterWorld({ routerUrl: router.url })
  await world.data(route, input(hub, osmo, '340282366920938463463374607431768211456'))
  await world.data(
    route,
    input(hub, osmo, '7', {
      allowUnsafe: false,
      allowMultiTransaction: true,
      allowSwaps: true,
      smartRelay: true,
      smartSwap: { splitRoutes: true },
      goFast: false,
      isOpWithdrawal: true,
      bridges: ['IBC', 'OPINIT'],
      swapVenues: [{ name: 'v', chainId: 'osmosis-1' }],
      affiliateFeeBps: 25,
      fastTransfer: true,
      ignoreBlacklist: true,
      experimentalFeatures: ['eureka'],
      extra: { client_id: 'wallet', nested: { list: [1, 'two'] } },
    }),
  )
  const common = {
    source_asset_chain_id: 'harbor-1',
    source_asset_denom: 'uinit',
    dest_asset_chain_id: 'osmosis-1',
    dest_asset_denom: 'uosmo',
  }
  expect(router.bodies.map((body) => JSON.parse(body))).toEqual([
    { amount_in: '340282366920938463463374607431768211456', ...common },
    {
      amount_in: '7',
      ...common,
      allow_unsafe: false,
      allow_multi_tx: true,
      allow_swaps: true,
      smart_relay: true,
      smart_swap_options: { split_routes: true },
      go_fast: false,
      is_op_withdraw: true,
      bridges: ['IBC', 'OPINIT'],
      swap_venues: [{ name: 'v', chain_id: 'osmosis-1' }],
      cumulative_affiliate_fee_bps: '25',
      fast_transfer: true,
      ignore_blacklist: true,
      experimental_features: ['eureka'],
      client_id: 'wallet',
      nested: { list: [1, 'two'] },
    },
  ])
})

test('amountOut gives the amountIn to send', async () => {
  await using world = await startRouterWorld()
  const { input: exact } = input(osmo, hub, '0')
  const variables = { input: { ...exact, amountIn: undefined, amountOut: '1000000' } }
  const { route: quote } = await world.data(route, variables)
  expect(quote).toMatchObject({ amountOut: '1000000' })
  const { route: forwards } = await world.data(route, input(osmo, hub, quote.amountIn))
  expect(BigInt(forwards.amountOut)).toBeGreaterThanOrEqual(1_000_000n)
  const less = String(BigInt(quote.amountIn) - 1n)
  const { route: tooLittle } = await world.data(route, input(osmo, hub, less))
  expect(BigInt(tooLittle.amountOut)).toBeLessThan(1_000_000n)
  const { transferMessages } = await world.data(
    `query ($input: TransferMessagesInput!) { transferMessages(input: $input) { minAmountOut } }`,
    {
      input: {
        routeToken: quote.routeToken,
        addresses: quote.requiredAddresses.map(({ chainId }: Data) => addressOn(chainId)),
      },
    },
  )
  expect(BigInt(transferMessages.minAmountOut)).toBeGreaterThan(0n)
})

test('expiresAt is the earliest expiry of the relay quotes', async () => {
  const operation = (kind: string, expiration?: string) => ({
    [kind]: { from_chain_id: 'a', to_chain_id: 'b', smart_relay_fee_quote: { expiration } },
    ...{ tx_index: 0, amount_in: '1', amount_out: '1' },
  })
  const operations = [
    operation('eureka_transfer', '2026-03-02T00:00:00Z'),
    operation('axelar_transfer', '2026-03-01T23:00:00Z'),
    operation('a_new_transfer'),
  ]
  await using router = await startFakeRouter((path) => ({
    body: path.startsWith('/v2/fungible/route') ? quoteBody(JSON.stringify(operations)) : '{}',
  }))
  await using world = await startRouterWorld({ routerUrl: router.url })
  const { route: quote } = await world.data(route, input(hub, osmo, '5'))
  expect(quote.expiresAt).toBe('2026-03-01T23:00:00Z')
  expect(quote.operations.map((each: Data) => each.relayQuoteExpiresAt)).toEqual([
    '2026-03-02T00:00:00Z',
    '2026-03-01T23:00:00Z',
    null,
  ])
})

const quoteBody = (operations: string, more: object = {}) =>
  `${JSON.stringify({
    amount_in: '5',
    amount_out: 4,
    source_asset_chain_id: 'a',
    source_asset_denom: 'a',
    dest_asset_chain_id: 'b',
    dest_asset_denom: 'b',
    usd_amount_in: '',
    ...more,
  }).slice(0, -1)}, "operations" : ${operations}}`

test('operations of all kinds are read, even with missing or unknown fields', async () => {
  const kinds = {
    transfer: 'TRANSFER IbcTransferDetails',
    bank_send: 'SEND',
    swap: 'SWAP SwapDetails',
    evm_swap: 'EVM_SWAP EvmSwapDetails',
    axelar_transfer: 'TRANSFER AxelarTransferDetails',
    cctp_transfer: 'TRANSFER CctpTransferDetails',
    cctp_transfer_v2: 'TRANSFER CctpV2TransferDetails',
    hyperlane_transfer: 'TRANSFER HyperlaneTransferDetails',
    op_init_transfer: 'TRANSFER OpInitTransferDetails',
    go_fast_transfer: 'TRANSFER GoFastTransferDetails',
    stargate_transfer: 'TRANSFER StargateTransferDetails',
    layer_zero_transfer: 'TRANSFER LayerZeroTransferDetails',
    lz_transfer: 'TRANSFER LayerZeroTransferDetails',
    eureka_transfer: 'TRANSFER EurekaTransferDetails',
    ferry_transfer: 'UNKNOWN UnknownOperationDetails',
  }
  for (const inner of [{}, { bridge_id: 'FERRY', from_chain_id: 7, denom_in: null, fee: 'x' }]) {
    const operations = Object.keys(kinds).map((kind) => ({ [kind]: inner, tx_index: 'x' }))
    await using router = await startFakeRouter((path) =>
      path === '/v2/fungible/route' ? { body: quoteBody(JSON.stringify(operations)) } : { body: '{}' },
    )
    await using world = await startRouterWorld({ routerUrl: router.url })
    const { data } = await world.ask(route, input(hub, osmo, '5'))
    const read = data.route.operations.map(({ kind, details }: Data) =>
      [kind, details?.__typename].filter(Boolean).join(' '),
    )
    expect(read).toEqual(Object.values(kinds))
    expect(data.route).toMatchObject({ usdAmountIn: null, estimatedDurationSeconds: null })
  }
})

const terse = `query ($input: RouteInput!) {
  route(input: $input) {
    routeToken amountIn amountOut requiresOpHook estimatedDurationSeconds swapVenues { name }
    operations { kind fromChainId toChainId details { ... on UnknownOperationDetails { body } } }
  }
}`

/** What the router is sent for the messages of a route. */
async function bodyOfMessages(world: RouterWorld, router: FakeRouter, routeToken: string) {
  await world.ask(`query ($input: TransferMessagesInput!) { transferMessages(input: $input) { minAmountOut } }`, {
    input: { routeToken, addresses: [] },
  })
  return router.bodies.at(-1) ?? ''
}

test('fields missing from a quote are taken from the request', async () => {
  const step = { type: 'ferry', from_chain_id: 'a', to_chain_id: 'b' }
  const body = JSON.stringify({
    amount_in: null,
    estimated_amount_out: 4,
    operations: [step],
    required_op_hook: 'true',
  })
  await using router = await startFakeRouter(() => ({ body }))
  await using world = await startRouterWorld({ routerUrl: router.url })
  const more = { swapVenues: [{ name: 'v', chainId: 'osmosis-1' }] }
  const { route: quote } = await world.data(terse, input(hub, osmo, '5', more))
  expect(quote).toMatchObject({
    amountIn: '5',
    amountOut: '4',
    requiresOpHook: true,
    estimatedDurationSeconds: null,
    swapVenues: [],
    operations: [{ kind: 'UNKNOWN', fromChainId: 'a', toChainId: 'b', details: { body: step } }],
  })
  expect(JSON.parse(await bodyOfMessages(world, router, quote.routeToken))).toMatchObject({
    amount_in: '5',
    source_asset_chain_id: 'harbor-1',
    dest_asset_denom: 'uosmo',
  })
})

test('with a repeated operations key, the token has the operations shown', async () => {
  const [first, last] = ['[{"transfer":{}}]', '[ {"fee":{}, "swap":{}}]']
  const more = `,"\\u006fperations":${last},"deep":[{"operations":[]}],"words":"operations"}`
  const body = quoteBody(first).replace(/}$/, more)
  await using router = await startFakeRouter(() => ({ body }))
  await using world = await startRouterWorld({ routerUrl: router.url })
  const { route: quote } = await world.data(terse, input(hub, osmo, '5'))
  expect(quote.operations).toMatchObject([{ kind: 'SWAP' }])
  expect(await bodyOfMessages(world, router, quote.routeToken)).toContain(`"operations":${last}`)
})

test('a route too large for a token has an error at routeToken only', async () => {
  const calldata = randomBytes(700_000).toString('hex')
  const operations = JSON.stringify([{ evm_swap: { from_chain_id: '1', swap_calldata: calldata } }])
  await using router = await startFakeRouter(() => ({ body: quoteBody(operations) }))
  await using world = await startRouterWorld({ routerUrl: router.url })
  const query = (fields: string) => `query ($input: RouteInput!) { route(input: $input) { ${fields} } }`
  const variables = input(hub, osmo, '5')
  expect(await world.data(query('amountOut operations { rawKind }'), variables)).toEqual({
    route: { amountOut: '4', operations: [{ rawKind: 'evm_swap' }] },
  })
  const { data, errors } = await world.ask(query('amountOut routeToken'), variables)
  expect(data).toEqual({ route: { amountOut: '4', routeToken: null } })
  expect(errors?.[0]?.message).toMatch(/too large for a token/)
})

const someTerms = {
  amount_in: '5',
  amount_out: '4',
  source_asset_chain_id: 'a',
  source_asset_denom: 'a',
  dest_asset_chain_id: 'b',
  dest_asset_denom: 'b',
}

/** A token with a plain hash in place of the signature, as a client can make it up. */
function forgeToken(operations: string): string {
  const fields = { terms: someTerms, requiredChainIds: [], requiresOpHook: false }
  const bytes = deflateRawSync(`${JSON.stringify(fields)}\n${operations}`)
  const hash = createHash('sha256').update('route 1').update(bytes).digest()
  return Buffer.concat([hash.subarray(0, 16), bytes]).toString('base64url')
}

test('an unsigned route token is refused before it is unpacked', async () => {
  await using world = await startRouterWorld()
  const token = forgeToken(`[${'[],'.repeat(1_300_000)}[]]`)
  const fields = Array.from(
    { length: 80 },
    (_, i) =>
      `m${i}: transferMessages(input: { routeToken: $t, addresses: [], timeoutSeconds: ${i} }) { minAmountOut }`,
  )
  const started = process.cpuUsage()
  const { data, errors } = await world.ask(`query ($t: String!) { ${fields.join(' ')} }`, {
    t: token,
  })
  const { user, system } = process.cpuUsage(started)
  expect(errors).toHaveLength(80)
  expect(errors?.[0]?.message).toBe('Invalid route token. Query the route again, and send its token unchanged.')
  expect(Object.values(data ?? {})).toEqual(Array(80).fill(null))
  expect(world.requests()).toEqual([])
  // Unpacking this token once takes a quarter of a second.
  expect((user + system) / 1_000).toBeLessThan(5_000)
})
