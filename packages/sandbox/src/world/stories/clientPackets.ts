import { createHash } from 'node:crypto'
import { type Event, event } from '../events.ts'
import type { Packet } from '../ibc.ts'
import type { StoryMessage } from './lane.ts'
import { acknowledgement, arrival, departure } from './packets.ts'
import type { Passage } from './passage.ts'

// Packets of IBC v2 go between light clients. Their coins move as those of IBC v1 do: with the client for the channel.

/** What a chain says to every packet of IBC v2 that it refuses, in hex. */
export const refusalDigest = createHash('sha256').update('UNIVERSAL_ERROR_ACKNOWLEDGEMENT').digest('hex')

/** The message with which the sender of a packet sends it. */
export function clientDeparture(passage: Passage): StoryMessage {
  const message = departure(passage)
  return { ...message, events: [clientEvent('send_packet', passage), ...message.events.slice(1)] }
}

/** The message with which a relayer delivers a packet. It has the acknowledgement that IBC v1 would have. */
export function clientArrival(passage: Passage, text: string): StoryMessage {
  const { moves, events, fields } = arrival(passage, { acknowledgement: text })
  const encoded_acknowledgement_hex = bytes(1, answerOf(text)).toString('hex')
  return {
    type: '/ibc.core.channel.v2.MsgRecvPacket',
    fields: { ...fields, packet: packetOf(passage) },
    moves,
    events: [
      clientEvent('recv_packet', passage),
      ...events.slice(1, -1),
      clientEvent('write_acknowledgement', passage, { encoded_acknowledgement_hex }),
    ],
  }
}

/** The message with which a relayer tells the sending chain the acknowledgement. After a refusal the coins go back. */
export function clientAcknowledgement(passage: Passage, text: string): StoryMessage {
  const { moves, events, fields } = acknowledgement(passage, text)
  const app_acknowledgements = [answerOf(text).toString('base64')]
  return {
    type: '/ibc.core.channel.v2.MsgAcknowledgement',
    fields: { ...fields, packet: packetOf(passage), acknowledgement: { app_acknowledgements } },
    moves,
    events: [clientEvent('acknowledge_packet', passage), ...events.slice(1)],
  }
}

/** The acknowledgement of one payload. */
const answerOf = (text: string): Buffer =>
  'error' in JSON.parse(text) ? Buffer.from(refusalDigest, 'hex') : Buffer.from(text)

const payload = { source_port: 'transfer', destination_port: 'transfer', version: 'ics20-1' }
const encoding = 'application/json'

/** The packet as a message has it. Its timeout is in seconds. */
const packetOf = ({ packet }: Passage) => ({
  sequence: packet.sequence,
  source_client: packet.source_channel,
  destination_client: packet.destination_channel,
  timeout_timestamp: secondsOf(packet),
  payloads: [{ ...payload, encoding, value: packet.data }],
})

const secondsOf = ({ timeout_timestamp }: Packet): string => String(BigInt(timeout_timestamp) / 1_000_000_000n)

function clientEvent(type: string, { packet }: Passage, extra: Readonly<Record<string, string>> = {}): Event {
  return event(type, {
    packet_source_client: packet.source_channel,
    packet_dest_client: packet.destination_channel,
    packet_sequence: packet.sequence,
    packet_timeout_timestamp: secondsOf(packet),
    encoded_packet_hex: encoded(packet).toString('hex'),
    ...extra,
  })
}

/** The packet in protobuf. */
const encoded = (packet: Packet): Buffer =>
  Buffer.concat([
    integer(1, packet.sequence),
    bytes(2, packet.source_channel),
    bytes(3, packet.destination_channel),
    integer(4, secondsOf(packet)),
    bytes(
      5,
      Buffer.concat([
        ...[...Object.values(payload), encoding].map((text, index) => bytes(index + 1, text)),
        bytes(5, Buffer.from(packet.data, 'base64')),
      ]),
    ),
  ])

/** A field of protobuf with text or bytes. */
function bytes(field: number, content: string | Buffer): Buffer {
  const body = Buffer.from(content)
  return Buffer.concat([varint(BigInt(8 * field + 2)), varint(BigInt(body.length)), body])
}

/** A field of protobuf with a whole number. */
const integer = (field: number, value: string): Buffer =>
  Buffer.concat([varint(BigInt(8 * field)), varint(BigInt(value))])

/** A number of protobuf: seven bits in each byte, the lowest first. */
function varint(value: bigint): Buffer {
  const parts: number[] = []
  for (let rest = value; rest >= 128n; rest /= 128n) parts.push(Number(rest % 128n) + 128)
  return Buffer.from([...parts, Number(value >> BigInt(7 * parts.length))])
}
