import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { ChainEvent } from '../../balanceChanges/events.ts'
import { bytesOfBase64, bytesOfHex, jsonOfBytes } from '../bytes.ts'
import { attributeIn } from '../events.ts'
import { type Fields, fieldsOf, fieldText, textsOf } from '../fields.ts'
import { bytesIn, wireFields } from '../protobuf.ts'

/** What a chain answered to a packet. */
export interface Refusal {
  /** Null if the acknowledgement gives none, as by IBC v2. */
  readonly reason: string | null
}

/** What IBC v2 writes for every error (`04-channel/v2/types/acknowledgement.go` of ibc-go). */
const universalError = bytesToHex(sha256(utf8ToBytes('UNIVERSAL_ERROR_ACKNOWLEDGEMENT')))

/**
 * The refusal in the bytes of an acknowledgement, in each form that ibc-go has written: an object with `result` or
 * `error`, the same in the wrapping of ICS-29, `success` of its first releases, and the constant of IBC v2. Null if it
 * is no refusal, or of another form.
 */
function refusalIn(bytes: Uint8Array): Refusal | null {
  if (bytes.length === sha256.outputLen && bytesToHex(bytes) === universalError) {
    return { reason: null }
  }
  return refusalOf(jsonOfBytes(bytes))
}

function refusalOf(acknowledgement: Fields): Refusal | null {
  const inner = fieldText(acknowledgement, 'app_acknowledgement')
  if (inner !== null) {
    const refusal = refusalIn(bytesOfBase64(inner))
    const isFailed = acknowledgement.underlying_app_success === false
    return refusal ?? (isFailed ? { reason: null } : null)
  }
  const isRefused = 'error' in acknowledgement || acknowledgement.success === false
  return isRefused && acknowledgement.success !== true ? { reason: fieldText(acknowledgement, 'error') } : null
}

/** The refusal in a message that hands over an acknowledgement. Null if the packet was taken. */
export function refusalInMessage({ acknowledgement }: Fields): Refusal | null {
  if (typeof acknowledgement === 'string') return refusalIn(bytesOfBase64(acknowledgement))
  return firstRefusal(textsOf(fieldsOf(acknowledgement).app_acknowledgements).map(bytesOfBase64))
}

/** The refusal in the acknowledgement that a chain wrote. Null if it took the packet, or wrote none. */
export function refusalInEvents(events: readonly ChainEvent[]): Refusal | null {
  const attribute = (key: string) => attributeIn(events, 'write_acknowledgement', key)
  const [text, hex] = [attribute('packet_ack'), attribute('packet_ack_hex')]
  const ofSecondVersion = wireFields(bytesOfHex(attribute('encoded_acknowledgement_hex')))
  return firstRefusal([...(text === null ? [] : [utf8ToBytes(text)]), bytesOfHex(hex), ...bytesIn(ofSecondVersion, 1)])
}

const firstRefusal = (all: readonly Uint8Array[]): Refusal | null =>
  all.map(refusalIn).find((refusal) => refusal !== null) ?? null
