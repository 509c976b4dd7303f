import type { ActionNft } from '../action.ts'
import { attributeIn } from '../events.ts'
import type { ActionFamily, Step } from '../family.ts'
import { coinsIn, fieldText, textsOf } from '../fields.ts'
import { coins, nftPieces, overIbc, says, withAddress } from '../sentence.ts'

const nftTransfer = 'ibc.applications.nft_transfer.v1.MsgTransfer'

/** Coins and NFTs that leave over IBC. */
export const ibcTransfer: ActionFamily = {
  types: ['ibc.applications.transfer.v1.MsgTransfer', nftTransfer],
  read: (step) => (step.type === nftTransfer ? readNfts(step) : readCoins(step)),
}

const partsOf = ({ message, events }: Step) => ({
  actor: fieldText(message, 'sender'),
  remote: {
    address: fieldText(message, 'receiver'),
    channel: fieldText(message, 'source_channel'),
    packetSequence: attributeIn(events, 'send_packet', 'packet_sequence'),
    opInitBridgeId: null,
  },
})

const wayOf = ({ message }: Step) => [
  ...overIbc(fieldText(message, 'source_channel')),
  ...withAddress('to', fieldText(message, 'receiver')),
]

function readCoins(step: Step) {
  const amounts = coinsIn(step.message.token)
  const said = says(['Sent', 'send'], ' ', coins(amounts), wayOf(step))
  return { kind: 'BRIDGE_OUT', ...partsOf(step), amounts, says: said } as const
}

function readNfts(step: Step) {
  const collection = fieldText(step.message, 'class_id')
  const nfts = textsOf(step.message.token_ids).map(
    (tokenId): ActionNft => ({ collection, tokenId, objectAddress: null }),
  )
  const said = says(['Sent', 'send'], ' ', nftPieces(nfts), wayOf(step))
  return { kind: 'BRIDGE_OUT', ...partsOf(step), nfts, says: said } as const
}
