import { builder, type Context } from '../../../engine/graphql/builder.ts'
import { scan } from '../../../engine/graphql/chunks.ts'
import { connectionType } from '../../../engine/graphql/connection.ts'
import { connectionFromArray } from '../../../engine/graphql/connectionFromArray.ts'
import { cursorArgs, pageCost } from '../../../engine/graphql/pageArgs.ts'
import { badInput } from '../../../engine/upstream/error.ts'
import { ifReadable } from '../../../engine/wire/optional.ts'
import { pasted } from '../../../kit/pasted.ts'
import { checkChainId } from '../../chain/chainId.ts'
import { assertKnown } from '../../chain/knownChain.ts'
import { writtenLabel } from '../../chain/labels.ts'
import { type AssetBody, type AssetList, denomKey, openCatalog } from '../catalog.ts'
import { Asset, assetShape } from './asset.ts'
import { AssetInput } from './assetInput.ts'
import { type NamedAsset, namedList } from './assetNames.ts'

export const AssetConnection = connectionType(Asset, 'assets')

const AssetFilter = builder.inputType('AssetFilter', {
  description: 'Which assets to list. All conditions hold.',
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
      description: 'Whether to include assets that the router asks frontends to hide. Default: false.',
    }),
  }),
})

/** The arguments of a list of assets that leave out some of them. */
export const assetFilterArgs = builder.args((t) => ({
  search: t.string({ description: 'Part of the symbol, name or denom, in any case.' }),
  filter: t.field({ type: AssetFilter, description: 'Which assets to list.' }),
}))

interface FilterArgs {
  readonly search?: string | null | undefined
  readonly filter?: typeof AssetFilter.$inferInput | null | undefined
}

/** Most pairs, and most symbols, in one list. */
const maxNames = 100

/**
 * The assets of a list that pass a filter, in its order: all, or those of one chain. Rejects with
 * `BAD_USER_INPUT`, before it reads the list.
 */
export async function filterAssets(
  context: Context,
  { names }: AssetList,
  args: FilterArgs,
  chainId: string | null = null,
): Promise<readonly AssetBody[]> {
  const keeps = makeFilter(args)
  const found: AssetBody[] = []
  await scan(context, names, (asset) => {
    const isThere = chainId === null || asset.body.chain_id === chainId
    if (isThere && keeps(asset)) found.push(asset.body)
  })
  return found
}

function makeFilter({ search, filter }: FilterArgs): (asset: NamedAsset<AssetBody>) => boolean {
  const { originChainId, originDenom, includeHidden, symbols } = filter ?? {}
  if ((symbols?.length ?? 0) > maxNames) {
    throw badInput(`\`filter.symbols\` has at most ${maxNames} entries.`, 'TOO_MANY_ENTRIES')
  }
  const part = writtenLabel(pasted(search ?? ''))
  const wanted = symbols && new Set(symbols.map((symbol) => symbol.toLowerCase()))
  const originKey = originDenom == null ? null : denomKey(originDenom)
  return ({ body, symbols: own, labels, contractEnd }) =>
    (includeHidden || !body.hidden) &&
    (originChainId == null || body.origin_chain_id === originChainId) &&
    (originKey === null || denomKey(ifReadable(body.origin_denom) ?? '') === originKey) &&
    (!wanted || own.some((symbol) => wanted.has(symbol))) &&
    (part === '' || labels.includes(part, contractEnd))
}

/** The most chains whose lists are loaded one by one. For more, the list of all assets is loaded. */
const maxLists = 8

type Pair = typeof AssetInput.$inferInput

/** The assets of these pairs, in their order. Unknown ones are left out. */
async function pairedAssets(context: Context, pairs: readonly Pair[]): Promise<AssetBody[]> {
  if (pairs.length > maxNames) throw badInput(`\`pairs\` has at most ${maxNames} entries.`, 'TOO_MANY_ENTRIES')
  const catalog = openCatalog(context)
  const chainIds = new Set(pairs.map(({ chainId }) => checkChainId(chainId)))
  if (chainIds.size <= maxLists) {
    const found = await Promise.all(
      pairs.map(async ({ chainId, denom }) => (await catalog.assets(chainId)).find(denom)),
    )
    return found.filter((asset) => asset !== null)
  }
  const keyOf = (chainId: string, denom: string) => `${chainId}/${denomKey(denom)}`
  const byKey = new Map<string, AssetBody | undefined>(
    pairs.map(({ chainId, denom }) => [keyOf(chainId, denom), undefined]),
  )
  await scan(context, (await catalog.allAssets()).names, ({ body }) => {
    const key = keyOf(body.chain_id, body.denom)
    if (byKey.has(key)) byKey.set(key, body)
  })
  return pairs.flatMap(({ chainId, denom }) => byKey.get(keyOf(chainId, denom)) ?? [])
}

async function loadAssets(
  context: Context,
  chainId: string | null | undefined,
  pairs: readonly Pair[] | null | undefined,
): Promise<AssetList> {
  const checked = chainId == null ? null : checkChainId(chainId)
  if (pairs) {
    const found = await pairedAssets(context, pairs)
    return namedList(checked === null ? found : found.filter(({ chain_id }) => chain_id === checked))
  }
  const catalog = openCatalog(context)
  if (checked === null) return catalog.allAssets()
  const assets = await catalog.assets(checked)
  if (assets.all.length === 0) await assertKnown(context, checked)
  return assets
}

builder.queryField('assets', (t) =>
  t.field({
    type: AssetConnection,
    nullable: true,
    description: "Assets on one chain or on all, in the router's order. At most five minutes old.",
    args: {
      chainId: t.arg({ type: 'ChainId', description: 'The chain id. All chains by default.' }),
      pairs: t.arg({
        type: [AssetInput],
        description: 'Only these assets, in this order, at most 100. Unknown ones are left out.',
      }),
      ...assetFilterArgs,
      ...cursorArgs(),
    },
    complexity: pageCost,
    resolve: async (_root, args, context) => {
      const { first: _first, after: _after, last: _last, before: _before, ...filter } = args
      const list = `assets ${JSON.stringify(filter)}`
      const matching = await context.scope.memory.get(list, async () =>
        filterAssets(context, await loadAssets(context, args.chainId, args.pairs), filter),
      )
      return connectionFromArray(context, list, matching, args, assetShape)
    },
  }),
)
