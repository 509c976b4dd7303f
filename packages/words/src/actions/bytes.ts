import { hexToBytes } from '@noble/hashes/utils.js'
import { base64 } from '@scure/base'
import { parsed } from '../balanceChanges/events.ts'
import { type Fields, fieldsOf } from './fields.ts'

/** The bytes of a text in base64. None for any other text. */
export function bytesOfBase64(text: string | null): Uint8Array {
  try {
    return base64.decode(text ?? '')
  } catch {
    return noBytes
  }
}

/** The bytes of a text in hex. None for any other text. */
export function bytesOfHex(text: string | null): Uint8Array {
  try {
    return hexToBytes(text ?? '')
  } catch {
    return noBytes
  }
}

const noBytes = new Uint8Array()

/** The object in a text of JSON. One without fields for any other text. */
export const jsonOf = (text: string | null): Fields => fieldsOf(parsed(text ?? ''))

/** The object in bytes of JSON. One without fields for any other bytes. */
export const jsonOfBytes = (bytes: Uint8Array): Fields => jsonOf(new TextDecoder().decode(bytes))
