import { z } from 'zod'
import { builder } from '../../../engine/graphql/builder.ts'
import { openEnum } from '../../../engine/graphql/openEnum.ts'
import { decode } from '../../../engine/wire/compiledSchema.ts'
import {
  isJsonObject,
  type JsonObject,
  lenient,
  lenientAmount,
  lenientCount,
  lenientPrice,
  lenientString,
} from '../../../engine/wire/lenient.ts'
import { ifReadable, type Optional, unreadable } from '../../../engine/wire/optional.ts'
import { type AmountShape, AssetAmount, knownAmount } from '../../amount/assetAmount.ts'
import { Asset, type AssetShape, assetOf, filledAsset } from '../asset/asset.ts'
import { Bridge, bridgeName } from '../bridges/bridge.ts'
import { bridges } from '../bridges/bridges.ts'
import type { FeeDefinition, OperationFeeKind } from '../bridges/defineBridge.ts'
import { type AssetBody, asset } from '../catalog.ts'
import { ifSent, optionalChainField, readRouterValue, sent } from '../routerFields.ts'

/** The chain and denom of an amount, by its record of the asset. */
function assetKey(sent: Optional<AssetBody>): Omit<AmountShape, 'amount'> {
  const body = ifReadable(sent)
  return { chainId: body?.chain_id, denom: body?.denom, decimals: body?.decimals }
}

/** A fee in the list of a route, on the wire. */
export const fee = z
  .object({
    fee_type: lenientString,
    bridge_id: lenientString,
    amount: lenientAmount,
    usd_amount: lenientPrice,
    origin_asset: lenient(asset),
    chain_id: lenientString,
    tx_index: lenientCount,
    operation_index: lenientCount,
    fee_behavior: lenientString,
  })
  .transform((body) => ({ ...body, ...assetKey(body.origin_asset) }))
type Fee = z.output<typeof fee>

const routeFeeKind = openEnum('RouteFeeKind', {
  description: 'What a fee pays for.',
  values: {
    SMART_RELAY: 'A relayer that pays for the delivery.',
    SWAP: 'A swap venue.',
    BRIDGE: 'A bridge.',
    RELAY: 'A relayer.',
    GAS: 'Execution on a chain.',
  },
  unknown: 'A kind unknown to this gateway. See `rawKind`.',
})

const feeBehavior = openEnum('FeeBehavior', {
  description: 'How a fee is charged.',
  values: {
    DEDUCTED: 'Deducted from the amount sent.',
    ADDITIONAL: 'Charged in addition to the amount sent.',
  },
  unknown: 'Another or none: see `rawBehavior`.',
  nameOf: (word) => /^FEE_BEHAVIOR_(.*)$/.exec(word)?.[1],
})

export const RouteFee = builder.objectRef<Fee>('RouteFee').implement({
  description: 'A fee of a route.',
  interfaces: [AssetAmount],
  fields: (t) => ({
    kind: t.value(routeFeeKind.type, 'What the fee pays for.', ({ fee_type }) => routeFeeKind.valueOf(fee_type)),
    rawKind: ifSent(t, 'String', "The router's word for `kind`.", ({ fee_type }) => fee_type),
    behavior: t.value(feeBehavior.type, 'How the fee is charged.', ({ fee_behavior }) =>
      feeBehavior.valueOf(fee_behavior),
    ),
    rawBehavior: ifSent(t, 'String', "How the fee is charged, in the router's words.", (fee) => fee.fee_behavior),
    bridge: t.nullable(Bridge, 'Its bridge. Null if none.', ({ bridge_id }) => bridgeName(bridge_id)),
    rawBridge: sent(t, 'String', "The router's id of it. Null if none.", ({ bridge_id }) => bridge_id),
    usdValue: sent(t, 'Decimal', 'Value of the amount in US dollars. Null without a price.', (fee) => fee.usd_amount),
    asset: t.ifKnown(Asset, 'The asset that the fee is paid in.', ({ origin_asset }, _args, context) => {
      const body = readRouterValue(origin_asset)
      return body && filledAsset(context, body)
    }),
    chainId: ifSent(t, 'ChainId', 'The chain where the fee is paid.', ({ chain_id }) => chain_id),
    chain: optionalChainField(t, 'The chain where the fee is paid', ({ chain_id }) => chain_id),
    transactionIndex: ifSent(t, 'UInt53', 'Index of the transaction that pays it, from 0.', ({ tx_index }) => tx_index),
    operationIndex: ifSent(t, 'UInt53', 'Index of its operation, from 0.', ({ operation_index }) => operation_index),
  }),
})

