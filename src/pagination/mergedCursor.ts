import type { Signer } from '../signing/signer.ts'
import { badInput } from '../upstream/error.ts'
import { invalidCursor } from './cursor.ts'
import { type Gap, readGap, writeGap } from './gap.ts'
import { openSealed, sealText } from './sealed.ts'

const purpose = 'merged cursor 1'

/** The longest cursor, in characters: some hundred lists. */
const maxLength = 16_384

/** A cursor with the place in each of several lists, by their names. It is valid for `name` only. */
export function encodeMergedCursor(
  signer: Signer,
  name: string,
  places: ReadonlyMap<string, Gap>,
): string {
  const text = JSON.stringify([...places].map(([list, gap]) => [list, writeGap(gap)]))
  return sealText(signer, { purpose, list: name }, text)
}

/** The places of a cursor. Throws `BAD_USER_INPUT` unless it was made for `name`. */
export function decodeMergedCursor(
  signer: Signer,
  name: string,
  cursor: string,
): ReadonlyMap<string, Gap> {
  const text = openSealed(signer, { purpose, list: name }, cursor, maxLength)
  if (text === undefined) throw badInput(invalidCursor)
  // What is signed was written above.
  const places = JSON.parse(text) as [string, string][]
  return new Map(
    places.flatMap(([list, written]): [string, Gap][] => {
      const gap = readGap(written)
      return gap ? [[list, gap]] : []
    }),
  )
}
