import { UnboundedChanges } from './bound.ts'

// Values as contracts encode them, in words of 32 bytes.

/** The most topics of a log, by the instructions `LOG0` to `LOG4` of the EVM. */
const maxTopics = 4

/**
 * The words in hex after an offset in bytes. Undefined if it is not hex, or ends within a word.
 * @throws UnboundedChanges if there are more than `maxWords`.
 */
export function wordsOf(hex: string, offset = 0, maxWords = Number.POSITIVE_INFINITY): readonly bigint[] | undefined {
  if (hex.length > 64 * (maxWords + 1) + 2 * offset) {
    throw new UnboundedChanges(`One of its logs has more than ${maxWords} values.`)
  }
  const digits = hex.replace(/^0x/i, '').slice(2 * offset)
  if (!/^([0-9a-f]{64})*$/i.test(digits)) return undefined
  return (digits.match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`))
}

/** The indexed values of a log, without its name. Undefined if one is not 32 bytes in hex. */
export function indexedOf(topics: readonly string[]): readonly bigint[] | undefined {
  if (topics.length > maxTopics) return undefined
  const words = topics.slice(1)
  if (!words.every((topic) => /^0x[0-9a-f]{64}$/i.test(topic))) return undefined
  return words.map((topic) => BigInt(topic))
}

/** The array at an offset in bytes. Undefined if it does not fit in the words. */
export function arrayAt(words: readonly bigint[], offset = -1n): readonly bigint[] | undefined {
  const start = offset >= 0n && offset % 32n === 0n ? Number(offset / 32n) : words.length
  const length = words[start]
  if (length === undefined || length > BigInt(words.length - start - 1)) return undefined
  return words.slice(start + 1, start + 1 + Number(length))
}

/** Whether a word is an address or zero. */
export const isAddressWord = (word: bigint): boolean => word < 1n << 160n

/** The address in a word. Null for the zero address, and for a number that is no address. */
export const addressOfWord = (word: bigint | undefined): string | null =>
  word && isAddressWord(word) ? `0x${word.toString(16).padStart(40, '0')}` : null
