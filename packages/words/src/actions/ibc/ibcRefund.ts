import type { ChainEvent } from '../../balanceChanges/events.ts'
import { denomOfPath } from '../../bridges/denoms.ts'
import type { ActionAmount, Draft, Piece } from '../action.ts'
import { attributeIn } from '../events.ts'
import type { ActionFamily, ExecutedMessage } from '../family.ts'
import { coins, nftPieces, overIbc, says, withAddress, withRemote } from '../sentence.ts'
import { refusalInMessage } from './acknowledgement.ts'
import { coinMoved, isSettled, withGot } from './effect.ts'
import { channelTypes, isOfModule, nameOf, type Packet, packetIn, remoteOf, transferInEvent } from './packet.ts'
import type { PacketTransfer } from './transferData.ts'

/** Coins and NFTs that left over IBC, and come back since the other chain did not take them. */
export const ibcRefund: ActionFamily = {
  types: channelTypes('MsgTimeout', 'MsgTimeoutOnClose', 'MsgAcknowledgement'),
  read: (step) => {
    const { events, isSuccessful } = step
    if (!isSuccessful || !isSettled(events)) return null
    const packet = packetIn(step)
    const { transfer, source } = packet
    const failure = failureOf(step)
    if (!transfer || !failure || !isOfModule(packet.sourcePort)) return null
    const { sender, receiver, nfts } = transfer
    // Coins that only passed through this chain go back to the one before, which learns of it by an acknowledgement.
    const before = attributeIn(events, 'write_acknowledgement', 'packet_dst_channel')
    const back = before ? [...overIbc(before), ...withRemote('to', originOf(events))] : withAddress('to', sender)
    const told = (amounts: readonly ActionAmount[]): Draft => ({
      kind: 'BRIDGE_REFUND',
      actor: sender,
      ...(nfts.length > 0 ? { nfts } : { amounts }),
      remote: remoteOf(packet, source, receiver),
      says: says(
        ['Returned', 'return'],
        ' ',
        nfts.length > 0 ? nftPieces(nfts) : coins(amounts),
        back,
        ': the transfer',
        overIbc(source),
        withRemote('to', receiver),
        failure,
      ),
    })
    if (nfts.length > 0) return told([])
    if (before) return told(coinMoved(transfer, events))
    const own = ownCoin(transfer, packet)
    const denom = transfer.denom === null ? null : denomOfPath(transfer.denom)
    return { ...told(own), finish: withGot(told, { denom, amount: transfer.amount, isCalled: false }, own) }
  },
}

/** The words for why a packet came to nothing. Null if it succeeded. */
function failureOf(step: ExecutedMessage): readonly Piece[] | null {
  if (nameOf(step) !== 'MsgAcknowledgement') return [' timed out']
  const refusal = refusalInMessage(step.message)
  if (!refusal) return null
  const { reason } = refusal
  return reason ? [' failed with ', { quoted: reason }] : [' failed']
}

/** The sender of the coins that passed through this chain. */
const originOf = (events: readonly ChainEvent[]): string | null =>
  transferInEvent(events, 'write_acknowledgement')?.sender ?? null

/** The coin of a packet whose denom has no path, which is its name on its own chain too. */
const ownCoin = ({ denom, amount }: PacketTransfer, { sourcePort }: Packet): readonly ActionAmount[] =>
  sourcePort === 'transfer' && denom?.includes('/') === false && amount !== null ? [{ denom, amount }] : []
