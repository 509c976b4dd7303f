import { type Event, event, type MessageDraft } from './events.ts'
import { type Fixtures, hubChannelOf } from './fixtures.ts'
import { amountOf, partiesOf } from './parties.ts'
import type { Shape } from './shape.ts'

/** A packet of IBC v1. */
export interface Packet {
  readonly sequence: string
  readonly source_port: string
  readonly source_channel: string
  readonly destination_port: string
  readonly destination_channel: string
  /** The transfer as JSON, in base64. */
  readonly data: string
  readonly timeout_height: { readonly revision_number: string; readonly revision_height: string }
  readonly timeout_timestamp: string
}

const noHeight = { revision_number: '0', revision_height: '0' }

/** The message of an outgoing IBC transfer. */
export function ibcTransfer(fixtures: Fixtures, shape: Shape, sequence: number): MessageDraft {
  const { chain } = fixtures
  const [sender, peer] = partiesOf(fixtures, shape)
  const amount = String(amountOf(fixtures, shape))
  const [from, to] = [sender.bech32, peer.bech32]
  const data = JSON.stringify({ amount, denom: chain.denom, receiver: to, sender: from })
  const packet = packetOf(fixtures, sequence, data, 'out')
  return {
    type: '/ibc.applications.transfer.v1.MsgTransfer',
    fields: {
      source_port: packet.source_port,
      source_channel: packet.source_channel,
      token: { denom: chain.denom, amount },
      sender: sender.bech32,
      receiver: peer.bech32,
      timeout_height: packet.timeout_height,
      timeout_timestamp: packet.timeout_timestamp,
      memo: '',
    },
    events: [
      packetEvent('send_packet', packet),
      event('ibc_transfer', {
        sender: sender.bech32,
        receiver: peer.bech32,
        amount,
        denom: chain.denom,
        memo: '',
      }),
    ],
  }
}

/** A packet of ICS-20 or another standard, from this chain or to it. */
export function packetOf(fixtures: Fixtures, sequence: number, data: string, direction: 'in' | 'out'): Packet {
  const { chain } = fixtures
  const [near, far] = channelsOf(fixtures)
  const expiry = BigInt(chain.genesis + sequence * chain.blockTime + 600_000) * 1_000_000n
  return {
    sequence: String(sequence),
    source_port: 'transfer',
    source_channel: direction === 'out' ? near : far,
    destination_port: 'transfer',
    destination_channel: direction === 'out' ? far : near,
    data: Buffer.from(data).toString('base64'),
    timeout_height: noHeight,
    timeout_timestamp: String(expiry),
  }
}

function channelsOf({ chain }: Fixtures): readonly [near: string, far: string] {
  return chain.isHub ? ['channel-9', 'channel-892'] : ['channel-0', hubChannelOf(chain)]
}

/** An event of a packet, with its data in text, as ibc-go writes it before version 10. */
export function packetEvent(type: string, packet: Packet, extra: Readonly<Record<string, string>> = {}): Event {
  return event(type, {
    packet_data: Buffer.from(packet.data, 'base64').toString('utf8'),
    packet_timeout_height: '0-0',
    packet_timeout_timestamp: packet.timeout_timestamp,
    packet_sequence: packet.sequence,
    packet_src_port: packet.source_port,
    packet_src_channel: packet.source_channel,
    packet_dst_port: packet.destination_port,
    packet_dst_channel: packet.destination_channel,
    packet_channel_ordering: 'ORDER_UNORDERED',
    connection_id: 'connection-0',
    ...extra,
  })
}
