import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { bytesOf } from '#words/addresses'
import { amountIn, type ChainEvent, parsed, partsOf, textFields } from '#words/events'
import type { Steps } from '../../../kit/clock/steps.ts'

/** An asset that a transaction sent to another chain. */
export interface SentAsset {
  readonly bridge: 'IBC' | 'OPINIT'
  /** Whether it left a rollup over its own bridge, and so has to be claimed. */
  readonly isWithdrawal: boolean
  readonly sender: string | null
  readonly recipient: string | null
  /** In base units, on both chains: neither bridge converts amounts. */
  readonly amount: bigint
  readonly denomIn: string
  readonly denomOut: string
  /** Whether something follows on the other chain, so that the recipient there need not keep it. */
  readonly hasNextHop: boolean
}

type Values = ReadonlyMap<string, string>

const readers: Readonly<Record<string, (values: Values) => SentAsset | null>> = {
  send_packet: ofPacket,
  initiate_token_deposit: (values) => ofOpInit(values, 'l1_denom', 'l2_denom'),
  initiate_token_withdrawal: (values) => ofOpInit(values, 'denom', 'base_denom'),
}

/** The assets that a transaction sent over IBC and OPinit, by the events of their modules, in order. */
export function* sentAssetsIn(events: readonly ChainEvent[]): Steps<SentAsset[]> {
  const sentAssets: SentAsset[] = []
  for (const event of events) {
    const read = Object.hasOwn(readers, event.type) ? readers[event.type] : undefined
    if (!read) continue
    yield
    for (const values of yield* partsOf(event)) {
      const sentAsset = read(values)
      if (sentAsset) sentAssets.push(sentAsset)
    }
  }
  return sentAssets
}

/** A packet of ICS-20 with the transfer module itself at both ends. */
function ofPacket(values: Values): SentAsset | null {
  const [port, channel] = [values.get('packet_src_port'), values.get('packet_src_channel')]
  const [farPort, farChannel] = [values.get('packet_dst_port'), values.get('packet_dst_channel')]
  const data = textFields(packetData(values))
  const amount = amountIn(data?.get('amount'))
  const path = data?.get('denom')
  if (port !== 'transfer' || farPort !== 'transfer' || amount === null || !path) return null
  const way = `${port}/${channel}/`
  return {
    bridge: 'IBC',
    isWithdrawal: false,
    sender: addressIn(data?.get('sender')),
    recipient: addressIn(data?.get('receiver')),
    amount,
    denomIn: toDenom(path),
    denomOut: toDenom(path.startsWith(way) ? path.slice(way.length) : `${farPort}/${farChannel}/${path}`),
    hasNextHop: isProgram(data?.get('memo')),
  }
}

/** The data of a packet. Newer versions of ibc-go write it in hex only. */
function packetData(values: Values): string {
  const text = values.get('packet_data')
  const hex = values.get('packet_data_hex') ?? ''
  if (text !== undefined || !/^(?:[0-9a-f]{2})+$/i.test(hex)) return text ?? ''
  return new TextDecoder().decode(hexToBytes(hex))
}

/** A deposit to a rollup or a withdrawal from it. */
function ofOpInit(values: Values, denomKey: string, farDenomKey: string): SentAsset | null {
  const amount = amountIn(values.get('amount'))
  const [denomIn, denomOut] = [values.get(denomKey), values.get(farDenomKey)]
  if (amount === null || !denomIn || !denomOut) return null
  return {
    bridge: 'OPINIT',
    isWithdrawal: denomKey === 'denom',
    sender: addressIn(values.get('from')),
    recipient: addressIn(values.get('to')),
    amount,
    denomIn,
    denomOut,
    hasNextHop: Boolean(values.get('data')),
  }
}

/** The denom of a path of ICS-20: a hash of the path, unless it was issued on the chain. See ADR-001 of ibc-go. */
const toDenom = (path: string): string =>
  /^transfer\/channel-\d+\//.test(path) ? `ibc/${bytesToHex(sha256(utf8ToBytes(path))).toUpperCase()}` : path

/** An address. Null for any other text: the sender of a packet writes the recipient, and no chain checks it. */
const addressIn = (text: string | undefined): string | null =>
  text !== undefined && bytesOf(text) !== null ? text : null

/** Whether a memo is an object with instructions for the other chain, such as where to forward it. */
function isProgram(memo: string | undefined): boolean {
  const value = memo ? parsed(memo) : null
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0
}
