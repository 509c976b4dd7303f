import { builder, type Context, callCost } from '../../../engine/graphql/builder.ts'
import { keyText } from '../../../engine/graphql/naturalKey.ts'
import { type NodeShape, nodeType, splitKey } from '../../../engine/graphql/node.ts'
import { ifReadable, type Optional } from '../../../engine/wire/optional.ts'
import { type Awaitable, withValue } from '../../../kit/awaitable.ts'
import { checkChainId } from '../../chain/chainId.ts'
import { type AssetBody, loadedAssets, openCatalog } from '../catalog.ts'
import { chainField, ifSent, sent } from '../routerFields.ts'
import { refuseSymbol } from './symbolHint.ts'

/** The graph's value for an asset. */
export interface AssetShape extends NodeShape<'Asset'> {
  readonly body: AssetBody
}

/** Wraps the router's record of an asset. */
export const assetShape = (body: AssetBody): AssetShape => ({ __typename: 'Asset', body })

/**
 * An asset that is part of another record, which often leaves out its symbol or decimals. They are those
 * of the router's list of assets, if it can be loaded.
 */
export async function filledAsset(context: Context, body: AssetBody): Promise<AssetShape> {
  const { symbol, name, decimals, logo_uri, chain_id, denom } = body
  const isFilled = [symbol, name, decimals, logo_uri].every((value) => ifReadable(value) !== null)
  if (isFilled) return assetShape(body)
  const listed = await Promise.resolve(assetOf(context, chain_id, denom)).catch(() => null)
  const sent = Object.entries<Optional<unknown>>(body)
  const known = Object.fromEntries(sent.filter(([, value]) => ifReadable(value) !== null))
  return assetShape(listed ? { ...listed.body, ...known } : body)
}

/** The router's record of a denom. Null if it has none, or if no router is configured. */
export function assetOf(
  context: Context,
  sentChainId: Optional<string>,
  sentDenom: Optional<string>,
): Awaitable<AssetShape | null> {
  const [chainId, denom] = [ifReadable(sentChainId), ifReadable(sentDenom)]
  if (chainId === null || denom === null || !context.network.router) return null
  return withValue(loadedAssets(context, chainId), ({ find }) => {
    const asset = find(denom)
    return asset && assetShape(asset)
  })
}

async function findAsset(context: Context, chainId: string, denom: string) {
  const asset = (await openCatalog(context).assets(checkChainId(chainId))).find(denom)
  return asset && assetShape(asset)
}

export const Asset = nodeType<AssetShape>('Asset', {
  description: 'A fungible asset on one chain.',
  keyOf: ({ body }) => `${body.chain_id}/${body.denom}`,
  naturalKey: {
    fields: 'chainId denom',
    keyOf: (representation) => `${keyText(representation, 'chainId')}/${keyText(representation, 'denom')}`,
  },
  load: (key, context) => findAsset(context, ...splitKey(key)),
  fields: (t) => ({
    chainId: t.value('ChainId', 'The chain that the asset is on.', ({ body }) => body.chain_id),
    chain: chainField(t, 'The chain', ({ body }) => body.chain_id),
    denom: t.value('Denom', 'Base denom on the chain, or contract address.', ({ body }) => body.denom),
    symbol: ifSent(
      t,
      'String',
      'Short name, such as `USDC`, shared by several assets. At most 32 characters.',
      ({ body }) => body.symbol ?? body.recommended_symbol,
    ),
    recommendedSymbol: ifSent(
      t,
      'String',
      'Short name that is unique on the chain, such as `USDC.axl`, else `symbol`. At most 32 characters.',
      ({ body }) => body.recommended_symbol ?? body.symbol,
    ),
    name: ifSent(t, 'String', 'Full name, of at most 128 characters.', ({ body }) => body.name),
    decimals: ifSent(t, 'Int', 'Number of decimal places, from 0 to 77.', ({ body }) => body.decimals),
    logoUrl: ifSent(t, 'URL', 'URL of the logo.', ({ body }) => body.logo_uri),
    tokenContract: ifSent(t, 'Address', 'Address of the token contract.', ({ body }) => body.token_contract),
    originChainId: ifSent(t, 'ChainId', 'Where it was issued.', ({ body }) => body.origin_chain_id),
    originDenom: ifSent(t, 'Denom', 'Its denom where it was issued.', ({ body }) => body.origin_denom),
    trace: sent(
      t,
      'String',
      'IBC path to its origin, such as `transfer/channel-1`. Null if it did not come over IBC.',
      ({ body }) => body.trace,
    ),
    isCw20: t.value('Boolean', 'Whether it is a CW-20 token of a chain with CosmWasm.', ({ body }) => body.is_cw20),
    coingeckoId: ifSent(t, 'String', 'CoinGecko id, for prices.', ({ body }) => body.coingecko_id),
    description: ifSent(
      t,
      'String',
      'Description: show it as text, not HTML. At most 10,000 characters.',
      ({ body }) => body.description,
    ),
    isHidden: t.value('Boolean', 'Whether to hide it.', ({ body }) => body.hidden),
  }),
})

builder.queryField('asset', (t) =>
  t.field({
    type: Asset,
    nullable: true,
    description: 'An asset on a chain. Null if unknown.',
    args: {
      chainId: t.arg({ type: 'ChainId', required: true, description: 'The chain id.' }),
      denom: t.arg({
        type: 'Denom',
        required: true,
        description: 'Base denom, or contract address in any case.',
      }),
    },
    complexity: callCost,
    resolve: async (_root, { chainId, denom }, context) => {
      const asset = await findAsset(context, chainId, denom)
      if (!asset) await refuseSymbol(context, chainId, denom)
      return asset
    },
  }),
)
