import { type Signer, signatureBytes } from '../signing/signer.ts'
import { badInput } from '../upstream/error.ts'

/** A place in a list: after that many records that come after a number. */
interface Place {
  readonly number: bigint
  readonly skip: number
}

const purpose = 'places 1'

const signedText = (list: string, text: string): string => `${list}\n${text}`

/** A cursor that holds the places in several lists, by their names. It is valid for `list` only. */
export function encodePlaces(
  signer: Signer,
  list: string,
  places: ReadonlyMap<string, Place>,
): string {
  const text = JSON.stringify(
    [...places].map(([name, { number, skip }]) => [name, `${number}`, skip]),
  )
  const signature = signer.sign(purpose, signedText(list, text))
  return Buffer.concat([signature, Buffer.from(text)]).toString('base64url')
}

/** The longest cursor, in characters: some hundred places. */
const maxLength = 16_384

/** The places of a cursor. Throws `BAD_USER_INPUT` unless it was made for `list`. */
export function decodePlaces(
  signer: Signer,
  list: string,
  cursor: string,
): ReadonlyMap<string, Place> {
  const bytes = Buffer.from(cursor.length <= maxLength ? cursor : '', 'base64url')
  const text = bytes.subarray(signatureBytes).toString()
  const signature = bytes.subarray(0, signatureBytes)
  const isGenuine =
    bytes.toString('base64url') === cursor &&
    signer.verify(purpose, signedText(list, text), signature)
  if (!isGenuine) {
    throw badInput('Invalid cursor. Use a cursor of an event for the same account.')
  }
  // What is signed was written above.
  const places = JSON.parse(text) as [string, string, number][]
  return new Map(places.map(([name, number, skip]) => [name, { number: BigInt(number), skip }]))
}
