import { hash } from 'node:crypto'

type Part = string | number

const textOf = (parts: readonly Part[]) => parts.join('\u0000')

/** The SHA-256 of the parts in their order, 32 bytes. */
export function digest(...parts: readonly Part[]): Uint8Array {
  return hash('sha256', textOf(parts), 'buffer')
}

/** The first `bytes` bytes (at most 32) of the digest, in lower-case hex without 0x. */
export function hexDigest(bytes: number, ...parts: readonly Part[]): string {
  // As text it takes a quarter of the time that Node needs to make a buffer, and a world takes thousands.
  return hash('sha256', textOf(parts), 'hex').slice(0, 2 * bytes)
}

/** A pseudorandom integer from 0 to `below` - 1, uniform for bounds far below 2^32. */
export function pick(below: number, ...parts: readonly Part[]): number {
  return Number.parseInt(hexDigest(4, ...parts), 16) % below
}

/** Eight whole numbers below 2^32. One digest makes all of them. */
export function draws(...parts: readonly Part[]): readonly number[] {
  const digits = hexDigest(32, ...parts)
  return Array.from({ length: 8 }, (_, index) => Number.parseInt(digits.slice(8 * index, 8 * index + 8), 16))
}

/** The item at `index` modulo the length. Throws a RangeError on an empty list. */
export function itemAt<T>(items: readonly T[], index: number): T {
  const item = items[index % items.length]
  if (item === undefined) throw new RangeError(`no item at ${index}`)
  return item
}

/**
 * A 32-byte hash that contains a sequence number, as 64 lower-case hex digits without 0x.
 *
 * The last 24 bytes, `tail`, are a digest of scope and sequence. The first 8 are the sequence XOR
 * `mask(tail)`. So `sequenceOfHash` reads the number back without a table: XOR with the same mask, then
 * build the hash again and compare, which rejects every hash that was not made here. Different
 * sequences have different hashes: with equal tails the masks are equal, so the first 8 bytes differ.
 *
 * The last byte is never e0 to ef. Those hashes select a scenario: see router/scenarios.ts.
 */
export function sequenceHash(sequence: number, ...scope: readonly Part[]): string {
  const tail = hexDigest(24, ...scope, sequence).replace(/e(.)$/, 'd$1')
  return (BigInt(sequence) ^ mask(tail, scope)).toString(16).padStart(16, '0') + tail
}

/** The sequence of a hash of 64 lower-case digits. Undefined if no sequence has this hash. */
export function sequenceOfHash(hash: string, ...scope: readonly Part[]): number | undefined {
  const sequence = Number(BigInt(`0x${hash.slice(0, 16)}`) ^ mask(hash.slice(16), scope))
  return sequenceHash(sequence, ...scope) === hash ? sequence : undefined
}

function mask(tail: string, scope: readonly Part[]): bigint {
  return BigInt(`0x${hexDigest(8, ...scope, 'mask', tail)}`)
}
