import type { ChainEvent } from '../../balanceChanges/events.ts'
import type { Draft, Piece } from '../action.ts'
import { jsonOf } from '../bytes.ts'
import { attributeIn, eventsOfType } from '../events.ts'
import type { ActionFamily, ExecutedMessage } from '../family.ts'
import { type Fields, fieldsOf, fieldText } from '../fields.ts'
import { coins, overIbc, refusedWith, says, withRemote } from '../sentence.ts'
import { coinMoved, refusalOf } from './effect.ts'
import { channelTypes, isOfModule, nameOf, type Packet, packetIn } from './packet.ts'
import type { PacketTransfer } from './transferData.ts'

const receipt = 'MsgRecvPacket'

/**
 * Coins that only pass through this chain, by the packet-forward-middleware: received and sent on in one message, or
 * sent on again after a timeout. The account between gets nothing.
 */
export const ibcForward: ActionFamily = {
  types: channelTypes(receipt, 'MsgTimeout', 'MsgTimeoutOnClose'),
  read: (step) => {
    const packet = packetIn(step)
    const { transfer } = packet
    const isReceipt = nameOf(step) === receipt
    const ownPort = isReceipt ? packet.destinationPort : packet.sourcePort
    if (!step.isSuccessful || transfer?.amount == null || !isOfModule(ownPort)) return null
    return isReceipt ? passedOn(step, packet, transfer) : passedOnAgain(step, packet, transfer)
  },
}

function passedOn({ events }: ExecutedMessage, packet: Packet, transfer: PacketTransfer): Draft | null {
  const [first, ...others] = hopsIn(transfer.memo)
  if (!first) return null
  const refusal = refusalOf(events)
  // A chain without the middleware keeps the coins.
  if (!refusal && eventsOfType(events, 'send_packet').length === 0) return null
  const { length } = others
  const more = length > 1 ? ` and ${length} other channels` : ' and another channel'
  const amounts = coinMoved(transfer, events)
  const last = others.at(-1) ?? first
  return {
    ...partsOf(events, fieldText(last, 'receiver'), fieldText(first, 'channel')),
    actor: senderIn(events) ?? transfer.receiver,
    amounts,
    isRefused: refusal !== null,
    says: says(
      verb,
      ' ',
      coins(amounts),
      overIbc(fieldText(first, 'channel')),
      length > 0 ? more : [],
      withRemote('to', fieldText(last, 'receiver')),
      ', received',
      overIbc(packet.destination),
      withRemote('from', transfer.sender),
      refusal ? refusedWith(refusal.reason) : [],
    ),
  }
}

function passedOnAgain({ events }: ExecutedMessage, { source }: Packet, transfer: PacketTransfer): Draft | null {
  const isSame = attributeIn(events, 'send_packet', 'packet_src_channel') === source
  if (!source || !isSame || senderIn(events) !== transfer.sender) {
    return null
  }
  const amounts = coinMoved(transfer, events)
  const way: readonly Piece[] = [...overIbc(source), ...withRemote('to', transfer.receiver)]
  return {
    ...partsOf(events, transfer.receiver, source),
    amounts,
    says: says(verb, ' ', coins(amounts), ' again', way, ', since the transfer timed out'),
  }
}

const verb = ['Passed on', 'pass on'] as const

const senderIn = (events: readonly ChainEvent[]) => attributeIn(events, 'ibc_transfer', 'sender')

const partsOf = (events: readonly ChainEvent[], address: string | null, next: string | null) =>
  ({
    kind: 'BRIDGE_FORWARD',
    actor: senderIn(events),
    remote: {
      address,
      channel: next,
      packetSequence: attributeIn(events, 'send_packet', 'packet_sequence'),
      opInitBridgeId: null,
    },
  }) as const

/** The ways of a memo, from this chain to the last. The next one is an object or its text. */
function hopsIn(memo: Fields): readonly Fields[] {
  const hops: Fields[] = []
  let hop = fieldsOf(memo.forward)
  while (fieldText(hop, 'channel')) {
    hops.push(hop)
    const { next } = hop
    hop = fieldsOf((typeof next === 'string' ? jsonOf(next) : fieldsOf(next)).forward)
  }
  return hops
}
