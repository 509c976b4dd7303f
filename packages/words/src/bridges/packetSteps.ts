import { bytesOfHex } from '../actions/bytes.ts'
import { attributeIn, attributeOf, eventsOfType } from '../actions/events.ts'
import { coinsIn, coinsOfText, type Fields, fieldsOf, fieldText, itemsOf, wholeOf } from '../actions/fields.ts'
import { type Refusal, refusalInEvents, refusalInMessage } from '../actions/ibc/acknowledgement.ts'
import { isSettled, refusalOf } from '../actions/ibc/effect.ts'
import { packetIn, transferInEvent } from '../actions/ibc/packet.ts'
import { type PacketTransfer, transferInBytes } from '../actions/ibc/transferData.ts'
import { bytesIn, textIn, wireFields } from '../actions/protobuf.ts'
import type { ChainEvent } from '../balanceChanges/events.ts'
import type { BridgeStep, BridgeStepKind, PacketRoute } from './bridgeStep.ts'
import { denomOfPath, receivedPath } from './denoms.ts'
import type { Cuts, EventPlace } from './eventGroups.ts'

/** The types of the events of ibc-go that are steps of a packet (`04-channel/keeper/events.go` of both versions). */
export const packetTypes: readonly string[] = ['send_packet', 'recv_packet', 'acknowledge_packet', 'timeout_packet']

/** A step before its balance changes are read. */
export type StepBefore = Omit<BridgeStep, 'gain' | 'isKept'>

/** A packet that came, or whose end came, is told until the next one. The acknowledgement is the last that is told of one that came. */
export const packetCuts: Cuts = {
  startOf: (event) =>
    event.type !== 'send_packet' && packetTypes.includes(event.type) ? nameOf(event.type, event) : null,
  endOf: (event) => (event.type === 'write_acknowledgement' ? nameOf('recv_packet', event) : null),
}

const nameOf = (type: string, event: ChainEvent): string => JSON.stringify([type, routeOf(event)])

/** A packet with coins, by its event and, where that leaves something out, by its message. */
interface CoinPacket {
  readonly route: PacketRoute
  readonly sourcePort: string
  readonly destinationPort: string
  readonly transfer: PacketTransfer
  readonly timeout: bigint | null
}

/** The port of the module of coins. Each contract has one of its own, and can write into its packets what it likes. */
const coinPort = 'transfer'

/**
 * The step of an event of a packet with coins. Null for any other event or packet, for one that the module of coins did not
 * send or get, and for a packet that was delivered before: relayers race, and the event is no proof by itself.
 */
export function packetStep(place: EventPlace): StepBefore | null {
  const { event, group, message } = place
  if (!packetTypes.includes(event.type)) return null
  const packet = coinPacketOf(event, group.messages)
  const ownPort = event.type === 'recv_packet' ? packet?.destinationPort : packet?.sourcePort
  const end = packet && ownPort === coinPort ? endOf(place, packet) : null
  if (!packet || !end) return null
  const { route, transfer, timeout, ...ports } = packet
  const path = transfer.denom ?? ''
  // A contract at the other end calls coins as it likes.
  const isCoinPort = ports.destinationPort === coinPort
  const destinationDenom = isCoinPort ? denomOfPath(receivedPath(path, { ...route, ...ports })) : null
  const sourceDenom = denomOfPath(path)
  return {
    kind: end.kind,
    path: group.path,
    messageIndex: group.path[0] ?? null,
    route,
    sender: transfer.sender,
    caller: end.kind === 'SENT' ? fieldText(message, 'sender') : null,
    receiver: transfer.receiver,
    amount: transfer.amount,
    sourceDenom,
    destinationDenom,
    exchangedDenom: exchangedIn(place, event.type === 'recv_packet' ? destinationDenom : sourceDenom),
    hasNextHop: Object.keys(transfer.memo).length > 0,
    isForward: Object.keys(fieldsOf(transfer.memo.forward)).length > 0,
    onward: end.onward ?? null,
    returnsTo: end.returnsTo ?? null,
    timeout,
    reason: end.refusal?.reason ?? null,
    returnSequence: null,
  }
}

