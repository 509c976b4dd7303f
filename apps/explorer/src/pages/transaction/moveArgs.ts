/** The bytes of a base64 text. Undefined for any other text. */
function bytesOf(base64: string): Uint8Array | undefined {
  if (!/^[\w+/]+={0,2}$/.test(base64) || base64.length % 4 !== 0) return undefined
  try {
    return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
  } catch {
    return undefined
  }
}

/** Bytes as text. Undefined if they have others than those of a text that is shown. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text !== '' && !/[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/u.test(text.replaceAll(/[\n\t]/g, '')) ? text : undefined
  } catch {
    return undefined
  }
}

/** What follows a length of BCS that is the length of all that follows: a text or a list of bytes. */
function afterLength(bytes: Uint8Array): Uint8Array | undefined {
  let length = 0
  for (const [at, byte] of bytes.subarray(0, 4).entries()) {
    length |= (byte & 0x7f) << (7 * at)
    if (byte < 0x80) return bytes.length - at - 1 === length ? bytes.subarray(at + 1) : undefined
  }
  return undefined
}

const hexOf = (bytes: Uint8Array): string =>
  `0x${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`

/** Bytes of the integers of Move, which are little-endian. */
const integers = [1, 2, 4, 8, 16]

/**
 * An argument of a Move function as a text, an address or a number, from its base64. Its type is not in the message, so that it
 * follows from the bytes: BCS writes the length of a text before it, and no number that somebody uses has the bytes of a text.
 * Undefined for what can be anything.
 */
export function moveArg(base64: string): string | undefined {
  const bytes = bytesOf(base64)
  if (!bytes) return undefined
  const inside = afterLength(bytes)
  const text = (inside && textOf(inside)) ?? (bytes.length > 2 ? textOf(bytes) : undefined)
  if (text !== undefined) return text
  if (bytes.length === 32) return hexOf(bytes)
  if (!integers.includes(bytes.length)) return undefined
  return BigInt(hexOf(bytes.toReversed())).toString()
}
