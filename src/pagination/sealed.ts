import type { z } from 'zod'
import { keyIdBytes, type Signer, signatureBytes } from '../signing/signer.ts'
import { GatewayError } from '../upstream/error.ts'

/** The purpose of a signed text: the form of cursor, with a number that changes with it, and the list. */
export interface Seal {
  readonly purpose: string
  readonly list: string
}

const signed = (list: string, text: string): string => `${list}\n${text}`

/** A text with its signature, in base64url. It is valid for one list. */
export function sealText(signer: Signer, { purpose, list }: Seal, text: string): string {
  const signature = signer.sign(purpose, signed(list, text))
  return Buffer.concat([signer.keyId, signature, Buffer.from(text)]).toString('base64url')
}

/** How a cursor is read back. */
export interface Opening<T> extends Seal {
  readonly maxLength: number
  /** Reads what was sealed. Undefined for any other text. */
  readonly read: (text: string) => T | undefined
}

/**
 * Reads the text of `sealText`. Throws `BAD_USER_INPUT` unless it was sealed for that list and has at most
 * `maxLength` characters. The reason is `CURSOR_EXPIRED` for a text signed with an unknown key, `CURSOR_OF_ANOTHER_LIST`
 * for a text signed for another list, and else `INVALID_CURSOR`.
 */
export function openSealed<T>(
  signer: Signer,
  { purpose, list, maxLength, read }: Opening<T>,
  sealed: string,
): T {
  const bytes = Buffer.from(sealed.length <= maxLength ? sealed : '', 'base64url')
  const id = bytes.subarray(0, keyIdBytes)
  const signature = bytes.subarray(keyIdBytes, keyIdBytes + signatureBytes)
  const text = bytes.subarray(keyIdBytes + signatureBytes).toString()
  // Node ignores characters that are not base64url, so the text must also be written the same way.
  const isWritten = sealed !== '' && bytes.toString('base64url') === sealed
  const value = isWritten ? read(text) : undefined
  if (value === undefined) throw cursorError('INVALID_CURSOR')
  if (!signer.knowsKey(id)) throw cursorError('CURSOR_EXPIRED')
  if (signer.verify(purpose, signed(list, text), signature)) return value
  throw cursorError('CURSOR_OF_ANOTHER_LIST')
}

const messages = {
  INVALID_CURSOR: 'Invalid cursor. Use a cursor that this gateway returned, as it is.',
  CURSOR_EXPIRED:
    'The cursor was signed with a key that this gateway does not have, such as before a restart without SIGNING_KEYS. Start the list again.',
  CURSOR_OF_ANOTHER_LIST:
    'The cursor is of another list. Use a cursor of the same list, with the same filters and order.',
}

/** The error for a cursor that cannot be used, and why. */
export const cursorError = (reason: keyof typeof messages): GatewayError =>
  new GatewayError('BAD_USER_INPUT', messages[reason], { reason })

/** Whether an error says that a cursor was signed with a key that is gone. */
export const isExpired = (error: unknown): boolean =>
  error instanceof GatewayError && error.reason === 'CURSOR_EXPIRED'

/** JSON of a cursor. Undefined for a text of another form. */
export function readJson<T>(schema: z.ZodType<T>, text: string): T | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
