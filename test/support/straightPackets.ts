import { createHash } from 'node:crypto'
import type { Sandbox } from '../../packages/sandbox/src/sandbox.ts'
import type { Message } from './chainMessages.ts'
import type { Draft, FindDraft, PacketWay } from './movement.ts'

type Attributes = Message['rows'][number]['is']
type FindWay = (message: Message, isOnSource: boolean, is: Attributes) => PacketWay | undefined

/** Reads the events of packets of coins. */
export function readPackets(messages: readonly Message[], sandbox: Sandbox, findDraft: FindDraft): void {
  const findWay = createFindWay(messages, sandbox)
  for (const message of messages) {
    const { leg, rows } = message
    for (const [index, { type, is }] of rows.entries()) {
      const isOnSource = ['send_packet', 'acknowledge_packet', 'timeout_packet'].includes(type)
      if (!isOnSource && type !== 'recv_packet' && type !== 'write_acknowledgement') continue
      const way = findWay(message, isOnSource, is)
      if (!way) continue
      const after = rows.slice(index + 1)
      const told = after.find((row) => row.type === 'ibc_transfer' || row.type === 'fungible_token_packet')?.is
      // A chain that sent the coins on says nothing of the second packet, but answers the first one. Without either, another
      // relayer was faster.
      const isSentOnBefore = after.some((row) => row.type === 'write_acknowledgement')
      switch (type) {
        case 'send_packet':
          Object.assign(findDraft(way), { departure: leg, parties: partiesOf(is, told) })
          break
        case 'recv_packet': {
          const isSentOn = after.some((row) => row.type === 'send_packet')
          // If nothing follows, another relayer was faster.
          if (!isSentOn && !after.some((row) => row.type === 'write_acknowledgement')) break
          const draft = findDraft(way)
          Object.assign(draft, { arrival: leg, isSentOn, parties: draft.parties ?? partiesOf(is, told) })
          break
        }
        case 'write_acknowledgement':
          findDraft(way).answer = isRefusal(is) ? 'bad' : 'good'
          break
        case 'acknowledge_packet': {
          const results = after.filter((row) => row.type === 'fungible_token_packet')
          if (results.length === 0 && !isSentOnBefore) break
          const draft = findDraft(way)
          draft.acknowledgement = leg
          if (results.length > 0) draft.answer = results.some((row) => row.is.error !== undefined) ? 'bad' : 'good'
          break
        }
        case 'timeout_packet':
          if (isSentOnBefore || after.some((row) => row.type === 'timeout')) findDraft(way).timeout = leg
      }
    }
  }
}

/** The sender, the receiver and the amount by the data of a packet or, if the event has none, by that of the coins. */
function partiesOf(is: Attributes, told: Attributes | undefined): Draft['parties'] {
  const hex = is.packet_data_hex
  const text = is.packet_data ?? (hex === undefined ? undefined : Buffer.from(hex, 'hex').toString())
  const { sender, receiver, amount } = text === undefined ? (told ?? {}) : JSON.parse(text)
  return sender && receiver && amount ? { sender, receiver, amount } : undefined
}

/** What stands for every refusal in acknowledgements of IBC v2. */
const refusalOfV2 = createHash('sha256').update('UNIVERSAL_ERROR_ACKNOWLEDGEMENT').digest('hex')

function isRefusal(is: Attributes): boolean {
  const list = is.encoded_acknowledgement_hex
  if (list !== undefined) return list.includes(refusalOfV2)
  const text = is.packet_ack ?? Buffer.from(is.packet_ack_hex ?? '', 'hex').toString()
  return 'error' in JSON.parse(text)
}

/** Finds the way of a packet. Undefined for one of something else than coins. */
function createFindWay(messages: readonly Message[], { indexers }: Sandbox): FindWay {
  // Packets of IBC v2 name clients alone: their chains are those that sent and received them.
  const [sent, received] = ['send_packet', 'recv_packet'].map((type) => {
    const seen = messages.flatMap(({ leg, rows }) =>
      rows.filter((row) => row.type === type).map(({ is }) => [clientKey(is), leg.chainId] as const),
    )
    return new Map(seen)
  })
  return ({ leg, rows }, isOnSource, is) => {
    const sequence = is.packet_sequence ?? ''
    if (is.packet_source_client !== undefined) {
      const isOfCoins = rows.some(({ type }) => type === 'ibc_transfer' || type.endsWith('fungible_token_packet'))
      if (!isOfCoins) return undefined
      const clients = { sourceClient: is.packet_source_client, destinationClient: is.packet_dest_client ?? '' }
      const sourceChainId = sent?.get(clientKey(is)) ?? null
      const destinationChainId = sourceChainId === null ? leg.chainId : (received?.get(clientKey(is)) ?? null)
      return { sourceChainId, destinationChainId, ...clients, sequence }
    }
    if (is.packet_src_port !== 'transfer' || is.packet_dst_port !== 'transfer') return undefined
    const [sourceChannel, destinationChannel] = [is.packet_src_channel ?? '', is.packet_dst_channel ?? '']
    const own = isOnSource ? sourceChannel : destinationChannel
    const { ibcChannels = [] } = indexers.find(({ chainId }) => chainId === leg.chainId) ?? {}
    const other = ibcChannels.find(({ channelId }) => channelId === own)?.chainId ?? null
    const [sourceChainId, destinationChainId] = isOnSource ? [leg.chainId, other] : [other, leg.chainId]
    return { sourceChainId, destinationChainId, sourceChannel, destinationChannel, sequence }
  }
}

const clientKey = (is: Attributes) => `${is.packet_source_client} ${is.packet_dest_client} ${is.packet_sequence}`
