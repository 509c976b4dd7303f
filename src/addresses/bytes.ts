import { bytesToHex } from '@noble/hashes/utils.js'
import { bech32, bech32m } from '@scure/base'

// Without anything of Node.js, so that browsers can run it.

/** The prefix and bytes of a bech32 or bech32m address. Undefined if the checksum is wrong. */
export function bech32Of(text: string): { prefix: string; bytes: Uint8Array } | undefined {
  const parsed = bech32.decodeUnsafe(text, 90) ?? bech32m.decodeUnsafe(text, 90)
  const bytes = parsed && bech32.fromWordsUnsafe(parsed.words)
  return bytes ? { prefix: parsed.prefix, bytes } : undefined
}

/**
 * The bytes of an address in bech32 or hex, as hex digits: 40 for wallets, 64 for some contracts. Equal for
 * all spellings of an address. Null for any other text. Like chains, it takes short hex for hex with
 * leading zeros.
 */
export function bytesOf(address: string): string | null {
  const hex = /^0x([0-9a-f]{1,64})$/i.exec(address)?.[1]
  const digits = hex ?? digitsOf(bech32Of(address)?.bytes)
  return digits === null ? null : padded(digits.toLowerCase())
}

/** Whether two texts are the same address, in any spelling. */
export function isSameAddress(a: string | null | undefined, b: string | null | undefined): boolean {
  const bytes = a ? bytesOf(a) : null
  return bytes !== null && b ? bytes === bytesOf(b) : false
}

/** Up to 32 bytes as hex digits. Null for more, or for none. */
export const digitsOf = (bytes: Uint8Array | undefined): string | null =>
  bytes && bytes.length <= 32 ? bytesToHex(bytes) : null

const padded = (digits: string): string => {
  const significant = digits.replace(/^0+/, '')
  return significant.padStart(significant.length <= 40 ? 40 : 64, '0')
}
