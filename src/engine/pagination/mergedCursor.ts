import { z } from 'zod'
import type { Signer } from '../signing/signer.ts'
import { type Boundary, readBoundary, readJson, signCursor, verifyCursor, writeBoundary } from './cursor.ts'

const purpose = 'merged cursor 2'
const offsetsPurpose = 'places 2'

/** The longest cursor, in characters: some hundred lists. */
const maxLength = 16_384

/** A cursor with the place in each of several lists, by their names. It is valid for `name` only. */
export function encodeMergedCursor(signer: Signer, name: string, places: ReadonlyMap<string, Boundary>): string {
  const text = JSON.stringify([...places].map(([list, boundary]) => [list, writeBoundary(boundary)]))
  return signCursor(signer, { purpose, list: name }, text)
}

/** The places of a cursor. Throws `BAD_USER_INPUT` unless it was made for `name`. */
export function decodeMergedCursor(signer: Signer, name: string, cursor: string): ReadonlyMap<string, Boundary> {
  return verifyCursor(signer, { purpose, list: name, maxLength, read: readPlaces }, cursor)
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

/** A place in a list: after that many records that come after a number. */
interface ListOffset {
  readonly number: bigint
  readonly skip: number
}

/** A cursor that holds the places in several lists, by their names. It is valid for `list` only. */
export function encodePlaces(signer: Signer, list: string, places: ReadonlyMap<string, ListOffset>): string {
  const text = JSON.stringify([...places].map(([name, { number, skip }]) => [name, `${number}`, skip]))
  return signCursor(signer, { purpose: offsetsPurpose, list }, text)
}

/** The places of a cursor. Throws `BAD_USER_INPUT` unless it was made for `list`. */
export function decodePlaces(signer: Signer, list: string, cursor: string): ReadonlyMap<string, ListOffset> {
  return verifyCursor(signer, { purpose: offsetsPurpose, list, maxLength, read: readOffsets }, cursor)
}

const offsetsText = z.array(z.tuple([z.string(), z.string().regex(/^-?\d{1,20}$/), z.number()]))

function readOffsets(text: string): ReadonlyMap<string, ListOffset> | undefined {
  const places = readJson(offsetsText, text)
  return places && new Map(places.map(([name, number, skip]) => [name, { number: BigInt(number), skip }]))
}
