import type { ActionNft } from '../action.ts'
import { jsonOf, jsonOfBytes } from '../bytes.ts'
import { type Fields, fieldText, textsOf, wholeOf } from '../fields.ts'
import { textIn, wireFields } from '../protobuf.ts'

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

/** The transfer in an object of ICS-20 or ICS-721. Null for an object of anything else. */
export function transferOf(data: Fields): PacketTransfer | null {
  const [denom, amount] = [fieldText(data, 'denom'), wholeOf(fieldText(data, 'amount'))]
  const collection = fieldText(data, 'classId')
  const nfts = textsOf(data.tokenIds).map((tokenId): ActionNft => ({ collection, tokenId, objectAddress: null }))
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

/**
 * The transfer in a payload of IBC v2, whose encoding is one of three by ibc-go (`modules/apps/transfer/types`): JSON,
 * protobuf, or that of Solidity. Null for a payload of anything else.
 */
export function transferInBytes(bytes: Uint8Array, encoding: string | null): PacketTransfer | null {
  switch (encoding) {
    case 'application/x-protobuf':
      return transferOf(protobufFields(bytes))
    case 'application/x-solidity-abi':
      return transferOf(solidityFields(bytes))
    default:
      return transferOf(jsonOfBytes(bytes))
  }
}

/** The fields of `FungibleTokenPacketData`, by their numbers from 1. */
function protobufFields(bytes: Uint8Array): Fields {
  const fields = wireFields(bytes)
  const names = ['denom', 'amount', 'sender', 'receiver', 'memo']
  return Object.fromEntries(names.map((name, index) => [name, textIn(fields, index + 1)]))
}

const wordSize = 32

/** The fields of a struct of the texts `denom`, `sender`, `receiver` and `memo` around the number `amount`. */
function solidityFields(bytes: Uint8Array): Fields {
  const start = numberAt(bytes, 0)
  const names = ['denom', 'sender', 'receiver', 'amount', 'memo']
  return Object.fromEntries(
    names.map((name, index) => {
      const place = start + index * wordSize
      if (name === 'amount') return [name, String(wordAt(bytes, place))]
      return [name, textAt(bytes, start + numberAt(bytes, place))]
    }),
  )
}

/** The number in the word at a place. 0 behind the end. */
function wordAt(bytes: Uint8Array, place: number): bigint {
  let word = 0n
  for (const byte of bytes.subarray(place, place + wordSize)) word = (word << 8n) | BigInt(byte)
  return word
}

/** A place or a length. Behind the end of the bytes if the word is too large for one. */
const numberAt = (bytes: Uint8Array, place: number): number => Math.min(Number(wordAt(bytes, place)), bytes.length)

function textAt(bytes: Uint8Array, place: number): string {
  const start = place + wordSize
  return new TextDecoder().decode(bytes.subarray(start, start + numberAt(bytes, place)))
}
