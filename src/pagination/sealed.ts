import { type Signer, signatureBytes } from '../signing/signer.ts'

/** What a text is signed for: the form of cursor, with a number that changes with it, and the list. */
export interface Seal {
  readonly purpose: string
  readonly list: string
}

const signed = (list: string, text: string): string => `${list}\n${text}`

/** A text with its signature, in base64url. It is valid for one list. */
export function sealText(signer: Signer, { purpose, list }: Seal, text: string): string {
  const signature = signer.sign(purpose, signed(list, text))
  return Buffer.concat([signature, Buffer.from(text)]).toString('base64url')
}

/** The text of `sealText`. Undefined unless it was sealed for that list, and has at most `maxLength` characters. */
export function openSealed(
  signer: Signer,
  { purpose, list }: Seal,
  sealed: string,
  maxLength: number,
): string | undefined {
  const bytes = Buffer.from(sealed.length <= maxLength ? sealed : '', 'base64url')
  const text = bytes.subarray(signatureBytes).toString()
  // Node ignores characters that are not base64url, so the text must also be written the same way.
  const isGenuine =
    bytes.toString('base64url') === sealed &&
    signer.verify(purpose, signed(list, text), bytes.subarray(0, signatureBytes))
  return isGenuine ? text : undefined
}
