import { refusalDigest } from '../../world/stories/clientPackets.ts'
import type { JsonObject } from '../jsonObject.ts'
import type { HopSnapshot, StuckTransactions } from './bridge.ts'
import type { BridgeRecords, Places, RecordedEvent, RecordedHop } from './bridgeRecords.ts'
import { type StateNames, stateName } from './common.ts'

/** The hop of an IBC packet, of any version. */
export function packetHop(moment: HopSnapshot): JsonObject {
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

/** The body of a packet that stays in one state. */
export const stuckPacket = ({ sent, received, returned, hasFailed }: StuckTransactions): JsonObject => ({
  packet_txs: {
    send_tx: sent,
    receive_tx: received,
    acknowledge_tx: returned,
    timeout_tx: null,
    error: hasFailed ? { type: 'PACKET_ERROR_ACKNOWLEDGEMENT', message: 'ABCI code: 5: error handling packet' } : null,
  },
})

const packetError = {
  type: 'PACKET_ERROR_ACKNOWLEDGEMENT',
  message: 'ABCI code: 5: error handling packet: see events for details',
  details: { code: 5, message: 'error handling packet' },
}

/** The records of IBC packets. `farChain` finds the chain that one of this version goes to. Undefined for those of another one. */
export const packetRecords = (
  farChain: (sent: RecordedEvent, places: Places) => string | undefined,
): BridgeRecords => ({
  parcelOf(told, beside, places) {
    const toChainId = told.type === 'send_packet' ? farChain(told, places) : undefined
    // What the module of coins tells of the packet has the denom of this chain, and needs no decoding.
    const sent = beside.find((each) => each.type === 'ibc_transfer' && isOfOneMessage(each, told))
    if (toChainId === undefined || sent === undefined) return undefined
    const { sender = '', receiver = '', denom = '', amount = '' } = sent.attributes
    return { toChainId, sender, receiver, coin: { denom, amount } }
  },
  keyOf({ attributes }) {
    const { packet_src_channel, packet_dst_channel, packet_source_client, packet_dest_client } = attributes
    const [from, to] = [packet_src_channel ?? packet_source_client, packet_dst_channel ?? packet_dest_client]
    return attributes.packet_sequence && `${from} ${to} ${attributes.packet_sequence}`
  },
  arrivals: ['recv_packet'],
  endings: { acknowledge_packet: 'TOLD', timeout_packet: 'LATE' },
  refusalIn,
  sendsOn: true,
  hop(hop, { sent, received, ended }) {
    const { refused, isLate } = hop
    return {
      state: recordedState(hop),
      packet_txs: {
        send_tx: sent,
        receive_tx: received,
        acknowledge_tx: isLate ? null : ended,
        timeout_tx: isLate ? ended : null,
        error: isLate
          ? { type: 'PACKET_ERROR_TIMEOUT', message: 'packet timed out' }
          : refused
            ? { type: 'PACKET_ERROR_ACKNOWLEDGEMENT', message: refusalIn(refused) }
            : null,
      },
    }
  },
})

const isOfOneMessage = (one: RecordedEvent, other: RecordedEvent): boolean =>
  one.attributes.msg_index === other.attributes.msg_index

function recordedState({ received, refused, ended, isLate }: RecordedHop): string {
  if (ended) return `TRANSFER_${refused || isLate ? 'FAILURE' : 'SUCCESS'}`
  return `TRANSFER_${refused ? 'PENDING_ERROR' : received ? 'RECEIVED' : 'PENDING'}`
}

/** Why a chain did not take a packet, by the acknowledgement that an event writes. Undefined if the event writes none. */
function refusalIn({ attributes }: RecordedEvent): string | undefined {
  const { packet_ack_hex, encoded_acknowledgement_hex } = attributes
  if (encoded_acknowledgement_hex?.includes(refusalDigest)) return 'UNIVERSAL_ERROR_ACKNOWLEDGEMENT'
  const { error } = packet_ack_hex ? JSON.parse(Buffer.from(packet_ack_hex, 'hex').toString()) : {}
  return error
}
