import { hash } from 'node:crypto'
import { bytesToHex } from '@noble/hashes/utils.js'

type Part = string | number

/** 32 bytes that depend on every part and on their order. */
export function digest(...parts: readonly Part[]): Uint8Array {
  return hash('sha256', parts.join('\u0000'), 'buffer')
}

/** `bytes` (at most 32) bytes of the digest as lower-case hex without 0x. */
export function hexDigest(bytes: number, ...parts: readonly Part[]): string {
  return bytesToHex(digest(...parts).subarray(0, bytes))
}

/** An integer from 0 to `below` - 1, evenly spread for bounds up to 2^32. */
export function pick(below: number, ...parts: readonly Part[]): number {
  const bytes = digest(...parts)
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(0) % below
}

/** One of the items. */
export function pickFrom<T>(items: readonly T[], ...parts: readonly Part[]): T {
  return itemAt(items, pick(items.length, ...parts))
}

/** The item at an index taken round the end; throws on an empty list. */
export function itemAt<T>(items: readonly T[], index: number): T {
  const item = items[index % items.length]
  if (item === undefined) throw new RangeError(`no item at ${index}`)
  return item
}

/**
 * Hashes that hide a sequence number: the number under a mask, then the 24 bytes of digest that the mask
 * is made from. Whoever knows the scope can read the number back; to anyone else it is 32 bytes of noise.
 * The last byte is never e0 to ef: those hashes are for transfers whose ending is chosen.
 */
export function sequenceHash(sequence: number, ...scope: readonly Part[]): string {
  const tail = hexDigest(24, ...scope, sequence).replace(/e(.)$/, 'd$1')
  return (BigInt(sequence) ^ mask(tail, scope)).toString(16).padStart(16, '0') + tail
}

/** The sequence of a lower-case hash without 0x, or undefined when no sequence has that hash. */
export function sequenceOfHash(hash: string, ...scope: readonly Part[]): number | undefined {
  const sequence = Number(BigInt(`0x${hash.slice(0, 16)}`) ^ mask(hash.slice(16), scope))
  return sequenceHash(sequence, ...scope) === hash ? sequence : undefined
}

function mask(tail: string, scope: readonly Part[]): bigint {
  return BigInt(`0x${hexDigest(8, ...scope, 'mask', tail)}`)
}
