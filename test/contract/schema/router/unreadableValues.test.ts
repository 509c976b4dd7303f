import { expect, test } from 'vitest'
import { type Data, startWorld } from '../../../support/world.ts'

// A value that the router sends and the gateway cannot read is null with an error at its field. One that it does not
// send is null alone.

const chainId = 'harbor-1'
const account = 'account(address: "init1wllqcgh04444mr53tegtrkdlc970awqhddazg3")'
const asset = (value: unknown) => ({
  ...{ chain_id: chainId, denom: 'uinit', origin_chain_id: value, origin_denom: value },
  ...{ symbol: value, recommended_symbol: value, name: value, logo_uri: value, decimals: value },
  ...{ token_contract: value, trace: value, description: value, coingecko_id: value },
})
const assetFields = `originChainId originDenom symbol recommendedSymbol name logoUrl decimals tokenContract trace
  description coingeckoId`
const names = (fields: string) => fields.trim().split(/\s+/)

/** A response in which a value stands at many places, and the fields that show it. */
interface Row {
  readonly path: string
  readonly body: (value: unknown) => unknown
  readonly query: string
  /** Where the record is in the data. */
  readonly at: readonly (string | number)[]
  /** The fields of the record that show the value. */
  readonly fields: string
}

const routeInput = `input: { amountIn: "5", source: { chainId: "${chainId}", denom: "uinit" }
  destination: { chainId: "osmosis-1", denom: "uosmo" } }`
const routeBody = (more: object) => ({
  ...{ amount_in: '5', amount_out: '4', operations: [], chain_ids: [chainId] },
  ...{ source_asset_chain_id: chainId, source_asset_denom: 'uinit' },
  ...{ dest_asset_chain_id: 'osmosis-1', dest_asset_denom: 'uosmo' },
  ...more,
})
const transferArgs = `chainId: "${chainId}", hash: "${'ab'.repeat(32)}"`
const hopBody = (value: unknown) => ({
  ...{ from_chain_id: value, to_chain_id: value, denom_in: value, denom_out: value },
  ...{ amount_in: value, amount_out: value, state: value },
})
const statusBody = (hop: object, more: object = {}) => ({
  state: 'STATE_PENDING',
  transfers: [{ state: 'STATE_PENDING', transfer_sequence: [{ ibc_transfer: hop }], ...more }],
})

