import { isSameAddress } from '../../addresses/bytes.ts'
import { moveAddress } from '../../balanceChanges/stores.ts'
import type { ActionNft } from '../action.ts'
import { moveData } from '../events.ts'
import type { ActionFamily, ExecutedMessage } from '../family.ts'
import { type Fields, fieldText, textsOf } from '../fields.ts'
import { nftPieces, says, withAddress } from '../sentence.ts'

const types = ['initia.move.v1.MsgExecute', 'initia.move.v1.MsgExecuteJSON']

/** NFTs that are made or burnt on Move chains. */
export const moveNft: ActionFamily = {
  types,
  read: (step) => {
    const [minted, burnt] = ['Mint', 'Burn'].map((name) =>
      moveData(step.events, `0x1::collection::${name}Event`).map(nftOf),
    )
    const actor = fieldText(step.message, 'sender')
    if (!minted || !burnt || minted.length > 0 === burnt.length > 0) return null
    if (burnt.length > 0) {
      const said = says(['Burned', 'burn'], ' ', nftPieces(burnt))
      return { kind: 'NFT_BURN', actor, nfts: burnt, says: said }
    }
    const said = says(['Minted', 'mint'], ' ', nftPieces(minted))
    return { kind: 'NFT_MINT', actor, nfts: minted, says: said }
  },
}

const nftOf = (data: Fields): ActionNft => ({
  collection: fullAddress(fieldText(data, 'collection')),
  tokenId: fieldText(data, 'token_id'),
  objectAddress: fullAddress(fieldText(data, 'nft')),
})

/** Move events write addresses without leading zeros. */
const fullAddress = (address: string | null): string | null => {
  const bytes = moveAddress(address)
  return bytes && `0x${bytes}`
}

const transferFunctions = ['transfer', 'transfer_call']

/** Objects that change their owner on Move chains. Their type is known only if the call names it. */
export const moveObject: ActionFamily = {
  types,
  read: ({ message, events }) => {
    const isTransfer =
      isSameAddress(fieldText(message, 'module_address'), '0x1') &&
      fieldText(message, 'module_name') === 'object' &&
      transferFunctions.includes(fieldText(message, 'function_name') ?? '')
    const [moved, ...others] = moveData(events, '0x1::object::TransferEvent')
    const actor = fieldText(message, 'sender')
    if (!isTransfer || !moved || others.length > 0) return null
    if (!isSameAddress(fieldText(moved, 'from'), actor)) return null
    const [objectAddress, counterparty] = [fieldText(moved, 'object'), fieldText(moved, 'to')]
    const nft = { collection: null, tokenId: null, objectAddress: fullAddress(objectAddress) }
    const parties = { actor, counterparty, nfts: [nft] }
    const to = withAddress('to', counterparty)
    if (isNft(message)) {
      const object = withAddress('NFT', objectAddress)
      return { kind: 'NFT_TRANSFER', ...parties, says: says(['Sent', 'send'], object, to) }
    }
    const object = withAddress('object', objectAddress)
    return { kind: 'OBJECT_TRANSFER', ...parties, says: says(['Sent', 'send'], object, to) }
  },
}

/** Whether the call names the standard NFT as the type of its object. */
const isNft = (message: ExecutedMessage['message']): boolean =>
  textsOf(message.type_args).some((type) => /^0x0*1::nft::Nft$/.test(type))
