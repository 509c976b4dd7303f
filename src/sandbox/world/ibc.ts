import { makeAccount } from '../address.ts'
import { hexDigest } from '../random.ts'
import { type Event, event, type MessageDraft } from './events.ts'
import { bridgedAmount, type Fixtures, hubChannelOf } from './fixtures.ts'
import { amountOf, partiesOf } from './parties.ts'
import type { Shape } from './shape.ts'

interface Packet {
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
  const packet = packetOf(fixtures, sequence, [sender.bech32, peer.bech32], amount, 'out')
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

/** The messages with which a relayer delivers a packet: an update of the light client, then the packet. */
export function ibcReceive(
  fixtures: Fixtures,
  shape: Shape,
  sequence: number,
): readonly MessageDraft[] {
  const { chain } = fixtures
  const [relayer, peer] = partiesOf(fixtures, shape)
  const amount = String(bridgedAmount(fixtures, amountOf(fixtures, shape)))
  const sender = makeAccount(chain.isHub ? 'osmo' : chain.bech32Prefix, 20, peer.hex).bech32
  const packet = packetOf(fixtures, sequence, [sender, peer.bech32], amount, 'in')
  const proofHeight = { revision_number: '1', revision_height: String(1_000_000 + sequence) }
  return [
    {
      type: '/ibc.core.client.v1.MsgUpdateClient',
      fields: {
        client_id: '07-tendermint-0',
        client_message: {
          '@type': '/ibc.lightclients.tendermint.v1.Header',
          trusted_height: proofHeight,
        },
        signer: relayer.bech32,
      },
      events: [
        event('update_client', {
          client_id: '07-tendermint-0',
          client_type: '07-tendermint',
          consensus_height: `1-${proofHeight.revision_height}`,
        }),
      ],
    },
    {
      type: '/ibc.core.channel.v1.MsgRecvPacket',
      fields: {
        packet,
        proof_commitment: Buffer.from(hexDigest(32, 'proof', sequence), 'hex').toString('base64'),
        proof_height: proofHeight,
        signer: relayer.bech32,
      },
      events: [
        packetEvent('recv_packet', packet),
        event('fungible_token_packet', {
          module: 'transfer',
          sender,
          receiver: peer.bech32,
          denom: fixtures.bridgedDenomAbroad,
          amount,
          memo: '',
          success: 'true',
        }),
        packetEvent('write_acknowledgement', packet, { packet_ack: '{"result":"AQ=="}' }),
      ],
    },
  ]
}

function packetOf(
  fixtures: Fixtures,
  sequence: number,
  [sender, receiver]: readonly [string, string],
  amount: string,
  direction: 'in' | 'out',
): Packet {
  const { chain } = fixtures
  const [near, far] = channelsOf(fixtures)
  const denom = direction === 'out' ? chain.denom : fixtures.bridgedDenomAbroad
  const data = JSON.stringify({ amount, denom, receiver, sender })
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

function packetEvent(
  type: string,
  packet: Packet,
  extra: Readonly<Record<string, string>> = {},
): Event {
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