/** A fee inside an operation. */
export interface OperationFee extends AmountShape {
  readonly kind: OperationFeeKind
  readonly usdValue: Optional<string>
  /** The router's record of the asset, if the operation has it. */
  readonly asset: Optional<AssetBody>
}

/** The fees of all bridges, one for each place that holds an amount. */
const knownFees = new Map(bridges.flatMap(({ fees }) => fees.map((fee) => [fee.amount, fee])))
const assetBody = lenient(asset)

/**
 * The fees inside the body of an operation that starts on `chainId`. The fees of its bridge come first. The
 * places of other bridges are read too, in case the bridge is unknown.
 */
export function readFees(
  body: JsonObject,
  chainId: Optional<string>,
  ownFees: readonly FeeDefinition[],
): OperationFee[] {
  const at = (place: string | undefined) =>
    place?.split('.').reduce<unknown>((value, key) => (isJsonObject(value) ? value[key] : null), body)
  const ownPlaces = new Set(ownFees.map((fee) => fee.amount))
  const others = [...knownFees.values()].filter((fee) => !ownPlaces.has(fee.amount))
  return [...ownFees, ...others].flatMap((fee): OperationFee[] => {
    const amount = decode(lenientAmount, at(fee.amount))
    // A fee of 0 counts as no fee. Other bridges may keep something else at that place.
    const isOther = amount === unreadable && !ownPlaces.has(fee.amount)
    if (amount === null || amount === 0n || isOther) return []
    const asset = decode(assetBody, at(fee.asset))
    const denom = decode(lenientString, at(fee.denom))
    const read: OperationFee = {
      kind: fee.kind,
      amount,
      usdValue: decode(lenientPrice, at(fee.usdAmount)),
      asset,
      ...(asset ? assetKey(asset) : { chainId, denom }),
    }
    return [read]
  })
}

const OperationFeeKindEnum = builder.enumType('OperationFeeKind', {
  description: 'Purpose of a fee.',
  values: {
    BRIDGE: { description: 'The bridge, or the solvers that deliver in advance.' },
    MESSAGING: {
      description: 'The messaging protocol of the bridge, usually paid in the native coin of the source chain.',
    },
    RELAY: { description: 'A relayer that pays for the delivery. The quote of the fee expires.' },
    SOURCE_CHAIN: { description: 'Execution on the source chain.' },
    DESTINATION_CHAIN: { description: 'Execution on the destination chain.' },
    MAXIMUM: { description: 'The maximum fee of the bridge. The actual fee can be lower.' },
  },
})

export const OperationFee = builder.objectRef<OperationFee>('OperationFee').implement({
  description: 'A fee of an operation. In most cases it is not in `Route.fees`.',
  interfaces: [AssetAmount],
  fields: (t) => ({
    kind: t.value(OperationFeeKindEnum, 'What the fee pays for.', ({ kind }) => kind),
    amount: t.nullable('BigInt', 'Amount in base units.', knownAmount),
    usdValue: ifSent(t, 'Decimal', 'Value in US dollars.', ({ usdValue }) => usdValue),
    asset: t.ifKnown(
      Asset,
      'The asset that the fee is paid in.',
      ({ asset, chainId, denom }, _args, context): AssetShape | null | Promise<AssetShape | null> => {
        const body = readRouterValue(asset)
        return body ? filledAsset(context, body) : assetOf(context, chainId, denom)
      },
    ),
  }),
})
