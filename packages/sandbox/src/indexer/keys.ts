import { utf8ToBytes } from '@noble/hashes/utils.js'
import { base64, base64urlnopad } from '@scure/base'
import { digest } from '../random.ts'
import { HttpError } from './httpError.ts'

/** How page keys are encoded and decoded. `reverse` is true in descending order, the default. */
export interface KeyCodec {
  encode(text: string, reverse: boolean): string
  /** Throws an HttpError if the text is not a key. */
  decode(key: string, reverse: boolean): string
}

/** The keys of the reference indexer: readable text in padded base64, valid in both directions. */
export const plainKeys: KeyCodec = {
  encode: (text) => base64.encode(utf8ToBytes(text)),
  decode(key) {
    try {
      return new TextDecoder().decode(base64.decode(key))
    } catch {
      throw new HttpError(400, 'pagination.key must be a valid base64 encoded string')
    }
  },
}

/** Keys that clients cannot decode, and that are rejected in the other direction. */
export function opaqueKeys(secret: string): KeyCodec {
  const nonceLength = 12
  const scramble = (bytes: Uint8Array, nonce: Uint8Array) =>
    bytes.map((byte, index) => {
      const block = digest(secret, nonce.join('.'), index >> 5)
      return byte ^ (block[index & 31] ?? 0)
    })
  const nonceOf = (plain: string) => digest(secret, plain).subarray(0, nonceLength)
  return {
    encode(text, reverse) {
      const plain = `${reverse ? 'v' : '^'}${text}`
      const nonce = nonceOf(plain)
      return base64urlnopad.encode(new Uint8Array([...nonce, ...scramble(utf8ToBytes(plain), nonce)]))
    },
    decode(key, reverse) {
      const plain = readOpaque(key)
      if (plain?.[0] !== (reverse ? 'v' : '^')) throw new HttpError(400, 'invalid pagination.key')
      return plain.slice(1)
    },
  }

  function readOpaque(key: string): string | undefined {
    try {
      const bytes = base64urlnopad.decode(key)
      const nonce = bytes.subarray(0, nonceLength)
      const plain = new TextDecoder().decode(scramble(bytes.subarray(nonceLength), nonce))
      return nonceOf(plain).join() === nonce.join() ? plain : undefined
    } catch {
      return undefined
    }
  }
}
