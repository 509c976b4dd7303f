import { z } from 'zod'
import { builder } from '../../../graphql/builder.ts'
import { decode } from '../../../upstream/compiledSchema.ts'
import {
  isJsonObject,
  type JsonObject,
  lenient,
  lenientBigInt,
  lenientBoolean,
  lenientInt,
  lenientString,
  lenientTimestamp,
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
  readonly relayQuoteExpiresAt: string | null
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
  smart_relay_fee_quote: lenient(z.object({ expiration: lenientTimestamp })),
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
    const common = decode(inner, body)
    const { tx_index, amount_in, amount_out } = decode(outer, envelope)
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
      details: kind?.operation.details ? decode(kind.operation.details.schema, body) : {},
      amountIn: amount_in ?? common.amount_in,
      amountOut: amount_out ?? common.amount_out,
      fromChainId,
      toChainId: common.to_chain_id ?? common.chain_id ?? fromChainId,
      denomIn: common.denom_in ?? common.denom,
      denomOut: common.denom_out ?? common.dest_denom ?? common.denom,
      bridgeId: common.bridge_id ?? kind?.bridge?.id ?? null,
      isRelayed: common.smart_relay,
      relayQuoteExpiresAt: common.smart_relay_fee_quote?.expiration ?? null,
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
  description: 'A step of a route: a transfer between two chains, a swap, or a send.',
  resolveType: ({ kind }) => kindByKey.get(kind)?.operation.type ?? 'UnknownOperation',
  fields: (t) => ({
    index: t.expose('index', { type: 'UInt53', description: 'Position in the route, from 0.' }),
    transactionIndex: t.expose('transactionIndex', {
      type: 'UInt53',
      description: 'Index of the transaction that includes the operation, from 0.',
    }),
    requiresSignature: t.exposeBoolean('requiresSignature', {
      description: 'Whether the operation is the first of a transaction to sign.',
    }),
    rawKind: t.exposeString('kind', {
      description: 'Key of the operation in the response of the router, such as `transfer`.',
    }),
    amountIn: t.expose('amountIn', {
      type: 'BigInt',
      nullable: true,
      description: 'Amount in, in base units of `denomIn`. Null if the router does not report it.',
    }),
    amountOut: t.expose('amountOut', {
      type: 'BigInt',
      nullable: true,
      description:
        'Amount out, in base units of `denomOut`. Null if the router does not report it.',
    }),
    fromChainId: t.exposeString('fromChainId', {
      nullable: true,
      description: 'The chain where the operation starts. Null if the router does not report it.',
    }),
    fromChain: chainField(
      t,
      'The chain where the operation starts',
      ({ fromChainId }) => fromChainId,
    ),
    fromRouterChain: routerChainField(
      t,
      "The router's record of the chain where the operation starts.",
      ({ fromChainId }) => fromChainId,
    ),
    toChainId: t.exposeString('toChainId', {
      nullable: true,
      description:
        'The chain where the operation ends. The same chain for swaps and sends. Null if the router does not report it.',
    }),
    toChain: chainField(t, 'The chain where the operation ends', ({ toChainId }) => toChainId),
    toRouterChain: routerChainField(
      t,
      "The router's record of the chain where the operation ends.",
      ({ toChainId }) => toChainId,
    ),
    denomIn: t.exposeString('denomIn', {
      nullable: true,
      description:
        'Base denom of the asset in, on the chain where the operation starts. Null if the router does not report it.',
    }),
    denomOut: t.exposeString('denomOut', {
      nullable: true,
      description:
        'Base denom of the asset out, on the chain where the operation ends. Null if the router does not report it.',
    }),
    assetIn: t.field({
      type: Asset,
      nullable: true,
      description: 'The asset in. Null if the router does not know it.',
      resolve: ({ fromChainId, denomIn }, _args, context) => assetOf(context, fromChainId, denomIn),
    }),
    assetOut: t.field({
      type: Asset,
      nullable: true,
      description: 'The asset out. Null if the router does not know it.',
      resolve: ({ toChainId, denomOut }, _args, context) => assetOf(context, toChainId, denomOut),
    }),
    bridge: t.field({
      type: Bridge,
      nullable: true,
      description: 'The bridge that carries the asset. Null for swaps and sends.',
      resolve: ({ bridgeId }) => bridgeName(bridgeId),
    }),
    bridgeId: t.exposeString('bridgeId', {
      nullable: true,
      description: "The router's id of the bridge. Null for swaps and sends.",
    }),
    isRelayed: t.exposeBoolean('isRelayed', {
      description:
        'Whether a relayer pays for the delivery and charges a fee. The quote of that fee expires.',
    }),
    relayQuoteExpiresAt: t.expose('relayQuoteExpiresAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When the quote of the relay fee expires. Request a new route before. Null if no relayer is used.',
    }),
    fees: t.field({
      type: [OperationFee],
      description: 'Fees of the operation. `Route.fees` can list some of them too.',
      resolve: ({ kind, body, fromChainId }) =>
        readFees(body, fromChainId, kindByKey.get(kind)?.bridge?.fees ?? []),
    }),
  }),
})

builder.objectRef<OperationShape>('UnknownOperation').implement({
  description:
    'An operation of a kind that this gateway does not know. The route can still be signed and sent.',
  interfaces: [RouteOperation],
  fields: (t) => ({
    body: t.expose('body', {
      type: 'JSON',
      description: 'The object under `rawKind`, as the router sent it.',
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
