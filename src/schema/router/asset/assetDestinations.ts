import { z } from 'zod'
import { builder, type Context, callCost } from '../../../engine/graphql/builder.ts'
import { connectionFromArray } from '../../../engine/graphql/connectionFromArray.ts'
import { openEnum } from '../../../engine/graphql/openEnum.ts'
import { cursorArgs, pageCost } from '../../../engine/graphql/pageArgs.ts'
import { GatewayError } from '../../../engine/upstream/error.ts'
import { forClients } from '../../../engine/upstream/errorBody.ts'
import { lenientGroup, lenientList, lenientString } from '../../../engine/wire/lenient.ts'
import { ifReadable } from '../../../engine/wire/optional.ts'
import { checkChainId } from '../../chain/chainId.ts'
import { assertKnown } from '../../chain/knownChain.ts'
import { type AssetList, asset } from '../catalog.ts'
import { postToRouter } from '../routerClient.ts'
import { ifSent } from '../routerFields.ts'
import { Asset, type AssetShape, assetShape, filledAsset } from './asset.ts'
import { namedList } from './assetNames.ts'
import { AssetConnection, assetFilterArgs, filterAssets } from './assetSearch.ts'

const destinations = z.object({
  dest_assets: z.record(z.string(), lenientGroup({ assets: lenientList(asset) })),
})

const sourceOf = ({ body }: AssetShape) => ({
  source_asset_denom: body.denom,
  source_asset_chain_id: body.chain_id,
})

/** The assets that the router can turn an asset into, on all chains. Equal ones of an operation are one list. */
function loadDestinations(
  context: Context,
  source: AssetShape,
  options: { readonly includeSwaps: boolean; readonly allowMultiTransaction: boolean },
): Promise<AssetList> {
  const body = JSON.stringify({
    ...sourceOf(source),
    allow_multi_tx: options.allowMultiTransaction,
    include_swaps: options.includeSwaps,
    include_cw20_assets: true,
  })
  return context.scope.memory.get(`list of destinations ${body}`, () => fetchDestinations(context, body))
}

async function fetchDestinations(context: Context, body: string): Promise<AssetList> {
  const path = '/v2/fungible/assets_from_source'
  const response = await postToRouter(context, path, body, destinations)
  // Routers list some assets under a chain that they pass on the way, so the record says the chain.
  const all = Object.values(response?.dest_assets ?? {}).flatMap((chain) => chain?.assets ?? [])
  return namedList([...new Map(all.map((each) => [`${each.chain_id}/${each.denom}`, each])).values()])
}

builder.objectField(Asset, 'destinations', (t) =>
  t.field({
    type: AssetConnection,
    nullable: true,
    description: 'Assets that routes lead to from this one. Costs one upstream request.',
    args: {
      chainId: t.arg({ type: 'ChainId', description: 'Only on this chain. On all by default.' }),
      includeSwaps: t.arg.boolean({
        required: true,
        defaultValue: false,
        description: 'Include swaps.',
      }),
      allowMultiTransaction: t.arg.boolean({
        required: true,
        defaultValue: false,
        description: 'Include those with several signatures.',
      }),
      ...assetFilterArgs,
      ...cursorArgs(),
    },
    complexity: pageCost,
    resolve: async (source, args, context) => {
      const { first: _first, after: _after, last: _last, before: _before, ...filter } = args
      const chainId = args.chainId == null ? null : checkChainId(args.chainId)
      const all = await loadDestinations(context, source, {
        includeSwaps: args.includeSwaps,
        allowMultiTransaction: args.allowMultiTransaction,
      })
      const { chain_id, denom } = source.body
      const list = `destinations ${chain_id}/${denom} ${JSON.stringify(filter)}`
      const matching = await context.scope.memory.get(list, () => filterAssets(context, all, filter, chainId))
      if (matching.length === 0 && chainId !== null) await assertKnown(context, chainId)
      return connectionFromArray(context, list, matching, args, assetShape)
    },
  }),
)

const recommendationReason = openEnum('AssetRecommendationReason', {
  description: 'Why the router recommends an asset.',
  values: {
    MOST_LIQUID: 'The most traded form of the asset there.',
    BASE_TOKEN: 'The main asset of the chain.',
    DIRECT: 'The asset as it arrives directly.',
  },
  unknown: 'A reason unknown to this gateway. See `rawReason`.',
})

/** Recommendations that the cost of a document counts with, since it is known before the response. */
const usualOnOneChain = 5
const usualOnAllChains = 50

const recommendation = z.object({ asset, reason: lenientString })
type Recommendation = z.output<typeof recommendation>

const recommendations = z.object({
  recommendations: lenientList(recommendation),
  recommendation_entries: lenientList(
    z.object({
      recommendations: lenientList(recommendation),
      error: lenientGroup({ message: lenientString }),
    }),
  ),
})
type Recommendations = z.output<typeof recommendations>

/** The router's recommendations. Throws if the router has none to give. */
function recommendedIn(response: Recommendations): Recommendation[] {
  const entries = response.recommendation_entries
  const failed = entries.find(({ error }) => error)?.error
  if (failed) {
    throw new GatewayError('UPSTREAM_REJECTED', 'The router could not recommend an asset.', {
      service: 'router',
      upstreamMessage: forClients(ifReadable(failed.message) ?? ''),
    })
  }
  return [...entries.flatMap((entry) => entry.recommendations), ...response.recommendations]
}

const AssetRecommendation = builder.objectRef<Recommendation>('AssetRecommendation').implement({
  description: 'An asset that the router recommends as the destination of another one.',
  fields: (t) => ({
    asset: t.value(Asset, 'The asset.', (shape, _args, context) => filledAsset(context, shape.asset)),
    reason: t.value(recommendationReason.type, 'Why it is recommended.', ({ reason }) =>
      recommendationReason.valueOf(reason),
    ),
    rawReason: ifSent(t, 'String', "Why, in the router's words.", ({ reason }) => reason),
  }),
})

builder.objectField(Asset, 'recommendedDestinations', (t) =>
  t.field({
    type: [AssetRecommendation],
    nullable: true,
    description: 'Destinations that the router recommends, best first. Costs one upstream request.',
    args: {
      chainId: t.arg({ type: 'ChainId', description: 'Only on this chain. On all by default.' }),
    },
    complexity: ({ chainId }) => ({
      field: callCost,
      multiplier: chainId == null ? usualOnAllChains : usualOnOneChain,
    }),
    resolve: async (source, { chainId }, context) => {
      const dest_chain_id = chainId == null ? undefined : checkChainId(chainId)
      const body = JSON.stringify({ requests: [{ ...sourceOf(source), dest_chain_id }] })
      const path = '/v2/fungible/recommend_assets'
      const response = await postToRouter(context, path, body, recommendations)
      return response && recommendedIn(response)
    },
  }),
)
