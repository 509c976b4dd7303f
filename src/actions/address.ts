import { bech32 } from '@scure/base'

/** The bytes of an address in bech32 or hex, as 64 hex digits. Null for any other text. */
export function addressBytes(address: string | null | undefined): string | null {
  if (!address) return null
  const hex = /^(?:0x)?([0-9a-f]{1,64})$/i.exec(address)?.[1]
  if (hex && (address.startsWith('0x') || hex.length === 64 || hex.length === 40)) {
    return hex.toLowerCase().padStart(64, '0')
  }
  const bytes = bech32.decodeUnsafe(address, 120)?.words
  const decoded = bytes && bech32.fromWordsUnsafe(bytes)
  if (!decoded || decoded.length > 32) return null
  return [...decoded]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .padStart(64, '0')
}

/** Whether two texts are the same address, in any spelling. */
export function isSameAddress(a: string | null | undefined, b: string | null | undefined): boolean {
  const bytes = addressBytes(a)
  return bytes !== null && bytes === addressBytes(b)
}
