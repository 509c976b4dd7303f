import { type Signer, signatureBytes } from '../signing/signer.ts'
import { badInput } from '../upstream/error.ts'
import { type Gap, readGap, writeGap } from './gap.ts'

const purpose = 'merged cursor 1'

/** The longest cursor, in characters: some hundred lists. */
const maxLength = 16_384

const signedText = (name: string, text: string): string => `${name}\n${text}`

/** A cursor with the place in each of several lists, by their names. It is valid for `name` only. */
export function encodeMergedCursor(
  signer: Signer,
  name: string,
  places: ReadonlyMap<string, Gap>,
): string {
  const text = JSON.stringify([...places].map(([list, gap]) => [list, writeGap(gap)]))
  const signature = signer.sign(purpose, signedText(name, text))
  return Buffer.concat([signature, Buffer.from(text)]).toString('base64url')
}

/** The places of a cursor. Throws `BAD_USER_INPUT` unless it was made for `name`. */
export function decodeMergedCursor(
  signer: Signer,
  name: string,
  cursor: string,
): ReadonlyMap<string, Gap> {
  const bytes = Buffer.from(cursor.length <= maxLength ? cursor : '', 'base64url')
  const text = bytes.subarray(signatureBytes).toString()
  const isGenuine =
    bytes.toString('base64url') === cursor &&
    signer.verify(purpose, signedText(name, text), bytes.subarray(0, signatureBytes))
  if (!isGenuine) {
    throw badInput(
      'Invalid cursor. Use a cursor that this gateway returned for the same list, with the same filters and order.',
    )
  }
  // What is signed was written above.
  const places = JSON.parse(text) as [string, string][]
  return new Map(
    places.flatMap(([list, written]): [string, Gap][] => {
      const gap = readGap(written)
      return gap ? [[list, gap]] : []
    }),
  )
}
