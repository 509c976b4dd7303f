import { bytesToHex } from '@noble/hashes/utils.js'
import { bech32, bech32m } from '@scure/base'

/** Results of each of the two generations of a memory. */
const generationSize = 4_096

/** Longer texts are no addresses, and are not kept. */
const maxKeptLength = 100

/**
 * A function of short texts that remembers its newest results: a page names few addresses, and each of them often.
 * The older half of the results goes when the newer one is full. Two maps do this without a package, since the client
 * for browsers has this code in it.
 */
function remembered<T>(compute: (text: string, detail: string) => T): (text: string, detail?: string) => T {
  let newer = new Map<string, T>()
  let older = newer
  const keep = (key: string, value: T): T => {
    if (newer.size >= generationSize) {
      older = newer
      newer = new Map()
    }
    newer.set(key, value)
    return value
  }
  return (text, detail = '') => {
    if (text.length + detail.length > maxKeptLength) return compute(text, detail)
    const key = detail === '' ? text : `${detail} ${text}`
    const known = newer.get(key)
    if (known !== undefined || newer.has(key)) return known as T
    const old = older.get(key)
    return keep(key, old !== undefined || older.has(key) ? (old as T) : compute(text, detail))
  }
}

// Without anything of Node.js, so that browsers can run it.

/** The parts of a bech32 or bech32m address. */
export interface Bech32Address {
  readonly prefix: string
  /** As hex digits, in lower case. */
  readonly bytes: string
}

/** The prefix and bytes of a bech32 or bech32m address. Undefined if the checksum is wrong. */
export const bech32Of = remembered((text: string): Bech32Address | undefined => {
  // The library makes an Error of each text that is not in its encoding.
  const encoding = encodings.get(checksumOf(text) ?? 0)
  const parsed = encoding?.decodeUnsafe(text, maxLength)
  const bytes = parsed && bech32.fromWordsUnsafe(parsed.words)
  return bytes ? { prefix: parsed.prefix, bytes: bytesToHex(bytes) } : undefined
})

/** The bytes, given as hex digits, in bech32. */
export const toBech32 = remembered((bytes: string, prefix: string): string =>
  bech32.encode(prefix, bech32.toWords(bytesIn(bytes)), maxLength),
)

/** The longest bech32, in characters, by BIP-173. */
const maxLength = 90

/** The checksums of the two encodings, by BIP-173 and BIP-350. */
const encodings = new Map([
  [1, bech32],
  [0x2bc830a3, bech32m],
])

const digits = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const values = new Map([...digits].map((digit, value) => [digit.charCodeAt(0), value]))
const generator = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]

/** The changes of the sum by the five bits that leave it, for each of their values. */
const changes = Array.from({ length: 32 }, (_, top) =>
  generator.reduce((change, part, i) => ((top >> i) & 1 ? change ^ part : change), 0),
)

/** The checksum of a prefix and what follows the last `1`, by BIP-173. Undefined for a text of another form. */
function checksumOf(address: string): number | undefined {
  const text = address.toLowerCase()
  const end = text.lastIndexOf('1')
  if (end < 1 || text.length > maxLength) return undefined
  let sum = 1
  const add = (value: number) => {
    sum = ((sum & 0x1ffffff) << 5) ^ value ^ (changes[sum >>> 25] ?? 0)
  }
  for (let i = 0; i < end; i += 1) add(text.charCodeAt(i) >> 5)
  add(0)
  for (let i = 0; i < end; i += 1) add(text.charCodeAt(i) & 31)
  for (let i = end + 1; i < text.length; i += 1) {
    const value = values.get(text.charCodeAt(i))
    if (value === undefined) return undefined
    add(value)
  }
  return sum
}

const bytesIn = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

/**
 * The bytes of an address in bech32 or hex, as hex digits: 40 for wallets, 64 for some contracts. Equal for
 * all spellings of an address. Null for any other text. Like chains, it takes short hex for hex with
 * leading zeros.
 */
export function bytesOf(address: string): string | null {
  const hex = /^0x([0-9a-f]{1,64})$/i.exec(address)?.[1]
  const digits = hex ?? bech32Of(address)?.bytes
  return digits === undefined || digits === '' || digits.length > 64 ? null : padded(digits.toLowerCase())
}

/** Whether two texts are the same address, in any spelling. */
export function isSameAddress(a: string | null | undefined, b: string | null | undefined): boolean {
  const bytes = a ? bytesOf(a) : null
  return bytes !== null && b ? bytes === bytesOf(b) : false
}

const padded = (digits: string): string => {
  const significant = digits.replace(/^0+/, '')
  return significant.padStart(significant.length <= 40 ? 40 : 64, '0')
}
