/**
 * Whether a text begins as an address or a hash does, but its middle or end is missing. An address has 20 or 32 bytes. Move
 * leaves leading zeros out, and writes its special addresses with one or two digits.
 */
export function isCutAddress(input: string): boolean {
  const isElided = /^(0x|[a-z]{2,20}1|[\da-f]{3,})[\da-z]*(…|\.{2,})[\da-z]*$/i.test(input)
  const digits = /^0x([\da-f]+)$/i.exec(input)?.[1]?.length
  const letters = /^[a-z]{2,20}1([02-9ac-hj-np-z]{12,})$/i.exec(input)?.[1]?.length
  const isShortHex = digits !== undefined && ((digits > 2 && digits < 37) || (digits > 40 && digits < 61))
  // With the six of the checksum.
  return isElided || isShortHex || (letters !== undefined && letters !== 38 && letters < 58)
}
