import { builder, type Context } from '../../graphql/builder.ts'
import { type Awaitable, withValue } from '../../kit/withValue.ts'
import { ifReadable } from '../../wire/optional.ts'
import { displayNameOf } from '../chain/chain.ts'
import { chainOf } from '../chain/knownChain.ts'
import { routerRecordOf } from '../chain/routerRecords.ts'
import { Asset, type AssetShape } from './asset.ts'
import { type AssetBody, loadedAssets } from './catalog.ts'

// Symbols are no names: anybody can make a token with the symbol of another one. Beside its symbol, an asset shows where it
// comes from, and whether the router lists it.

/** How a coin came to a chain, by its denom. */
function wayOf({ denom, trace }: AssetBody): string {
  if (denom.startsWith('ibc/')) {
    const hops = (ifReadable(trace)?.split('/').length ?? 2) / 2
    return hops > 1 ? ` over IBC in ${hops} hops` : ' over IBC'
  }
  if (denom.startsWith('l2/')) return ' over its OPinit bridge'
  if (denom.startsWith('hyperlane/')) return ' over Hyperlane'
  return ''
}

/** Whether a denom is one of those that anybody can make on a chain. */
const isMadeByAnybody = (denom: string): boolean =>
  /^(factory\/|move\/|evm\/|cw20:|erc20[:/]|0x)/i.test(denom)

/** Whether a chain takes fees in a denom, as far as its registry or the router says it. */
const paysFees = (context: Context, chainId: string, denom: string): Awaitable<boolean> => {
  const own = chainOf(context, chainId).listed?.feeAssets
  if (own?.length) return own.some((asset) => asset.denom === denom)
  return routerRecordOf(context, chainId).then(
    (record) => record?.fee_assets.some((asset) => asset.denom === denom) ?? false,
    () => false,
  )
}

/** Where an asset comes from, in words that can stand beside its symbol. */
function labelOf(context: Context, { body }: AssetShape): Awaitable<string> {
  const { chain_id, denom } = body
  const origin = ifReadable(body.origin_chain_id)
  if (origin === null) return 'origin unknown'
  const named = (of: (name: string) => string) =>
    withValue(displayNameOf(context, chainOf(context, origin)), of)
  if (origin !== chain_id) return named((name) => `from ${name}${wayOf(body)}`)
  if (!isMadeByAnybody(denom)) return 'native'
  return withValue(paysFees(context, chain_id, denom), (isNative) =>
    isNative ? 'native' : named((name) => `token of ${name}`),
  )
}

builder.objectFields(Asset, (t) => ({
  originLabel: t.string({
    description:
      'Where it comes from, to show beside its symbol: `native`, `from Galley over IBC`.',
    resolve: (shape, _args, context) => labelOf(context, shape),
  }),
  isListed: t.boolean({
    description: 'Whether the router lists it.',
    resolve: ({ body }, _args, context) =>
      withValue(loadedAssets(context, body.chain_id), ({ find }) => find(body.denom) !== null),
  }),
  sharesSymbol: t.boolean({
    description: 'Whether the router lists another asset of the chain with its symbol.',
    resolve: ({ body }, _args, context) =>
      withValue(loadedAssets(context, body.chain_id), (list) => {
        const symbol = ifReadable(body.symbol) ?? ''
        return list.countOfSymbol(symbol) > (list.find(body.denom) ? 1 : 0)
      }),
  }),
}))
