import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { bech32 } from '@scure/base'
import { digest } from './random.ts'

/** An address in both of its forms. */
export interface Account {
  /** 0x and 40 lower-case digits, or 64 for Move objects and Wasm contracts. */
  readonly hex: string
  readonly bech32: string
}

/** The bech32 form of a 0x address. */
export function toBech32(prefix: string, hex: string): string {
  return bech32.encode(prefix, bech32.toWords(hexToBytes(hex.slice(2))))
}

/** An account derived from the parts: 20 bytes for users and EVM contracts, 32 for Move objects and Wasm contracts. */
export function makeAccount(prefix: string, bytes: 20 | 32, ...parts: (string | number)[]): Account {
  const hex = `0x${bytesToHex(digest('account', ...parts).subarray(0, bytes))}`
  return { hex, bech32: toBech32(prefix, hex) }
}

/** An address in the form in which the indexer compares addresses: 0x, lower case, padded to 20 or 32 bytes. Undefined if invalid. */
export function parseAddress(text: string, prefix: string): string | undefined {
  if (/^(0x)?[0-9a-f]{0,64}$/i.test(text) && !text.startsWith('0X')) return padAddress(text)
  const decoded = bech32.decodeUnsafe(text, 90)
  if (decoded?.prefix !== prefix) return undefined
  const bytes = bech32.fromWordsUnsafe(decoded.words)
  if (!bytes || (bytes.length !== 20 && bytes.length !== 32)) return undefined
  return padAddress(bytesToHex(Uint8Array.from(bytes)))
}

function padAddress(hex: string): string {
  const digits = hex.replace(/^0x/, '').replace(/^0+/, '').toLowerCase()
  return `0x${digits.padStart(digits.length <= 40 ? 40 : 64, '0')}`
}
