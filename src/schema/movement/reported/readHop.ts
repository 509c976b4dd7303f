import { z } from 'zod'
import type { BridgeRoute } from '#words/bridges/bridgeSteps'
import { decode } from '../../../engine/wire/compiledSchema.ts'
import {
  isJsonObject,
  type JsonObject,
  lenient,
  lenientAmount,
  lenientOrNull,
  lenientString,
  lenientTimestamp,
} from '../../../engine/wire/lenient.ts'
import { ifReadable, type Optional, type unreadable } from '../../../engine/wire/optional.ts'
import { bridges } from '../../router/bridges/bridges.ts'
import type { BridgeDefinition } from '../../router/bridges/defineBridge.ts'
import { type HopStateName, toHopState } from './hopState.ts'

export const bridgeByHopKey: ReadonlyMap<string, BridgeDefinition> = new Map(
  bridges.map((bridge) => [bridge.hop.key, bridge]),
)

const groups = bridges.flatMap(({ hop }) => hop.transactionGroups ?? [])

const hopTransaction = z.object({
  chain_id: lenientString,
  tx_hash: lenientString,
  explorer_link: lenientString,
  on_chain_at: lenientTimestamp,
})

// A transaction without a hash and a link is no information.
const optionalHopTransaction = lenientOrNull(
  hopTransaction.refine(({ tx_hash, explorer_link }) => tx_hash !== null || explorer_link !== null),
)

/** A transaction of a hop. `slot` is its key in the response, which says what it does. */
export interface HopTransactionBody extends z.output<typeof hopTransaction> {
  readonly slot: string
}

const hopCommon = z.object({
  from_chain_id: lenientString,
  to_chain_id: lenientString,
  src_chain_id: lenientString,
  dst_chain_id: lenientString,
  amount_in: lenientAmount,
  amount_out: lenientAmount,
  amount: lenientAmount,
  denom_in: lenientString,
  denom_out: lenientString,
  denom: lenientString,
  state: lenientString,
  error_message: lenientString,
})

/** Why something failed. Some routers send only a sentence. */
export const problem = z.preprocess(
  (value) => (typeof value === 'string' && value !== '' ? { message: value } : value),
  z.object({ type: lenientString, message: lenientString, details: z.unknown().optional() }),
)

/** The failure of a transfer, in the router's words. */
export type Problem = z.output<typeof problem>

const optionalProblem = lenient(problem)

/** A hop over any bridge. The fields that its bridge adds are in `details`. */
export interface HopBody {
  /** The key of the hop in the response, which names the bridge. */
  readonly kind: string
  readonly body: unknown
  readonly details: object
  readonly fromChainId: Optional<string>
  readonly toChainId: Optional<string>
  readonly amountIn: Optional<bigint>
  readonly amountOut: Optional<bigint>
  readonly denomIn: Optional<string>
  readonly denomOut: Optional<string>
  readonly state: HopStateName
  /** The state by the router alone. Undefined until the records of the chains have been read, which can prove another one. */
  readonly reportedState?: HopStateName
  /** `""` if there is none. */
  readonly rawState: string | typeof unreadable
  readonly transactions: readonly HopTransactionBody[]
  /** The transaction that sent it, where the router does not name it: the first hop is sent by the first transaction. Its route, if that is known. */
  readonly sentBy?: { readonly chainId: string; readonly hash: string; readonly route?: BridgeRoute }
  readonly error: Optional<Problem>
}

/** A hop of which nothing is known. */
export const emptyHop: HopBody = {
  kind: '',
  body: null,
  details: {},
  fromChainId: null,
  toChainId: null,
  amountIn: null,
  amountOut: null,
  denomIn: null,
  denomOut: null,
  state: 'UNKNOWN',
  rawState: '',
  transactions: [],
  error: null,
}

/**
 * Reads an entry of a `transfer_sequence`. The fields that all hops share are read for an unknown bridge
 * too. An entry that is not an object keeps its body.
 */
export function readHop(entry: unknown): HopBody {
  if (!isJsonObject(entry)) return { ...emptyHop, body: entry }
  const [kind, body] = findBody(entry)
  const hop = bridgeByHopKey.get(kind)?.hop
  const common = decode(hopCommon, body)
  const transactions = transactionsOf(body)
  return {
    kind,
    body,
    details: hop?.details ? decode(hop.details.schema, body) : {},
    fromChainId: common.from_chain_id ?? common.src_chain_id,
    toChainId: common.to_chain_id ?? common.dst_chain_id,
    amountIn: common.amount_in ?? common.amount,
    amountOut: common.amount_out,
    denomIn: common.denom_in ?? common.denom,
    denomOut: common.denom_out,
    state: toHopState(ifReadable(common.state) ?? '', hop),
    rawState: common.state ?? '',
    transactions: Object.entries(transactions).flatMap(([slot, value]) => {
      const tx = decode(optionalHopTransaction, value)
      return tx === null ? [] : [{ slot, ...tx }]
    }),
    error: decode(optionalProblem, transactions.error) ?? messageOnly(common.error_message),
  }
}

/** The time of the first transaction of a hop. Null if no transaction has one. */
export const beganAt = (hop: HopBody): string | null => timesOf(hop.transactions)[0] ?? null

/** The time when a hop ended: of its last transaction, without what may follow the end. Null if it has not ended. */
export function endedAt({ kind, state, transactions }: HopBody): string | null {
  if (state !== 'COMPLETED' && state !== 'FAILED') return null
  const followUps = bridgeByHopKey.get(kind)?.hop.lastTransactions ?? []
  const own = state === 'COMPLETED' ? transactions.filter(({ slot }) => !followUps.includes(slot)) : transactions
  return timesOf(own).at(-1) ?? null
}

/** The times of transactions, the earliest first. */
const timesOf = (transactions: readonly HopTransactionBody[]): string[] =>
  transactions
    .flatMap(({ on_chain_at }) => ifReadable(on_chain_at) ?? [])
    .toSorted((a, b) => Date.parse(a) - Date.parse(b))

/** The first object in an entry, and its key. Some routers send the hop itself, without a key. */
function findBody(entry: JsonObject): [kind: string, body: JsonObject] {
  for (const [kind, body] of Object.entries(typeof entry.state === 'string' ? {} : entry)) {
    if (isJsonObject(body)) return [kind, body]
  }
  return ['', entry]
}

const messageOnly = (message: string | null | typeof unreadable): Problem | null =>
  message === null ? null : { type: null, message, details: null }

/** The object that holds the transactions of a hop, by their slots, and its error. */
function transactionsOf({ packet_txs, txs }: JsonObject): JsonObject {
  const outer = isJsonObject(packet_txs) ? packet_txs : isJsonObject(txs) ? txs : {}
  return groups.map((group) => outer[group]).find(isJsonObject) ?? outer
}
