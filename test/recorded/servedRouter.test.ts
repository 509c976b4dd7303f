import { expect, test } from 'vitest'
import { recorded, routerAnswers } from '../support/recorded.ts'
import { startRecordedWorld } from '../support/recordedWorld.ts'
import type { Data } from '../support/world.ts'

// What the gateway shows is compared with what this file reads from the bodies by itself.

const shownAsset = (asset: Data) => ({
  ...{ chainId: asset.chain_id, denom: asset.denom, symbol: asset.symbol ?? asset.recommended_symbol ?? null },
  ...{ name: asset.name ?? null, decimals: asset.decimals ?? null, logoUrl: asset.logo_uri ?? null },
  ...{ originChainId: asset.origin_chain_id, originDenom: asset.origin_denom, trace: asset.trace || null },
  ...{
    isCw20: asset.is_cw20 ?? false,
    coingeckoId: asset.coingecko_id ?? null,
    description: asset.description ?? null,
  },
})
const assetFields =
  'chainId denom symbol name decimals logoUrl originChainId originDenom trace isCw20 coingeckoId description'

test.concurrent.each([...routerAnswers('/v2/info/chains').entries()])(
  'the chains of answer %i are shown as they were sent',
  async (_index, answer) => {
    await using world = await startRecordedWorld(answer)
    const { routableChains } = await world.data(`{ routableChains { nodes {
    chainId name prettyName rawKind bech32Prefix logoUrl isTestnet supportsMemo
    feeAssets { denom gasPrice { low average high } }
  } } }`)
    expect(routableChains.nodes).toEqual(
      answer.body.chains.map((chain: Data) => ({
        ...{
          chainId: chain.chain_id,
          name: chain.chain_name,
          prettyName: chain.pretty_name,
          rawKind: chain.chain_type,
        },
        ...{ bech32Prefix: chain.bech32_prefix, logoUrl: chain.logo_uri, isTestnet: chain.is_testnet },
        supportsMemo: chain.supports_memo,
        feeAssets: chain.fee_assets.map(({ denom, gas_price }: Data) => ({ denom, gasPrice: gas_price })),
      })),
    )
  },
)

test.concurrent.each([...routerAnswers('/v2/fungible/assets').entries()])(
  'the assets of answer %i are shown as they were sent',
  async (_index, answer) => {
    await using world = await startRecordedWorld(answer)
    for (const [chainId, { assets }] of Object.entries<Data>(answer.body.chain_to_assets_map)) {
      const shown = await world.data(`{ assets(chainId: "${chainId}") { nodes { ${assetFields} } } }`)
      expect(shown.assets.nodes).toEqual(assets.map(shownAsset))
    }
  },
)

test.concurrent.each([...routerAnswers('/v2/fungible/assets_from_source').entries()])(
  'the destinations of answer %i are shown as they were sent',
  async (_index, answer) => {
    await using world = await startRecordedWorld(answer)
    const { asset } = await world.data(
      `{ asset(chainId: "osmosis-1", denom: "uosmo") { destinations { nodes { ${assetFields} } } } }`,
    )
    const sent = Object.values<Data>(answer.body.dest_assets).flatMap(({ assets }) => assets)
    expect(asset.destinations.nodes).toEqual(sent.map(shownAsset))
  },
)

test.concurrent.each([...routerAnswers('/v2/fungible/assets_between_chains').entries()])(
  'the pairs of assets of answer %i are shown as they were sent',
  async (_index, answer) => {
    await using world = await startRecordedWorld(answer)
    const { assetsBetweenChains } = await world.data(`{
    assetsBetweenChains(sourceChainId: "cosmoshub-4", destinationChainId: "osmosis-1") {
      transactionCount rawBridges assetIn { ${assetFields} tokenContract } assetOut { denom chainId }
    }
  }`)
    expect(assetsBetweenChains).toEqual(
      answer.body.assets_between_chains.map(({ asset_on_source, asset_on_dest, txs_required, bridges }: Data) => ({
        ...{ transactionCount: txs_required, rawBridges: bridges },
        assetIn: { ...shownAsset(asset_on_source), tokenContract: asset_on_source.token_contract ?? null },
        assetOut: { denom: asset_on_dest.denom, chainId: asset_on_dest.chain_id },
      })),
    )
  },
)

test.concurrent('balances are shown as they were sent', async () => {
  await using world = await startRecordedWorld()
  const [{ body } = { body: {} }] = routerAnswers('/v2/info/balances')
  const { address, denoms } = body.chains['osmosis-1']
  const { chain } = await world.data(`{ chain(chainId: "osmosis-1") {
    account(address: "${address}") { balances { denom amount decimals usdPrice usdValue } }
  } }`)
  expect(chain.account.balances).toEqual(
    Object.entries<Data>(denoms).map(([denom, { amount, decimals, price, value_usd }]) => ({
      ...{ denom, amount, decimals, usdPrice: price, usdValue: value_usd },
    })),
  )
})

/** What asks for the paths whose refusals were recorded. */
const documents: Readonly<Record<string, string>> = {
  '/v2/fungible/assets': '{ assets(chainId: "osmosis-1") { nodes { denom } } }',
  '/v2/fungible/assets_from_source':
    '{ asset(chainId: "osmosis-1", denom: "uosmo") { destinations { nodes { denom } } } }',
  '/v2/fungible/assets_between_chains':
    '{ assetsBetweenChains(sourceChainId: "cosmoshub-4", destinationChainId: "osmosis-1") { transactionCount } }',
  '/v2/fungible/route': `{ route(input: {
    source: { chainId: "137", denom: "polygon-native" }, destination: { chainId: "osmosis-1", denom: "uosmo" }
    amountIn: "1"
  }) { amountOut } }`,
  '/v2/tx/track': `mutation { trackTransfer(input: { chainId: "osmosis-1", hash: "${'1'.repeat(64)}" }) { explorerUrl } }`,
}

test.concurrent.each(recorded.router.filter(({ path, status }) => status !== 200 && documents[path]))(
  'the refusal of $path, $status, is an error with its words',
  async (answer) => {
    await using world = await startRecordedWorld(answer)
    const { errors } = await world.ask(documents[answer.path] ?? '')
    expect(errors).toHaveLength(1)
    const { code, upstreamMessage } = errors?.[0]?.extensions ?? {}
    expect(code).toBe(answer.status < 500 ? 'UPSTREAM_REJECTED' : 'UPSTREAM_UNAVAILABLE')
    expect(upstreamMessage).toBe(answer.body.message)
  },
)
