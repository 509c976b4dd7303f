import { z } from 'zod'
import { builder } from '../../../graphql/builder.ts'
import {
  isJsonObject,
  type JsonObject,
  lenientBigInt,
  lenientBoolean,
  lenientInt,
  lenientString,
} from '../../../upstream/lenient.ts'
import { Asset, assetOf } from '../asset.ts'
import { Bridge, bridgeName } from '../bridges/bridge.ts'
import { chainField, routerChainField } from '../chainFields.ts'
import { feesIn, OperationFee } from './fee.ts'

/** One step of a route, read alike whatever it is. */
export interface OperationShape {
  readonly index: number
  readonly transactionIndex: number
  readonly requiresSignature: boolean
  /** The key it stands under, which names its kind. */
  readonly kind: string
  /** What stands under that key. */
  readonly body: JsonObject
  readonly amountIn: bigint | null
  readonly amountOut: bigint | null
  readonly fromChainId: string | null
  readonly toChainId: string | null
  readonly denomIn: string | null
  readonly denomOut: string | null
  readonly bridgeId: string | null
  readonly isRelayed: boolean
}

const outer = z.object({
  tx_index: lenientInt,
  amount_in: lenientBigInt,
  amount_out: lenientBigInt,
})

const inner = z.object({
  from_chain_id: lenientString,
  to_chain_id: lenientString,
  chain_id: lenientString,
  denom_in: lenientString,
  denom_out: lenientString,
  dest_denom: lenientString,
  denom: lenientString,
  amount_in: lenientBigInt,
  amount_out: lenientBigInt,
  bridge_id: lenientString,
  smart_relay: lenientBoolean,
})

/** The operations of a route, in order. One of an unknown kind is read as far as it resembles others. */
export function readOperations(entries: readonly unknown[]): OperationShape[] {
  let signed = -1
  return entries.map((entry, index) => {
    const around = isJsonObject(entry) ? entry : {}
    const parts = Object.entries(around).filter(([, value]) => isJsonObject(value))
    const [kind, found] = parts.find(([key]) => kinds.has(key)) ?? parts[0] ?? []
    const body = isJsonObject(found) ? found : around
    const common = inner.parse(body)
    const { tx_index, amount_in, amount_out } = outer.parse(around)
    const transactionIndex = tx_index ?? Math.max(0, signed)
    const requiresSignature = transactionIndex > signed
    signed = Math.max(signed, transactionIndex)
    const fromChainId = common.from_chain_id ?? common.chain_id
    return {
      index,
      transactionIndex,
      requiresSignature,
      kind: kind ?? '',
      body,
      amountIn: amount_in ?? common.amount_in,
      amountOut: amount_out ?? common.amount_out,
      fromChainId,
      toChainId: common.to_chain_id ?? common.chain_id ?? fromChainId,
      denomIn: common.denom_in ?? common.denom,
      denomOut: common.denom_out ?? common.dest_denom ?? common.denom,
      bridgeId: common.bridge_id ?? bridgeOf(kind ?? ''),
      isRelayed: common.smart_relay,
    }
  })
}

interface OperationKind {
  readonly type: string
  readonly bridgeId: string | null
}

const kinds = new Map<string, OperationKind>()

const bridgeOf = (kind: string): string | null => kinds.get(kind)?.bridgeId ?? null

export const RouteOperation = builder.interfaceRef<OperationShape>('RouteOperation').implement({
  description: 'One step of a route: a crossing between two chains, a swap, or a plain send.',
  resolveType: ({ kind }) => kinds.get(kind)?.type ?? 'UnknownOperation',
  fields: (t) => ({
    index: t.exposeInt('index', { description: 'Its place in the route, from 0.' }),
    transactionIndex: t.exposeInt('transactionIndex', {
      description: 'Which of the transactions to sign it is part of, from 0.',
    }),
    requiresSignature: t.exposeBoolean('requiresSignature', {
      description: 'Whether a transaction to sign begins with it.',
    }),
    rawKind: t.exposeString('kind', {
      description: 'The key of the operation in the answer of the router, such as `transfer`.',
    }),
    amountIn: t.expose('amountIn', {
      type: 'BigInt',
      nullable: true,
      description: 'What goes in, in base units of `denomIn`; null where the router does not tell.',
    }),
    amountOut: t.expose('amountOut', {
      type: 'BigInt',
      nullable: true,
      description:
        'What comes out, in base units of `denomOut`; null where the router does not tell.',
    }),
    fromChainId: t.exposeString('fromChainId', {
      nullable: true,
      description: 'The chain it starts on.',
    }),
    fromChain: chainField(t, 'The chain it starts on', ({ fromChainId }) => fromChainId),
    fromRouterChain: routerChainField(
      t,
      "The router's record of the chain it starts on.",
      ({ fromChainId }) => fromChainId,
    ),
    toChainId: t.exposeString('toChainId', {
      nullable: true,
      description: 'The chain it ends on; the same for swaps and sends.',
    }),
    toChain: chainField(t, 'The chain it ends on', ({ toChainId }) => toChainId),
    toRouterChain: routerChainField(
      t,
      "The router's record of the chain it ends on.",
      ({ toChainId }) => toChainId,
    ),
    denomIn: t.exposeString('denomIn', {
      nullable: true,
      description: 'Base denom of what goes in, on the chain it starts on.',
    }),
    denomOut: t.exposeString('denomOut', {
      nullable: true,
      description: 'Base denom of what comes out, on the chain it ends on.',
    }),
    assetIn: t.field({
      type: Asset,
      nullable: true,
      description: "The router's record of what goes in.",
      resolve: ({ fromChainId, denomIn }, _args, context) => assetOf(context, fromChainId, denomIn),
    }),
    assetOut: t.field({
      type: Asset,
      nullable: true,
      description: "The router's record of what comes out.",
      resolve: ({ toChainId, denomOut }, _args, context) => assetOf(context, toChainId, denomOut),
    }),
    bridge: t.field({
      type: Bridge,
      nullable: true,
      description: 'What carries the asset; null for swaps and sends.',
      resolve: ({ bridgeId }) => bridgeName(bridgeId),
    }),
    bridgeId: t.exposeString('bridgeId', {
      nullable: true,
      description: 'What carries the asset, in the word of the router.',
    }),
    isRelayed: t.exposeBoolean('isRelayed', {
      description: 'Whether a relayer pays for the delivery, against a fee whose quote expires.',
    }),
    fees: t.field({
      type: [OperationFee],
      description: 'The fees inside it. Those in `Route.fees` may repeat some of them.',
      resolve: ({ body }) => [...feesIn(body)],
    }),
  }),
})

builder.objectRef<OperationShape>('UnknownOperation').implement({
  description: 'A step of a kind newer than this gateway. It can be signed and sent all the same.',
  interfaces: [RouteOperation],
  fields: (t) => ({
    body: t.expose('body', {
      type: 'JSON',
      description: 'What stands under `rawKind`, as the router sent it.',
    }),
  }),
})

/** Adds the type of the operations that stand under `keys`, carried by `bridgeId` unless they say else. */
export function operationType(
  name: string,
  options: { description: string; keys: readonly string[]; bridgeId: string | null },
) {
  const { description, keys, bridgeId } = options
  for (const key of keys) kinds.set(key, { type: name, bridgeId })
  return builder.objectRef<OperationShape>(name).implement({
    description,
    interfaces: [RouteOperation],
  })
}
