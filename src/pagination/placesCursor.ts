import { z } from 'zod'
import type { Signer } from '../signing/signer.ts'
import { openSealed, readJson, sealText } from './sealed.ts'

/** A place in a list: after that many records that come after a number. */
interface ListOffset {
  readonly number: bigint
  readonly skip: number
}

const purpose = 'places 2'

/** A cursor that holds the places in several lists, by their names. It is valid for `list` only. */
export function encodePlaces(
  signer: Signer,
  list: string,
  places: ReadonlyMap<string, ListOffset>,
): string {
  const text = JSON.stringify(
    [...places].map(([name, { number, skip }]) => [name, `${number}`, skip]),
  )
  return sealText(signer, { purpose, list }, text)
}

/** The longest cursor, in characters: some hundred places. */
const maxLength = 16_384

/** The places of a cursor. Throws `BAD_USER_INPUT` unless it was made for `list`. */
export function decodePlaces(
  signer: Signer,
  list: string,
  cursor: string,
): ReadonlyMap<string, ListOffset> {
  return openSealed(signer, { purpose, list, maxLength, read: readPlaces }, cursor)
}

const placesText = z.array(z.tuple([z.string(), z.string().regex(/^-?\d{1,20}$/), z.number()]))

function readPlaces(text: string): ReadonlyMap<string, ListOffset> | undefined {
  const places = readJson(placesText, text)
  return (
    places &&
    new Map(places.map(([name, number, skip]) => [name, { number: BigInt(number), skip }]))
  )
}
