import { z } from 'zod'
import { decode } from '../../../engine/wire/compiledSchema.ts'
import {
  isJsonObject,
  type JsonObject,
  lenient,
  lenientAmount,
  lenientBoolean,
  lenientCount,
  lenientString,
  lenientTimestamp,
} from '../../../engine/wire/lenient.ts'
import { ifReadable, type Optional, unreadable } from '../../../engine/wire/optional.ts'
import { bridges } from '../bridges/bridges.ts'
import type { BridgeDefinition, OperationDefinition } from '../bridges/defineBridge.ts'
import { localOperations } from './swapOperations.ts'

/** One step of a route. The fields that its kind adds are in `details`. */
export interface OperationShape {
  readonly index: number
  /** A guess if the router sent none. */
  readonly transactionIndex: number | typeof unreadable
  readonly requiresSignature: boolean
  /** The key in the response of the router that names its kind. */
  readonly kind: string
  readonly body: JsonObject
  readonly details: object
  readonly amountIn: Optional<bigint>
  readonly amountOut: Optional<bigint>
  readonly fromChainId: Optional<string>
  readonly toChainId: Optional<string>
  readonly denomIn: Optional<string>
  readonly denomOut: Optional<string>
  readonly bridgeId: Optional<string>
  readonly isRelayed: boolean
  readonly relayQuoteExpiresAt: Optional<string>
}

interface OperationKind {
  readonly operation: OperationDefinition
  /** Null for an operation within one chain. */
  readonly bridge: BridgeDefinition | null
}

/** The kinds of operations that the gateway knows. */
export const kinds: readonly OperationKind[] = [
  ...bridges.map((bridge) => ({ operation: bridge.operation, bridge })),
  ...localOperations.map((operation) => ({ operation, bridge: null })),
]

/** The kinds by the keys of their bodies. */
export const kindByKey: ReadonlyMap<string, OperationKind> = new Map(
  kinds.flatMap((kind) => kind.operation.keys.map((key) => [key, kind] as const)),
)

const outer = z.object({
  tx_index: lenientCount,
  amount_in: lenientAmount,
  amount_out: lenientAmount,
})

const inner = z.object({
  from_chain_id: lenientString,
  to_chain_id: lenientString,
  chain_id: lenientString,
  denom_in: lenientString,
  denom_out: lenientString,
  dest_denom: lenientString,
  denom: lenientString,
  amount_in: lenientAmount,
  amount_out: lenientAmount,
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
    const { key, body } = findBody(envelope)
    const kind = kindByKey.get(key)
    const common = decode(inner, body)
    const quote = common.smart_relay_fee_quote
    const { tx_index, amount_in, amount_out } = decode(outer, envelope)
    const signed = ifReadable(tx_index) ?? Math.max(0, lastSigned)
    const requiresSignature = signed > lastSigned
    lastSigned = Math.max(lastSigned, signed)
    const fromChainId = common.from_chain_id ?? common.chain_id
    return {
      index,
      transactionIndex: tx_index === unreadable ? unreadable : signed,
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
      relayQuoteExpiresAt: quote === unreadable ? unreadable : quote?.expiration,
    }
  })
}

/** The body of an operation: under a known key, else under the first key that holds an object. */
function findBody(envelope: JsonObject): { key: string; body: JsonObject } {
  const entries = Object.entries(envelope)
  const candidates = entries.flatMap(([key, body]) => (isJsonObject(body) ? [{ key, body }] : []))
  return candidates.find(({ key }) => kindByKey.has(key)) ?? candidates[0] ?? { key: '', body: envelope }
}
