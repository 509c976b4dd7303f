import { bytesToHex } from '@noble/hashes/utils.js'
import { bech32 } from '@scure/base'
import type { RouterChain } from './chains.ts'

/**
 * The bytes of an address as hex without 0x. Undefined unless the address has the form of the chain:
 * 0x and 40 digits on an EVM chain, elsewhere bech32 with the prefix of the chain, a valid checksum
 * and 20 or 32 bytes.
 */
export function addressHex(chain: RouterChain, text: string): string | undefined {
  if (chain.type === 'evm') {
    return /^0x[0-9a-f]{40}$/i.test(text) ? text.slice(2).toLowerCase() : undefined
  }
  const decoded = bech32.decodeUnsafe(text)
  if (decoded?.prefix !== chain.bech32Prefix) return undefined
  const bytes = bech32.fromWordsUnsafe(decoded.words)
  if (!bytes || (bytes.length !== 20 && bytes.length !== 32)) return undefined
  return bytesToHex(Uint8Array.from(bytes))
}

/** Like `addressHex`, but accounts of sandbox chains may also be in 0x form. */
export function accountHex(chain: RouterChain, text: string): string | undefined {
  const hex = addressHex(chain, text)
  if (hex !== undefined || chain.vm === undefined) return hex
  return /^0x[0-9a-f]{40}([0-9a-f]{24})?$/i.test(text) ? text.slice(2).toLowerCase() : undefined
}
