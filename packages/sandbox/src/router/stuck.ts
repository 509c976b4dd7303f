import type { ChainTransactions } from './chainTransactions.ts'
import type { Edge } from './edges.ts'
import { hopEntry } from './hops.ts'
import type { JsonObject } from './jsonObject.ts'
import type { Network } from './network.ts'

/** A transfer over one bridge that stays in one state for ever. */
export interface Stuck {
  /** The key of the hop in a status. */
  readonly key: string
  /** The word of the bridge for its state. */
  readonly hopState: string
  readonly state: 'STATE_PENDING' | 'STATE_PENDING_ERROR' | 'STATE_COMPLETED_ERROR'
}

/** The bridges by the digit that chooses one: the key of a hop, the prefix of its states, and the states by their digit. */
const table: readonly (readonly [key: string, prefix: string, states: readonly string[]])[] = [
  ['ibc_transfer', 'TRANSFER_', ['PENDING', 'RECEIVED', 'PENDING_ERROR', 'FAILURE']],
  ['eureka_transfer', 'TRANSFER_', ['PENDING', 'RECEIVED', 'PENDING_ERROR', 'FAILURE']],
  ['op_init_transfer', 'OPINIT_TRANSFER_', ['SENT']],
  ['layer_zero_transfer', 'LAYER_ZERO_TRANSFER_', ['SENT', 'WAITING_FOR_COMPOSE', 'FAILED']],
  ['stargate_transfer', 'STARGATE_TRANSFER_', ['SENT', 'PENDING_CONFIRMATION', 'CONFIRMED', 'FAILED']],
  ['axelar_transfer', 'AXELAR_TRANSFER_', ['PENDING_CONFIRMATION', 'PENDING_RECEIPT', 'FAILURE']],
  ['cctp_transfer', 'CCTP_TRANSFER_', ['SENT', 'PENDING_CONFIRMATION', 'CONFIRMED']],
  ['cctp_transfer_v2', 'CCTP_TRANSFER_', ['SENT', 'PENDING_CONFIRMATION', 'CONFIRMED']],
  ['hyperlane_transfer', 'HYPERLANE_TRANSFER_', ['SENT', 'FAILED']],
  ['go_fast_transfer', 'GO_FAST_', ['TRANSFER_SENT', 'TRANSFER_TIMEOUT', 'TRANSFER_REFUNDED', 'POST_ACTION_FAILED']],
]

/**
 * All endings of hashes whose transfers stay in one state. After `dead`, the first digit chooses the bridge and the second
 * one its state: `dead12` is a packet over Eureka in TRANSFER_PENDING_ERROR.
 */
export const stuckEndings: ReadonlyMap<string, Stuck> = new Map(
  table.flatMap(([key, prefix, states], bridge) =>
    states.map((word, index) => [`dead${bridge}${index}`, { key, hopState: `${prefix}${word}`, state: stateOf(word) }]),
  ),
)

function stateOf(word: string): Stuck['state'] {
  if (word === 'PENDING_ERROR' || word === 'TRANSFER_TIMEOUT') return 'STATE_PENDING_ERROR'
  return /FAIL|REFUNDED/.test(word) ? 'STATE_COMPLETED_ERROR' : 'STATE_PENDING'
}

/** The state in which the transfer of a hash in lower case stays. Undefined for all hashes but those of the table. */
export const stuckOf = (hash: string): Stuck | undefined => stuckEndings.get(hash.slice(-6))

/** The transfer of a hash that stays in one state, from its first status on. */
export function stuckBody(
  network: Network,
  transactions: ChainTransactions,
  { chainId, hash, trackedAt }: { readonly chainId: string; readonly hash: string; readonly trackedAt: number },
  { key, hopState, state }: Stuck,
): JsonObject {
  const edge = findEdge(network, chainId, key)
  if (edge === undefined) throw new RangeError(`no way over ${key}`)
  const { from, to } = edge
  const sent = transactions.entry(chainId, hash, trackedAt)
  const hasFailed = state !== 'STATE_PENDING'
  const relayed = (chain: string, salt: string) => transactions.relay(chain, trackedAt, `${hash}/${salt}`, trackedAt)
  const isBack = /(TRANSFER_FAILURE|REFUNDED)$/.test(hopState) && key !== 'axelar_transfer'
  const isThere =
    /(RECEIVED|TRANSFER_PENDING_ERROR|COMPOSE|FAILED)$/.test(hopState) || (hasFailed && key.endsWith('eureka_transfer'))
  const received = isThere ? relayed(to.chainId, '0') : null
  const returned = isBack ? relayed(from.chainId, '0/back') : null
  // What the bridge gave back is where it came from. What arrived, and then went no further, is where it arrived.
  const held = isBack ? from : hopState.endsWith('POST_ACTION_FAILED') ? to : undefined
  const amount = String(25n * 10n ** BigInt(from.decimals))
  return {
    state,
    transfer_sequence: [
      hopEntry(key, from.chainId, to.chainId, {
        state: hopState,
        ...transactionsIn(key, { sent, received, returned, hasFailed }),
      }),
    ],
    next_blocking_transfer: hasFailed ? null : { transfer_sequence_index: 0 },
    transfer_asset_release: held
      ? { chain_id: held.chainId, denom: held.denom, amount, released: state === 'STATE_COMPLETED_ERROR' }
      : null,
    error: hasFailed ? { type: 'STATUS_ERROR_TRANSFER', message: 'transfer failed on the way' } : null,
  }
}

/** A way over the bridge of a hop, from the chain if it has one. */
function findEdge({ edges }: Network, chainId: string, key: string): Edge | undefined {
  const kind = key === 'ibc_transfer' ? 'transfer' : key.replace('_v2', '')
  const ways = edges.filter(({ via }) => via.kind === kind)
  return ways.find(({ from }) => from.chainId === chainId) ?? ways[0]
}

interface HopTransactions {
  readonly sent: JsonObject
  readonly received: JsonObject | null
  readonly returned: JsonObject | null
  readonly hasFailed: boolean
}

function transactionsIn(key: string, { sent, received, returned, hasFailed }: HopTransactions): JsonObject {
  switch (key) {
    case 'ibc_transfer':
    case 'eureka_transfer': {
      const error = { type: 'PACKET_ERROR_ACKNOWLEDGEMENT', message: 'ABCI code: 5: error handling packet' }
      const slots = { send_tx: sent, receive_tx: received, acknowledge_tx: returned, timeout_tx: null }
      return { packet_txs: { ...slots, error: hasFailed ? error : null } }
    }
    case 'axelar_transfer': {
      const scan = `https://axelarscan.io/transfer/${sent.tx_hash}`
      const slots = { send_tx: sent, confirm_tx: null, execute_tx: null, error: null }
      return { type: 'AXELAR_TRANSFER_SEND_TOKEN', axelar_scan_link: scan, txs: { send_token_txs: slots } }
    }
    case 'go_fast_transfer': {
      const slots = { order_submitted_tx: sent, order_filled_tx: received, order_refunded_tx: returned }
      return { error_message: null, txs: { ...slots, order_timeout_tx: null } }
    }
    default:
      return hasFailed
        ? { txs: { send_tx: sent, receive_tx: null, error_tx: received } }
        : { txs: { send_tx: sent, receive_tx: received } }
  }
}
