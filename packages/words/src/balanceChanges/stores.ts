import { sha3_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { bytesOf } from '../addresses/bytes.ts'

// On Move chains a balance is an object, the store, of one owner and one kind of token, the metadata. The
// addresses of both follow from what they are made of.

/** An address of Move as 64 hex digits. Events leave out its leading zeros. Null for any other text. */
export const moveAddress = (text: string | null | undefined): string | null =>
  (text && bytesOf(text)?.padStart(64, '0')) || null

const framework = hexToBytes('1'.padStart(64, '0'))

const derived = (...parts: readonly Uint8Array[]): string => bytesToHex(sha3_256(concatBytes(...parts)))

/** The metadata of a denom, as 64 hex digits. The denom of a token that was made in Move contains it. */
export function metadataOf(denom: string): string {
  const made = /^move\/([0-9a-f]{64})$/.exec(denom)?.[1]
  return made ?? derived(framework, utf8ToBytes(denom), Uint8Array.of(0xfe))
}

/** The primary store of an owner for a metadata. All are 64 hex digits. */
export const primaryStore = (owner: string, metadata: string): string =>
  derived(hexToBytes(owner), hexToBytes(metadata), Uint8Array.of(0xfc))
