import { denomOfPath, receivedPath } from '../../packages/words/src/bridges/denoms.ts'
import { type WrittenEvent, type WrittenTransaction, written } from './writtenChains.ts'

// The transactions of packets with coins, as ibc-go and its middleware write them.

/** A packet of ICS-20 between two chains. */
export interface WrittenPacket {
  readonly from: string
  readonly to: string
  readonly source: string
  readonly destination: string
  readonly sequence: number
  readonly sender: string
  readonly receiver: string
  readonly amount: bigint
  /** The path of the coin on the source chain. */
  readonly path: string
  readonly memo?: string
  /** Milliseconds since 1970. */
  readonly timeout?: number
  readonly sourcePort?: string
  readonly destinationPort?: string
}

const toData = ({ path, amount, sender, receiver, memo = '' }: WrittenPacket) =>
  JSON.stringify({ amount: `${amount}`, denom: path, memo, receiver, sender })

const portsOf = ({ sourcePort = 'transfer', destinationPort = 'transfer' }: WrittenPacket) => ({
  sourcePort,
  destinationPort,
})

const packetEvent = (type: string, packet: WrittenPacket, more: Readonly<Record<string, string>> = {}) => {
  const { sourcePort, destinationPort } = portsOf(packet)
  return written(type, {
    packet_data: toData(packet),
    packet_timeout_timestamp: `${BigInt(packet.timeout ?? 0) * 1_000_000n}`,
    packet_sequence: `${packet.sequence}`,
    ...{ packet_src_port: sourcePort, packet_src_channel: packet.source },
    ...{ packet_dst_port: destinationPort, packet_dst_channel: packet.destination },
    ...more,
  })
}

const toMessage = (packet: WrittenPacket) => {
  const { sourcePort, destinationPort } = portsOf(packet)
  return {
    sequence: `${packet.sequence}`,
    ...{ source_port: sourcePort, source_channel: packet.source },
    ...{ destination_port: destinationPort, destination_channel: packet.destination },
    data: Buffer.from(toData(packet)).toString('base64'),
    timeout_timestamp: `${BigInt(packet.timeout ?? 0) * 1_000_000n}`,
  }
}

const sentDenom = ({ path }: WrittenPacket) => denomOfPath(path)
export const arrivedDenom = (packet: WrittenPacket) =>
  denomOfPath(receivedPath(packet.path, { ...packet, ...portsOf(packet) }))

/** What the bank module writes for a movement between two accounts. */
export const moved = (from: string, to: string, amount: string): WrittenEvent[] => [
  written('coin_spent', { spender: from, amount }),
  written('coin_received', { receiver: to, amount }),
]

const accepted = '{"result":"AQ=="}'
const refused = '{"error":"ABCI code: 5: error handling packet: see events for details"}'

const told = (packet: WrittenPacket, more: Readonly<Record<string, string>>) =>
  written('fungible_token_packet', { module: 'transfer', denom: packet.path, amount: `${packet.amount}`, ...more })

/** What a chain takes from coins that come, from what it pays out or from the account that got all of it. */
export interface Toll {
  readonly amount: bigint
  readonly collector: string
  readonly isPaidByAccount: boolean
}

interface Place {
  readonly at: number
  readonly escrow: string
  readonly relayer: string
  readonly toll?: Toll | undefined
}

/** What the bank module writes for coins that an account gets. */
function paidOut({ escrow, toll }: Place, account: string, amount: bigint, denom: string): WrittenEvent[] {
  if (!toll) return moved(escrow, account, `${amount}${denom}`)
  const { collector, isPaidByAccount } = toll
  const own = isPaidByAccount ? amount : amount - toll.amount
  const from = isPaidByAccount ? account : escrow
  return [...moved(escrow, account, `${own}${denom}`), ...moved(from, collector, `${toll.amount}${denom}`)]
}

/** The events with which a chain sends a packet for an account. */
export const sendEvents = (packet: WrittenPacket, { escrow }: Pick<Place, 'escrow'>): WrittenEvent[] => [
  ...moved(packet.sender, escrow, `${packet.amount}${sentDenom(packet)}`),
  packetEvent('send_packet', packet),
  written('ibc_transfer', { sender: packet.sender, receiver: packet.receiver, amount: `${packet.amount}` }),
]

export const departure = (packet: WrittenPacket, place: Place): WrittenTransaction => ({
  ...{ chainId: packet.from, at: place.at },
  messages: [
    {
      '@type': '/ibc.applications.transfer.v1.MsgTransfer',
      ...{ source_port: portsOf(packet).sourcePort, source_channel: packet.source },
      token: { denom: sentDenom(packet), amount: `${packet.amount}` },
      ...{ sender: packet.sender, receiver: packet.receiver },
    },
  ],
  events: [sendEvents(packet, place)],
})

const relayed = (name: string, packet: WrittenPacket, { relayer }: Place, more: object = {}) => ({
  '@type': `/ibc.core.channel.v1.${name}`,
  packet: toMessage(packet),
  signer: relayer,
  ...more,
})

/** A packet arrives: it is taken, refused, or passed on in another packet. */
export function arrival(
  packet: WrittenPacket,
  place: Place,
  outcome: 'taken' | 'refused' | WrittenPacket,
): WrittenTransaction {
  const { at, escrow } = place
  const taken = [
    ...paidOut(place, packet.receiver, packet.amount, arrivedDenom(packet)),
    told(packet, { sender: packet.sender, receiver: packet.receiver, success: 'true' }),
  ]
  const acknowledged = (packet_ack: string) => packetEvent('write_acknowledgement', packet, { packet_ack })
  const events =
    outcome === 'refused'
      ? [told(packet, { success: 'false', error: 'no' }), acknowledged(refused)]
      : outcome === 'taken'
        ? [...taken, acknowledged(accepted)]
        : [...taken, ...sendEvents(outcome, { escrow })]
  return {
    ...{ chainId: packet.to, at },
    messages: [relayed('MsgRecvPacket', packet, place)],
    events: [[packetEvent('recv_packet', packet), ...events]],
  }
}

/**
 * The source chain learns of a packet: that it was taken or refused, or that it came too late. `before` is the packet with which
 * its coins had come, whose chain learns it by the acknowledgement that is written then.
 */
export function ending(
  packet: WrittenPacket,
  place: Place,
  outcome: 'taken' | 'refused' | 'late',
  { before, again }: { readonly before?: WrittenPacket | undefined; readonly again?: WrittenPacket } = {},
): WrittenTransaction {
  const isTaken = outcome === 'taken'
  const type = outcome === 'late' ? 'timeout_packet' : 'acknowledge_packet'
  const back = isTaken ? [] : paidOut(place, packet.sender, packet.amount, sentDenom(packet))
  const words =
    outcome === 'late'
      ? [written('timeout', { module: 'transfer', refund_receiver: packet.sender, refund_amount: `${packet.amount}` })]
      : [told(packet, { sender: packet.sender, ...(isTaken ? { success: '\u0001' } : { error: 'no' }) })]
  const answer = isTaken ? accepted : refused
  return {
    ...{ chainId: packet.from, at: place.at },
    messages: [
      relayed(outcome === 'late' ? 'MsgTimeout' : 'MsgAcknowledgement', packet, place, {
        ...(outcome === 'late' ? {} : { acknowledgement: Buffer.from(answer).toString('base64') }),
      }),
    ],
    events: [
      [
        packetEvent(type, packet),
        ...back,
        ...words,
        ...(before ? [packetEvent('write_acknowledgement', before, { packet_ack: answer })] : []),
        ...(again ? sendEvents(again, place) : []),
      ],
    ],
  }
}