const rows: Record<string, Row> = {
  route: {
    path: '/v2/fungible/route',
    body: (value) =>
      routeBody({
        ...{ estimated_amount_out: value, usd_amount_in: value, usd_amount_out: value },
        ...{ swap_price_impact_percent: value, estimated_route_duration_seconds: value },
      }),
    query: `route(${routeInput}) { FIELDS }`,
    at: ['route'],
    fields: 'estimatedAmountOut usdAmountIn usdAmountOut swapPriceImpactPercent estimatedDurationSeconds',
  },
  'fee of a route': {
    path: '/v2/fungible/route',
    body: (value) =>
      routeBody({
        estimated_fees: [
          {
            ...{ fee_type: value, bridge_id: value, amount: value, usd_amount: value },
            ...{ chain_id: value, tx_index: value, operation_index: value, fee_behavior: value },
          },
        ],
      }),
    query: `route(${routeInput}) { fees { FIELDS } }`,
    at: ['route', 'fees', 0],
    fields: `rawKind rawBridge bridge amount usdValue chainId transactionIndex operationIndex
      rawBehavior`,
  },
  operation: {
    path: '/v2/fungible/route',
    body: (value) =>
      routeBody({
        operations: [
          {
            tx_index: value,
            transfer: {
              ...{ from_chain_id: value, to_chain_id: value, denom_in: value, denom_out: value },
              ...{ bridge_id: value, amount_in: value, amount_out: value },
              ...{ smart_relay: true, smart_relay_fee_quote: value && { expiration: value } },
            },
          },
        ],
      }),
    query: `route(${routeInput}) { operations { FIELDS } }`,
    at: ['route', 'operations', 0],
    fields: `transactionIndex fromChainId toChainId denomIn denomOut amountIn amountOut
      relayQuoteExpiresAt`,
  },
  warning: {
    path: '/v2/fungible/route',
    body: (value) => routeBody({ warning: value && 7 }),
    query: `route(${routeInput}) { FIELDS { message } }`,
    at: ['route'],
    fields: 'warning',
  },
  balance: {
    path: '/v2/info/balances',
    body: (value) => ({
      chains: {
        [chainId]: {
          denoms: { uinit: { amount: '5', decimals: value, price: value, value_usd: value } },
        },
      },
    }),
    query: `chain(chainId: "${chainId}") { ${account} { balances(denoms: ["uinit"]) { FIELDS } } }`,
    at: ['chain', 'account', 'balances', 0],
    fields: 'decimals usdPrice usdValue',
  },
  asset: {
    path: '/v2/fungible/assets',
    body: (value) => ({ chain_to_assets_map: { [chainId]: { assets: [asset(value)] } } }),
    query: `asset(chainId: "${chainId}", denom: "uinit") { FIELDS }`,
    at: ['asset'],
    fields: assetFields,
  },
  chain: {
    path: '/v2/info/chains',
    body: (value) => ({
      chains: [{ chain_id: 'far-1', chain_type: value, logo_uri: value, bech32_prefix: value }],
    }),
    query: 'chain(chainId: "far-1") { FIELDS }',
    at: ['chain'],
    fields: 'rawKind logoUrl',
  },
  'gas price': {
    path: '/v2/info/chains',
    body: (value) => ({
      chains: [
        {
          chain_id: 'far-1',
          fee_assets: [{ denom: 'a', gas_price: { low: value, average: '1', high: value } }],
        },
      ],
    }),
    query: 'chain(chainId: "far-1") { feeAssets { gasPrice { FIELDS } } }',
    at: ['chain', 'feeAssets', 0, 'gasPrice'],
    fields: 'low high',
  },
  'record of gas prices': {
    path: '/v2/info/chains',
    body: (value) => ({
      chains: [{ chain_id: 'far-1', fee_assets: [{ denom: 'a', gas_price: value && 7 }] }],
    }),
    query: 'chain(chainId: "far-1") { feeAssets { denom gasPrice { FIELDS } } }',
    at: ['chain', 'feeAssets', 0, 'gasPrice'],
    fields: 'low average high',
  },
  hop: {
    path: '/v2/tx/status',
    body: (value) => statusBody(hopBody(value)),
    query: `transfer(${transferArgs}) { hops { FIELDS } }`,
    at: ['transfer', 'hops', 0],
    fields: 'fromChainId toChainId denomIn denomOut amountIn amountOut rawState',
  },
  'transaction of a hop': {
    path: '/v2/tx/status',
    body: (value) =>
      statusBody({
        packet_txs: {
          send_tx: { tx_hash: 'ab', chain_id: value, on_chain_at: value, explorer_link: value },
        },
      }),
    query: `transfer(${transferArgs}) { hops { transactions { FIELDS } } }`,
    at: ['transfer', 'hops', 0, 'transactions', 0],
    fields: 'chainId timestamp explorerUrl',
  },
  'end of a transfer': {
    path: '/v2/tx/status',
    body: (value) =>
      statusBody({}, { error: value && 7, transfer_asset_release: value && { denom: value, chain_id: value } }),
    query: `transfer(${transferArgs}) { legs { error { message } assetRelease { chainId denom } } }`,
    at: ['transfer', 'legs', 0],
    fields: 'error assetRelease.chainId assetRelease.denom',
  },
  recommendation: {
    path: '/v2/fungible/recommend_assets',
    body: (value) => ({
      recommendations: [{ asset: { chain_id: chainId, denom: 'uinit' }, reason: value }],
    }),
    query: `asset(chainId: "${chainId}", denom: "uinit") { recommendedDestinations { FIELDS } }`,
    at: ['asset', 'recommendedDestinations', 0],
    fields: 'rawReason',
  },
  'asset between chains': {
    path: '/v2/fungible/assets_between_chains',
    body: (value) => ({
      assets_between_chains: [
        {
          asset_on_source: { chain_id: chainId, denom: 'uinit' },
          asset_on_dest: { chain_id: chainId, denom: 'uinit' },
          txs_required: value,
        },
      ],
    }),
    query: `assetsBetweenChains(sourceChainId: "${chainId}", destinationChainId: "galley-1") { FIELDS }`,
    at: ['assetsBetweenChains', 0],
    fields: 'transactionCount',
  },
  'swap venue': {
    path: '/v2/fungible/venues',
    body: (value) => ({ venues: [{ name: value, chain_id: value, logo_uri: value }] }),
    query: 'swapVenues { FIELDS }',
    at: ['swapVenues', 0],
    fields: 'name chainId logoUrl',
  },
}

const at = (data: Data, path: readonly (string | number)[]): Data =>
  path.reduce<Data>((value, key) => value?.[key], data)

test.each(Object.entries(rows))(
  'unreadable values of a %s are null with errors at their fields',
  async (_claim, { path, body, query, at: place, fields }) => {
    const selected = names(fields)
    const document = `{ ${query.replace('FIELDS', selected.join(' '))} }`
    const answer = async (value: unknown) => {
      await using world = await startWorld()
      world.sandbox.faults.set('router', path, {
        kind: 'garbage',
        body: JSON.stringify(body(value)),
      })
      return await world.ask(document)
    }
    const { data, errors = [] } = await answer({ odd: true })
    expect(errors.map(({ path: at }) => at?.join('.')).toSorted()).toEqual(
      selected.map((field) => [...place, field].join('.')).toSorted(),
    )
    for (const { extensions } of errors) {
      expect(extensions).toMatchObject({ code: 'UPSTREAM_INVALID_RESPONSE', service: 'router' })
    }
    expect(at(data, place)).toBeInstanceOf(Object)
    for (const absent of [null, '']) expect((await answer(absent)).errors).toBeUndefined()
  },
)

test('an unreadable list of assets is an error, not an empty list', async () => {
  for (const odd of [7, { assets: 'many' }]) {
    await using world = await startWorld()
    const body = { chain_to_assets_map: { [chainId]: odd } }
    world.sandbox.faults.set('router', '/v2/fungible/assets', { kind: 'answer', json: body })
    const { data, errors } = await world.ask(`{ assets(chainId: "${chainId}", first: 5) { nodes { denom } } }`)
    expect([data.assets, errors?.[0]?.extensions?.code]).toEqual([null, 'UPSTREAM_INVALID_RESPONSE'])
  }
})
