import { hasChecksum } from './bech32.ts'

/** Why a text cannot be the address or the hash as which it begins. */
export type AddressFault = 'cut' | 'long' | 'mistyped'

/**
 * Why a text that looks like an address or a hash can be none: a part is missing, it has too many digits, or its checksum is
 * wrong. An address has 20 or 32 bytes, a hash has 32. Move leaves leading zeros out, and writes its special addresses with
 * one or two digits. Undefined for all other texts.
 */
export function addressFault(input: string): AddressFault | undefined {
  if (/^(0x|[a-z]{2,20}1|[\da-f]{3,})[\da-z]*(…|\.{2,})[\da-z]*$/i.test(input)) return 'cut'
  const digits = /^0x([\da-f]+)$/i.exec(input)?.[1]?.length
  if (digits !== undefined) return hexFault(digits > 2 && (digits < 37 || (digits > 40 && digits < 61)), digits)
  // Fewer digits, or decimal ones alone, can be a name or a height.
  if (/^(?=.*\d)(?=.*[a-f])[\da-f]{10,}$/i.test(input)) return hexFault(input.length !== 40, input.length)
  // An address of Solana has letters of both cases.
  if (/[a-z]/.test(input) && /[A-Z]/.test(input)) return undefined
  const letters = /^[a-z]{2,20}1([02-9ac-hj-np-z]{12,})$/i.exec(input)?.[1]?.length
  if (letters === undefined || hasChecksum(input)) return undefined
  // With the six of the checksum.
  return letters === 38 || letters >= 58 ? 'mistyped' : 'cut'
}

/** Whether a text without a fault is so short a part of an address that it can be a name too. */
export const beginsAsAddress = (input: string): boolean => /^[a-z]{2,20}1[02-9ac-hj-np-z]{4,11}$/i.test(input)

const hexFault = (isShort: boolean, digits: number): AddressFault | undefined =>
  digits > 64 ? 'long' : isShort && digits < 64 ? 'cut' : undefined
