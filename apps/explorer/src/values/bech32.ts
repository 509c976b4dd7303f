/** The digits of bech32, of five bits each. */
const digits = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'

/** What bech32 has between any prefix and the checksum, for an address in hex with 0x. */
export function dataOf(hexAddress: string): string {
  const bits = 4 * (hexAddress.length - 2)
  const padded = BigInt(hexAddress) << BigInt((5 - (bits % 5)) % 5)
  return padded
    .toString(32)
    .padStart(Math.ceil(bits / 5), '0')
    .replaceAll(/./g, (digit) => digits[Number.parseInt(digit, 32)] ?? '')
}

/** What a bech32 address has between its prefix and its checksum of six digits. */
export const dataIn = (address: string): string => address.slice(address.lastIndexOf('1') + 1, -6).toLowerCase()

/** An address of 20 or 32 bytes in hex, in small letters with 0x. The checksum is not checked. Undefined for other texts. */
export function hexOf(address: string): string | undefined {
  if (/^0x([\da-f]{40}|[\da-f]{64})$/i.test(address)) return address.toLowerCase()
  if (!/^[a-z]{1,20}1([02-9ac-hj-np-z]{38}|[02-9ac-hj-np-z]{58})$/i.test(address)) return undefined
  const data = dataIn(address)
  const bytes = Math.floor((5 * data.length) / 8)
  let value = 0n
  for (const digit of data) value = (value << 5n) | BigInt(digits.indexOf(digit))
  return `0x${(value >> BigInt(5 * data.length - 8 * bytes)).toString(16).padStart(2 * bytes, '0')}`
}

const generator = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]

/** Whether the checksum of an address in bech32 or bech32m is right, by BIP-173 and BIP-350. Its letters are of one case. */
export function hasChecksum(address: string): boolean {
  const text = address.toLowerCase()
  const end = text.lastIndexOf('1')
  const codes = [...text.slice(0, end)].map((letter) => letter.charCodeAt(0))
  const data = [...text.slice(end + 1)].map((digit) => digits.indexOf(digit))
  let sum = 1
  for (const value of [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31), ...data]) {
    const top = sum >>> 25
    sum = ((sum & 0x1ffffff) << 5) ^ value
    for (const [bit, part] of generator.entries()) if ((top >> bit) & 1) sum ^= part
  }
  return sum === 1 || sum === 0x2bc830a3
}
