import { bytesOf, isSameAddress } from '../../addresses/bytes.ts'
import type { ChainEvent } from '../../balanceChanges/events.ts'
import type { ActionAmount, Draft } from '../action.ts'
import { attributeIn } from '../events.ts'
import type { ActionFamily } from '../family.ts'
import { coins, nftPieces, overIbc, refusedWith, says, withAddress, withRemote } from '../sentence.ts'
import { coinMoved, isDelivered, refusalOf, withGot } from './effect.ts'
import { hookIn, hookPieces, isCalled } from './hook.ts'
import { channelTypes, denomHere, isOfModule, packetIn, remoteOf } from './packet.ts'

/** Coins and NFTs that arrive over IBC, in packets that a relayer delivers. */
export const ibcReceive: ActionFamily = {
  types: channelTypes('MsgRecvPacket'),
  read: (step) => {
    const { events, isSuccessful } = step
    // A relayer that fails delivers nothing.
    if (!isSuccessful || !isDelivered(events)) return null
    const packet = packetIn(step)
    const { transfer, destination } = packet
    if (!transfer?.receiver || !isOfModule(packet.destinationPort)) return null
    const { sender, nfts } = transfer
    const actor = recipientOf(transfer.receiver, events)
    const refusal = refusalOf(events)
    const asked = hookIn(transfer.memo)
    const hook = asked && (refusal || isCalled(asked, events)) ? asked : null
    const isForContract = isSameAddress(actor, hook?.contract)
    const way = [
      ...overIbc(destination),
      ...(isForContract ? [] : withAddress('for', actor)),
      ...withRemote('from', sender),
      ...(hook ? [refusal ? ', and call ' : ', and called ', ...hookPieces(hook)] : []),
      ...(refusal ? refusedWith(refusal.reason) : []),
    ]
    const common = {
      kind: 'BRIDGE_IN',
      actor,
      remote: remoteOf(packet, destination, sender),
      isRefused: refusal !== null,
      ...(hook && { contract: hook.contract, function: hook.function }),
    } as const
    if (nfts.length > 0) {
      const arrived = nfts.map((nft) => ({ ...nft, isRemote: true }))
      return { ...common, nfts: arrived, says: says(verb, ' ', nftPieces(arrived), way) }
    }
    // A call gets its coins through an account that the middleware makes for it.
    const moved = hook ? coinMoved(transfer, events) : []
    const told = (amounts: readonly ActionAmount[]): Draft => ({
      ...{ ...common, amounts },
      says: says(verb, ' ', coins(amounts), way),
    })
    const came = { denom: denomHere(packet), amount: transfer.amount, isCalled: hook !== null }
    return { ...told(moved), finish: withGot(told, came, moved) }
  },
}

/** The account that gets the coins. Some chains take orders in its place, and report the account in their events. */
const recipientOf = (receiver: string, events: readonly ChainEvent[]): string =>
  bytesOf(receiver) === null ? (attributeIn(events, 'fungible_token_packet', 'receiver') ?? receiver) : receiver

const verb = ['Received', 'deliver'] as const
