import { base64 } from '@scure/base'
import { type ChainEvent, parsed } from '../balanceChanges/events.ts'
import type { ActionAmount, ActionNft } from './action.ts'
import { attributeIn, attributeOf, coinsReceivedBy, eventsOfType } from './events.ts'
import { coinsOfText, type Fields, fieldsOf, fieldText, textsOf, wholeOf } from './fields.ts'

/** The transfer in an IBC packet: an amount by ICS-20, or NFTs by ICS-721. */
export interface PacketTransfer {
  readonly sender: string | null
  readonly receiver: string | null
  /** As the chain that sent the packet names it. */
  readonly denom: string | null
  readonly amount: bigint | null
  readonly nfts: readonly ActionNft[]
  readonly memo: Fields
}

/** The transfer in a packet. Null for a packet of anything else. */
export const transferIn = (packet: Fields): PacketTransfer | null =>
  transferOf(jsonIn(packet, 'data'))

/** The transfer in the packet of an event. Newer chains write its data in hex only. */
export function transferInEvent(events: readonly ChainEvent[], type: string) {
  const hex = attributeIn(events, type, 'packet_data_hex') ?? ''
  const text = attributeIn(events, type, 'packet_data') ?? Buffer.from(hex, 'hex').toString()
  return transferOf(jsonOf(text))
}

function transferOf(data: Fields): PacketTransfer | null {
  const [denom, amount] = [fieldText(data, 'denom'), wholeOf(fieldText(data, 'amount'))]
  const collection = fieldText(data, 'classId')
  const nfts = textsOf(data.tokenIds).map(
    (tokenId): ActionNft => ({ collection, tokenId, objectAddress: null }),
  )
  if (nfts.length === 0 && (denom === null || amount === null)) return null
  return {
    denom,
    amount,
    nfts,
    sender: fieldText(data, 'sender'),
    receiver: fieldText(data, 'receiver'),
    memo: jsonOf(fieldText(data, 'memo')),
  }
}

/** The object in a text of JSON. One without fields for any other text. */
export const jsonOf = (text: string | null): Fields => fieldsOf(parsed(text ?? ''))

/** The object in a field of JSON in base64. */
export function jsonIn(fields: Fields, key: string): Fields {
  const text = fieldText(fields, key)
  try {
    return jsonOf(text && new TextDecoder().decode(base64.decode(text)))
  } catch {
    return {}
  }
}

/**
 * The coins of a transfer that an account got. The packet names them as the other chain does, so their denom here
 * comes from the bank module. None if it gave the account anything else.
 */
export function coinsOfTransfer(
  { amount }: PacketTransfer,
  events: readonly ChainEvent[],
  account: string | null,
): readonly ActionAmount[] {
  const received = coinsReceivedBy(events, account)
  const [first, ...others] = received
  return first?.amount === amount && others.length === 0 ? received : []
}

/** The only coin of this amount that the bank module moved, whoever got it. None if there are several. */
export function coinMoved(
  { amount }: PacketTransfer,
  events: readonly ChainEvent[],
): readonly ActionAmount[] {
  const moved = eventsOfType(events, 'coin_received')
    .flatMap((event) => coinsOfText(attributeOf(event, 'amount')))
    .filter((coin) => coin.amount === amount)
  const [first, ...others] = moved
  return first && others.every(({ denom }) => denom === first.denom) ? [first] : []
}

/** Whether the chain refused a packet, although it accepted its delivery. */
export function isRefused(events: readonly ChainEvent[]): boolean {
  const acknowledgement = jsonOf(attributeIn(events, 'write_acknowledgement', 'packet_ack'))
  const packets = [
    ...eventsOfType(events, 'fungible_token_packet'),
    ...eventsOfType(events, 'non_fungible_token_packet'),
  ]
  return (
    'error' in acknowledgement || packets.some((event) => attributeOf(event, 'success') === 'false')
  )
}
