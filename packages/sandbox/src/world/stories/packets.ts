import { hexDigest } from '../../random.ts'
import { type Event, event } from '../events.ts'
import type { Fixtures } from '../fixtures.ts'
import { type Packet, packetEvent, renamedEvent } from '../ibc.ts'
import type { StoryMessage, StoryTransaction } from './lane.ts'
import {
  accountOf,
  arrivalMoves,
  arrivedPath,
  courierOf,
  denomOfPath,
  departureMoves,
  isRecent,
  type Passage,
  refundMoves,
  transferOf,
  withdrawnMoves,
} from './passage.ts'

/** What the receiving chain says to a packet. */
export const accepted = '{"result":"AQ=="}'

/** The acknowledgement of a chain that refuses a packet. */
export const refusalOf = (code: number): string =>
  JSON.stringify({ error: `ABCI code: ${code}: error handling packet: see events for details` })

/** An event of a packet, as the version of ibc-go of the chain writes it. */
export function versionedEvent(
  on: Fixtures,
  type: string,
  packet: Packet,
  extra: Readonly<Record<string, string>> = {},
): Event {
  const { attributes } = packetEvent(type, packet)
  const hasData = !['acknowledge_packet', 'timeout_packet'].includes(type)
  const hex = Buffer.from(packet.data, 'base64').toString('hex')
  return event(type, {
    ...(hasData ? { packet_data_hex: hex } : {}),
    ...Object.fromEntries(
      attributes
        .filter(({ key }) => key !== 'packet_data' || (hasData && !isRecent(on)))
        .map(({ key, value }) => [key, value]),
    ),
    packet_connection: 'connection-0',
    ...extra,
  })
}

/** The message with which the sender of a packet sends it. */
export function departure(passage: Passage): StoryMessage {
  const { from, packet } = passage
  const { denom, amount, sender, receiver, memo = '' } = transferOf(passage)
  const { source_port, source_channel, timeout_height, timeout_timestamp } = packet
  return {
    type: '/ibc.applications.transfer.v1.MsgTransfer',
    fields: {
      ...{ source_port, source_channel },
      token: { denom: denomOfPath(denom), amount },
      ...{ sender, receiver, timeout_height, timeout_timestamp, memo },
    },
    moves: departureMoves(passage),
    events: [
      versionedEvent(from, 'send_packet', packet),
      event('ibc_transfer', { sender, receiver, amount, denom: denomOfPath(denom), memo }),
    ],
  }
}

/** What a chain does with a packet that arrives, other than to keep the coins for the receiver. */
export interface Arrival {
  /** The acknowledgement. None if the chain sends the coins on, and will acknowledge later. */
  readonly acknowledgement?: string
  /** What it does after the coins have come. */
  readonly more?: Pick<StoryMessage, 'moves' | 'events'>
}

/** The message with which a relayer delivers a packet. */
export function arrival(passage: Passage, { acknowledgement, more }: Arrival): StoryMessage {
  const { to, packet } = passage
  const isRefused = acknowledgement?.includes('error') ?? false
  const told = tellPacket(passage, { success: isRefused ? 'false' : 'true' })
  const path = arrivedPath(passage)
  const hash = denomOfPath(path).replace('ibc/', '')
  const voucher = denomOfPath(path).startsWith('ibc/')
    ? [
        isRecent(to)
          ? event('denomination', { denom_hash: hash, denom: path })
          : event('denomination_trace', { trace_hash: hash, denom: path }),
      ]
    : []
  // What an application did before it refused is undone. Recent versions tell it under other names.
  const refusedEvents = isRecent(to) ? [...voucher, told].map(renamedEvent) : [told]
  return {
    type: '/ibc.core.channel.v1.MsgRecvPacket',
    fields: { packet, ...proofOf(packet, 'proof_commitment'), signer: courierOf(to).bech32 },
    moves: isRefused ? [] : [...arrivalMoves(passage), ...(more?.moves ?? [])],
    events: [
      versionedEvent(to, 'recv_packet', packet),
      ...(isRefused ? refusedEvents : [...voucher, told, ...(more?.events ?? [])]),
      ...(acknowledgement === undefined ? [] : [acknowledging(to, packet, acknowledgement)]),
    ],
  }
}

/** The event with which a chain acknowledges a packet. */
export const acknowledging = (on: Fixtures, packet: Packet, acknowledgement: string): Event =>
  versionedEvent(on, 'write_acknowledgement', packet, {
    ...(isRecent(on) ? {} : { packet_ack: acknowledgement }),
    packet_ack_hex: Buffer.from(acknowledgement).toString('hex'),
  })