/** What an event of a packet proves. */
interface PacketEnd extends Partial<Pick<BridgeStep, 'onward' | 'returnsTo'>> {
  readonly kind: BridgeStepKind
  readonly refusal?: Refusal | null
}

function endOf({ event, group, own, sure }: EventPlace, packet: CoinPacket): PacketEnd | null {
  const { route } = packet
  // Several messages that cannot be told apart can have moved coins and sent packets of their own.
  const sent = sure ?? (group.beside === 'MESSAGES' ? null : own)
  switch (event.type) {
    case 'send_packet':
      return { kind: 'SENT' }
    case 'recv_packet': {
      const answers = (own ?? group.events).filter(({ type }) => type === 'write_acknowledgement').filter(isOf(route))
      if (answers.length === 0) return sent && passedOn(sent, packet)
      const refusal = sure
        ? refusalOf([...sure.filter(({ type }) => type !== 'write_acknowledgement'), ...answers])
        : refusalInEvents(answers)
      if (refusal) return { kind: 'REFUSED', refusal }
      return isPaidOut(sure ?? group.events) ? { kind: 'RECEIVED' } : null
    }
    case 'timeout_packet': {
      if (!isTold(own, sure)) return null
      const again = sent ? routeIn(sent, 'send_packet') : null
      if (!sent && own.some(({ type }) => type === 'send_packet')) return null
      if (again?.source === route.source && again.sequence !== route.sequence)
        return { kind: 'SENT_AGAIN', onward: again }
      return { kind: 'TIMED_OUT', returnsTo: routeIn(own, 'write_acknowledgement') }
    }
    default: {
      if (!isTold(own, sure)) return null
      const refusal = refusalToldIn(own, route, group.messages)
      if (!refusal) return { kind: 'CONFIRMED' }
      return { kind: 'RETURNED', refusal, returnsTo: routeIn(own, 'write_acknowledgement') }
    }
  }
}

/** Whether the end of a packet had an effect. Only among its own events does a coin that moved show it. */
const isTold = (own: readonly ChainEvent[] | null, sure: readonly ChainEvent[] | null): own is readonly ChainEvent[] =>
  own !== null && isSettled(sure ?? own.filter(({ type }) => type !== 'coin_received'))

/** The end of a packet whose coins went on. If several packets left, the memo says which is theirs. */
function passedOn(events: readonly ChainEvent[], { transfer }: CoinPacket): PacketEnd | null {
  const sent = eventsOfType(events, 'send_packet').flatMap((event) => routeOf(event) ?? [])
  const channel = fieldText(fieldsOf(transfer.memo.forward), 'channel')
  const fitting = sent.length > 1 ? sent.filter(({ source }) => source === channel) : sent
  const [onward = null] = fitting.length === 1 ? fitting : []
  return sent.length === 0 ? null : { kind: 'PASSED_ON', onward }
}

/** Whether the module of coins took a packet, or the bank moved a coin. */
const isPaidOut = (events: readonly ChainEvent[]): boolean =>
  events.some(({ type }) => type === 'fungible_token_packet' || type === 'coin_received')

/** The first packet in the events of a type. */
const routeIn = (events: readonly ChainEvent[], type: string): PacketRoute | null => {
  const [event] = eventsOfType(events, type)
  return event ? routeOf(event) : null
}

/** What a rollup writes when it exchanges a coin that came, or came back, for its own one. */
const exchangeTypes = ['handle_migrated_token_deposit', 'handle_migrated_token_refund']

/**
 * The coin of the account in place of that of the packet, where a rollup has moved a coin from its OPinit bridge to IBC
 * (`x/opchild/middleware/migration` of OPinit, and `HandleMigratedTokenWithdrawal` beside it). Null without such an exchange.
 */
function exchangedIn({ event, own, message }: EventPlace, denom: string | null): string | null {
  if (event.type === 'send_packet') {
    const isWithdrawal = fieldText(message, '@type') === '/opinit.opchild.v1.MsgInitiateTokenWithdrawal'
    return isWithdrawal ? (coinsIn(message.amount)[0]?.denom ?? null) : null
  }
  const exchange = own?.find((each) => exchangeTypes.includes(each.type) && attributeOf(each, 'ibc_denom') === denom)
  return (exchange && coinsOfText(attributeOf(exchange, 'amount'))[0]?.denom) ?? null
}

