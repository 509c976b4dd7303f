import { z } from 'zod'
import { builder } from '../../../graphql/builder.ts'
import {
  isJsonObject,
  type JsonObject,
  lenient,
  lenientBigInt,
  lenientInt,
  lenientString,
} from '../../../upstream/lenient.ts'
import { Asset, type AssetShape, assetOf, assetShape } from '../asset.ts'
import { Bridge, bridgeName } from '../bridges/bridge.ts'
import { bridges } from '../bridges/bridges.ts'
import type { FeeDefinition, OperationFeeKind } from '../bridges/defineBridge.ts'
import { type AssetBody, asset } from '../catalog.ts'
import { chainField } from '../chainFields.ts'

/** A fee in the router's own list. */
export const fee = z.object({
  fee_type: lenientString,
  bridge_id: lenientString,
  amount: lenientBigInt,
  usd_amount: lenientString,
  origin_asset: lenient(asset),
  chain_id: lenientString,
  tx_index: lenientInt,
  operation_index: lenientInt,
  fee_behavior: lenientString,
})
type Fee = z.output<typeof fee>

const feeTypes = {
  SMART_RELAY: { description: 'A relayer who pays for the delivery.' },
  SWAP: { description: 'A venue that swaps.' },
  BRIDGE: { description: 'A bridge.' },
  RELAY: { description: 'A relayer.' },
  GAS: { description: 'The execution on a chain.' },
} as const

const FeeType = builder.enumType('FeeType', {
  description: 'What a fee is for.',
  values: {
    ...feeTypes,
    UNKNOWN: { description: 'A purpose newer than this gateway; `rawType` has its name.' },
  },
})

const isFeeType = (name: string | null): name is keyof typeof feeTypes =>
  name !== null && Object.hasOwn(feeTypes, name)

const FeeBehavior = builder.enumType('FeeBehavior', {
  description: 'How a fee is taken.',
  values: {
    DEDUCTED: { description: 'Out of the amount that goes in.' },
    ADDITIONAL: { description: 'On top of it.' },
    UNKNOWN: { description: 'The router does not tell, or in a word newer than this gateway.' },
  },
})

const behaviors = {
  FEE_BEHAVIOR_DEDUCTED: 'DEDUCTED',
  FEE_BEHAVIOR_ADDITIONAL: 'ADDITIONAL',
} as const

const behaviorOf = (word: string | null) =>
  word === 'FEE_BEHAVIOR_DEDUCTED' || word === 'FEE_BEHAVIOR_ADDITIONAL'
    ? behaviors[word]
    : 'UNKNOWN'

export const RouteFee = builder.objectRef<Fee>('RouteFee').implement({
  description:
    'A fee as the router lists it beside a route. What bridges take is mostly not in it.',
  fields: (t) => ({
    type: t.field({
      type: FeeType,
      description: 'What it is for.',
      resolve: ({ fee_type }) => (isFeeType(fee_type) ? fee_type : 'UNKNOWN'),
    }),
    rawType: t.exposeString('fee_type', {
      nullable: true,
      description: 'What it is for, in the word of the router.',
    }),
    behavior: t.field({
      type: FeeBehavior,
      description: 'How it is taken.',
      resolve: ({ fee_behavior }) => behaviorOf(fee_behavior),
    }),
    bridge: t.field({
      type: Bridge,
      nullable: true,
      description: 'The bridge it is for; null where it is for none.',
      resolve: ({ bridge_id }) => bridgeName(bridge_id),
    }),
    bridgeId: t.exposeString('bridge_id', {
      nullable: true,
      description: 'That bridge, in the word of the router.',
    }),
    amount: t.expose('amount', {
      type: 'BigInt',
      nullable: true,
      description: 'How much, in base units; null where the router does not tell.',
    }),
    usdAmount: t.exposeString('usd_amount', {
      nullable: true,
      description: 'How much in US dollars; null where the asset has no price.',
    }),
    asset: t.field({
      type: Asset,
      nullable: true,
      description: 'What it is paid in.',
      resolve: ({ origin_asset }) => origin_asset && assetShape(origin_asset),
    }),
    chainId: t.exposeString('chain_id', {
      nullable: true,
      description: 'The chain it is paid on.',
    }),
    chain: chainField(t, 'That chain', ({ chain_id }) => chain_id),
    transactionIndex: t.exposeInt('tx_index', {
      nullable: true,
      description: 'Which transaction of the route pays it, from 0.',
    }),
    operationIndex: t.exposeInt('operation_index', {
      nullable: true,
      description: 'Which operation of the route it belongs to, from 0.',
    }),
  }),
})

/** A fee inside an operation. */
export interface OperationFee {
  readonly kind: OperationFeeKind
  readonly amount: bigint
  readonly usdAmount: string | null
  readonly asset: AssetBody | null
  /** Where there is no `asset`: a denom on `chainId`. */
  readonly denom: string | null
  readonly chainId: string | null
}

const knownFees = bridges.flatMap(({ fees }) => fees)
const assetBody = lenient(asset)

/**
 * The fees inside the body of an operation that starts on `chainId`: those of its bridge first, then
 * those that routers send for other bridges, so that a fee of an unknown bridge is read too.
 */
export function readFees(
  body: JsonObject,
  chainId: string | null,
  ownFees: readonly FeeDefinition[],
): OperationFee[] {
  const at = (place: string | undefined) =>
    place
      ?.split('.')
      .reduce<unknown>((value, key) => (isJsonObject(value) ? value[key] : null), body)
  return [...new Set([...ownFees, ...knownFees])].flatMap((fee) => {
    const amount = lenientBigInt.parse(at(fee.amount))
    if (!amount) return []
    return {
      kind: fee.kind,
      amount,
      usdAmount: lenientString.parse(at(fee.usdAmount)),
      asset: assetBody.parse(at(fee.asset)),
      denom: lenientString.parse(at(fee.denom)),
      chainId,
    }
  })
}

const OperationFeeKindEnum = builder.enumType('OperationFeeKind', {
  description: 'What a fee inside an operation is for.',
  values: {
    BRIDGE: { description: 'The bridge itself, or the solvers who pay in advance.' },
    MESSAGING: {
      description: 'The messenger a bridge uses, paid in the coin of the sending chain.',
    },
    RELAY: { description: 'A relayer who pays for the delivery; the quote expires.' },
    SOURCE_CHAIN: { description: 'Execution on the sending chain.' },
    DESTINATION_CHAIN: { description: 'Execution on the receiving chain.' },
    MAXIMUM: { description: 'The most the bridge may take; it may take less.' },
  },
})

export const OperationFee = builder.objectRef<OperationFee>('OperationFee').implement({
  description: 'A fee that stands inside an operation, and in most cases nowhere else.',
  fields: (t) => ({
    kind: t.expose('kind', { type: OperationFeeKindEnum, description: 'What it is for.' }),
    amount: t.expose('amount', { type: 'BigInt', description: 'How much, in base units.' }),
    usdAmount: t.exposeString('usdAmount', {
      nullable: true,
      description: 'How much in US dollars, where the router tells.',
    }),
    asset: t.field({
      type: Asset,
      nullable: true,
      description: 'What it is paid in; null where the router does not tell.',
      resolve: (
        { asset: given, chainId, denom },
        _args,
        context,
      ): AssetShape | null | Promise<AssetShape | null> =>
        given ? assetShape(given) : assetOf(context, chainId, denom),
    }),
  }),
})
