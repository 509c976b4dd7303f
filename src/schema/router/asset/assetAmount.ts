import { builder, type Context, callCost, type Field } from '../../../engine/graphql/builder.ts'
import type { Fields } from '../../../engine/graphql/fields.ts'
import { type Awaitable, withValue } from '../../../kit/awaitable.ts'
import { type AmountShape, AssetAmount, knownAmount } from '../../amount/assetAmount.ts'
import { decimalProduct, inWholeUnits } from '../../amount/decimal.ts'
import { readRouterValue } from '../routerFields.ts'
import { Asset, assetOf } from './asset.ts'
import { findPrice } from './assetPrice.ts'

const assetOfAmount = ({ chainId, denom }: AmountShape, context: Context) => assetOf(context, chainId, denom)

/** The amount in whole units. Null if the amount or its number of decimal places is not known. */
export function formattedAmount(value: AmountShape, context: Context): Awaitable<string | null> {
  const decimals = readRouterValue(value.decimals)
  const amount = knownAmount(value)
  if (amount === null) return null
  if (decimals !== null) return inWholeUnits(amount, decimals)
  return withValue(assetOfAmount(value, context), (asset) => {
    const listed = readRouterValue(asset?.body.decimals)
    return listed === null ? null : inWholeUnits(amount, listed)
  })
}

/** A field with an amount in whole units, beside one in base units. `sentence` describes it without its null. */
export const formattedField = <Shape>(t: Fields<Shape>, sentence: string, pick: (shape: Shape) => AmountShape): Field =>
  t.nullable('Decimal', `${sentence} ${withoutDecimals}`, (shape, _args, context) =>
    formattedAmount(pick(shape), context),
  )

/** When an amount in whole units is null. */
export const withoutDecimals = 'Null if its decimals are unknown.'

function usdValue(value: AmountShape, context: Context): Awaitable<string | null> {
  if (knownAmount(value) === null) return null
  return withValue(assetOfAmount(value, context), (asset) => {
    if (!asset) return null
    return withValue(formattedAmount({ ...value, decimals: asset.body.decimals }, context), (whole) =>
      whole === null ? null : withValue(findPrice(context, asset), (price) => price && decimalProduct(whole, price)),
    )
  })
}

builder.interfaceFields(AssetAmount, (t) => ({
  formattedAmount: t.nullable('Decimal', `Amount in whole units. ${withoutDecimals}`, (value, _args, context) =>
    formattedAmount(value, context),
  ),
  usdValue: t.field({
    type: 'Decimal',
    nullable: true,
    description: 'Value in US dollars. Null without a price. Costs up to one upstream request an asset a minute.',
    complexity: callCost,
    resolve: (value, _args, context) => usdValue(value, context),
  }),
  asset: t.ifKnown(Asset, 'The asset of the denom.', (value, _args, context) => assetOfAmount(value, context)),
}))
