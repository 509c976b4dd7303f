import { z } from 'zod'
import type { Signer } from '../signing/signer.ts'
import { type Boundary, readBoundary, writeBoundary } from './boundary.ts'
import { openSealed, readJson, sealText } from './sealed.ts'

const purpose = 'merged cursor 2'

/** The longest cursor, in characters: some hundred lists. */
const maxLength = 16_384

/** A cursor with the place in each of several lists, by their names. It is valid for `name` only. */
export function encodeMergedCursor(
  signer: Signer,
  name: string,
  places: ReadonlyMap<string, Boundary>,
): string {
  const text = JSON.stringify(
    [...places].map(([list, boundary]) => [list, writeBoundary(boundary)]),
  )
  return sealText(signer, { purpose, list: name }, text)
}

/** The places of a cursor. Throws `BAD_USER_INPUT` unless it was made for `name`. */
export function decodeMergedCursor(
  signer: Signer,
  name: string,
  cursor: string,
): ReadonlyMap<string, Boundary> {
  return openSealed(signer, { purpose, list: name, maxLength, read: readPlaces }, cursor)
}

const placesText = z.array(z.tuple([z.string(), z.string()]))

function readPlaces(text: string): ReadonlyMap<string, Boundary> | undefined {
  const places = readJson(placesText, text)
  return (
    places &&
    new Map(
      places.flatMap(([list, written]): [string, Boundary][] => {
        const boundary = readBoundary(written)
        return boundary ? [[list, boundary]] : []
      }),
    )
  )
}
