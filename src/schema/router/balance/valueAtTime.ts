import { builder, type Context, callCost } from '../../../engine/graphql/builder.ts'
import { decimalProduct } from '../../amount/decimal.ts'
import { formattedAmount } from '../asset/assetAmount.ts'
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
  const whole = await formattedAmount({ ...change, decimals: body.decimals }, context)
  const price = whole === null ? null : await findDailyPrice(context, id, record.timestamp)
  return whole === null || price === null ? null : decimalProduct(whole, price)
}

builder.objectField(BalanceChange, 'usdValueAtTime', (t) =>
  t.field({
    type: 'Decimal',
    nullable: true,
    description:
      'Value in US dollars when it happened: by the price at 00:00 UTC of its day, the one price of that day. Negative for losses. Null without a reliable price or a service of prices, never the value of today.',
    complexity: callCost,
    resolve: (change, _args, context) => usdValueAtTime(change, context),
  }),
)
