import { createHash } from 'node:crypto'
import { badInput } from '../upstream/error.ts'

/**
 * Where a record stands in an upstream list. Steps and indexes count records, not keys.
 *
 * - `key`: `steps` records after (negative: before) the record that the keyset key belongs to.
 * - `start`, `end`: the record at that index from the start or the end of the list.
 * - `page`: the record at that index of the page cut at an opaque key, walking that way; index -1
 *   stands for the record just before the page.
 */
export type Position =
  | { readonly at: 'key'; readonly key: bigint; readonly steps: number }
  | { readonly at: 'start' | 'end'; readonly index: number }
  | {
      readonly at: 'page'
      readonly key: string | null
      readonly index: number
      readonly isForward: boolean
    }

/** The most characters a cursor may have; opaque upstream keys are the longest part. */
const maxCursorLength = 4096

/** A cursor for a record of the list called `list`; it is refused on every other list. */
export function encodeCursor(list: string, place: Position): string {
  const text = writePosition(place)
  return Buffer.from(`${seal(list, text)}${text}`).toString('base64url')
}

/** The place a cursor names. Throws `BAD_USER_INPUT` unless it was cut from the list called `list`. */
export function decodeCursor(list: string, cursor: string): Position {
  const decoded =
    cursor.length <= maxCursorLength ? Buffer.from(cursor, 'base64url').toString() : ''
  const text = decoded.slice(sealLength)
  const place = decoded.slice(0, sealLength) === seal(list, text) ? readPosition(text) : undefined
  if (!place || Buffer.from(decoded).toString('base64url') !== cursor) {
    throw badInput('The cursor is not one of this list, or was cut with other filters or order.')
  }
  return place
}

const sealLength = 12

// Tells lists apart and catches damage; it is no secret, for what a cursor names is public anyway.
const seal = (list: string, text: string): string =>
  createHash('sha256').update(`${list}\n${text}`).digest('base64url').slice(0, sealLength)

function writePosition(place: Position): string {
  switch (place.at) {
    case 'key':
      return `k${place.key},${place.steps}`
    case 'start':
      return `s${place.index}`
    case 'end':
      return `e${place.index}`
    case 'page':
      return `${place.isForward ? 'f' : 'b'}${place.index},${place.key ?? ''}`
  }
}

function readPosition(text: string): Position | undefined {
  const match = /^(?:k(-?\d{1,19}),(-?\d{1,15})|([se])(\d{1,15})|([fb])(-?\d{1,15}),(.*))$/.exec(
    text,
  )
  if (!match) return undefined
  const [, key, steps, side, index, way, row, opaque] = match
  if (key !== undefined) return { at: 'key', key: BigInt(key), steps: Number(steps) }
  if (side !== undefined) return { at: side === 's' ? 'start' : 'end', index: Number(index) }
  return { at: 'page', key: opaque || null, index: Number(row), isForward: way === 'f' }
}
