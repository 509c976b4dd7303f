import { type Event, event, type MessageDraft } from './events.ts'
import { type Fixtures, hubChannelOf, outsideChannel } from './fixtures.ts'
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

/** The packet of an outgoing IBC transfer. */
export function transferPacket(fixtures: Fixtures, shape: Shape, sequence: number): Packet {
  const [{ bech32: sender }, { bech32: receiver }] = partiesOf(fixtures, shape)
  const amount = String(amountOf(fixtures, shape))
  const data = JSON.stringify({ amount, denom: fixtures.chain.denom, receiver, sender })
  return packetOf(fixtures, sequence, data, 'out')
}

/** The message of an outgoing IBC transfer. */
export function ibcTransfer(fixtures: Fixtures, shape: Shape, sequence: number): MessageDraft {
  const { chain } = fixtures
  const [sender, peer] = partiesOf(fixtures, shape)
  const amount = String(amountOf(fixtures, shape))
  const packet = transferPacket(fixtures, shape, sequence)
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
  const [near, far] = channelsOf(fixtures, direction)
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

/** The channels of the traffic. A rollup sends to the hub, and gets coins from a chain that is not of the sandbox. */
function channelsOf({ chain }: Fixtures, direction: 'in' | 'out'): readonly [near: string, far: string] {
  if (chain.isHub) return ['channel-9', 'channel-892']
  return direction === 'out' ? ['channel-0', hubChannelOf(chain)] : ['channel-1', outsideChannel]
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

/** An event that an application emitted before it refused the packet, as ibc-go renames it and its keys. */
export const renamedEvent = ({ type, attributes }: Event): Event => ({
  type: `ibccallbackerror-${type}`,
  attributes: attributes.map(({ key, ...rest }) => ({ ...rest, key: `ibccallbackerror-${key}` })),
})
