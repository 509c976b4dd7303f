import { builder, type Context } from '../../engine/graphql/builder.ts'
import { keyText } from '../../engine/graphql/naturalKey.ts'
import { nodeType } from '../../engine/graphql/node.ts'
import { GatewayError } from '../../engine/upstream/error.ts'
import type { FeeAsset } from '../../engine/upstream/network.ts'
import { readValue } from '../../engine/upstream/upstreamError.ts'
import { ifReadable, type Optional, unreadable } from '../../engine/wire/optional.ts'
import { checkChainId } from './chainId.ts'
import { type ChainShape, chainShape, findChain, findFamily, known, knownList } from './knownChain.ts'
import { ChainExplorer, ChainKindEnum, FeeAssetType } from './parts.ts'
import { loadRouterRecord, type RouterChainRecord } from './routerRecords.ts'

const urls = (url: Optional<string>): string[] => {
  const sent = readValue('router', url)
  return sent === null ? [] : [sent]
}

/** Low, average and high price with one value, for prices that are missing or unreadable. */
const allPrices = <T>(price: T) => ({ low: price, average: price, high: price })

const feeAssetsOfRouter = ({ fee_assets }: RouterChainRecord): FeeAsset[] =>
  fee_assets.map(({ denom, gas_price }) => ({
    denom,
    ...(gas_price === unreadable ? allPrices(unreadable) : (gas_price ?? allPrices(null))),
  }))

const knownFeeAssetsOf = knownList<FeeAsset>(({ feeAssets }) => feeAssets, feeAssetsOfRouter)

/** The longest wait for the router, in milliseconds, where only it can name the denoms. */
const denomsMs = 2_000

const denomsLate = () =>
  new GatewayError(
    'UPSTREAM_TIMEOUT',
    `The router did not name the fee assets within ${denomsMs / 1_000} seconds, and the registry has none.`,
    { service: 'router' },
  )

const feeAssetsOf: typeof knownFeeAssetsOf = (chain, args, context) =>
  context.scope.within({ milliseconds: denomsMs, late: denomsLate }, () => knownFeeAssetsOf(chain, args, context))

/** The longest wait for prices of the router, in milliseconds, where the registry names the denoms. */
const priceMs = 1_000

const hasNoPrice = ({ low, average, high }: FeeAsset): boolean => (low ?? average ?? high) === null

/** The fee assets. Prices that the registry lacks are the router's. */
async function loadPricedFeeAssets(chain: ChainShape, args: object, context: Context) {
  const assets = await feeAssetsOf(chain, args, context)
  if (!chain.listed || !assets?.some(hasNoPrice)) return assets
  const record = await context.scope
    .within({ milliseconds: priceMs }, () => loadRouterRecord(context, chain.chainId))
    .catch(() => null)
  const ofRouter = record ? feeAssetsOfRouter(record) : []
  return assets.map((asset) =>
    hasNoPrice(asset) ? (ofRouter.find(({ denom }) => denom === asset.denom) ?? asset) : asset,
  )
}

const shortName = known(
  ({ name }) => name,
  ({ chain_name }) => chain_name,
)

const displayName = known(
  ({ prettyName }) => prettyName,
  ({ pretty_name, chain_name }) => ifReadable(pretty_name) ?? chain_name,
)

/** The name that `find` gives, or the chain id. A router that does not respond costs no name. */
const orId =
  (find: typeof shortName) =>
  (chain: ChainShape, args: object, context: Context): string | Promise<string> => {
    const name = find(chain, args, context)
    if (typeof name === 'string') return name
    const fallback = chain.listed?.name ?? chain.chainId
    return name.then(
      (found) => found ?? fallback,
      () => fallback,
    )
  }

/** The display name of a chain, or its id. A router that does not respond costs no name. */
export const loadDisplayName = (context: Context, chain: ChainShape): string | Promise<string> =>
  orId(displayName)(chain, {}, context)

export const Chain = nodeType<ChainShape>('Chain', {
  description:
    'A chain that an indexer, the registry or the router knows. Values of the registry go first. On-chain records are null without an indexer.',
  keyOf: ({ chainId }) => chainId,
  naturalKey: {
    fields: 'chainId',
    keyOf: (representation) => checkChainId(keyText(representation, 'chainId')),
  },
  load: (chainId, context) => findChain(context, chainId),
  fields: (t) => ({
    chainId: t.value('ChainId', 'Chain id, such as `interwoven-1`, or an EVM chain number.', ({ chainId }) => chainId),
    name: t.value(
      'String',
      'Registry name, such as `osmosis`, else the chain id. At most 128 characters.',
      orId(shortName),
    ),
    prettyName: t.value(
      'String',
      'Display name, such as `Osmosis`, else the chain id. At most 128 characters.',
      orId(displayName),
    ),
    isDefault: t.value(
      'Boolean',
      'Whether `chain` without a `chainId` returns this chain.',
      ({ chainId }, _args, { network }) => network.defaultChain.chainId === chainId,
    ),
    isIndexed: t.value('Boolean', 'Whether an indexer serves its records.', ({ served }) => served !== null),
    isRoutable: t.nullable(
      'Boolean',
      'Whether the router reaches it. Null, with an error, without the router.',
      ({ chainId }, _args, context) => loadRouterRecord(context, chainId).then((record) => record !== null),
    ),
    kind: t.nullable(
      ChainKindEnum,
      'The family of the chain. Null, with an error, without the router.',
      (chain, _args, context) => (chain.listed ? 'COSMOS' : findFamily(context, chain)),
    ),
    rawKind: t.ifKnown('String', "The router's word for the family, such as `cosmos`.", ({ chainId }, _args, context) =>
      loadRouterRecord(context, chainId).then((record) => readValue('router', record?.chain_type)),
    ),
    logoUrl: t.ifKnown(
      'URL',
      'URL of a logo.',
      known(
        ({ logoUrl }) => logoUrl,
        ({ logo_uri }) => logo_uri,
      ),
    ),
    explorers: t.value(
      [ChainExplorer],
      'Block explorers, from the chain registry.',
      ({ listed }) => listed?.explorers ?? [],
    ),
    feeDenoms: t.ifKnown(
      ['Denom'],
      'Fee denoms, preferred first.',
      async (chain, args, context) => (await feeAssetsOf(chain, args, context))?.map(({ denom }) => denom) ?? null,
    ),
    feeAssets: t.ifKnown(
      [FeeAssetType],
      'Fee denoms with gas prices, preferred first.',
      async (chain, args, context) =>
        (await loadPricedFeeAssets(chain, args, context))?.map((asset) => ({
          ...asset,
          chainId: chain.chainId,
        })) ?? null,
    ),
    rpcUrls: t.ifKnown(
      ['URL'],
      'Public RPC endpoints.',
      knownList(
        ({ rpcUrls }) => rpcUrls,
        ({ rpc }) => urls(rpc),
      ),
    ),
    restUrls: t.ifKnown(
      ['URL'],
      'Public REST endpoints.',
      knownList(
        ({ restUrls }) => restUrls,
        ({ rest }) => urls(rest),
      ),
    ),
  }),
})

builder.queryField('chains', (t) =>
  t.field({
    type: [Chain],
    description: 'All chains with an indexer, in the order of the configuration.',
    complexity: (_args, { network }) => ({ field: 1, multiplier: network.chains.size }),
    resolve: (_root, _args, { network }) => [...network.chains.values()].map(chainShape),
  }),
)
