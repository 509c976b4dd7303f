import { builder, type Context } from '../../../engine/graphql/builder.ts'
import { ifReadable } from '../../../engine/wire/optional.ts'
import { type Awaitable, withValue } from '../../../kit/awaitable.ts'
import { loadDisplayName } from '../../chain/chain.ts'
import { chainOf } from '../../chain/knownChain.ts'
import { loadRouterRecord } from '../../chain/routerRecords.ts'
import { type AssetBody, loadedAssets } from '../catalog.ts'
import { Asset, type AssetShape } from './asset.ts'
import { isDirect } from './channels.ts'

// A symbol identifies nothing: anybody can make a token with the symbol of another one. So an asset also says where it comes
// from, and whether the router lists it.

/** How a coin came to a chain other than over IBC, by the start of its denom. */
const ways = new Map([
  ['l2', ' over its OPinit bridge'],
  ['hyperlane', ' over Hyperlane'],
])

/** Whether a denom is one of those that anybody can make on a chain. */
const isMadeByAnybody = (denom: string): boolean => /^(factory\/|move\/|evm\/|cw20:|erc20[:/]|0x)/i.test(denom)

/** Whether a chain takes fees in a denom, as far as its registry or the router says it. */
const paysFees = (context: Context, chainId: string, denom: string): Awaitable<boolean> => {
  const own = chainOf(context, chainId).listed?.feeAssets
  if (own?.length) return own.some((asset) => asset.denom === denom)
  return loadRouterRecord(context, chainId).then(
    (record) => record?.fee_assets.some((asset) => asset.denom === denom) ?? false,
    () => false,
  )
}

const loadName = (context: Context, chainId: string): Awaitable<string> =>
  loadDisplayName(context, chainOf(context, chainId))

/** Where an asset comes from, in words that can stand beside its symbol. */
function makeLabel(context: Context, { body }: AssetShape): Awaitable<string> {
  const { chain_id, denom } = body
  const origin = ifReadable(body.origin_chain_id)
  if (denom.startsWith('ibc/')) return voucherLabel(context, body, origin)
  if (origin === null) return 'origin unknown'
  if (origin !== chain_id) {
    const way = ways.get(denom.split('/', 1)[0] ?? '') ?? ''
    return withValue(loadName(context, origin), (name) => `from ${name}${way}`)
  }
  if (!isMadeByAnybody(denom)) return 'native'
  return withValue(paysFees(context, chain_id, denom), (isNative) =>
    isNative ? 'native' : withValue(loadName(context, origin), (name) => `token of ${name}`),
  )
}

/**
 * Where a coin that came over IBC comes from. It can have come by way of another chain than its origin, even back to
 * its origin, and is then another coin than one that came straight.
 */
async function voucherLabel(context: Context, body: AssetBody, origin: string | null) {
  const isForeign = origin !== null && origin !== body.chain_id
  const from = isForeign ? `from ${await loadName(context, origin)} ` : ''
  if (isDirect(body)) return `${from}over IBC`
  const trace = ifReadable(body.trace) ?? ''
  const channel = /^transfer\/(channel-\d+)/.exec(trace)?.[1] ?? ''
  const last = (await loadedAssets(context, body.chain_id)).chainBehind(channel)
  if (last === null) return `${from}over IBC ${channel}`.trimEnd()
  if (last !== origin) return `${from}via ${await loadName(context, last)} over IBC`
  const hops = trace.split('/').length / 2
  return `${from}over IBC${hops > 1 ? ` in ${hops} hops` : ''}`
}

builder.objectFields(Asset, (t) => ({
  originLabel: t.value(
    'String',
    'Where it comes from, to show beside its symbol: `native`, `from Galley over IBC`.',
    (shape, _args, context) => makeLabel(context, shape),
  ),
  isListed: t.value('Boolean', 'Whether the router lists it.', ({ body }, _args, context) =>
    withValue(loadedAssets(context, body.chain_id), ({ find }) => find(body.denom) !== null),
  ),
  sharesSymbol: t.value(
    'Boolean',
    'Whether the router lists another asset of the chain with its symbol.',
    ({ body }, _args, context) =>
      withValue(loadedAssets(context, body.chain_id), (list) => {
        const symbol = ifReadable(body.symbol) ?? ''
        return list.countOfSymbol(symbol) > (list.find(body.denom) ? 1 : 0)
      }),
  ),
}))
