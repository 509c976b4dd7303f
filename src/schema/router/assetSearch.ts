import { builder, type Context } from '../../graphql/builder.ts'
import { connectionType } from '../../graphql/connection.ts'
import { connectionFromArray } from '../../graphql/connectionFromArray.ts'
import { cursorArgs, pageCost } from '../../graphql/pageArgs.ts'
import { badInput } from '../../upstream/error.ts'
import { checkChainId } from '../chain/chainId.ts'
import { Asset, assetShape } from './asset.ts'
import { AssetInput } from './assetInput.ts'
import { type AssetBody, catalogOf, denomKey } from './catalog.ts'

export const AssetConnection = connectionType(Asset, 'assets')

const AssetFilter = builder.inputType('AssetFilter', {
  description: 'Which assets to list. All that is given must hold.',
  fields: (t) => ({
    symbols: t.stringList({
      description: 'Only assets with one of these whole symbols, in any case, at most 100.',
    }),
    originChainId: t.field({ type: 'ChainId', description: 'Only assets issued on this chain.' }),
    originDenom: t.field({
      type: 'Denom',
      description: 'Only assets with this denom on the chain where they were issued.',
    }),
    includeHidden: t.boolean({
      description:
        'Whether to include assets that the router asks frontends to hide. Default: false.',
    }),
  }),
})

/** The arguments of a list of assets that leave out some of them. */
export const assetFilterArgs = builder.args((t) => ({
  search: t.string({
    description: 'Part of the symbol, name or denom, in any case. All assets by default.',
  }),
  filter: t.field({ type: AssetFilter, description: 'Which assets to list.' }),
}))

interface FilterArgs {
  readonly search?: string | null | undefined
  readonly filter?: typeof AssetFilter.$inferInput | null | undefined
}

/** Most pairs, and most symbols, in one list. */
const maxNames = 100

/** The assets of a list that pass a filter, in its order. Throws `BAD_USER_INPUT`. */
export function filterAssets(all: readonly AssetBody[], args: FilterArgs): AssetBody[] {
  const { originChainId, originDenom, includeHidden, symbols: names } = args.filter ?? {}
  if ((names?.length ?? 0) > maxNames) {
    throw badInput(`\`filter.symbols\` has at most ${maxNames} entries.`)
  }
  const search = args.search?.trim().toLowerCase() ?? ''
  const symbols = names && new Set(names.map((symbol) => symbol.toLowerCase()))
  const named = (asset: AssetBody, matches: (text: string) => boolean, more: (string | null)[]) =>
    [asset.symbol, asset.recommended_symbol, ...more].some(
      (text) => text !== null && matches(text.toLowerCase()),
    )
  return all.filter(
    (asset) =>
      (includeHidden || !asset.hidden) &&
      (originChainId == null || asset.origin_chain_id === originChainId) &&
      (originDenom == null ||
        (asset.origin_denom !== null && denomKey(asset.origin_denom) === denomKey(originDenom))) &&
      (!symbols || named(asset, (text) => symbols.has(text), [])) &&
      (search === '' || named(asset, (text) => text.includes(search), [asset.name, asset.denom])),
  )
}

/** The most chains whose lists are loaded one by one. For more, the list of all assets is loaded. */
const maxLists = 8

type Pair = typeof AssetInput.$inferInput

/** The assets of these pairs, in their order. Those that the router does not know are left out. */
async function pairedAssets(context: Context, pairs: readonly Pair[]): Promise<AssetBody[]> {
  if (pairs.length > maxNames) throw badInput(`\`pairs\` has at most ${maxNames} entries.`)
  const catalog = catalogOf(context)
  const chainIds = new Set(pairs.map(({ chainId }) => checkChainId(chainId)))
  if (chainIds.size <= maxLists) {
    const found = await Promise.all(
      pairs.map(async ({ chainId, denom }) => (await catalog.assets(chainId)).find(denom)),
    )
    return found.filter((asset) => asset !== null)
  }
  const keyOf = (chainId: string, denom: string) => `${chainId}/${denomKey(denom)}`
  const all = await catalog.allAssets()
  const byKey = new Map(all.map((asset) => [keyOf(asset.chain_id, asset.denom), asset]))
  return pairs.flatMap(({ chainId, denom }) => byKey.get(keyOf(chainId, denom)) ?? [])
}

async function assetsOf(
  context: Context,
  chainId: string | null | undefined,
  pairs: readonly Pair[] | null | undefined,
): Promise<readonly AssetBody[]> {
  const checked = chainId == null ? null : checkChainId(chainId)
  if (pairs) {
    const found = await pairedAssets(context, pairs)
    return checked === null ? found : found.filter(({ chain_id }) => chain_id === checked)
  }
  const catalog = catalogOf(context)
  return checked === null ? catalog.allAssets() : (await catalog.assets(checked)).all
}

builder.queryField('assets', (t) =>
  t.field({
    type: AssetConnection,
    nullable: true,
    description:
      "Assets on one chain or on all, in the router's order. Served from a cache that is refreshed every five minutes. Without `chainId` and `pairs`, the first request for it loads the assets of all chains.",
    args: {
      chainId: t.arg({ type: 'ChainId', description: 'The chain id. All chains by default.' }),
      pairs: t.arg({
        type: [AssetInput],
        description:
          'Only these assets, in this order, at most 100. Those that the router does not know are left out.',
      }),
      ...assetFilterArgs,
      ...cursorArgs(),
    },
    complexity: pageCost,
    resolve: async (_root, args, context) => {
      const { first: _first, after: _after, last: _last, before: _before, ...filter } = args
      const matches = filterAssets(await assetsOf(context, args.chainId, args.pairs), filter)
      const list = `assets ${JSON.stringify(filter)}`
      return connectionFromArray(context, list, matches, args, assetShape)
    },
  }),
)
