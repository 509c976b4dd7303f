import type { ChainEvent } from '../../balanceChanges/events.ts'
import type { ActionAmount, Piece } from '../action.ts'
import { attributeIn, eventsOfType } from '../events.ts'
import type { ActionFamily } from '../family.ts'
import { type Fields, fieldsOf, fieldText } from '../fields.ts'
import {
  coinMoved,
  coinsOfTransfer,
  jsonIn,
  type PacketTransfer,
  transferIn,
  transferInEvent,
} from '../packet.ts'
import { coins, nftPieces, overIbc, says, withAddress } from '../sentence.ts'

const channel = 'ibc.core.channel.v1'
const acknowledgement = `${channel}.MsgAcknowledgement`

// A packet that was timed out or acknowledged before succeeds without these events.
const timeoutEvents = ['timeout_packet', 'timeout_on_close_packet', 'timeout']
const acknowledgementEvents = ['acknowledge_packet']

/** Coins and NFTs that left over IBC, and come back since the other chain did not take them. */
export const ibcRefund: ActionFamily = {
  types: [`${channel}.MsgTimeout`, `${channel}.MsgTimeoutOnClose`, acknowledgement],
  read: ({ type, message, events, isSuccessful }) => {
    const isTimeout = type !== acknowledgement
    const proofs = isTimeout ? timeoutEvents : acknowledgementEvents
    if (!isSuccessful || !proofs.some((proof) => eventsOfType(events, proof).length > 0)) {
      return null
    }
    const packet = fieldsOf(message.packet)
    const transfer = transferIn(packet)
    const failure = isTimeout ? [' timed out'] : failureIn(message)
    if (!transfer || !failure) return null
    const { sender, receiver, nfts } = transfer
    const sourceChannel = fieldText(packet, 'source_channel')
    const amounts = nfts.length > 0 ? [] : returned(transfer, packet, events)
    // Coins that only passed through this chain go back to the one before, which learns of it by an acknowledgement.
    const before = attributeIn(events, 'write_acknowledgement', 'packet_dst_channel')
    const back = before
      ? [...overIbc(before), ...withAddress('to', originOf(events))]
      : withAddress('to', sender)
    return {
      kind: 'BRIDGE_REFUND',
      actor: sender,
      ...(nfts.length > 0 ? { nfts } : { amounts }),
      remote: {
        address: receiver,
        channel: sourceChannel,
        packetSequence: fieldText(packet, 'sequence'),
        opInitBridgeId: null,
      },
      says: says(
        ['Returned', 'return'],
        ' ',
        nfts.length > 0 ? nftPieces(nfts) : coins(amounts),
        back,
        ': the transfer',
        overIbc(sourceChannel),
        withAddress('to', receiver),
        failure,
      ),
    }
  },
}

/** The words for an error of the other chain. Null if the packet succeeded. */
function failureIn(message: Fields): readonly Piece[] | null {
  const outer = jsonIn(message, 'acknowledgement')
  // ICS-29 wraps the acknowledgement of the transfer.
  const inner = 'app_acknowledgement' in outer ? jsonIn(outer, 'app_acknowledgement') : outer
  if (!('error' in inner)) return null
  const reason = fieldText(inner, 'error')
  return reason ? [' failed with ', { quoted: reason }] : [' failed']
}

/** The sender of the coins that passed through this chain. */
const originOf = (events: readonly ChainEvent[]): string | null =>
  transferInEvent(events, 'write_acknowledgement')?.sender ?? null

/** The coins that came back. A denom without a path has the same name in the packet as on its chain. */
function returned(
  transfer: PacketTransfer,
  packet: Fields,
  events: readonly ChainEvent[],
): readonly ActionAmount[] {
  const isForwarded = eventsOfType(events, 'write_acknowledgement').length > 0
  const paid = isForwarded
    ? coinMoved(transfer, events)
    : coinsOfTransfer(transfer, events, transfer.sender)
  const { denom, amount } = transfer
  const isOwn = fieldText(packet, 'source_port') === 'transfer' && denom?.includes('/') === false
  return paid.length > 0 || !isOwn || amount === null ? paid : [{ denom, amount }]
}
