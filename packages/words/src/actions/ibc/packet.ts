import type { ChainEvent } from '../../balanceChanges/events.ts'
import { denomOfPath, receivedPath } from '../../bridges/denoms.ts'
import type { ActionRemote } from '../action.ts'
import { bytesOfBase64, bytesOfHex, jsonOf, jsonOfBytes } from '../bytes.ts'
import { attributeIn } from '../events.ts'
import type { ExecutedMessage } from '../family.ts'
import { type Fields, fieldsOf, fieldText, itemsOf } from '../fields.ts'
import { type PacketTransfer, transferInBytes, transferOf } from './transferData.ts'

/** A packet, as the messages of relayers have it. */
export interface Packet {
  readonly sequence: string | null
  /** The channel of the chain that sent it. By IBC v2 the client. */
  readonly source: string | null
  /** The channel of the chain that gets it. By IBC v2 the client. */
  readonly destination: string | null
  readonly sourcePort: string | null
  readonly destinationPort: string | null
  /** Null for a packet of anything else. */
  readonly transfer: PacketTransfer | null
  /** The data of IBC v1 as JSON. An object without fields if the data are not JSON. */
  readonly data: Fields
}

/** The ports of the modules of coins and of NFTs (ICS-20, ICS-721). A contract has a port of its own, and writes what it likes. */
const modulePorts = ['transfer', 'nft-transfer']

/** Whether a module of this chain sent or gets a packet, so that what is in it was moved. A message without a port says nothing else. */
export const isOfModule = (ownPort: string | null): boolean => ownPort === null || modulePorts.includes(ownPort)

/** The types of the messages with a name, of both versions of IBC. */
export const channelTypes = (...names: readonly string[]): readonly string[] =>
  ['v1', 'v2'].flatMap((version) => names.map((name) => `ibc.core.channel.${version}.${name}`))

/** The name of a message of a channel, such as `MsgTimeout`. */
export const nameOf = ({ type }: ExecutedMessage): string => type.split('.').at(-1) ?? ''

/** The packet of a message of a relayer. */
export function packetIn({ message }: Pick<ExecutedMessage, 'message'>): Packet {
  const packet = fieldsOf(message.packet)
  const sequence = fieldText(packet, 'sequence')
  if (packet.payloads !== undefined) {
    const payload = payloadIn(packet)
    return {
      sequence,
      source: fieldText(packet, 'source_client'),
      destination: fieldText(packet, 'destination_client'),
      sourcePort: fieldText(payload, 'source_port'),
      destinationPort: fieldText(payload, 'destination_port'),
      transfer: transferInPayload(payload),
      data: {},
    }
  }
  const data = jsonOfBytes(bytesOfBase64(fieldText(packet, 'data')))
  return {
    sequence,
    source: fieldText(packet, 'source_channel'),
    destination: fieldText(packet, 'destination_channel'),
    sourcePort: fieldText(packet, 'source_port'),
    destinationPort: fieldText(packet, 'destination_port'),
    transfer: transferOf(data),
    data,
  }
}

/** The only payload of a packet of IBC v2, or of the message that sends it. ibc-go allows no more. */
export function payloadIn(packet: Fields): Fields {
  const [payload, ...others] = itemsOf(packet.payloads)
  return others.length === 0 ? fieldsOf(payload) : {}
}

export const transferInPayload = (payload: Fields): PacketTransfer | null =>
  transferInBytes(bytesOfBase64(fieldText(payload, 'value')), fieldText(payload, 'encoding'))

/** The transfer in the packet of an event. Newer chains write its data in hex only. */
export function transferInEvent(events: readonly ChainEvent[], type: string): PacketTransfer | null {
  const text = attributeIn(events, type, 'packet_data')
  const hex = attributeIn(events, type, 'packet_data_hex')
  return transferOf(text === null ? jsonOfBytes(bytesOfHex(hex)) : jsonOf(text))
}

/** What the chain that gets a packet calls its coin. Null if the packet lacks a part. */
export function denomHere({ transfer, source, destination, sourcePort, destinationPort }: Packet): string | null {
  const path = transfer?.denom ?? null
  const [from, to] = [sourcePort ?? 'transfer', destinationPort ?? 'transfer']
  return path === null || source === null || destination === null
    ? null
    : denomOfPath(receivedPath(path, { sourcePort: from, source, destinationPort: to, destination }))
}

/** The other side of a packet, seen from the chain with this channel or client. */
export const remoteOf = ({ sequence }: Packet, channel: string | null, address: string | null): ActionRemote => ({
  address,
  channel,
  packetSequence: sequence,
  opInitBridgeId: null,
})