/** The refusal that a relayer brings back, by its message, or else by the event of the module of coins. */
function refusalToldIn(events: readonly ChainEvent[], route: PacketRoute, messages: readonly Fields[]): Refusal | null {
  const own = messages.flatMap(messagesIn).find((message) => isMessageOf(message, route))
  if (own && own.acknowledgement !== undefined) return refusalInMessage(own)
  const error = attributeIn(events, 'fungible_token_packet', 'error')
  return error === null ? null : { reason: error }
}

/** Whether an event is one of this packet. */
const isOf = (route: PacketRoute) => (event: ChainEvent) => {
  const own = routeOf(event)
  return own?.source === route.source && own.destination === route.destination && own.sequence === route.sequence
}

/** Which packet an event is of. Null if it lacks a part. */
function routeOf(event: ChainEvent): PacketRoute | null {
  const source = attributeOf(event, 'packet_src_channel') ?? attributeOf(event, 'packet_source_client')
  const destination = attributeOf(event, 'packet_dst_channel') ?? attributeOf(event, 'packet_dest_client')
  const sequence = attributeOf(event, 'packet_sequence')
  return source && destination && sequence ? { bridge: 'IBC', source, destination, sequence } : null
}

/** The packet of an event. Null if it carries no coins, or nothing says what it carries. */
function coinPacketOf(event: ChainEvent, messages: readonly Fields[]): CoinPacket | null {
  const route = routeOf(event)
  if (!route) return null
  const packet = inEvent(event, route) ?? inMessage(messages, route)
  return packet?.transfer.amount != null && packet.transfer.nfts.length === 0 ? packet : null
}

function inEvent(event: ChainEvent, route: PacketRoute): CoinPacket | null {
  const hex = attributeOf(event, 'encoded_packet_hex')
  if (hex !== null) return ofSecondVersion(bytesOfHex(hex), route)
  const transfer = transferInEvent([event], event.type)
  return (
    transfer && {
      route,
      transfer,
      sourcePort: attributeOf(event, 'packet_src_port') ?? 'transfer',
      destinationPort: attributeOf(event, 'packet_dst_port') ?? 'transfer',
      timeout: positive(attributeOf(event, 'packet_timeout_timestamp')),
    }
  )
}

/** Reads `ibc.core.channel.v2.Packet`, which carries one payload. Its time limit is in seconds. */
function ofSecondVersion(bytes: Uint8Array, route: PacketRoute): CoinPacket | null {
  const fields = wireFields(bytes)
  const [payload, ...others] = bytesIn(fields, 5).map(wireFields)
  const [value] = bytesIn(payload ?? null, 5)
  const transfer = value && others.length === 0 ? transferInBytes(value, textIn(payload ?? null, 4)) : null
  const seconds = positive(textIn(fields, 4))
  return (
    transfer && {
      route,
      transfer,
      sourcePort: textIn(payload ?? null, 1),
      destinationPort: textIn(payload ?? null, 2),
      timeout: seconds && seconds * 1_000_000_000n,
    }
  )
}

function inMessage(messages: readonly Fields[], route: PacketRoute): CoinPacket | null {
  const own = messages.flatMap(messagesIn).find((message) => isMessageOf(message, route))
  if (!own) return null
  const { transfer, sourcePort, destinationPort } = packetIn({ message: own })
  const fields = fieldsOf(own.packet)
  const limit = positive(fieldText(fields, 'timeout_timestamp'))
  const timeout = limit && fields.payloads !== undefined ? limit * 1_000_000_000n : limit
  return (
    transfer && {
      ...{ route, transfer, timeout },
      sourcePort: sourcePort ?? 'transfer',
      destinationPort: destinationPort ?? 'transfer',
    }
  )
}

/** A message, and those that a message of any other type executes. */
const messagesIn = (message: Fields): readonly Fields[] => [message, ...itemsOf(message.msgs).map(fieldsOf)]

const isMessageOf = (message: Fields, route: PacketRoute): boolean => {
  const { source, destination, sequence } = packetIn({ message })
  return source === route.source && destination === route.destination && sequence === route.sequence
}

const positive = (text: string | null): bigint | null => {
  const number = wholeOf(text)
  return number === 0n ? null : number
}
