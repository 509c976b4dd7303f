import { builder, type Context, callCost } from '../../graphql/builder.ts'
import { connectionType } from '../../graphql/connection.ts'
import { connectionFromArray } from '../../graphql/connectionFromArray.ts'
import { type NodeShape, nodeType } from '../../graphql/node.ts'
import { cursorArgs, pageCost } from '../../graphql/pageArgs.ts'
import { badInput } from '../../upstream/error.ts'
import { Coin } from '../indexer/coin.ts'
import { type AssetBody, catalogOf } from './catalog.ts'
import { chainField, routerChainField } from './chainFields.ts'
import { checkChainId } from './routerInput.ts'

/** The graph's value for an asset. */
export interface AssetShape extends NodeShape<'Asset'> {
  readonly body: AssetBody
}

/** Wraps the router's record of an asset. */
export const assetShape = (body: AssetBody): AssetShape => ({ __typename: 'Asset', body })

/** The router's record of a denom. Null if it has none, or if no router is configured. */
export async function assetOf(
  context: Context,
  chainId: string | null,
  denom: string | null,
): Promise<AssetShape | null> {
  if (chainId === null || denom === null || !context.network.router) return null
  const asset = (await catalogOf(context).assets(chainId)).find(denom)
  return asset && assetShape(asset)
}

async function findAsset(context: Context, chainId: string, denom: string) {
  const asset = (await catalogOf(context).assets(checkChainId(chainId))).find(denom)
  return asset && assetShape(asset)
}

export const Asset = nodeType<AssetShape>('Asset', {
  description: 'A fungible asset on one chain. The same token on two chains is two assets.',
  keyOf: ({ body }) => `${body.chain_id}/${body.denom}`,
  load: (key, context) => {
    const slash = key.indexOf('/')
    if (slash < 1) throw badInput('Invalid id.')
    return findAsset(context, key.slice(0, slash), key.slice(slash + 1))
  },
  fields: (t) => ({
    chainId: t.string({
      description: 'The chain that the asset is on.',
      resolve: ({ body }) => body.chain_id,
    }),
    chain: chainField(t, 'The chain', ({ body }) => body.chain_id),
    routerChain: routerChainField(
      t,
      "The router's record of the chain.",
      ({ body }) => body.chain_id,
    ),
    denom: t.string({
      description: 'Base denom on the chain, or contract address.',
      resolve: ({ body }) => body.denom,
    }),
    symbol: t.string({
      nullable: true,
      description: 'Short name, such as `INIT`. Null if the router does not report it.',
      resolve: ({ body }) => body.recommended_symbol ?? body.symbol,
    }),
    name: t.string({
      nullable: true,
      description: 'Full name. Null if the router does not report it.',
      resolve: ({ body }) => body.name,
    }),
    decimals: t.int({
      nullable: true,
      description: 'Number of decimal places. Null if the router does not report it.',
      resolve: ({ body }) => body.decimals,
    }),
    logoUrl: t.string({
      nullable: true,
      description: 'URL of the logo. Null if the router does not report it.',
      resolve: ({ body }) => body.logo_uri,
    }),
    tokenContract: t.string({
      nullable: true,
      description: 'Address of the token contract. Null if the router does not report it.',
      resolve: ({ body }) => body.token_contract,
    }),
    originChainId: t.string({
      nullable: true,
      description: 'The chain where the asset was issued. Null if the router does not report it.',
      resolve: ({ body }) => body.origin_chain_id,
    }),
    originDenom: t.string({
      nullable: true,
      description:
        'Denom on the chain where the asset was issued. Null if the router does not report it.',
      resolve: ({ body }) => body.origin_denom,
    }),
    coingeckoId: t.string({
      nullable: true,
      description: 'CoinGecko id, for prices. Null if the router does not report it.',
      resolve: ({ body }) => body.coingecko_id,
    }),
    description: t.string({
      nullable: true,
      description: 'Short description. Null if the router does not report it.',
      resolve: ({ body }) => body.description,
    }),
    isHidden: t.boolean({
      description: 'Whether the router asks frontends to hide it.',
      resolve: ({ body }) => body.hidden,
    }),
  }),
})

const AssetConnection = connectionType(Asset, 'assets of a chain')

builder.queryField('asset', (t) =>
  t.field({
    type: Asset,
    nullable: true,
    description: 'An asset on a chain. Null if the router does not know it.',
    args: {
      chainId: t.arg.string({ required: true, description: 'The chain id.' }),
      denom: t.arg.string({
        required: true,
        description: 'Base denom, or contract address in any case.',
      }),
    },
    complexity: callCost,
    resolve: (_root, { chainId, denom }, context) => findAsset(context, chainId, denom),
  }),
)

builder.queryField('assets', (t) =>
  t.field({
    type: AssetConnection,
    nullable: true,
    description:
      "Assets on one chain, in the router's order. Served from a cache that is refreshed every five minutes.",
    args: {
      chainId: t.arg.string({ required: true, description: 'The chain id.' }),
      search: t.arg.string({
        description: 'Part of the symbol, name or denom, in any case. All assets by default.',
      }),
      includeHidden: t.arg.boolean({
        required: true,
        defaultValue: false,
        description: 'Whether to include assets that the router asks frontends to hide.',
      }),
      ...cursorArgs(),
    },
    complexity: pageCost,
    resolve: async (_root, args, context) => {
      const chainId = checkChainId(args.chainId)
      const { all } = await catalogOf(context).assets(chainId)
      const search = args.search?.trim().toLowerCase() ?? ''
      const matches = all.filter(
        (asset) =>
          (args.includeHidden || !asset.hidden) &&
          [asset.recommended_symbol, asset.symbol, asset.name, asset.denom].some((text) =>
            text?.toLowerCase().includes(search),
          ),
      )
      const list = `assets ${chainId} ${args.includeHidden} ${search}`
      return connectionFromArray(context, list, matches, args, assetShape)
    },
  }),
)

builder.objectField(Coin, 'asset', (t) =>
  t.field({
    type: Asset,
    nullable: true,
    description:
      "The router's record of the denom: symbol, decimals, logo. Null if the router does not know it.",
    resolve: ({ chain, denom }, _args, context) => assetOf(context, chain.chainId, denom),
  }),
)
