import { z } from 'zod'
import { builder, type Context, callCost } from '../../../engine/graphql/builder.ts'
import { createLoader } from '../../../engine/upstream/loader.ts'
import {
  bodyWith,
  lenient,
  lenientBoolean,
  lenientCount,
  lenientList,
  lenientStrings,
} from '../../../engine/wire/lenient.ts'
import { type Optional, unreadable } from '../../../engine/wire/optional.ts'
import { checkChainId } from '../../chain/chainId.ts'
import { Bridge, bridgeName } from '../bridges/bridge.ts'
import { type AssetBody, asset } from '../catalog.ts'
import { postToRouter } from '../routerClient.ts'
import { ifSent, readRouterValue } from '../routerFields.ts'
import { Asset, type AssetShape, assetOf, filledAsset } from './asset.ts'

const origin = z.object({ asset: lenient(asset), asset_found: lenientBoolean })
const origins = z.object({ origin_assets: z.array(lenient(origin)) })

const assetKey = ({ chain_id, denom }: AssetBody): string => `${chain_id}/${denom}`

/** Where assets were issued, by their keys. Null if the router does not know the origin. */
async function loadOrigins(context: Context, bodies: readonly AssetBody[]) {
  const assets = bodies.map(({ chain_id, denom }) => ({ chain_id, denom }))
  const path = '/v2/fungible/ibc_origin_assets'
  const response = await postToRouter(context, path, JSON.stringify({ assets }), origins)
  return new Map(
    bodies.map((body, i) => {
      const found = response?.origin_assets[i]
      if (found === unreadable) return [assetKey(body), { asset: unreadable }] as const
      return [assetKey(body), { asset: found?.asset_found ? found.asset : null }] as const
    }),
  )
}

async function loadOrigin(context: Context, { body }: AssetShape): Promise<AssetShape | null> {
  const { origin_chain_id, origin_denom } = body
  const listed = await assetOf(context, origin_chain_id, origin_denom)
  if (listed) return listed
  const load = context.scope.memory.get('origins of assets', () =>
    createLoader<AssetBody, { readonly asset: Optional<AssetBody> }>({
      keyOf: assetKey,
      many: (bodies) => loadOrigins(context, bodies),
      one: async (single) => (await loadOrigins(context, [single])).get(assetKey(single)) ?? null,
    }),
  )
  const found = readRouterValue((await load(body))?.asset)
  return found && filledAsset(context, found)
}

builder.objectField(Asset, 'origin', (t) =>
  t.field({
    type: Asset,
    nullable: true,
    description:
      'The asset where it was issued, perhaps itself. All assets of a page share a request. Null if unknown.',
    complexity: callCost,
    resolve: (shape, _args, context) => loadOrigin(context, shape),
  }),
)

const pair = z.object({
  asset_on_source: asset,
  asset_on_dest: asset,
  txs_required: lenientCount,
  bridges: lenientStrings,
})
type Pair = z.output<typeof pair>

const between = bodyWith(z.object({ assets_between_chains: lenientList(pair) }))

const AssetPair = builder.objectRef<Pair>('AssetPair').implement({
  description: 'An asset of one chain, and what bridges make of it on another.',
  fields: (t) => ({
    assetIn: t.value(Asset, 'The asset on the chain it is sent from.', ({ asset_on_source }, _args, context) =>
      filledAsset(context, asset_on_source),
    ),
    assetOut: t.value(Asset, 'The asset on the chain it is sent to.', ({ asset_on_dest }, _args, context) =>
      filledAsset(context, asset_on_dest),
    ),
    transactionCount: ifSent(t, 'UInt53', 'Number of transactions to sign.', ({ txs_required }) => txs_required),
    bridges: t.value([Bridge], 'The bridges that carry it, in order.', ({ bridges }) =>
      bridges.map((id) => bridgeName(id) ?? 'UNKNOWN'),
    ),
    rawBridges: t.value(['String'], "The router's ids of these bridges.", ({ bridges }) => bridges),
  }),
})

/** The number of pairs that the field is priced for. */
const usualPairs = 50

builder.queryField('assetsBetweenChains', (t) =>
  t.field({
    type: [AssetPair],
    nullable: true,
    description: 'The assets of one chain that bridges bring to another, without swaps. Costs one upstream request.',
    args: {
      sourceChainId: t.arg({
        type: 'ChainId',
        required: true,
        description: 'The chain to send from.',
      }),
      destinationChainId: t.arg({
        type: 'ChainId',
        required: true,
        description: 'The chain to send to.',
      }),
      allowMultiTransaction: t.arg.boolean({
        required: true,
        defaultValue: false,
        description: 'Include those with several signatures.',
      }),
    },
    complexity: { field: callCost, multiplier: usualPairs },
    resolve: async (_root, args, context) => {
      const body = JSON.stringify({
        source_chain_id: checkChainId(args.sourceChainId),
        dest_chain_id: checkChainId(args.destinationChainId),
        include_cw20_assets: true,
        include_evm_assets: true,
        include_svm_assets: true,
        allow_multi_tx: args.allowMultiTransaction,
      })
      const path = '/v2/fungible/assets_between_chains'
      const response = await postToRouter(context, path, body, between)
      return response?.assets_between_chains ?? []
    },
  }),
)
