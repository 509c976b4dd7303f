import type { JsonObject } from './jsonObject.ts'
import type { TimelineHop } from './timeline.ts'

/** The state of a hop at a time. `progress` is below 0 before it starts, and at least 1 when it has ended. */
export interface HopSnapshot {
  readonly hop: TimelineHop
  readonly progress: number
  /** Whether it fails. A packet fails half-way and is refunded at the end. Other transfers fail at the end. */
  readonly fails: boolean
  /** Whether a delivered packet is acknowledged yet. */
  readonly acknowledged: boolean
  /** The transactions of the hop. Called only once they exist. */
  readonly sent: () => JsonObject
  readonly received: () => JsonObject
  readonly returned: () => JsonObject
}

/** The entry of `transfer_sequence` for a hop, under the key of its bridge. */
export function hopBody(moment: HopSnapshot): JsonObject {
  const { edge } = moment.hop
  const [key, inner] = bodyFor(moment, edge.via.kind)
  return hopEntry(key, edge.from.chainId, edge.to.chainId, inner)
}

/** An entry of `transfer_sequence` between two chains, under a key. */
export const hopEntry = (key: string, from: string, to: string, inner: JsonObject): JsonObject => ({
  [key]: { from_chain_id: from, to_chain_id: to, ...inner, src_chain_id: from, dst_chain_id: to },
})

/** The same entry for a bridge that no client knows. */
export function ferryBody(moment: HopSnapshot): JsonObject {
  const { from, to } = moment.hop.edge
  return hopEntry('ferry_transfer', from.chainId, to.chainId, {
    state: `FERRY_TRANSFER_${stateName(moment.progress, ['AT_SEA', 'AT_SEA', 'MOORED'])}`,
    vessel: 'MV Meridian',
    txs: bothEnds(moment),
  })
}

function bodyFor(moment: HopSnapshot, kind: string): readonly [key: string, inner: JsonObject] {
  const { progress } = moment
  const outcome = moment.fails ? 'FAILED' : 'RECEIVED'
  switch (kind) {
    case 'transfer':
      return ['ibc_transfer', packetBody(moment)]
    case 'eureka_transfer':
      return [kind, packetBody(moment)]
    case 'op_init_transfer':
      return [kind, plainBody(moment, 'OPINIT', ['SENT', 'SENT', 'RECEIVED'])]
    case 'cctp_transfer':
      return [kind, plainBody(moment, 'CCTP', ['SENT', 'CONFIRMED', 'RECEIVED'])]
    case 'hyperlane_transfer':
      return [kind, plainBody(moment, 'HYPERLANE', ['SENT', 'SENT', outcome])]
    case 'stargate_transfer': {
      const body = plainBody(moment, 'STARGATE', ['SENT', 'PENDING_CONFIRMATION', outcome])
      return [kind, { ...body, txs: { ...bothEnds(moment), error_tx: errorOf(moment) } }]
    }
    case 'layer_zero_transfer': {
      const body = plainBody(moment, 'LAYER_ZERO', ['SENT', 'WAITING_FOR_COMPOSE', outcome])
      const arrived = progress >= 0.5 ? moment.received() : null
      const compose_tx = progress >= 1 && !moment.fails ? moment.received() : null
      const txs = { ...bothEnds(moment), receive_tx: arrived, compose_tx }
      return [kind, { ...body, txs: { ...txs, error_tx: errorOf(moment) } }]
    }
    case 'go_fast_transfer':
      return [
        kind,
        {
          state: `GO_FAST_TRANSFER_${stateName(progress, ['SENT', 'SENT', 'FILLED'])}`,
          error_message: null,
          txs: {
            order_submitted_tx: progress >= 0 ? moment.sent() : null,
            order_filled_tx: progress >= 1 ? moment.received() : null,
            order_refunded_tx: null,
            order_timeout_tx: null,
          },
        },
      ]
    default:
      return [kind, axelarBody(moment)]
  }
}

function plainBody(moment: HopSnapshot, bridge: string, names: StateNames): JsonObject {
  const state = `${bridge}_TRANSFER_${stateName(moment.progress, names)}`
  return { state, txs: bothEnds(moment) }
}

function bothEnds({ progress, fails, sent, received }: HopSnapshot): JsonObject {
  return {
    send_tx: progress >= 0 ? sent() : null,
    receive_tx: progress >= 1 && !fails ? received() : null,
  }
}

function errorOf({ progress, fails, received }: HopSnapshot): JsonObject | null {
  return progress >= 1 && fails ? received() : null
}

function packetBody(moment: HopSnapshot): JsonObject {
  const { progress, fails, acknowledged, sent, received, returned } = moment
  const bounced = fails && progress >= 0.5
  const names: StateNames = acknowledged ? ['PENDING', 'RECEIVED', 'SUCCESS'] : ['PENDING', 'PENDING', 'PENDING']
  return {
    state: bounced ? 'TRANSFER_FAILURE' : `TRANSFER_${stateName(progress, names)}`,
    packet_txs: {
      send_tx: progress >= 0 ? sent() : null,
      receive_tx: progress >= 0.5 ? received() : null,
      acknowledge_tx: progress >= 1 && acknowledged ? returned() : null,
      timeout_tx: null,
      error: bounced ? packetError : null,
    },
  }
}

const packetError = {
  type: 'PACKET_ERROR_ACKNOWLEDGEMENT',
  message: 'ABCI code: 5: error handling packet: see events for details',
  details: { code: 5, message: 'error handling packet' },
}

function axelarBody({ progress, sent, received }: HopSnapshot): JsonObject {
  const names: StateNames = ['PENDING_CONFIRMATION', 'PENDING_RECEIPT', 'SUCCESS']
  const send = progress >= 0 ? sent() : null
  return {
    type: 'AXELAR_TRANSFER_SEND_TOKEN',
    state: `AXELAR_TRANSFER_${stateName(progress, names)}`,
    axelar_scan_link: send && `https://axelarscan.io/transfer/${send.tx_hash}`,
    txs: {
      send_token_txs: {
        send_tx: send,
        // A transaction of the bridge's own chain, of which routers often know no more than a link.
        confirm_tx:
          send && progress >= 0.5 ? { explorer_link: `https://axelarscan.io/transfer/${send.tx_hash}/confirm` } : null,
        execute_tx: progress >= 1 ? received() : null,
        error: null,
      },
    },
  }
}

/** The names of a state in the first half, in the second half, and at the end. */
type StateNames = readonly [string, string, string]

function stateName(progress: number, [first, second, last]: StateNames): string {
  if (progress < 0) return 'UNKNOWN'
  return progress < 0.5 ? first : progress < 1 ? second : last
}
