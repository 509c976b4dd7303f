import { base64 } from '@scure/base'
import { type ChainEvent, parsed } from '../../balanceChanges/events.ts'
import type { ActionNft, Draft } from '../action.ts'
import { attributeIn, attributeOf, coinsReceivedBy, eventsOfType } from '../events.ts'
import type { ActionFamily } from '../family.ts'
import { type Fields, fieldsOf, textOf, textsOf, wholeOf } from '../fields.ts'
import { coins, nftPieces, overIbc, says, withAddress } from '../sentence.ts'

/** Coins and NFTs that arrive over IBC, in packets that a relayer delivers. */
export const ibcReceive: ActionFamily = {
  types: ['ibc.core.channel.v1.MsgRecvPacket'],
  read: ({ message, events, isSuccessful }) => {
    // A packet that was delivered before succeeds without an effect. A relayer that fails delivers nothing.
    if (!isSuccessful || eventsOfType(events, 'recv_packet').length === 0) return null
    const packet = fieldsOf(message.packet)
    const data = dataOf(packet)
    const actor = textOf(data, 'receiver')
    if (!actor) return null
    const channel = textOf(packet, 'destination_channel')
    const address = textOf(data, 'sender')
    const way = [...overIbc(channel), ...withAddress('for', actor), ...withAddress('from', address)]
    const common = {
      kind: 'BRIDGE_IN',
      actor,
      remote: { address, channel, opInitBridgeId: null },
      isRefused: isRefused(events),
    } as const
    const tokenIds = textsOf(data.tokenIds)
    if (tokenIds.length > 0) {
      const nfts = tokenIds.map(
        (tokenId): ActionNft => ({
          collection: textOf(data, 'classId'),
          tokenId,
          objectAddress: null,
        }),
      )
      return { ...common, nfts, says: says(verb, ' ', nftPieces(nfts), way) }
    }
    if (wholeOf(textOf(data, 'amount')) === null || !textOf(data, 'denom')) return null
    const amounts = amountsOf(data, events)
    return { ...common, amounts, says: says(verb, ' ', coins(amounts), way) } satisfies Draft
  },
}

const verb = ['Received', 'deliver'] as const

/** The content of a transfer packet: JSON in base64. */
function dataOf(packet: Fields): Fields {
  const text = textOf(packet, 'data')
  try {
    return text ? fieldsOf(parsed(new TextDecoder().decode(base64.decode(text)))) : {}
  } catch {
    return {}
  }
}

/**
 * The coins that the account got. The packet names them as the other chain does, so their denom here comes from
 * the bank module. None if it gave the account anything else.
 */
function amountsOf(data: Fields, events: readonly ChainEvent[]) {
  const received = coinsReceivedBy(events, textOf(data, 'receiver'))
  const [first, ...others] = received
  return first?.amount === wholeOf(textOf(data, 'amount')) && others.length === 0 ? received : []
}

/** Whether the chain refused the packet, although it accepted its delivery. */
function isRefused(events: readonly ChainEvent[]): boolean {
  const acknowledgement = fieldsOf(
    parsed(attributeIn(events, 'write_acknowledgement', 'packet_ack') ?? ''),
  )
  const packets = [
    ...eventsOfType(events, 'fungible_token_packet'),
    ...eventsOfType(events, 'non_fungible_token_packet'),
  ]
  return (
    'error' in acknowledgement || packets.some((event) => attributeOf(event, 'success') === 'false')
  )
}
