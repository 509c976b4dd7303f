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
import { bridges } from '../bridges/bridges.ts'
import type { BridgeDefinition, OperationDefinition } from '../bridges/defineBridge.ts'
import { chainField, routerChainField } from '../chainFields.ts'
import { OperationFee, readFees } from './fee.ts'
import { localOperations } from './swapOperations.ts'

/** One step of a route. The fields that its kind adds are in `details`. */
export interface OperationShape {
  readonly index: number
  readonly transactionIndex: number
  readonly requiresSignature: boolean
  /** The key in the response of the router that names its kind. */
  readonly kind: string
  /** The object under that key. */
  readonly body: JsonObject
  readonly details: object
  readonly amountIn: bigint | null
  readonly amountOut: bigint | null
  readonly fromChainId: string | null
  readonly toChainId: string | null
  readonly denomIn: string | null
  readonly denomOut: string | null
  readonly bridgeId: string | null
  readonly isRelayed: boolean
}

interface OperationKind {
  readonly operation: OperationDefinition
  /** Null for an operation within one chain. */
  readonly bridge: BridgeDefinition | null
}

const kinds: readonly OperationKind[] = [
  ...bridges.map((bridge) => ({ operation: bridge.operation, bridge })),
  ...localOperations.map((operation) => ({ operation, bridge: null })),
]

const kindByKey: ReadonlyMap<string, OperationKind> = new Map(
  kinds.flatMap((kind) => kind.operation.keys.map((key) => [key, kind] as const)),
)

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

/**
 * Reads the operations of a route, in order. An operation of an unknown kind keeps its raw body, and
 * the fields that all kinds share are read as far as it has them.
 */
export function readOperations(entries: readonly unknown[]): OperationShape[] {
  let lastSigned = -1
  return entries.map((entry, index) => {
    const envelope = isJsonObject(entry) ? entry : {}
    const { key, body } = bodyOf(envelope)
    const kind = kindByKey.get(key)
    const common = inner.parse(body)
    const { tx_index, amount_in, amount_out } = outer.parse(envelope)
    const transactionIndex = tx_index ?? Math.max(0, lastSigned)
    const requiresSignature = transactionIndex > lastSigned
    lastSigned = Math.max(lastSigned, transactionIndex)
    const fromChainId = common.from_chain_id ?? common.chain_id
    return {
      index,
      transactionIndex,
      requiresSignature,
      kind: key,
      body,
      details: kind?.operation.details?.schema.parse(body) ?? {},
      amountIn: amount_in ?? common.amount_in,
      amountOut: amount_out ?? common.amount_out,
      fromChainId,
      toChainId: common.to_chain_id ?? common.chain_id ?? fromChainId,
      denomIn: common.denom_in ?? common.denom,
      denomOut: common.denom_out ?? common.dest_denom ?? common.denom,
      bridgeId: common.bridge_id ?? kind?.bridge?.id ?? null,
      isRelayed: common.smart_relay,
    }
  })
}

/** The body of an operation: under a known key, else under the first key that holds an object. */
function bodyOf(envelope: JsonObject): { key: string; body: JsonObject } {
  const entries = Object.entries(envelope)
  const candidates = entries.flatMap(([key, body]) => (isJsonObject(body) ? [{ key, body }] : []))
  return (
    candidates.find(({ key }) => kindByKey.has(key)) ?? candidates[0] ?? { key: '', body: envelope }
  )
}

export const RouteOperation = builder.interfaceRef<OperationShape>('RouteOperation').implement({
  description: 'One step of a route: a crossing between two chains, a swap, or a plain send.',
  resolveType: ({ kind }) => kindByKey.get(kind)?.operation.type ?? 'UnknownOperation',
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
      resolve: ({ kind, body, fromChainId }) =>
        readFees(body, fromChainId, kindByKey.get(kind)?.bridge?.fees ?? []),
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

for (const { operation } of kinds) {
  builder.objectRef<OperationShape>(operation.type).implement({
    description: operation.description,
    interfaces: [RouteOperation],
    fields: (t) => operation.details?.fields(t) ?? {},
  })
}
