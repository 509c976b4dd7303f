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

/** An asset as the router knows it. */
export interface AssetShape extends NodeShape<'Asset'> {
  readonly body: AssetBody
}

/** The graph's value for an asset. */
export const assetShape = (body: AssetBody): AssetShape => ({ __typename: 'Asset', body })

/** The router's record of a denom; null when it has none, or when there is no router. */
export async function assetOf(
  context: Context,
  chainId: string | null,
  denom: string | null,
): Promise<AssetShape | null> {
  if (chainId === null || denom === null || !context.network.router) return null
  const found = (await catalogOf(context).assets(chainId)).find(denom)
  return found && assetShape(found)
}

async function findAsset(context: Context, chainId: string, denom: string) {
  const found = (await catalogOf(context).assets(checkChainId(chainId))).find(denom)
  return found && assetShape(found)
}

export const Asset = nodeType<AssetShape>('Asset', {
  description: 'A fungible asset on one chain. The same token on two chains is two assets.',
  keyOf: ({ body }) => `${body.chain_id}/${body.denom}`,
  load: (key, context) => {
    const slash = key.indexOf('/')
    if (slash < 1) throw badInput('The id is not one that this graph has given.')
    return findAsset(context, key.slice(0, slash), key.slice(slash + 1))
  },
  fields: (t) => ({
    chainId: t.string({
      description: 'The chain this form of the asset is on.',
      resolve: ({ body }) => body.chain_id,
    }),
    chain: chainField(t, 'That chain', ({ body }) => body.chain_id),
    routerChain: routerChainField(
      t,
      "The router's record of that chain.",
      ({ body }) => body.chain_id,
    ),
    denom: t.string({
      description: 'Its base denom on that chain, or the address of its contract.',
      resolve: ({ body }) => body.denom,
    }),
    symbol: t.string({
      nullable: true,
      description: 'What it is called in short, such as `INIT`.',
      resolve: ({ body }) => body.recommended_symbol ?? body.symbol,
    }),
    name: t.string({
      nullable: true,
      description: 'Its full name.',
      resolve: ({ body }) => body.name,
    }),
    decimals: t.int({
      nullable: true,
      description: 'How many digits of an amount in base units stand behind the point.',
      resolve: ({ body }) => body.decimals,
    }),
    logoUrl: t.string({
      nullable: true,
      description: 'A picture of it.',
      resolve: ({ body }) => body.logo_uri,
    }),
    tokenContract: t.string({
      nullable: true,
      description: 'Address of its contract, where it is one.',
      resolve: ({ body }) => body.token_contract,
    }),
    originChainId: t.string({
      nullable: true,
      description: 'The chain it comes from; its own where it was issued there.',
      resolve: ({ body }) => body.origin_chain_id,
    }),
    originDenom: t.string({
      nullable: true,
      description: 'Its denom on the chain it comes from.',
      resolve: ({ body }) => body.origin_denom,
    }),
    coingeckoId: t.string({
      nullable: true,
      description: 'Its id at CoinGecko, for prices.',
      resolve: ({ body }) => body.coingecko_id,
    }),
    description: t.string({
      nullable: true,
      description: 'A sentence about it.',
      resolve: ({ body }) => body.description,
    }),
    isHidden: t.boolean({
      description: 'Whether the router asks frontends not to offer it.',
      resolve: ({ body }) => body.hidden,
    }),
  }),
})

const AssetConnection = connectionType(Asset, 'assets of a chain')

builder.queryField('asset', (t) =>
  t.field({
    type: Asset,
    nullable: true,
    description: 'An asset of a chain; null when the router does not know it.',
    args: {
      chainId: t.arg.string({ required: true, description: 'The chain it is on.' }),
      denom: t.arg.string({
        required: true,
        description: 'Its base denom; contract addresses in any case.',
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
      "Assets of one chain, in the router's order. Answered from memory, which is renewed every few minutes.",
    args: {
      chainId: t.arg.string({ required: true, description: 'The chain they are on.' }),
      search: t.arg.string({
        description: 'Part of the symbol, name or denom, in any case; all assets when left out.',
      }),
      includeHidden: t.arg.boolean({
        defaultValue: false,
        description: 'Whether to list assets the router asks not to offer.',
      }),
      ...cursorArgs(),
    },
    complexity: pageCost,
    resolve: async (_root, args, context) => {
      const chainId = checkChainId(args.chainId)
      const { all } = await catalogOf(context).assets(chainId)
      const search = args.search?.trim().toLowerCase() ?? ''
      const found = all.filter(
        (one) =>
          (args.includeHidden || !one.hidden) &&
          [one.recommended_symbol, one.symbol, one.name, one.denom].some((text) =>
            text?.toLowerCase().includes(search),
          ),
      )
      const list = `assets ${chainId} ${args.includeHidden} ${search}`
      return connectionFromArray(context, list, found, args, assetShape)
    },
  }),
)

builder.objectField(Coin, 'asset', (t) =>
  t.field({
    type: Asset,
    nullable: true,
    description:
      "The router's record of the denom: symbol, decimals, logo. Null where it has none.",
    resolve: ({ chain, denom }, _args, context) => assetOf(context, chain.chainId, denom),
  }),
)
