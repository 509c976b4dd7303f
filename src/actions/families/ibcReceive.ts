import type { Draft } from '../action.ts'
import { eventsOfType } from '../events.ts'
import type { ActionFamily } from '../family.ts'
import { fieldsOf, fieldText } from '../fields.ts'
import { coinsOfTransfer, isRefused, transferIn } from '../packet.ts'
import { coins, nftPieces, overIbc, says, withAddress } from '../sentence.ts'

/** Coins and NFTs that arrive over IBC, in packets that a relayer delivers. */
export const ibcReceive: ActionFamily = {
  types: ['ibc.core.channel.v1.MsgRecvPacket'],
  read: ({ message, events, isSuccessful }) => {
    // A packet that was delivered before succeeds without an effect. A relayer that fails delivers nothing.
    if (!isSuccessful || eventsOfType(events, 'recv_packet').length === 0) return null
    const packet = fieldsOf(message.packet)
    const transfer = transferIn(packet)
    if (!transfer?.receiver) return null
    const { receiver: actor, sender: address, nfts } = transfer
    const channel = fieldText(packet, 'destination_channel')
    const packetSequence = fieldText(packet, 'sequence')
    const way = [...overIbc(channel), ...withAddress('for', actor), ...withAddress('from', address)]
    const common = {
      kind: 'BRIDGE_IN',
      actor,
      remote: { address, channel, packetSequence, opInitBridgeId: null },
      isRefused: isRefused(events),
    } as const
    if (nfts.length > 0) return { ...common, nfts, says: says(verb, ' ', nftPieces(nfts), way) }
    const amounts = coinsOfTransfer(transfer, events, actor)
    return { ...common, amounts, says: says(verb, ' ', coins(amounts), way) } satisfies Draft
  },
}

const verb = ['Received', 'deliver'] as const
