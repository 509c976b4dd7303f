import { builder, type Context, callCost } from '../../graphql/builder.ts'
import { type AmountShape, AssetAmount } from '../amount/assetAmount.ts'
import { decimalProduct, inWholeUnits } from '../amount/decimal.ts'
import { Asset, assetOf } from './asset.ts'
import { priceOf } from './assetPrice.ts'

const assetOfAmount = ({ chainId, denom }: AmountShape, context: Context) =>
  assetOf(context, chainId, denom)

/** The amount in whole units. Null if the amount or its number of decimal places is not known. */
export async function formattedAmount(value: AmountShape, context: Context) {
  const { amount } = value
  if (amount === null) return null
  const decimals = value.decimals ?? (await assetOfAmount(value, context))?.body.decimals ?? null
  return decimals === null ? null : inWholeUnits(amount, decimals)
}

async function usdValue(value: AmountShape, context: Context): Promise<string | null> {
  if (value.amount === null) return null
  const asset = await assetOfAmount(value, context)
  const whole =
    asset && (await formattedAmount({ ...value, decimals: asset.body.decimals }, context))
  const price = whole && (await priceOf(context, asset))
  return price && decimalProduct(whole, price)
}

builder.interfaceFields(AssetAmount, (t) => ({
  formattedAmount: t.field({
    type: 'Decimal',
    nullable: true,
    description: 'Amount in whole units. Null if its decimals are unknown.',
    resolve: (value, _args, context) => formattedAmount(value, context),
  }),
  usdValue: t.field({
    type: 'Decimal',
    nullable: true,
    description:
      'Value in US dollars. Null without a price. Costs up to one upstream request an asset a minute.',
    complexity: callCost,
    resolve: (value, _args, context) => usdValue(value, context),
  }),
  asset: t.field({
    type: Asset,
    nullable: true,
    description: 'The asset of the denom. Null if unknown.',
    resolve: (value, _args, context) => assetOfAmount(value, context),
  }),
}))