/** The message with which a relayer tells the sending chain the acknowledgement. After a refusal the coins go back. */
export function acknowledgement(passage: Passage, text: string): StoryMessage {
  const { error } = JSON.parse(text)
  const result = error === undefined ? `result:"\\001" ` : `error:"${error}" `
  return {
    ...acknowledgementHead(passage, text),
    moves: error === undefined ? [] : refundMoves(passage),
    events: [
      versionedEvent(passage.from, 'acknowledge_packet', passage.packet),
      tellPacket(passage, { acknowledgement: result }),
      event('fungible_token_packet', error === undefined ? { success: '\u0001' } : { error }),
    ],
  }
}

/**
 * The message with which a relayer tells a chain between two others the acknowledgement of the packet that it sent on.
 * The chain acknowledges the first packet then, and the module of coins says nothing of the second one. Coins that could
 * not go on are burnt in escrow: no account gets them.
 */
export function onwardAcknowledgement(first: Passage, second: Passage, text: string): StoryMessage {
  const { from, packet } = second
  return {
    ...acknowledgementHead(second, text),
    moves: JSON.parse(text).error === undefined ? [] : withdrawnMoves(second),
    events: [versionedEvent(from, 'acknowledge_packet', packet), acknowledging(from, first.packet, text)],
  }
}

function acknowledgementHead({ from, packet }: Passage, text: string): Pick<StoryMessage, 'type' | 'fields'> {
  return {
    type: '/ibc.core.channel.v1.MsgAcknowledgement',
    fields: {
      packet,
      acknowledgement: Buffer.from(text).toString('base64'),
      ...proofOf(packet, 'proof_acked'),
      signer: courierOf(from).bech32,
    },
  }
}

/** The message with which a relayer proves that a packet was not received in time. The coins go back. */
export function timeout(passage: Passage): StoryMessage {
  const { from, packet } = passage
  const { sender, denom, amount, memo = '' } = transferOf(passage)
  const refund: Readonly<Record<string, string>> = isRecent(from)
    ? { module: 'transfer', receiver: sender, refund_tokens: JSON.stringify({ denom: tokenOf(denom), amount }), memo }
    : { module: 'transfer', refund_receiver: sender, refund_denom: denom, refund_amount: amount, memo }
  return {
    type: '/ibc.core.channel.v1.MsgTimeout',
    fields: {
      packet,
      ...proofOf(packet, 'proof_unreceived'),
      next_sequence_recv: '1',
      signer: courierOf(from).bech32,
    },
    moves: refundMoves(passage),
    events: [versionedEvent(from, 'timeout_packet', packet), event('timeout', refund)],
  }
}

/** A denom as the newer events write it: its base, and the hops of its way, the latest first. */
function tokenOf(path: string) {
  const [, ways = '', base = path] = /^((?:transfer\/channel-\d+\/)+)(.*)$/.exec(path) ?? []
  const trace = [...ways.matchAll(/(transfer)\/(channel-\d+)\//g)].map(([, port_id, channel_id]) => ({
    port_id,
    channel_id,
  }))
  return trace.length === 0 ? { base } : { base, trace }
}

/** The event of the module of coins. */
function tellPacket(passage: Passage, more: Readonly<Record<string, string>>): Event {
  const { sender, receiver, denom, amount, memo = '' } = transferOf(passage)
  return event('fungible_token_packet', { module: 'transfer', sender, receiver, denom, amount, memo, ...more })
}

function proofOf(packet: Packet, name: string) {
  const proof = Buffer.from(hexDigest(32, name, packet.source_channel, packet.sequence), 'hex').toString('base64')
  return { [name]: proof, proof_height: heightOf(packet) }
}

const heightOf = ({ sequence }: Packet) => ({
  revision_number: '1',
  revision_height: String(1_000_000 + Number(sequence)),
})

/** The transaction of a relayer: an update of the light client, then its messages. */
export function relayed(
  on: Fixtures,
  packet: Packet,
  messages: readonly StoryMessage[],
  client_id = '07-tendermint-0',
): StoryTransaction {
  const signer = courierOf(on)
  const trusted_height = heightOf(packet)
  const update: StoryMessage = {
    type: '/ibc.core.client.v1.MsgUpdateClient',
    fields: {
      client_id,
      client_message: { '@type': '/ibc.lightclients.tendermint.v1.Header', trusted_height },
      signer: signer.bech32,
    },
    moves: [],
    events: [
      event('update_client', {
        client_id,
        client_type: '07-tendermint',
        consensus_height: `1-${trusted_height.revision_height}`,
      }),
    ],
  }
  return { signer, messages: [update, ...messages] }
}

/** The transaction of the sender of a packet. */
export const sentBy = (passage: Passage): StoryTransaction => ({
  signer: accountOf(passage.from, transferOf(passage).sender),
  messages: [departure(passage)],
})
