import { hash } from 'node:crypto'
import { badInput } from '../upstream/error.ts'

/** A record by its distance to a key, for lists whose page keys bound their records. */
export interface KeysetPosition {
  readonly kind: 'keyset'
  readonly key: bigint
  /**
   * Records from the record of `key` to this one, in list order: 1 is the record after it, -1 the one
   * before it.
   */
  readonly offset: number
}

/** A record by its index, counted from one end of the list. */
export interface OffsetPosition {
  readonly kind: 'offset'
  readonly from: 'start' | 'end'
  /** 0 is the first record from that end. */
  readonly index: number
}

/** A record by its index on the page of an opaque key. */
export interface OpaquePosition {
  readonly kind: 'opaque'
  /** The key that the page was requested with. Null for the first page. */
  readonly key: string | null
  /** 0 is the first record of the page, -1 the record just before the page. */
  readonly index: number
  /** The direction in which the page was read. An opaque key leads in that direction only. */
  readonly isForward: boolean
}

/** Where a record is in an upstream list. */
export type Position = KeysetPosition | OffsetPosition | OpaquePosition

/** The maximum length of a cursor, in characters. Opaque upstream keys are the longest part. */
const maxCursorLength = 4096

/** A cursor for a position in the list named `list`. It is invalid for every other list. */
export function encodeCursor(list: string, position: Position): string {
  const text = writePosition(position)
  return Buffer.from(`${fingerprint(list, text)}${text}`).toString('base64url')
}

/** The position of a cursor. Throws `BAD_USER_INPUT` unless it was made for the list named `list`. */
export function decodeCursor(list: string, cursor: string): Position {
  const decoded =
    cursor.length <= maxCursorLength ? Buffer.from(cursor, 'base64url').toString() : ''
  const text = decoded.slice(fingerprintLength)
  const isOfList = decoded.slice(0, fingerprintLength) === fingerprint(list, text)
  const position = isOfList ? readPosition(text) : undefined
  // Node ignores characters that are not base64url, so the cursor must also be written the same way.
  if (!position || Buffer.from(decoded).toString('base64url') !== cursor) {
    throw badInput(
      'Invalid cursor. Use a cursor of the same list, with the same filters and order.',
    )
  }
  return position
}

const fingerprintLength = 12

// Detects cursors of other lists and damaged cursors. It is not a signature: a cursor holds nothing
// that its client may not know.
const fingerprint = (list: string, text: string): string =>
  hash('sha256', `${list}\n${text}`, 'base64url').slice(0, fingerprintLength)

function writePosition(position: Position): string {
  switch (position.kind) {
    case 'keyset':
      return `k${position.key},${position.offset}`
    case 'offset':
      return `${position.from === 'start' ? 's' : 'e'}${position.index}`
    case 'opaque':
      return `${position.isForward ? 'f' : 'b'}${position.index},${position.key ?? ''}`
  }
}

function readPosition(text: string): Position | undefined {
  const keyset = /^k(-?\d{1,19}),(-?\d{1,15})$/.exec(text)
  if (keyset) {
    const [, key = '', offset] = keyset
    return { kind: 'keyset', key: BigInt(key), offset: Number(offset) }
  }
  const offset = /^([se])(\d{1,15})$/.exec(text)
  if (offset) {
    const [, end, index] = offset
    return { kind: 'offset', from: end === 's' ? 'start' : 'end', index: Number(index) }
  }
  const opaque = /^([fb])(-?\d{1,15}),(.*)$/.exec(text)
  if (opaque) {
    const [, direction, index, key] = opaque
    return { kind: 'opaque', key: key || null, index: Number(index), isForward: direction === 'f' }
  }
  return undefined
}
