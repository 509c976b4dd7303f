import { builder, type Context, callCost } from '../../../engine/graphql/builder.ts'
import { decimalProduct } from '../../amount/decimal.ts'
import { formattedAmount } from '../asset/assetAmount.ts'
import { isProvenVoucher } from '../asset/channels.ts'
import { loadedAssets } from '../catalog.ts'
import { readRouterValue } from '../routerFields.ts'
import { BalanceChange, type ChangeShape } from './balanceChange.ts'
import { findDailyPrice } from './dailyPrice.ts'

async function usdValueAtTime(change: ChangeShape, context: Context): Promise<string | null> {
  const { chainId, kind, denom, record } = change
  const { prices, router } = context.network
  if (!prices || !router || kind === 'NFT' || kind === 'OBJECT' || record.timestamp === null) return null
  // A token has no denom where this list could not be loaded: then the value is not absent, but unknown.
  const { find } = await loadedAssets(context, chainId)
  const body = denom === null ? null : find(denom)
  const id = readRouterValue(body?.coingecko_id)
  if (!body || id === null) return null
  // The list can give a token that it hides the price of another one.
  if (body.hidden && !(await isProvenVoucher(body, (other) => loadedAssets(context, other)))) return null
  const whole = await formattedAmount({ ...change, decimals: body.decimals }, context)
  const price = whole === null ? null : await findDailyPrice(context, id, record.timestamp)
  return whole === null || price === null ? null : decimalProduct(whole, price)
}

builder.objectField(BalanceChange, 'usdValueAtTime', (t) =>
  t.field({
    type: 'Decimal',
    nullable: true,
    description:
      'Value in US dollars when it happened: by the price at 00:00 UTC of its day. Negative for losses. Null without a reliable price or a service of prices, and for a hidden asset; never the value of today.',
    complexity: callCost,
    resolve: (change, _args, context) => usdValueAtTime(change, context),
  }),
)
