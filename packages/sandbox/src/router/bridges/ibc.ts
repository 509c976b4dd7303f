import { nanoseconds } from '../calls.ts'
import { message } from '../chainMessages.ts'
import { memo } from '../memo.ts'
import type { Bridge } from './bridge.ts'
import { packetHop, packetRecords, stuckPacket } from './packets.ts'

export const ibc: Bridge = {
  id: 'IBC',
  name: 'IBC',
  operationKey: 'transfer',
  hopKey: 'ibc_transfer',
  failsAt: 'HALF_WAY',
  arrivesHalfWay: true,
  operation: ({ way, step, common }) => ({
    port: 'transfer',
    channel: way.channel,
    pfm_enabled: true,
    supports_memo: true,
    ...common,
    fee_amount: '0',
    usd_fee_amount: '0.00',
    smart_relay: false,
    dest_denom: step.edge.to.denom,
  }),
  hop: packetHop,
  message: (network, { channel }, { hop, rest }, options) =>
    message('/ibc.applications.transfer.v1.MsgTransfer', {
      source_port: 'transfer',
      source_channel: channel,
      token: { denom: hop.edge.from.denom, amount: `${hop.amountIn}` },
      sender: hop.sender,
      receiver: hop.receiver,
      timeout_height: {},
      timeout_timestamp: nanoseconds(options),
      memo: rest.length === 0 ? '' : JSON.stringify(memo(network, rest, options)),
    }),
  memo: (network, { channel }, { hop, rest }, options) => ({
    forward: {
      receiver: hop.receiver,
      port: 'transfer',
      channel,
      timeout: nanoseconds(options),
      retries: 2,
      next: memo(network, rest, options),
    },
  }),
  stuck: [
    {
      digit: '0',
      states: {
        TRANSFER_PENDING: {},
        TRANSFER_RECEIVED: { isReceived: true },
        TRANSFER_PENDING_ERROR: { state: 'STATE_PENDING_ERROR', isReceived: true },
        TRANSFER_FAILURE: { state: 'STATE_COMPLETED_ERROR', isReturned: true },
      },
      body: stuckPacket,
    },
  ],
  records: packetRecords(({ chainId, attributes }, { chainOver }) => {
    const own = attributes.packet_src_channel
    return own && chainOver(chainId, ({ channel }) => channel === own)
  }),
}
