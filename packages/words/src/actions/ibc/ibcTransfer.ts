import type { ActionNft, Draft } from '../action.ts'
import { attributeIn } from '../events.ts'
import type { ActionFamily, ExecutedMessage } from '../family.ts'
import { coinsIn, fieldText, textsOf } from '../fields.ts'
import { coins, nftPieces, overIbc, says, withRemote } from '../sentence.ts'
import { coinMoved } from './effect.ts'
import { payloadIn, transferInPayload } from './packet.ts'

const readers: Readonly<Record<string, (step: ExecutedMessage) => Draft | null>> = {
  'ibc.applications.transfer.v1.MsgTransfer': readCoins,
  'ibc.applications.nft_transfer.v1.MsgTransfer': readNfts,
  'ibc.core.channel.v2.MsgSendPacket': readPacket,
}

/** Coins and NFTs that leave over IBC. */
export const ibcTransfer: ActionFamily = {
  types: Object.keys(readers),
  read: (step) => readers[step.type]?.(step) ?? null,
}

const partsOf = ({ message, events }: ExecutedMessage) => ({
  actor: fieldText(message, 'sender'),
  remote: {
    address: fieldText(message, 'receiver'),
    channel: fieldText(message, 'source_channel'),
    packetSequence: attributeIn(events, 'send_packet', 'packet_sequence'),
    opInitBridgeId: null,
  },
})

const wayOf = ({ message }: ExecutedMessage) => [
  ...overIbc(fieldText(message, 'source_channel')),
  ...withRemote('to', fieldText(message, 'receiver')),
]

function readCoins(step: ExecutedMessage) {
  const amounts = coinsIn(step.message.token)
  const said = says(['Sent', 'send'], ' ', coins(amounts), wayOf(step))
  return { kind: 'BRIDGE_OUT', ...partsOf(step), amounts, says: said } as const
}

function readNfts(step: ExecutedMessage) {
  const collection = fieldText(step.message, 'class_id')
  const nfts = textsOf(step.message.token_ids).map(
    (tokenId): ActionNft => ({ collection, tokenId, objectAddress: null }),
  )
  const said = says(['Sent', 'send'], ' ', nftPieces(nfts), wayOf(step))
  return { kind: 'BRIDGE_OUT', ...partsOf(step), nfts, says: said } as const
}

/** A transfer that its sender puts into a packet of IBC v2. Null for a packet of anything else. */
function readPacket({ message, events }: ExecutedMessage): Draft | null {
  const transfer = transferInPayload(payloadIn(message))
  if (!transfer || transfer.amount === null) return null
  const { sender, receiver, denom, amount } = transfer
  const client = fieldText(message, 'source_client')
  // A denom with a path is how packets name a coin of another chain. The bank module names it otherwise.
  const amounts = denom?.includes('/') ? coinMoved(transfer, events) : [{ denom, amount }]
  return {
    kind: 'BRIDGE_OUT',
    actor: sender,
    amounts,
    remote: {
      address: receiver,
      channel: client,
      packetSequence: attributeIn(events, 'send_packet', 'packet_sequence'),
      opInitBridgeId: null,
    },
    says: says(['Sent', 'send'], ' ', coins(amounts), overIbc(client), withRemote('to', receiver)),
  }
}
